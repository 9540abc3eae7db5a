/** The boards: each night has one; it shows all plans, goes back for none, and ends with the last state of each. */
import type { Arrival, BoardMessage, DeliveryEnd } from '../record.ts';
import { isShown, type ExpectedRow } from './board-rows.ts';
import { readBoard, type BoardText, type ShownPlan } from './board-text.ts';
import { inWords, type Said } from './messages.ts';
import { NOTHING_FORGOTTEN, type AllForgotten, type Forgotten } from './roots.ts';

/** A plan that takes part. */
export interface BoardPlan {
  readonly sink: string;
  readonly plan: string;
  readonly rows: readonly ExpectedRow[];
}

export interface Boards {
  readonly boards: number;
  readonly secondBoards: number;
  /** How often a board went back for a plan. */
  readonly rowsBack: number;
  /** Plans that a board does not have at its end, or not with their last state. */
  readonly rowsBehind: number;
  /** Events that counted as delivered before a board had shown them. */
  readonly early: number;
  readonly faults: readonly string[];
}

/** `board_quiet` and `board_max` of the sinks (milliseconds). */
export const NIGHT = { quietMs: 300_000, maxMs: 600_000 };

interface Board {
  readonly message: BoardMessage;
  readonly texts: readonly [BoardText, ...BoardText[]];
  readonly last: BoardText;
}

/** `replies`: the messages in the threads of boards. */
export function checkBoards(
  messages: readonly BoardMessage[],
  ends: readonly DeliveryEnd[],
  plans: readonly BoardPlan[],
  forgotten: AllForgotten,
  replies: readonly { readonly arrival: Arrival; readonly said: Said }[],
): Boards {
  const lossOf = (plan: string): Forgotten => forgotten.get(plan) ?? NOTHING_FORGOTTEN;
  const faults: string[] = [];
  let [secondBoards, rowsBack, rowsBehind, early] = [0, 0, 0, 0];
  const boards = messages.flatMap((message): Board[] => {
    const texts = message.texts.map(({ text }) => readBoard(text));
    const [first, ...others] = texts.filter((text) => text !== undefined);
    if (first !== undefined && texts.length === others.length + 1)
      return [{ message, texts: [first, ...others], last: others.at(-1) ?? first }];
    faults.push(`${message.sink}: a board ${message.ts} that cannot be read: ${message.texts.at(-1)?.text}`);
    return [];
  });
  for (const board of boards) {
    const { message, last } = board;
    const next = boards
      .filter((other) => isOfSame(other, board) && other.last.began >= last.began && other !== board)
      .sort((a, b) => a.last.began - b.last.began)[0];
    const isOver = !last.plans.some(({ state }) => state === 'running' || state === 'retrying');
    const ofSink = plans.filter(({ sink }) => sink === message.sink);
    const isKnown = ofSink.every(({ plan }) => lossOf(plan).times === 0);
    if (next !== undefined && next.last.began - last.began < NIGHT.maxMs && !isOver && isKnown) {
      secondBoards++;
      faults.push(
        `${message.sink}: a second board ${next.message.ts} of the night of ${message.ts}: ${last.operation} from ${timeOf(last.began)} and from ${timeOf(next.last.began)}`,
      );
    }
    const found = new Set<string>();
    for (const plan of ofSink) {
      const rows = plan.rows.filter(({ operation }) => operation === last.operation);
      const shown = board.texts.flatMap((text) => text.plans.filter((each) => each.plan === plan.plan));
      if (shown.length > 0) found.add(plan.plan);
      const { times, unsent } = lossOf(plan.plan);
      if (times > 0) continue;
      const wrong = firstBack(shown, rows);
      if (wrong !== undefined) {
        rowsBack++;
        faults.push(
          `${message.sink}: the board ${message.ts} went back for ${plan.plan}: ${shown
            .slice(0, wrong + 1)
            .map(words)
            .join(', ')}; expected ${rows.map(words).join(', ')}`,
        );
      }
      // Events from here on may be on the next board.
      const until = Math.min(last.began + NIGHT.maxMs, (next?.last.began ?? Infinity) - NIGHT.quietMs);
      const sure = rows.findLastIndex(({ at = -1 }) => at >= last.began && at < until);
      if (sure < 0 || unsent) continue;
      const end = last.plans.find((each) => each.plan === plan.plan);
      if (end === undefined ? !last.isComplete : rows.slice(sure).some((row) => isShown(row, end))) continue;
      rowsBehind++;
      faults.push(
        `${message.sink}: the board ${message.ts} ends with ${end === undefined ? 'no row' : words(end)} of ${plan.plan}; expected ${rows.slice(sure).map(words).join(', ')}`,
      );
    }
    for (const { plan } of last.plans)
      if (!found.has(plan))
        faults.push(`${message.sink}: the board ${message.ts} shows ${plan}, which does not take part`);
  }
  for (const end of ends) {
    const plan = plans.find((each) => each.plan === end.plan && each.sink === end.sink);
    if (plan === undefined || lossOf(plan.plan).times > 0 || !isEarly(end, plan, boards)) continue;
    early++;
    faults.push(
      `${end.sink}: event ${end.seq} of ${end.plan} counted as delivered before a board had shown it`,
    );
  }
  const known = new Set(boards.map(({ message: { sink, ts } }) => `${sink} ${ts}`));
  for (const { arrival, said } of replies)
    if (!known.has(`${arrival.sink} ${arrival.thread}`))
      faults.push(`${arrival.sink}: ${inWords(said)} of ${said.plan} is in the thread of no board`);
  return { boards: messages.length, secondBoards, rowsBack, rowsBehind, early, faults };
}

/** Whether no board had shown an event, or a later one of its plan, when a journal had its end. */
function isEarly(
  { at, seq }: DeliveryEnd,
  { plan, rows, sink }: BoardPlan,
  boards: readonly Board[],
): boolean {
  const row = rows.find((each) => each.seq === seq);
  if (row === undefined) return false;
  const later = rows.filter((each) => each.seq >= seq && each.operation === row.operation);
  return !boards.some(
    ({ message, texts }) =>
      message.sink === sink &&
      texts.some((text, index) => {
        if (text.operation !== row.operation || (message.texts[index]?.at ?? Infinity) > at) return false;
        const shown = text.plans.find((each) => each.plan === plan);
        return shown === undefined ? !text.isComplete : later.some((each) => isShown(each, shown));
      }),
  );
}

const isOfSame = (a: Board, b: Board): boolean =>
  a.message.sink === b.message.sink &&
  a.last.namespace === b.last.namespace &&
  a.last.operation === b.last.operation;

/** The first of these that none of the rows shows that come after the row before. */
function firstBack(shown: readonly ShownPlan[], rows: readonly ExpectedRow[]): number | undefined {
  let from = 0;
  for (const [index, each] of shown.entries()) {
    const place = rows.findIndex((row, at) => at >= from && isShown(row, each));
    if (place < 0) return index;
    from = place;
  }
  return undefined;
}

const words = ({ state, targets = '' }: Pick<ShownPlan, 'state' | 'targets'>): string =>
  targets === '' ? state : `${state} ${targets}`;

const timeOf = (at: number): string => new Date(at).toISOString();
