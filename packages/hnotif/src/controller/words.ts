import type { Stall } from '../dispatch/delivery.ts';

/** A human reads no more; the CRD allows 32,768, and a status that is refused would freeze all of it. */
const LONGEST_MESSAGE = 4_000;

/** At most 4,000 characters, cut between code points, with a word that something is missing. */
export function shortened(text: string): string {
  if (text.length <= LONGEST_MESSAGE) return text;
  const kept = text.slice(0, LONGEST_MESSAGE - 20).replace(/[\ud800-\udbff]$/, '');
  return `${kept}… (shortened)`;
}

/** How many wait. */
export const waitingInWords = ({ waiting, atMost }: Pick<Stall, 'waiting' | 'atMost'>): string =>
  waiting === 1 ? '1 delivery waits' : `${atMost === true ? 'up to ' : ''}${waiting} deliveries wait`;
