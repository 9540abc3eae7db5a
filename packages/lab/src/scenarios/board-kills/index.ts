import { partByPart, type Scenario } from '../../scenario.ts';
import { nightWithKills, type Moment } from './night.ts';

/** Nights at once: each waits most of the time. */
const AT_ONCE = 6;
/** The requests of a night to the chat: the board is posted, updated, has replies to failures, is closed, and has a last reply. */
const REQUESTS = Array.from({ length: 10 }, (_, index) => index + 1);

const momentsOf = (kind: Moment['kind'], numbers: readonly number[]): (readonly [string, Moment])[] =>
  numbers.flatMap((nth) =>
    [false, true].map((taken) => [`${kind}-${nth}${taken ? '-taken' : ''}`, { kind, nth, taken }] as const),
  );
const MOMENTS = new Map([...momentsOf('request', REQUESTS), ...momentsOf('write', [0, ...REQUESTS])]);

const inWords = ({ kind, nth, taken }: Moment): string =>
  [
    kind === 'request' ? `request ${nth} to the chat` : `the journal’s first write after answer ${nth}`,
    taken ? 'was carried out, unanswered' : 'has come',
  ].join(' ');

const SENTENCES = Object.fromEntries([...MOMENTS].map(([name, moment]) => [name, inWords(moment)]));

export const boardKills: Scenario = {
  name: 'board-kills',
  about:
    'a kill at each moment of a night: there is one board, no plan is missing, and none goes back (6 minutes)',
  names: { what: 'MOMENT', all: SENTENCES },
  run: (given) =>
    partByPart(
      given,
      SENTENCES,
      async (name) => {
        const moment = MOMENTS.get(name);
        return moment === undefined
          ? ['there is no such moment']
          : nightWithKills(moment).catch((error: unknown) => [String(error)]);
      },
      AT_ONCE,
    ),
};
