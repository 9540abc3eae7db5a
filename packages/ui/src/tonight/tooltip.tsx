import type { Dot } from '@hnotif/core/page';
import { duration, exactTime, localTimes } from '../common/time.ts';
import { STATES } from './states.ts';

interface TooltipProps {
  /** The nearest first. None: nothing is shown. */
  readonly dots: readonly Dot[];
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly x: number;
  readonly y: number;
}

/** More are only counted. */
const MOST = 4;
/** So much of the window it may take (pixels). */
const WIDTH = 340;

/** What the dots under the pointer are. Screen readers hear it as well. */
export function Tooltip({ dots, now, x, y }: TooltipProps) {
  const left = Math.max(4, Math.min(x + 12, innerWidth - WIDTH - 8));
  const above = y > innerHeight / 2;
  const place = above ? { bottom: `${innerHeight - y + 14}px` } : { top: `${y + 14}px` };
  return (
    <div
      class="tooltip"
      role="status"
      hidden={dots.length === 0}
      style={{ left: `${left}px`, maxWidth: `${WIDTH}px`, top: 'auto', bottom: 'auto', ...place }}
    >
      {dots.slice(0, MOST).map((dot) => (
        <p key={dot.id}>{describe(dot, now)}</p>
      ))}
      {dots.length > MOST && <p class="faint">and {dots.length - MOST} more here</p>}
    </div>
  );
}

/** `#12 Success → night/ops: delivered 20:00:03.412, 0.12 s after the change` */
function describe(
  { at, count, event, latencyMs, notification, seq, sink, state, why }: Dot,
  now: number,
): string {
  const many = count === 1 ? '' : ` (${count} deliveries)`;
  const late = latencyMs === undefined ? '' : `, about ${duration(latencyMs)} after the change`;
  const since = state === 'waiting' || state === 'retried' || state === 'parked' ? 'since ' : '';
  const reason = why === '' ? '' : `: ${localTimes(why, now)}`;
  return `#${seq} ${event} → ${notification}/${sink}: ${STATES[state].label}${many} ${since}${exactTime(at, now)}${late}${reason}`;
}
