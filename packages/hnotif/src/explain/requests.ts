import { formatTime, parseTime } from '@hnotif/core/lifecycle';
import type { DeliveryRequest } from '@hnotif/core/page';
import type { MadeRequest } from '../dispatch/made-requests.ts';

/** The requests of a delivery that ended at a time (RFC 3339): each began as long before the end as it and what followed took. */
export function requestsUntil(end: string, requests: readonly MadeRequest[]): readonly DeliveryRequest[] {
  let at = parseTime(end) ?? 0;
  return requests
    .toReversed()
    .map((each) => {
      at -= each.tookMs + (each.wait?.ms ?? 0);
      return { at: formatTime(at), ...each };
    })
    .toReversed();
}
