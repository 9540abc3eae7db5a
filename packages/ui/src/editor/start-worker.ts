import type { FromWorker, Job } from './job.ts';
import type { WorkerEvents, WorkerLike } from './runner.ts';

/** Starts the worker of the page, which stands beside its other files. */
export function startWorker({ said, broke }: WorkerEvents): WorkerLike {
  const worker = new Worker(new URL('worker.js', import.meta.url), { type: 'module' });
  worker.addEventListener('message', ({ data }: MessageEvent<FromWorker>) => {
    said(data);
  });
  worker.addEventListener('error', broke);
  return {
    post: (job: Job) => {
      worker.postMessage(job);
    },
    end: () => {
      worker.terminate();
    },
  };
}
