import { dropped } from './dropped.ts';
import { egress } from './egress.ts';
import { lies } from './lies.ts';
import { newUid } from './new-uid.ts';
import { repeated } from './repeated.ts';
import { resets } from './resets.ts';
import { retryAfter } from './retry-after.ts';
import { rollback } from './rollback.ts';
import { shares } from './shares.ts';
import { smallHeap } from './small-heap.ts';
import { watches } from './watches.ts';

/** Small scenarios: each takes some seconds, and is part of the tests. */
export const PROMISES = [retryAfter, resets, lies, newUid, watches, repeated, shares, egress];

/** They take longer. */
export const LONGER = [dropped, smallHeap, rollback];
