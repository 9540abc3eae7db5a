import { formatSeconds } from '../lifecycle/time.ts';
import type { Suspension } from '../resources/notification.ts';

/** What a suspension does, until when, and why. */
export function mutedInWords({ until, reason, tellsAfter = false }: Suspension): string {
  const end = until === undefined ? '' : ` until ${formatSeconds(until)}`;
  const why = reason === '' ? '' : ` (${reason})`;
  const rest = tellsAfter ? ', but Success and Failure wait and are sent after it' : '';
  return `muted${end}${why}: what is due is dropped${rest}`;
}
