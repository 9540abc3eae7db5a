import { formatTime, parseTime } from '@hnotif/core/lifecycle';
import type { DeliveryAttempt } from '@hnotif/core/page';
import type { Try } from '../dispatch/tries.ts';

/** The requests of a delivery that ended at a time (RFC 3339): each began as long before the end as it and what followed took. */
export function attemptsUntil(end: string, tries: readonly Try[]): readonly DeliveryAttempt[] {
  let at = parseTime(end) ?? 0;
  return tries
    .toReversed()
    .map((each) => {
      at -= each.tookMs + (each.wait?.ms ?? 0);
      return { at: formatTime(at), ...each };
    })
    .toReversed();
}
