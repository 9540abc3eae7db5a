import type { EventKind } from '../resources/kinds.ts';
import type { MessageItem } from './messages.ts';

/** What became of a delivery, as a dot on the board. */
export type DotState =
  | 'delivered'
  | 'waiting'
  /** It waits for longer than a moment, most often after a failed try. */
  | 'retried'
  /** Its sink needs a correction. */
  | 'parked'
  | 'failed'
  | 'dropped'
  | 'suppressed'
  /** The journal does not tell any more how it ended. */
  | 'ended';

/** One event at one sink, or several that ended together. All times are in milliseconds since the epoch. */
export interface Dot {
  readonly id: string;
  readonly seq: number;
  readonly event: string;
  readonly notification: string;
  readonly sink: string;
  readonly state: DotState;
  /** When it ended, or was accepted if it waits. */
  readonly at: number;
  readonly count: number;
  /** Why it waits, or was not delivered; `''`: nothing to say. */
  readonly why: string;
  /** The id of the message or of its event, for the address of the delivery; what has ended has its beginning. Absent: it is not known. */
  readonly ref?: string | undefined;
  /** About: from the change of the plan to the arrival. Absent: the change was not seen. */
  readonly latencyMs?: number | undefined;
}

/** An event that says how a run went: a Start, Success, Failure or Recovery. */
export interface Mark {
  readonly kind: EventKind;
  readonly at: number;
}

/** A phase of a plan, until the next one begins. */
export interface Span {
  readonly phase: string;
  readonly from: number;
}

/** A plan on the board. */
export interface Row {
  readonly namespace: string;
  readonly plan: string;
  readonly phase: string;
  readonly operation: string;
  /** In order of time. */
  readonly spans: readonly Span[];
  readonly marks: readonly Mark[];
  readonly dots: ReadonlyMap<string, Dot>;
}

/** What the page says about the whole. */
export interface Head {
  /** Who serves, in a sentence. */
  readonly leader: string;
  readonly serving: 'serving' | 'inactive' | 'unknown';
  /** The namespace that is shown; undefined: all. */
  readonly namespace?: string;
  /** What the user may not see, or what is out of date, each in a sentence with the remedy. */
  readonly unseen: readonly string[];
  /** Whether the receivers are here, so that their messages can be shown (`hnotif dev`). */
  readonly hasMessages: boolean;
}

/** A row that is new or has changed. What is absent stays as it was. */
export interface RowChange {
  readonly key: string;
  readonly namespace: string;
  readonly plan: string;
  readonly phase: string;
  readonly operation: string;
  readonly spans?: readonly Span[];
  readonly marks?: readonly Mark[];
  /** New ones, and those that have changed. */
  readonly dots?: readonly Dot[];
  /** The ids of those that are not shown any more. */
  readonly lost?: readonly string[];
}

/** What the server sends. The first one has `reset`. */
export interface Change {
  /** Forget everything before. */
  readonly reset?: true;
  readonly head?: Head;
  readonly rows?: readonly RowChange[];
  /** The keys of plans that are gone. */
  readonly gone?: readonly string[];
  /** New requests at the receivers. */
  readonly messages?: readonly MessageItem[];
  /** A notification has changed: what the server answers may be different now, even if no row is. */
  readonly facts?: true;
  /** The API server's time when it was sent. */
  readonly now: number;
}

export type Board = Map<string, Row>;

/** Applies the rows of a change, in place. Both sides use it. */
export function applyRows(board: Board, { reset, rows = [], gone = [] }: Change): void {
  if (reset === true) board.clear();
  for (const key of gone) board.delete(key);
  for (const change of rows) board.set(change.key, changedRow(board.get(change.key), change));
}

function changedRow(known: Row | undefined, change: RowChange): Row {
  const { namespace, plan, phase, operation, spans, marks, dots = [], lost = [] } = change;
  const all = new Map(known?.dots);
  for (const id of lost) all.delete(id);
  for (const dot of dots) all.set(dot.id, dot);
  return {
    ...{ namespace, plan, phase, operation, dots: all },
    spans: spans ?? known?.spans ?? [],
    marks: marks ?? known?.marks ?? [],
  };
}

/** So many rows of a large board are one change… */
export const ROWS_AT_ONCE = 200;
/** …and so many are the first one: what a window shows is on the page while the others are on their way. */
const FIRST_ROWS = 40;

/**
 * The whole board as changes. The board may change between two of them. A client first applies them all, and then each change since the
 * first one: so it has the present board.
 */
export function* snapshotOf(
  board: Board,
  head: Head,
  now: () => number,
  size = ROWS_AT_ONCE,
): Generator<Change> {
  let begin: Partial<Change> = { reset: true, head };
  let rows: RowChange[] = [];
  let most = Math.min(size, FIRST_ROWS);
  for (const [key, { dots, ...row }] of board) {
    rows.push({ key, ...row, dots: [...dots.values()] });
    if (rows.length < most) continue;
    yield { ...begin, rows, now: now() };
    begin = {};
    rows = [];
    most = size;
  }
  if (begin.reset === true || rows.length > 0) yield { ...begin, rows, now: now() };
}

/** The change from one state of a row to the next; undefined: they are the same. */
export function rowChange(key: string, before: Row | undefined, after: Row): RowChange | undefined {
  const dots = [...after.dots.values()].filter((dot) => !isSameDot(before?.dots.get(dot.id), dot));
  const lost = before === undefined ? [] : [...before.dots.keys()].filter((id) => !after.dots.has(id));
  const spans = after.spans !== before?.spans;
  const marks = after.marks !== before?.marks;
  const moved = before?.phase !== after.phase || before.operation !== after.operation;
  if (dots.length === 0 && lost.length === 0 && !spans && !marks && !moved) return undefined;
  const { namespace, plan, phase, operation } = after;
  return {
    ...{ key, namespace, plan, phase, operation },
    ...(spans && { spans: after.spans }),
    ...(marks && { marks: after.marks }),
    ...(dots.length > 0 && { dots }),
    ...(lost.length > 0 && { lost }),
  };
}

/** Whether a client need not be told. */
export const isSameDot = (a: Dot | undefined, b: Dot): boolean =>
  a === b ||
  (a?.state === b.state && a.at === b.at && a.count === b.count && a.why === b.why && a.event === b.event);
