import { LIMITS } from '../dispatch/limits.ts';
import { isExpendable } from '../dispatch/overflow.ts';
import { sizeOfEvent } from '../dispatch/size.ts';
import { streamKey, type Book } from './book.ts';
import type { Routed } from './plan-journal.ts';

/**
 * What may wait in one stream of what is never dropped: somewhat less than the dispatcher takes, which spares a head that is under
 * way whatever it is.
 */
const MOST = LIMITS.streamDeliveries - 6;
const MOST_BYTES = LIMITS.streamBytes - 128 * 1024;

/**
 * Whether what tells how a night went would have to be dropped, if these events came to what waits: since there is no room for
 * more at all, or by their stream. One that is empty takes anything.
 */
export function isCrowded(book: Book, events: readonly Routed[], hasRoom: () => boolean): boolean {
  const lasting = events.filter(({ event, to }) => to.length > 0 && !isExpendable(event));
  if (lasting.length === 0) return false;
  if (!hasRoom()) return true;
  const waiting = new Map<string, { deliveries: number; bytes: number }>();
  for (const { event, waits } of book.entries.values()) {
    if (isExpendable(event)) continue;
    for (const stream of waits.keys()) {
      const { deliveries, bytes } = waiting.get(stream) ?? { deliveries: 0, bytes: 0 };
      waiting.set(stream, { deliveries: deliveries + 1, bytes: bytes + sizeOfEvent(event) });
    }
  }
  const more = lasting.reduce((sum, { event }) => sum + sizeOfEvent(event), 0);
  return lasting
    .flatMap(({ to }) => to.map(streamKey))
    .some((stream) => {
      const { deliveries, bytes } = waiting.get(stream) ?? { deliveries: 0, bytes: 0 };
      return deliveries > 0 && (deliveries + lasting.length > MOST || bytes + more > MOST_BYTES);
    });
}
