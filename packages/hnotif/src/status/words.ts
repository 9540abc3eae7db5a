import type { SinkWait } from '../dispatch/delivery.ts';
import { formatSeconds } from '../lifecycle/time.ts';
import type { Suspension } from '../resources/suspension.ts';

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
