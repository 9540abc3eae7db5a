import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { emptyBaseline, silentBaseline } from './baseline.ts';
import type { Observed } from './observed.ts';
import type { OperatorStatus } from './operator.ts';
import { histories, longHistories, planOf, type History, type Write } from './testing/history.ts';
import { observedOf, tellings, type Told } from './testing/processes.ts';
import { runs } from '../testing/runs.ts';

const RUNS = { seed: 20260301, numRuns: runs(6), endOnFailure: true };
const NEVER = { failureAfterMs: Number.MAX_SAFE_INTEGER };

type Style = (status: OperatorStatus, index: number) => OperatorStatus;

const eachTarget =
  (change: (row: OperatorStatus['executions'][number]) => object): Style =>
  (status) => ({ ...status, executions: status.executions.map((row) => ({ ...row, ...change(row) })) });

/** `change` is given every time that the status tells. */
const eachTime =
  (change: (time: string) => string): Style =>
  (status) =>
    JSON.parse(
      JSON.stringify(status).replaceAll(/\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z/g, change),
    ) as OperatorStatus;

/** How operators write what the ids are made of. */
const STYLES: readonly (readonly [name: string, style: Style])[] = [
  ['all times', (status) => status],
  ['no times', eachTime(() => '')],
  ['no time of the last transition', (status) => ({ ...status, lastTransitionTime: null })],
  ['no time of the last retry', (status) => ({ ...status, lastRetryTime: null })],
  ['no times of targets', eachTarget(() => ({ startedAt: '', finishedAt: '' }))],
  ['no ends of targets', eachTarget(() => ({ finishedAt: '' }))],
  ['no starts of targets', eachTarget(() => ({ startedAt: '' }))],
  ['no jobs of targets', eachTarget(() => ({ jobRef: '' }))],
  ['one job name for all', eachTarget(({ jobRef }) => ({ jobRef: jobRef && 'team-a/job' }))],
  ['no history', (status) => ({ ...status, executionHistory: [] })],
  ['no cycles', (status) => ({ ...status, currentCycleID: '' })],
  [
    'every target twice',
    (status) => ({ ...status, executions: status.executions.flatMap((row) => [row, row]) }),
  ],
  [
    'targets that come and go',
    (status, index) => ({
      ...status,
      executions: status.executions.filter((_, place) => place === 0 || index % 5 > 1),
    }),
  ],
];

/** Clocks that there should not be. */
const CLOCKS: typeof STYLES = [
  ['whole minutes', eachTime((time) => `${time.slice(0, 17)}00Z`)],
  ['a clock that stands', eachTime(() => '2026-03-01T19:00:00Z')],
  [
    'a clock that runs backwards',
    eachTime((time) => new Date(2 * Date.parse('2026-03-01T19:00:00Z') - Date.parse(time)).toISOString()),
  ],
];

const inStyle = (history: History, style: Style): History => ({
  ...history,
  writes: history.writes.map((write, index): Write => {
    const status = style(write.status, index);
    return { ...write, status, plan: planOf(status, { rv: index + 1, retries: history.retries }) };
  }),
});

/** Those that have the id of an earlier one. */
const repeatedOf = (told: readonly Told[]): (readonly [earlier: Told, later: Told])[] => {
  const known = new Map<string, Told>();
  return told.flatMap((later) => {
    const earlier = known.get(later.id);
    known.set(later.id, later);
    return earlier === undefined ? [] : [[earlier, later] as const];
  });
};

const asText = (pairs: ReturnType<typeof repeatedOf>): string[] =>
  pairs.map(([earlier, later]) => `${earlier.happening} / ${later.happening}`);

const places = (history: History): number[] => [...history.writes.keys()];
const silent = ({ writes }: History, index: number): Observed | undefined => {
  const write = writes[index];
  return write && silentBaseline(write.plan, `silent ${index}`, write.at, NEVER);
};

describe('no two events of a plan share an id', () => {
  const spaced = [
    ['apart', 1],
    ['within seconds', 0],
  ] as const;

  it.each(
    [...STYLES, ...CLOCKS].flatMap(([name, style]) => spaced.map((each) => [name, ...each, style] as const)),
  )(
    'where the operator writes %s, its writes are %s, and each of them is hidden in turn',
    (_, __, pause, style) => {
      fc.assert(
        fc.property(longHistories(pause), (whole) => {
          const history = inStyle(whole, style);
          const all = places(history);
          for (const hidden of [-1, ...all]) {
            const seen = all.filter((index) => index !== hidden);
            const told = tellings(history, emptyBaseline('epoch'), seen);
            expect(asText(repeatedOf(told)), `hidden: ${hidden}`).toEqual([]);
          }
        }),
        { ...RUNS, numRuns: runs(2) },
      );
    },
  );

  it.each(STYLES)(
    'where it writes %s, and the journal is lost, whenever: only the same event comes again',
    (_, style) => {
      fc.assert(
        fc.property(longHistories(1), fc.nat({ max: 2 }), (whole, gap) => {
          const history = inStyle(whole, style);
          const all = places(history);
          const before = tellings(history, emptyBaseline('epoch'), all);
          for (const lost of all) {
            const baseline = silent(history, lost + gap);
            if (baseline === undefined) return;
            const after = tellings(history, baseline, all.slice(lost + gap + 1), lost + gap);
            const repeated = repeatedOf([...before.filter(({ index }) => index <= lost), ...after]);
            const others = repeated.filter(([earlier, later]) => earlier.happening !== later.happening);
            expect(asText(others), `lost after ${lost}, met at ${lost + gap}`).toEqual([]);
          }
        }),
        { ...RUNS, numRuns: runs(3) },
      );
    },
  );
});

