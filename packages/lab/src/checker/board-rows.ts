/** The rows of a plan that a board may show, one for each of its events: a second implementation of docs/teamchat.md#boards. */
import type { ShownPlan } from './board-text.ts';
import type { Made, State } from './path.ts';

/** What a board shows of a plan after an event. */
export interface ExpectedRow {
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
export const isShown = ({ state, targets }: ExpectedRow, shown: ShownPlan): boolean => {
  // The targets of a run that ended unseen are not known.
  const isSame = state === shown.state || (targets === undefined && hasEnded(state) && hasEnded(shown.state));
  return isSame && (targets === undefined || shown.targets === undefined || targets === shown.targets);
};
