import type { Content } from './content.ts';
import { nextTurn } from '../clock.ts';
import { LARGEST_JSON, pack, type ContentText, type Packed } from './text.ts';

/** The longest text of a content (characters, all of one byte): an object of 1 MiB and more is refused by many clusters. */
export const LARGEST_TEXT = 700_000;

/** The content as text, its messages shortened where it would be too large; undefined: it is too large all the same. */
export async function fit(content: Content): Promise<ContentText | undefined> {
  if (isLong(content)) await nextTurn();
  const whole = await pack(content);
  if (isSmall(whole)) return whole;
  const short = await pack(withShortMessages(content));
  return isSmall(short) ? short : undefined;
}

/** More rows are worked on in a turn of the event loop of its own for each step. */
const MANY = 1_000;

const isLong = ({ log, observed }: Content): boolean => log.length + observed.targets.length > MANY;

const isSmall = ({ text, jsonLength }: Packed): boolean =>
  text.length <= LARGEST_TEXT && jsonLength <= LARGEST_JSON;

/** How many characters of a message are kept where a journal would be too large… */
const MESSAGE = 256;
/** …and of a failed target's, and of a run's error. */
const FAILED_MESSAGE = 1024;

type Told = readonly [string, string, string, string, ...string[]];

/** A journal's content with its long messages shortened: what was to be told is told, if not in full. */
function withShortMessages(content: Content): Content {
  const { observed, table, log, roots } = content;
  return {
    ...content,
    observed: {
      ...observed,
      errorMessage: cut(observed.errorMessage, FAILED_MESSAGE),
      targets: observed.targets.map(shortRow),
    },
    ...(table && { table: table.map(shortRow) }),
    log: log.map(({ change, ...event }) => ({
      ...shortEvent(event),
      ...(change && { change: shortChange(change) }),
    })),
    roots: roots.map((root) => ({
      ...root,
      errorMessage: cut(root.errorMessage, FAILED_MESSAGE),
      shown: { ...shortEvent(root.shown), targets: root.shown.targets.map(shortRow) },
    })),
  };
}

function shortRow<T extends Told>(row: T): T {
  const [name, executor, state, message, ...rest] = row;
  return [name, executor, state, ofTarget(state, message), ...rest] as unknown as T;
}

function shortEvent<T extends Pick<Content['log'][number], 'target' | 'errorMessage'>>(event: T): T {
  const { target, errorMessage } = event;
  return {
    ...event,
    ...(target && { target: shortRow(target) }),
    ...(errorMessage !== undefined && { errorMessage: cut(errorMessage, FAILED_MESSAGE) }),
  };
}

type Change = NonNullable<Content['log'][number]['change']>;

function shortChange(change: Change): Change {
  if ('rows' in change) return { rows: change.rows.map(shortRow) };
  if ('all' in change) return change;
  return {
    set: change.set.map(([place, state, message]) => [place, state, ofTarget(state, message)] as const),
  };
}

const ofTarget = (state: string, message: string): string =>
  cut(message, state === 'Failed' ? FAILED_MESSAGE : MESSAGE);

/** Never through the middle of a surrogate pair, which would not be a text any more. */
const cut = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most - 1).replace(/[\ud800-\udbff]$/, '')}…`;