/** All who tell of a history: who saw it whole, and for each of its writes three who begin there. */
function* processes(history: History): Generator<readonly [name: string, begins: number, told: Told[]]> {
  const all = places(history);
  const bases = observedOf(history, emptyBaseline('whole'), all);
  yield ['saw all', 0, tellings(history, emptyBaseline('whole'), all)];
  for (const index of all) {
    const baseline = silent(history, index);
    const before = bases[index];
    if (baseline !== undefined)
      yield ['has no journal', index, tellings(history, baseline, all.slice(index + 1), index)];
    yield ['began with nothing', index, tellings(history, emptyBaseline(`empty ${index}`), all.slice(index))];
    if (before !== undefined)
      yield [
        'missed a write',
        index,
        tellings(history, { ...before, epoch: `gap ${index}` }, all.slice(index + 1), index - 1),
      ];
  }
}

describe('two processes', () => {
  it('give the same event one id, but where the facts do not tell it apart', () => {
    let agreed = 0;
    fc.assert(
      fc.property(histories, (history) => {
        const whole = new Map<string, Told>();
        for (const [name, begins, told] of processes(history)) {
          if (name === 'saw all') for (const each of told) whole.set(each.happening, each);
          for (const each of told) {
            const same = whole.get(each.happening);
            if (same === undefined) continue;
            if (each.id === same.id) agreed++;
            else
              expect(mayDiffer(history, same, each, begins), `${name} ${begins}: ${each.happening}`).toBe(
                true,
              );
          }
        }
      }),
      RUNS,
    );
    expect(agreed).toBeGreaterThan(0);
  });

  it('never give two events one id', () => {
    fc.assert(
      fc.property(longHistories(1), (history) => {
        const happenings = new Map<string, string>();
        for (const [name, begins, told] of processes(history)) {
          for (const { id, index, happening } of told) {
            // What a process without a memory finds is the net of all before: it may be told by its end, or by its beginning.
            if (name === 'began with nothing' && index === begins) continue;
            const known = happenings.get(id) ?? happening;
            expect(happening, `${name} ${begins}`).toBe(known);
            happenings.set(id, known);
          }
        }
      }),
      RUNS,
    );
  });
});

/** The rare cases of `ids.ts`, as they come up in the histories. `whole`: as told by the process that saw all. */
function mayDiffer(history: History, whole: Told, other: Told, begins: number): boolean {
  const { event } = other;
  const timeless = whole.event.fact === '' || event.fact === '';
  const [seen, late] = [history.writes[whole.index], history.writes[other.index]];
  switch (event.kind) {
    // Seen when `lastTransitionTime` is that of something later.
    case 'Start':
      return seen?.status.lastTransitionTime !== late?.status.lastTransitionTime;
    // Known from the next run's beginning; not told from what was there before; or no target has an end.
    case 'Success':
      return timeless || event.targets.every(({ state }) => state === 'Aborted');
    // The plan was just created.
    case 'PhaseChange':
      return late?.status.lastTransitionTime === null;
    case 'ExecutionProgress':
      return mayProgressDiffer(history, whole, other, begins);
    case 'Failure':
    case 'Recovery':
      return false;
  }
}

function mayProgressDiffer(history: History, whole: Told, other: Told, begins: number): boolean {
  const timeless = whole.event.fact === '' || other.event.fact === '';
  const { name, state } = other.event.targetExecution ?? { name: '', state: '' };
  const rowIn = (index: number) =>
    history.writes[index]?.status.executions.find(({ target }) => target === name);
  const [seen, late] = [history.writes[whole.index], history.writes[other.index]];
  const hasLostItsJob = history.writes.some(
    ({ did, run }, index) =>
      did === 'poll' &&
      run === late?.run &&
      rowIn(index)?.state === 'Pending' &&
      rowIn(index - 1)?.state === 'Running',
  );
  const begun = rowIn(begins);
  switch (state) {
    // It had not run in this run, or it was met while it ran.
    case 'Aborted':
      return timeless;
    case 'Pending':
      return timeless && hasLostItsJob;
    // It was met while it waited for another attempt, or another retry has gone by.
    case 'Running':
      return (
        hasLostItsJob ||
        (timeless && begun?.state === 'Pending' && begun.startedAt !== undefined) ||
        seen?.status.lastRetryTime !== late?.status.lastRetryTime
      );
    default:
      return false;
  }
}
