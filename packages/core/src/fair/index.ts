export { overflowOf } from './excess.ts';
export { FairQueue } from './queue.ts';
export { FairSemaphore } from './semaphore.ts';
export { Share } from './share.ts';
export { TokenBucket, type TokenShare } from './token-bucket.ts';
export { type Rest, WorkQueue } from './work-queue.ts';
