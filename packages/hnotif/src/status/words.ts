import type { SinkWait } from '../dispatch/delivery.ts';
import { DROP_REASONS, HARMLESS_DROPS, type DropReason } from '../dispatch/reasons.ts';
import { formatSeconds, parseTime } from '@hnotif/core/lifecycle';
import type { DroppedCount, SinkStatus, Suspension } from '@hnotif/core/resources';

/** A human reads no more; the CRD allows 32,768, and a status that is refused would freeze all of it. */
const LONGEST_MESSAGE = 4_000;

/** At most 4,000 characters, cut between code points, with a word that something is missing. */
export function shortened(text: string): string {
  if (text.length <= LONGEST_MESSAGE) return text;
  const kept = text.slice(0, LONGEST_MESSAGE - 20).replace(/[\ud800-\udbff]$/, '');
  return `${kept}… (shortened)`;
}

/** A time in words, in the unit that suits it. */
export function durationInWords(ms: number): string {
  const seconds = Math.round(Math.max(0, ms) / 1_000);
  if (seconds < 120) return `${seconds} s`;
  return seconds < 7_200 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3_600)} h`;
}

/** How many wait. */
export const waitingInWords = ({ waiting, atMost }: Pick<SinkWait, 'waiting' | 'atMost'>): string =>
  waiting === 1 ? '1 delivery waits' : `${atMost === true ? 'up to ' : ''}${waiting} deliveries wait`;

/** In a condition: how many deliveries of a sink wait, since when and until when. */
export function describeWait(wait: SinkWait): string {
  const { kind, since, nextAt } = wait;
  const deliveries = waitingInWords(wait);
  const head = since === Infinity ? deliveries : `${deliveries} since ${formatSeconds(since)}`;
  const next = formatSeconds(nextAt);
  switch (kind) {
    case 'paused':
      return `${head}; the receiver asks to wait, and nothing is sent before ${next}; `;
    case 'behind':
      return `${head}, until about ${next}; `;
    case 'held':
      return `${deliveries} while others arrive; the next try is due at ${next}; `;
    default:
      return nextAt === 0 ? `${head}; ` : `${head}; the next try is due at ${next}; `;
  }
}

/** `parked, 3 wait since 2026-01-05T20:00:00Z, next try in 40 s` */
export function describeState(row: SinkStatus, now: number): string {
  const { state = 'Late', waiting = 0, waitingSince } = row;
  const since = waitingSince === undefined ? '' : ` since ${waitingSince}`;
  const wait = waiting === 0 ? [] : [`${waiting} ${waiting === 1 ? 'waits' : 'wait'}${since}`];
  return [state.toLowerCase(), ...wait, ...nextOf(row, now)].join(', ');
}

/** `next try 2026-01-05T20:00:40Z` or, seen from `now`, `next try in 40 s`. None: it is not known. */
export function nextOf({ state, nextTry }: SinkStatus, now?: number): readonly string[] {
  const at = parseTime(nextTry ?? '');
  if (at === undefined) return [];
  const what = state === 'Behind' ? 'all sent' : 'next try';
  if (now === undefined) return [`${what}${state === 'Behind' ? ' about' : ''} ${formatSeconds(at)}`];
  return [`${what} in ${state === 'Behind' ? 'about ' : ''}${durationInWords(at - now)}`];
}

/** How many deliveries were lost or left out, when, why, and what to do. */
export function describeLoss({ reason, count, last }: DroppedCount, now: number): string {
  const [were, them] = count === 1 ? ['1 delivery was', 'it'] : [`${count} deliveries were`, 'them'];
  const at = parseTime(last);
  const ago = at === undefined ? last : `${durationInWords(now - at)} ago (${formatSeconds(at)})`;
  const why = Object.hasOwn(DROP_REASONS, reason) ? `: ${DROP_REASONS[reason as DropReason]}` : '';
  return HARMLESS_DROPS.has(reason)
    ? `${were} left out, the last ${ago}${why}`
    : `${were} lost, the last ${ago}, and hnotif replay may send ${them} again${why}`;
}

/** When a suspension ends, and what it does. */
export const describeSuspension = (suspension: Suspension): string =>
  suspension.isScheduled === true
    ? `muted by spec.muteSchedule${endOf(suspension, ' at all times')}; change spec.muteSchedule to send ${suspension.until === undefined ? 'again' : 'sooner'}`
    : `suspended${endOf(suspension, ' until spec.suspend is removed')}`;

/** The same for a user of `hnotif mute`, with what ends it. */
export const describeMute = (name: string, suspension: Suspension): string =>
  suspension.isScheduled === true
    ? describeSuspension(suspension)
    : `muted${endOf(suspension, '')}; hnotif unmute ${name} ends ${suspension.then === undefined ? 'it' : 'only the first'}`;

/** The reason of a suspension in conditions. */
export const reasonOfSuspension = ({ isScheduled }: Suspension): string =>
  isScheduled === true ? 'MutedBySchedule' : 'Suspended';

/** Until when nothing is sent. */
export const untilInWords = ({ until, then }: Suspension, endless: string): string =>
  until === undefined
    ? endless
    : ` until ${formatSeconds(until)}${then === undefined ? '' : `, then spec.muteSchedule holds${untilInWords(then, ' at all times')}`}`;

const endOf = (suspension: Suspension, endless: string): string => {
  const { reason, tellsAfter = false } = suspension;
  return `${untilInWords(suspension, endless)}${reason === '' ? '' : ` (${reason})`}: new deliveries are dropped${
    tellsAfter ? ', but Success and Failure wait and are sent after it' : ''
  }`;
};
