/**
 * The boards: each night has one; it shows all plans, goes back for none, and ends with the last state of each. The rows that a board may
 * show are derived from the events of each plan, by docs/teamchat.md#boards.
 */
import { type BoardText, readBoard, type ShownPlan } from './board-text.ts';
import type { Made, State } from './path.ts';
import type { Arrival, BoardMessage, DeliveryEnd } from '../record.ts';
import { inWords, type Said } from './messages.ts';
import { type AllForgotten, type Forgotten, NOTHING_FORGOTTEN } from './threads.ts';

/** What a board shows of a plan after an event. */
interface ExpectedRow {
  readonly operation: string;
  readonly cycle: string;
  readonly state: ShownPlan['state'];
  /** Undefined: not known, any will do. */
  readonly targets: string | undefined;
  /** Of the event (milliseconds since the epoch); undefined: hnotif has its own time. */
  readonly at: number | undefined;
  /** The number of the event among all events of the plan: the first one has 1. */
  readonly seq: number;
}

const hasEnded = (state: ShownPlan['state']): boolean =>
  state === 'failed' || state === 'short' || state === 'done';

/** In the order of the events. Those without a night are on no board. */
export function rowsOf(
  events: readonly Made[],
  states: readonly State[],
  onEvents: readonly string[],
): ExpectedRow[] {
  const rows: ExpectedRow[] = [];
  const last = new Map<string, ExpectedRow>();
  for (const [index, event] of events.entries()) {
    const { cycle, kind, operation } = event;
    if (cycle === '' || !onEvents.includes(kind)) continue;
    const seq = index + 1;
    const status = states[event.at]?.status;
    const isOfStatus = status?.cycle === cycle && status.operation === operation;
    const old = last.get(operation);
    const run = kind !== 'Start' && old?.cycle === cycle ? old : undefined;
    const isDetail = kind === 'ExecutionProgress' || kind === 'PhaseChange';
    const at = event.time === undefined ? undefined : event.time * 1000;
    const found = isOfStatus ? status.targets.map(({ state }) => state) : undefined;
    // A Start shows the targets before the run has touched them.
    const targets = kind === 'Start' ? found?.map(() => 'Pending') : found;
    const row: ExpectedRow =
      run !== undefined && hasEnded(run.state) && isDetail
        ? { ...run, at, seq }
        : {
            ...{ operation, cycle, at, seq, targets: targets && tallyOf(targets) },
            state: stateAfter(run?.state, event, targets),
          };
    rows.push(row);
    last.set(operation, row);
  }
  return rows;
}

function stateAfter(
  before: ShownPlan['state'] | undefined,
  { kind, phase }: Made,
  targets: readonly string[] | undefined,
): ShownPlan['state'] {
  switch (kind) {
    case 'Start':
      return 'running';
    case 'Success':
      return targets?.some(isUnsuccessful) === true ? 'short' : 'done';
    case 'Failure':
      return 'failed';
    case 'Recovery':
      return 'retrying';
    case 'ExecutionProgress':
    case 'PhaseChange':
      return phase === 'Error' || before === 'retrying' ? 'retrying' : 'running';
  }
}

const isUnsuccessful = (state: string): boolean => state === 'Failed' || state === 'Aborted';

function tallyOf(targets: readonly string[]): string {
  const completed = targets.filter((state) => state === 'Completed').length;
  return `${completed}/${targets.length}/${targets.filter(isUnsuccessful).length}`;
}

/** Whether a board that shows this may show this row. */
const isShown = ({ state, targets }: ExpectedRow, shown: ShownPlan): boolean => {
  // The targets of a run that ended unseen are not known.
  const isSame = state === shown.state || (targets === undefined && hasEnded(state) && hasEnded(shown.state));
  return isSame && (targets === undefined || shown.targets === undefined || targets === shown.targets);
};

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
