import type { Content } from './content.ts';

/** How many characters of a message are kept where a journal would be too large… */
const MESSAGE = 256;
/** …and of a failed target's, and of a run's error. */
const FAILED_MESSAGE = 1024;

type Told = readonly [string, string, string, string, ...string[]];

/** A journal's content with its long messages shortened: what was to be told is told, if not in full. */
export function withShortMessages(content: Content): Content {
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
