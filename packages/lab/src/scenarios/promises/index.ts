import { lies } from './lies.ts';
import { resets } from './resets.ts';
import { retryAfter } from './retry-after.ts';
import { watches } from './watches.ts';

/** Small scenarios: each takes some seconds, and is part of the tests. */
export const PROMISES = [retryAfter, resets, lies, watches];
