import { lies } from './lies.ts';
import { newUid } from './new-uid.ts';
import { repeated } from './repeated.ts';
import { resets } from './resets.ts';
import { retryAfter } from './retry-after.ts';
import { watches } from './watches.ts';

/** Small scenarios: each takes some seconds, and is part of the tests. */
export const PROMISES = [retryAfter, resets, lies, newUid, watches, repeated];
