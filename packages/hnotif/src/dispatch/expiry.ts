import type { Pending } from './delivery.ts';
import type { Lane } from './lane.ts';
import type { End } from './ledger.ts';
import { isExpendable } from './overflow.ts';
import { EXPIRED } from './reasons.ts';

/** The end of a delivery that has become too old: which flag says how long it may wait, and what it waited for, where that is known. */
export function expired(lane: Lane, { event, failedSends }: Pending): End {
  const flag = isExpendable(event) ? '--max-age-of-progress' : '--max-age';
  const suspected = failedSends > 0 ? lane.streams.get(event.planUid)?.suspected : undefined;
  const why = lane.park?.cause ?? lane.pause ?? suspected;
  const waited = `it waited for longer than ${flag} allows`;
  return {
    ...EXPIRED,
    message: why === undefined ? waited : `${waited}; the last try: ${why.reason}: ${why.message}`,
  };
}
