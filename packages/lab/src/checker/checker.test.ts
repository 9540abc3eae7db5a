import { describe, expect, it } from 'vitest';
import {
  begin,
  fail,
  initialStatus,
  poll,
  retry,
  succeed,
  type OperatorStatus,
} from '@hnotif/core/lifecycle';
import { deliveryId, eventId, type EventIdentity } from '../../../core/src/lifecycle/ids.ts';
import type {
  Absence,
  Absent,
  Arrival,
  BoardMessage,
  ChaosRecord,
  Deletion,
  DeliveryEnd,
  Drop,
  Form,
  RootMessage,
  Timeout,
} from '../record.ts';
import { check, summary } from './checker.ts';

const AT = Date.parse('2026-01-05T20:00:00Z');
const TARGETS = [{ name: 'db', type: 'rds' }];
const KINDS = ['Start', 'Success', 'Failure', 'Recovery', 'PhaseChange', 'ExecutionProgress'];

/** One night in six states, a second apart. */
function night(): OperatorStatus[] {
  const begun = begin(initialStatus, 'shutdown', 'c1', TARGETS, AT + 1_000);
  const running = poll(begun, [{ target: 'db', state: 'Running' }], AT + 2_000);
  const done = poll(running, [{ target: 'db', state: 'Completed' }], AT + 3_000);
  return [initialStatus, begun, running, done, succeed(done, AT + 4_000)];
}

interface Told {
  readonly event: string;
  readonly second: number;
  readonly phase: string;
  readonly before?: string;
  readonly state?: string;
  readonly cycle?: string;
}

/** The expected events, written by hand. */
const EVENTS: readonly Told[] = [
  { event: 'PhaseChange', second: 0, phase: 'Active', before: '', cycle: '' },
  { event: 'Start', second: 1, phase: 'Hibernating', before: '' },
  { event: 'PhaseChange', second: 1, phase: 'Hibernating', before: 'Active' },
  { event: 'ExecutionProgress', second: 2, phase: 'Hibernating', state: 'Running' },
  { event: 'ExecutionProgress', second: 3, phase: 'Hibernating', state: 'Completed' },
  { event: 'Success', second: 4, phase: 'Hibernated', before: 'Hibernating' },
  { event: 'PhaseChange', second: 4, phase: 'Hibernated', before: 'Hibernating' },
];

const HEADINGS: Readonly<Record<string, string>> = {
  Start: ':crescent_moon: *Hibernation Starting (1 targets)*',
  Success: ':white_check_mark: *Hibernation Completed*',
  PhaseChange: ':information_source: *Phase Change*',
  Failure: ':x: *Hibernation Failed*',
  Recovery: ':repeat: *Retrying (attempt 1)*',
};

const arrivalOf = (sink: string, id: string, at: number, message: object): Arrival => ({
  ...{ at, sentAt: at, sink, id, message, thread: '', accepted: true, told: 'accepted', lateMs: 0 },
});

function webhook(told: Told, index: number): Arrival {
  const { event, phase, before, state, second, cycle = 'c1' } = told;
  return arrivalOf('log', `log-${index}`, AT + second * 1000, {
    ...{ plan: { name: 'orders' }, event, phase, cycleId: cycle },
    timestamp: new Date(AT + second * 1000).toISOString(),
    operation: cycle === '' ? '' : 'Hibernate',
    ...(before === undefined ? {} : { previousPhase: before }),
    ...(state === undefined ? {} : { targetExecution: { name: 'db', state } }),
  });
}

function reply(told: Told, index: number): Arrival {
  const { event, phase, before = '', state = '', second, cycle = 'c1' } = told;
  const time = new Date(AT + second * 1000).toISOString().replace('T', ' ').replace('.000Z', ' UTC');
  const text = [
    HEADINGS[event] ?? `:hourglass: *Target Progress:* db (rds) -&gt; ${state} - done`,
    ...['*Plan:* orders', '*Namespace:* n', `*Phase:* ${phase}`],
    `*Operation:* ${cycle === '' ? 'N/A' : 'shutdown'}`,
    ...(before === '' ? [] : [`*Previous Phase:* ${before}`]),
    `*Timestamp:* ${time}`,
  ].join('\n');
  const thread = cycle === '' ? '' : '1.1';
  return { ...arrivalOf('nights', `nights-${index}`, AT + second * 1000, { text }), thread };
}

const ROOT: RootMessage = {
  ...{ sink: 'nights', ts: '1.1', edits: [] },
  text: ':x: *Hibernation Completed*\n*Plan:* orders\n*Cycle:* c1\n*Phase:* Hibernated\n*Operation:* Hibernation',
};

interface Setting {
  readonly states?: readonly OperatorStatus[];
  readonly arrivals?: readonly Arrival[];
  readonly roots?: readonly RootMessage[];
  readonly boards?: readonly BoardMessage[];
  readonly ends?: readonly DeliveryEnd[];
  readonly kills?: readonly number[];
  readonly servedAfterMs?: number;
  /** Of each killed process. */
  readonly term?: number;
  /** The first and last index of the states that were written in a gap; 0 is the state without a status. */
  readonly gap?: readonly [number, number];
  readonly retries?: number;
  readonly forms?: Readonly<Record<string, Form>>;
  readonly absences?: readonly Absence[];
  readonly deleted?: Deletion;
  readonly drops?: readonly Drop[];
  readonly timeouts?: readonly Timeout[];
}

const logged = EVENTS.map(webhook);
const replied = EVENTS.map(reply);

function recordOf(setting: Setting): ChaosRecord {
  const { states = night(), kills = [], servedAfterMs = 1, term, gap, retries = 3 } = setting;
  const { forms = { log: 'webhook', nights: 'thread' } } = setting;
  return {
    seed: 1,
    plans: [
      {
        ...{ name: 'orders', namespace: 'n', labels: {}, retries, deleted: setting.deleted },
        writes: [{}, ...states].map((status, index) => ({ from: AT + index, to: AT + index, status })),
      },
    ],
    notifications: [
      {
        ...{ name: 'n', onEvents: KINDS, matchLabels: {} },
        sinks: Object.entries(forms).map(([name, form]) => ({ name, form })),
      },
    ],
    kills: kills.map((at) => ({ at, servedAt: at + servedAfterMs, slackMs: 1_000, fell: false, term })),
    gaps: gap === undefined ? [] : [{ from: AT + gap[0], to: AT + gap[1], why: 'kill' }],
    absences: setting.absences ?? [],
    arrivals: (setting.arrivals ?? [...logged, ...replied]).map((each) => ({ ...each, sentAt: each.at })),
    roots: setting.roots ?? [ROOT],
    boards: setting.boards ?? [],
    ends: setting.ends ?? [],
    drops: setting.drops ?? [],
    timeouts: setting.timeouts ?? [],
  };
}

const judged = (setting: Setting) => check(recordOf(setting));
const without = <T>(list: readonly T[], ...places: number[]): T[] =>
  list.filter((_, index) => !places.includes(index));
const at = (list: readonly Arrival[], index: number): Arrival => list[index] ?? arrivalOf('', '', 0, {});

describe('a record without faults', () => {
  it('passes', () => {
    const verdict = judged({});
    expect(verdict.violations).toEqual([]);
    expect(summary(verdict)).toBe(
      'kills 0, judged strictly 100 %, expected 14, received 14, missing 0, dropped and reported 0, disorder 0, ' +
        'duplicates 0 (allowed 0), per kill 0.00, roots 1/keys 1, second roots 0, cards that went back 0, ' +
        'boards 0, second boards 0, rows that went back 0, rows behind 0, delivered before they were shown 0',
    );
  });

  it('passes through JSON', () => {
    expect(check(JSON.parse(JSON.stringify(recordOf({}))) as ChaosRecord).violations).toEqual([]);
  });
});

describe('a message that did not arrive', () => {
  const arrivals = [...without(logged, 2, 3), ...replied];

  const drop: Drop = { namespace: 'n', sink: 'log', plan: 'orders', count: 2, at: AT + 9 };
  const line: Drop = { ...drop, plan: '' };

  it.each([
    ['a journal', [drop]],
    ['the log', [line]],
    ['both', [{ ...drop, count: 1 }, line]],
  ])('is not missing if %s tells its drop', (_, drops) => {
    expect(judged({ arrivals, drops })).toMatchObject({ missing: 0, dropped: 2, violations: [] });
  });

  it.each([
    ['nothing', [], 2],
    ['fewer', [{ ...drop, count: 1 }], 1],
    ['another plan', [{ ...drop, plan: 'stock' }], 2],
    ['another sink', [{ ...drop, sink: 'nights' }], 2],
    ['a sink of another namespace', [{ ...line, namespace: 'other' }], 2],
    ['the time before', [{ ...drop, at: AT + 1 }], 2],
    ['the time before one of them', [{ ...drop, at: AT + 2 }], 1],
    ['another plan, in a journal and in the log', [{ ...drop, plan: 'stock' }, line], 2],
  ])('is missing if the report is about %s', (_, drops, missing) => {
    const verdict = judged({ arrivals, drops });
    expect(verdict).toMatchObject({ missing, dropped: 2 - missing });
    expect(verdict.violations).toHaveLength(1);
  });

  it('may be one of many dropped beside a gap, whose states make their events together', () => {
    // The first state that is seen after the gap makes Start, progress and PhaseChange, in this order.
    const forms = { log: 'webhook' } as const;
    const few = [at(logged, 0), at(logged, 4), at(logged, 2)];
    const setting = { forms, roots: [], arrivals: few, drops: [{ ...drop, count: 3 }] };
    expect(judged({ ...setting, gap: [2, 3] })).toMatchObject({ missing: 0, dropped: 3, violations: [] });
    expect(judged({ ...setting, drops: [], gap: [2, 3] })).toMatchObject({ missing: 3, disorder: 0 });
    expect(judged({ ...setting, drops: [{ ...drop, count: 2 }], gap: [2, 3] })).toMatchObject({ missing: 1 });
    expect(judged(setting).disorder).toBe(1);
  });

  it('is not dropped without a report of its own: a state of a gap was rather not seen', () => {
    const forms = { log: 'webhook', copy: 'webhook' } as const;
    const copied = logged.map((each) => ({ ...each, sink: 'copy' }));
    // Running was not seen. Start was dropped at one sink.
    const few = [...without(logged, 1, 3), ...without(copied, 3)];
    const setting = { forms, roots: [], arrivals: few, gap: [3, 3] as const };
    expect(judged({ ...setting, drops: [{ ...drop, count: 1 }] })).toMatchObject({
      ...{ missing: 0, dropped: 1, violations: [], unseen: 1 },
    });
    expect(judged(setting)).toMatchObject({ missing: 1, dropped: 0, disorder: 0 });
    // The report was told before the second message could be dropped.
    const early = { ...setting, arrivals: [...without(logged, 1, 3, 5), ...without(copied, 3)] };
    const drops = [{ ...drop, at: AT + 2, count: 2 }];
    expect(judged({ ...early, drops })).toMatchObject({ missing: 1, dropped: 1, disorder: 0 });
  });
});

describe('a record fails', () => {
  it.each(EVENTS.map(({ event }, index) => [event, index] as const))(
    'when one %s (%i) is missing',
    (_, index) => {
      const verdict = judged({ arrivals: [...without(logged, index), ...replied] });
      expect(verdict).toMatchObject({ missing: 1, disorder: 0 });
      expect(verdict.violations).toHaveLength(1);
      expect(verdict.violations[0]).toContain('orders at log: 1 missing');
    },
  );

  it('when the last event is missing at all sinks', () => {
    expect(judged({ arrivals: [...without(logged, 6), ...without(replied, 6)] })).toMatchObject({
      missing: 2,
    });
  });

  it('when nothing arrived', () => {
    expect(judged({ arrivals: [], roots: [] })).toMatchObject({ expected: 14, received: 0, missing: 14 });
  });

  it.each([0, 1, 2, 3, 4, 5])('when two are swapped (%i and the next)', (index) => {
    const swapped = [...logged];
    [swapped[index], swapped[index + 1]] = [at(logged, index + 1), at(logged, index)];
    const verdict = judged({ arrivals: [...swapped, ...replied] });
    expect(verdict).toMatchObject({ missing: 0, disorder: 1 });
    expect(verdict.violations).toHaveLength(1);
  });

  it('when an event arrives twice with different ids', () => {
    const again = { ...at(logged, 3), id: 'another' };
    expect(judged({ arrivals: [...logged, again, ...replied] })).toMatchObject({ missing: 0, disorder: 1 });
  });

  it('when a message is about an event that did not happen', () => {
    const wrong = webhook({ event: 'Failure', second: 4, phase: 'Error', before: 'Hibernating' }, 9);
    expect(judged({ arrivals: [...logged, wrong, ...replied] })).toMatchObject({ missing: 0, disorder: 1 });
  });

  it.each([
    ['time', { timestamp: '2026-01-05T20:00:09.000Z' }],
    ['cycle', { cycleId: 'c2' }],
    ['operation', { operation: 'WakeUp' }],
    ['phase', { phase: 'Error' }],
    ['state', { targetExecution: { name: 'db', state: 'Failed' } }],
    ['target', { targetExecution: { name: 'vm', state: 'Running' } }],
  ])('when a message has another %s', (_, wrong) => {
    const message = { ...(at(logged, 3).message as object), ...wrong };
    const arrivals = logged.map((arrival, index) => (index === 3 ? { ...arrival, message } : arrival));
    expect(judged({ arrivals: [...arrivals, ...replied] })).toMatchObject({ missing: 1, disorder: 1 });
  });

  it('when a message has a wrong previous phase', () => {
    const message = { ...(at(logged, 6).message as object), previousPhase: 'Error' };
    const arrivals = logged.map((arrival, index) => (index === 6 ? { ...arrival, message } : arrival));
    expect(judged({ arrivals: [...arrivals, ...replied] })).toMatchObject({ missing: 1, disorder: 1 });
  });

  it('when a sink gets a message of a plan that its notification does not select', () => {
    const record = recordOf({});
    const others = record.notifications.map((spec) => ({ ...spec, matchLabels: { team: 'blue' } }));
    expect(check({ ...record, notifications: others }).expected).toBe(0);
    expect(check({ ...record, notifications: others }).violations).not.toEqual([]);
  });

  it('when two events have the same id', () => {
    const tried = { ...at(logged, 3), id: 'log-2', accepted: false, told: 'refused' } as const;
    const { violations } = judged({ arrivals: [...logged, tried, ...replied] });
    expect(violations).toEqual([expect.stringContaining('log log-2 has two contents')]);
  });

  it('when a message has no event, or a plan that does not exist', () => {
    const junk = arrivalOf('nights', 'x', AT, { text: 'hello' });
    expect(judged({ arrivals: [...logged, ...replied, junk] }).violations).toHaveLength(1);
    const message = { ...(at(logged, 1).message as object), plan: { name: 'other' } };
    const other = { ...at(logged, 1), id: 'y', message };
    expect(judged({ arrivals: [...logged, ...replied, other] }).violations).toHaveLength(1);
  });
});

describe('a message that was accepted twice', () => {
  const again = (later: number): Arrival => ({ ...at(logged, 3), at: at(logged, 3).at + later });
  const twice = (setting: Setting & { readonly later?: number; readonly first?: Partial<Arrival> }) => {
    const arrivals = logged.map((arrival, index) =>
      index === 3 ? { ...arrival, ...setting.first } : arrival,
    );
    return judged({ ...setting, arrivals: [...arrivals, ...replied, again(setting.later ?? 60_000)] });
  };
  const seen = at(logged, 3).at;

  it('fails without a reason', () => {
    const verdict = twice({});
    expect(verdict).toMatchObject({ missing: 0, disorder: 0, duplicates: 1, allowed: 0 });
    expect(verdict.violations).toEqual([expect.stringContaining('log: sent twice without a reason')]);
  });

  it.each([
    ['its sender was killed at once', { kills: [seen + 10] }],
    ['its sender was killed within the settle window', { kills: [seen + 450] }],
    ['it was on its way when its sender was killed', { kills: [seen - 3_000], servedAfterMs: 3_000 }],
    ['the answer was unclear', { first: { told: 'unclear' } as const }],
    [
      'the answer was on its way when its sender was killed',
      { kills: [seen + 5_000], first: { lateMs: 5_000 } },
    ],
  ])('passes when %s', (_, setting) => {
    expect(twice(setting)).toMatchObject({ duplicates: 1, allowed: 1, violations: [] });
  });

  it.each([
    ['before, and another process already served', seen - 10],
    ['long after it was settled', seen + 10_000],
    ['after it came again', seen + 70_000],
  ])('fails when its sender was killed %s', (_, kill) => {
    expect(twice({ kills: [kill] })).toMatchObject({ duplicates: 1, allowed: 0 });
  });

  it('passes when the sender was paused in the middle of the request, and continued when another process served', () => {
    const record = recordOf({ kills: [seen - 3_000], arrivals: [...logged, ...replied, again(60_000)] });
    const resumed = (resumedAt?: number) => ({
      ...record,
      kills: record.kills.map((kill) => ({ ...kill, servedAt: seen - 1_000, resumedAt })),
    });
    expect(check(resumed(seen - 20))).toMatchObject({ duplicates: 1, allowed: 1 });
    expect(check(resumed(seen - 20_000))).toMatchObject({ duplicates: 1, allowed: 0 });
    expect(check(resumed())).toMatchObject({ duplicates: 1, allowed: 0 });
  });

  it('passes when hnotif told in time that its request had no answer, once for each', () => {
    const timeout: Timeout = { sink: 'log', plan: 'orders', kind: 'ExecutionProgress', at: seen - 1_000 };
    const judgedWith = (...timeouts: readonly Timeout[]) => twice({ timeouts });
    for (const at of [seen - 10_000, seen + 1_000])
      expect(judgedWith({ ...timeout, at })).toMatchObject({ duplicates: 1, allowed: 1, violations: [] });
    for (const other of [
      ...[{ sink: 'nights' }, { plan: 'stock' }, { kind: 'Start' }],
      ...[{ at: seen - 11_000 }, { at: seen + 3_000 }],
    ])
      expect(judgedWith({ ...timeout, ...other })).toMatchObject({ duplicates: 1, allowed: 0 });
    const arrivals = [...logged, ...replied, again(500), again(900)];
    expect(judged({ arrivals, timeouts: [timeout] })).toMatchObject({ duplicates: 2, allowed: 1 });
    expect(judged({ arrivals, timeouts: [timeout, { ...timeout }] })).toMatchObject({ allowed: 2 });
  });

  it('fails when its sender was killed only after the repetition', () => {
    expect(twice({ later: 200, kills: [seen + 400] })).toMatchObject({ duplicates: 1, allowed: 0 });
  });

  it('passes when its outcome could not be written before the kill', () => {
    const record = recordOf({ kills: [seen + 9_000], arrivals: [...logged, ...replied, again(60_000)] });
    const gaps = [{ from: seen - 100, to: seen + 8_000, why: 'refusal' }];
    expect(check(record)).toMatchObject({ duplicates: 1, allowed: 0 });
    expect(check({ ...record, gaps })).toMatchObject({ duplicates: 1, allowed: 1 });
  });

  it('is identified by its text if it has no id', () => {
    const group = replied.map((arrival) => ({ ...arrival, sink: 'group', id: '', thread: '' }));
    const forms = { group: 'botchat' } as const;
    expect(judged({ forms, roots: [], arrivals: group }).violations).toEqual([]);
    const repeated = [...group, { ...at(group, 3), at: seen + 60_000 }];
    expect(judged({ forms, roots: [], arrivals: repeated })).toMatchObject({ duplicates: 1, allowed: 0 });
  });

  it('does not count if it was not accepted', () => {
    const refused = { ...at(logged, 3), accepted: false, told: 'refused' } as const;
    expect(judged({ arrivals: [refused, ...logged, ...replied] }).violations).toEqual([]);
  });
});

describe('a message that was refused for ever', () => {
  const forms = { log: 'webhook' } as const;
  const refused = { ...at(logged, 3), accepted: false, told: 'rejected' } as const;
  const later = (place: number, ms: number): Arrival => ({
    ...at(logged, place),
    at: at(logged, place).at + ms,
  });
  const setting = { forms, roots: [] };
  const seen = at(logged, 3).at;

  it('has ended, so it need not arrive', () => {
    const arrivals = [...logged.slice(0, 3), refused, ...logged.slice(4)];
    expect(judged({ ...setting, arrivals })).toMatchObject({ violations: [], refused: 1, received: 7 });
  });

  it('may be sent again by the next process, before its successors', () => {
    const arrivals = [...logged.slice(0, 3), refused, later(3, 100), ...logged.slice(4)];
    expect(judged({ ...setting, arrivals, kills: [seen + 50] }).violations).toEqual([]);
    expect(judged({ ...setting, arrivals })).toMatchObject({ duplicates: 1, allowed: 0, disorder: 0 });
  });

  it('fails when it arrives after its successors', () => {
    const arrivals = [...logged.slice(0, 3), refused, at(logged, 4), later(3, 100), ...logged.slice(5)];
    const { violations, disorder } = judged({ ...setting, arrivals, kills: [seen + 50] });
    expect(disorder).toBe(1);
    expect(violations).toEqual([expect.stringContaining('log orders 0: arrived after its successors')]);
  });

  it('fails when it was not due', () => {
    const arrivals = [refused, ...logged.slice(0, 3), ...logged.slice(4)];
    expect(judged({ ...setting, arrivals }).violations).not.toEqual([]);
  });
});

describe('a late request', () => {
  it('may repeat a message that was sent after it', () => {
    const record = recordOf({ forms: { log: 'webhook' }, roots: [] });
    const late = { ...at(logged, 3), at: AT + 60_000 };
    const arrivals = [...record.arrivals.filter(({ sink }) => sink === 'log')];
    const sentAt = at(logged, 3).at - 500;
    expect(check({ ...record, arrivals: [...arrivals, { ...late, sentAt }] })).toMatchObject({
      ...{ violations: [], duplicates: 1, allowed: 1 },
    });
    expect(check({ ...record, arrivals: [...arrivals, { ...late, sentAt: sentAt + 600 }] })).toMatchObject({
      ...{ duplicates: 1, allowed: 0 },
    });
  });
});

describe('a card', () => {
  const said = (...states: string[]): RootMessage => {
    const [text = '', ...before] = states
      .map((state) => ROOT.text.replace('Hibernation Completed', `Hibernation ${state}`))
      .reverse();
    return { ...ROOT, text, edits: before.reverse() };
  };

  it.each([
    [['Starting', 'In Progress', 'Completed']],
    [['In Progress', 'In Progress', 'Failed', 'Completed']],
    [['Completed', 'Completed']],
  ])('passes when it goes through %j', (states) => {
    expect(judged({ roots: [said(...states)] })).toMatchObject({ violations: [], cardsBack: 0 });
  });

  it.each([
    [['Completed', 'In Progress', 'Completed'], 'went back from Completed to In Progress'],
    [['Failed', 'Starting', 'Completed'], 'went back from Failed to Starting'],
    [['In Progress', 'Starting', 'Completed'], 'went back from In Progress to Starting'],
  ])('fails when it goes through %j', (states, words) => {
    const { cardsBack, violations } = judged({ roots: [said(...states)] });
    expect(cardsBack).toBe(1);
    expect(violations).toEqual([expect.stringContaining(words)]);
  });

  it('may show an old state after eight threads of its plan have begun', () => {
    const behind = said('Starting', 'In Progress');
    const later = (count: number): RootMessage[] =>
      Array.from({ length: count }, (_, index) => ({
        ...ROOT,
        ts: `2.${index}`,
        text: ROOT.text.replace('c1', `c${2 + index}`),
      }));
    expect(judged({ roots: [behind, ...later(8)] }).violations.join()).not.toContain('shows In Progress');
    expect(judged({ roots: [behind, ...later(7)] }).violations.join()).toContain('shows In Progress');
  });

  it('fails when it does not show how its run ended', () => {
    expect(judged({ roots: [said('Starting', 'In Progress')] })).toMatchObject({
      ...{ cardsBack: 0, violations: [expect.stringContaining('shows In Progress, but')] },
    });
  });
});

describe('a board', () => {
  const forms = { log: 'webhook', board: 'board' } as const;
  /** What it shows of the plan, one text a second. */
  const RUNNING = ':hourglass_flowing_sand: *orders* 0 of 1 target';
  const DONE = ':white_check_mark: 1 asleep: orders';
  const textOf = (line: string, began = 1): string =>
    [
      ':crescent_moon: *Hibernation of 1 Plan in Progress*',
      '[██░░░░░░░░] 0 of 1 asleep · 1 running',
      line,
      `n | Hibernation | Began 2026-01-05T20:${String(Math.floor(began / 60)).padStart(2, '0')}:${String(began % 60).padStart(2, '0')}Z | Updated 2026-01-05T20:00:09Z`,
    ].join('\n');
  const boardOf = (lines: readonly string[], began = 1): BoardMessage => ({
    ...{ sink: 'board', ts: `9.${began}` },
    texts: lines.map((line, index) => ({ at: AT + 1_000 * (index + 1), text: textOf(line, began) })),
  });
  const shown = (lines: readonly string[], more: Setting = {}) =>
    judged({ forms, roots: [], arrivals: logged, boards: [boardOf(lines)], ...more });
  const ONE_DONE = ':hourglass_flowing_sand: *orders* 1 of 1 target';

  it.each([[[RUNNING, RUNNING, ONE_DONE, DONE]], [[DONE]], [[RUNNING, DONE, DONE]]])(
    'passes when it goes through %j',
    (lines) => {
      expect(shown(lines)).toMatchObject({ violations: [], boards: 1 });
    },
  );

  it.each([
    ['from the end of a run', [RUNNING, DONE, ONE_DONE, DONE]],
    ['in the targets of a run', [RUNNING, ONE_DONE, RUNNING, DONE]],
    ['to a state that the plan never had', [RUNNING, ':x: *orders* 0 of 1 target, 1 failed', DONE]],
  ])('fails when a row goes back %s', (_, lines) => {
    const { rowsBack, violations } = shown(lines);
    expect(rowsBack).toBe(1);
    expect(violations).toEqual([expect.stringContaining('went back for orders')]);
  });

  it('fails when it does not show the last state of a plan at its end, or not the plan', () => {
    expect(shown([RUNNING, ONE_DONE])).toMatchObject({
      ...{ rowsBehind: 1, violations: [expect.stringContaining('ends with running 1/1/0 of orders')] },
    });
    expect(shown([':white_check_mark: 1 asleep: stock'])).toMatchObject({
      ...{
        rowsBehind: 1,
        violations: [/no row of orders/, /stock, which does not take part/].map(
          (each) => expect.stringMatching(each) as string,
        ),
      },
    });
  });

  it('fails when a night has a second one, unless stored data were lost', () => {
    const two = (first: string, began: number) =>
      shown([], { boards: [boardOf([first]), boardOf([DONE], began)] });
    expect(two(RUNNING, 61)).toMatchObject({ secondBoards: 1 });
    // The first one is over.
    expect(two(DONE, 61)).toMatchObject({ secondBoards: 0 });
    expect(two(RUNNING, 601)).toMatchObject({ secondBoards: 0 });
  });

  it('fails when an event counts as delivered before it is shown', () => {
    const end = (seq: number, second: number) => ({
      plan: 'orders',
      sink: 'board',
      seq,
      at: AT + 1_000 * second,
    });
    const lines = [RUNNING, ONE_DONE, DONE];
    // The seventh event changes nothing.
    const ends = [end(2, 1), end(5, 2), end(6, 3), end(7, 3)];
    expect(shown(lines, { ends })).toMatchObject({ early: 0, violations: [] });
    for (const early of [end(2, 0), end(5, 1), end(6, 2), end(7, 2)])
      expect(shown(lines, { ends: [early] })).toMatchObject({
        ...{ early: 1, violations: [expect.stringContaining('before a board had shown it')] },
      });
  });

  it('fails when a failure has no reply, or one in the thread of no board', () => {
    const begun = begin(initialStatus, 'shutdown', 'c1', TARGETS, AT + 1_000);
    const failed = poll(begun, [{ target: 'db', state: 'Failed' }], AT + 2_000);
    const states = [initialStatus, begun, failed, fail(failed, 'no capacity', AT + 3_000)];
    const failure: Told = { event: 'Failure', second: 3, phase: 'Error', before: 'Hibernating' };
    const told: readonly Told[] = [
      ...EVENTS.slice(0, 3),
      { event: 'ExecutionProgress', second: 2, phase: 'Hibernating', state: 'Failed' },
      failure,
      { event: 'PhaseChange', second: 3, phase: 'Error', before: 'Hibernating' },
    ];
    const { message, ...answer } = reply(failure, 4);
    const text = String((message as { text: string }).text).replace(/^.*/, ':x: *Hibernation Failed*');
    const replyIn = (thread: string): Arrival => ({ ...answer, sink: 'board', message: { text }, thread });
    const lines = [
      ':hourglass_flowing_sand: *orders* 0 of 1 target, 1 failed',
      ':x: *orders* 0 of 1 target, 1 failed — db: no',
    ];
    const night = (...replies: Arrival[]) =>
      shown(lines, { states, retries: 0, arrivals: [...told.map(webhook), ...replies] });
    expect(night(replyIn('9.1'))).toMatchObject({ violations: [] });
    expect(night()).toMatchObject({
      missing: 1,
      violations: [expect.stringContaining('orders at board: 1 missing')],
    });
    expect(night(replyIn('8.8')).violations).toEqual([
      expect.stringContaining('is in the thread of no board'),
    ]);
  });

  it('can be read when its night is over, and some of its plans have failed', () => {
    const text = textOf(DONE).replace(' in Progress', ', 1 Failed');
    const boards = [{ ...boardOf([]), texts: [{ at: AT + 4_000, text }] }];
    expect(shown([], { boards }).violations).toEqual([]);
  });

  it('fails when it cannot be read', () => {
    expect(shown(['']).violations).not.toEqual([]);
    const operation = textOf(RUNNING).replace('Hibernation of', 'Operation of');
    const boards = [{ ...boardOf([]), texts: [{ at: AT, text: operation }] }];
    expect(shown([], { boards }).violations).toEqual([expect.stringContaining('that cannot be read')]);
  });
});

describe('a state that was in a journal', () => {
  const forms = { log: 'webhook' } as const;
  /** All events but Running, which was written in a gap. */
  const record = {
    ...recordOf({ forms, roots: [], gap: [3, 3] }),
    arrivals: without(logged, 3).map((each) => ({ ...each, sentAt: each.at })),
  };
  const kept = (keptAt: number): ChaosRecord => ({
    ...record,
    plans: record.plans.map((plan) => ({
      ...plan,
      writes: plan.writes.map((write, index) => (index === 3 ? { ...write, keptAt } : write)),
    })),
  });

  it('must have its messages, although it was written in a gap', () => {
    expect(check(record).violations).toEqual([]);
    expect(check(kept(AT + 5))).toMatchObject({ missing: 1, inGaps: 0 });
    expect(summary(check(kept(AT + 5)))).toContain('judged strictly 100 %');
  });
});

describe('a notification that selects nothing for a while', () => {
  const forms = { log: 'webhook' } as const;
  const selecting = (arrivals: readonly Arrival[], ...absences: readonly [number, number, boolean][]) => {
    const record = recordOf({ forms, roots: [], arrivals });
    const unselected = absences.map(([from, to, isSure]) => ({ from: AT + from, to: AT + to, isSure }));
    const plans = record.plans.map((plan) => ({
      ...plan,
      writes: plan.writes.map((write) => ({ ...write, keptAt: write.to })),
    }));
    const notifications = record.notifications.map((spec) => ({ ...spec, absences: unselected }));
    return check({ ...record, plans, notifications });
  };

  it('may or may not send messages while it is not sure that the selector was seen', () => {
    expect(selecting(logged, [3, 3, false]).violations).toEqual([]);
    expect(selecting(without(logged, 3), [3, 3, false])).toMatchObject({ violations: [], expected: 6 });
    expect(selecting(without(logged, 4), [3, 3, false])).toMatchObject({ missing: 1 });
  });

  it('sends no messages while it is sure that the selector was seen', () => {
    expect(selecting(without(logged, 3), [3, 3, true]).violations).toEqual([]);
    expect(selecting(logged, [3, 3, true])).toMatchObject({ disorder: 1 });
  });
});

describe('threads', () => {
  it.each([
    ['there are two roots of a night', { roots: [ROOT, { ...ROOT, ts: '2.2' }] }, '2 roots of'],
    ['a night has no root', { roots: [] }, 'no root of'],
    [
      'a root is of a night that did not happen',
      { roots: [ROOT, { ...ROOT, ts: '2.2', text: ROOT.text.replace('c1', 'c9') }] },
      'without messages',
    ],
    [
      'a root has no plan',
      { roots: [ROOT, { ...ROOT, ts: '2.2', text: 'hello' }] },
      'a root 2.2 without a plan',
    ],
    [
      'a reply is outside of its thread',
      { arrivals: [...logged, ...replied.map((each) => ({ ...each, thread: '' }))] },
      'is in the thread of no night',
    ],
  ])('fail when %s', (_, setting, words) => {
    expect(judged(setting).violations.join('\n')).toContain(words);
  });

  it('fail when a reply is in the thread of another night', () => {
    const other = { ...ROOT, ts: '2.2', text: ROOT.text.replace('c1', 'c2') };
    const strayed = replied.map((each, index) => (index === 4 ? { ...each, thread: '2.2' } : each));
    const { violations } = judged({ roots: [ROOT, other], arrivals: [...logged, ...strayed] });
    expect(violations[0]).toContain('ExecutionProgress of');
  });
});

describe('a gap', () => {
  // All events but Running.
  const events = [at(logged, 0), at(logged, 1), at(logged, 2), at(logged, 4), at(logged, 5), at(logged, 6)];
  const forms = { log: 'webhook' } as const;

  it('may hide a state, and only within it', () => {
    const gap = [3, 3] as const;
    expect(judged({ forms, roots: [], arrivals: events, gap }).violations).toEqual([]);
    expect(judged({ forms, roots: [], arrivals: events, gap: [4, 4] })).toMatchObject({ missing: 1 });
    expect(judged({ forms, roots: [], arrivals: events })).toMatchObject({ missing: 1 });
  });

  it('does not exist while only journal writes are refused', () => {
    const record = recordOf({ forms, roots: [], arrivals: events });
    expect(check({ ...record, gaps: [{ from: AT, to: AT + 9, why: 'refusal' }] })).toMatchObject({
      missing: 1,
    });
  });

  it('hides it from all sinks or from none', () => {
    expect(judged({ arrivals: [...events, ...replied], gap: [3, 3] })).toMatchObject({
      missing: 1,
      disorder: 0,
    });
    const both = [...events, ...without(replied, 3)];
    expect(judged({ arrivals: both, gap: [3, 3] }).violations).toEqual([]);
  });

  it('does not hide net events', () => {
    const arrivals = without(events, 3);
    expect(judged({ forms, roots: [], arrivals, gap: [3, 3] })).toMatchObject({ missing: 1 });
  });

  it('of a whole night leaves its Start and its Success', () => {
    const asleep = night().at(-1);
    const woken = begin(asleep ?? initialStatus, 'wakeup', 'c1', TARGETS, AT + 5_000);
    const arrivals = [
      at(logged, 0),
      at(logged, 1),
      // Its row contains the time of its end.
      webhook({ event: 'Success', second: 3, phase: 'Hibernated', before: 'Hibernating' }, 5),
      { ...webhook({ event: 'Start', second: 5, phase: 'WakingUp', before: '' }, 7) },
      { ...webhook({ event: 'PhaseChange', second: 5, phase: 'WakingUp', before: 'Active' }, 8) },
    ].map((arrival, index) => {
      const message = arrival.message as Record<string, unknown>;
      if (index === 1)
        return { ...arrival, message: { ...message, timestamp: new Date(AT + 2_000).toISOString() } };
      return index < 3 ? arrival : { ...arrival, message: { ...message, operation: 'WakeUp' } };
    });
    const states = [...night(), woken];
    const verdict = judged({ forms, roots: [], states, arrivals, gap: [2, 5] });
    expect(verdict.violations).toEqual([]);
  });
});

describe('a plan whose journal was deleted', () => {
  const forms = { log: 'webhook' } as const;
  const killed = AT + 3_500;
  /** The journal was missing when the process was killed. Five of its seven events had been made. */
  const absent = { stored: { seq: 5, waiting: {} } };
  const absenceOf = (more: Partial<Absent>, name = 'orders'): Absence => ({
    ...{ from: AT + 3_200, to: AT + 5_000, plans: { [name]: { ...absent, ...more } } },
  });
  const absence = absenceOf({ again: { at: killed + 200, term: 8 } });
  const setting = { forms, roots: [], kills: [killed], servedAfterMs: 100, term: 7, absences: [absence] };
  /** All but the last events: no process knows that they were to be sent. */
  const before = logged.slice(0, 5);
  /** The messages of a plan that is seen as new when its night is over. */
  const anew = [
    { event: 'Start', second: 4, phase: 'Hibernating', before: '' },
    { event: 'ExecutionProgress', second: 3, phase: 'Hibernated', state: 'Completed' },
    { event: 'Success', second: 4, phase: 'Hibernated', before: 'Hibernating' },
    { event: 'PhaseChange', second: 4, phase: 'Hibernated', before: '' },
  ].map((told, index) => ({ ...webhook(told, index), id: `anew-${index}`, at: AT + 6_000 + index }));
  const arrivals = [...before, ...anew];

  it('may be seen as new if the journal was missing at a kill: waiting events are lost', () => {
    const verdict = judged({ ...setting, arrivals });
    expect(verdict).toMatchObject({ violations: [], expected: 9, received: 9, forgotten: 2, metAnew: 1 });
  });

  it('has lost what waited in the journal, and later events, and nothing else', () => {
    const withStored = (seq: number, ...log: number[]) =>
      judged({ ...setting, arrivals, absences: [absenceOf({ stored: { seq, waiting: { log } } })] });
    expect(withStored(7, 6, 7)).toMatchObject({ violations: [], forgotten: 2 });
    expect(withStored(6, 6)).toMatchObject({ violations: [], forgotten: 2 });
    // The sixth had left the journal, and never arrived.
    expect(withStored(7, 7)).toMatchObject({ missing: 1 });
    expect(withStored(7)).toMatchObject({ missing: 2, forgotten: 0 });
    expect(withStored(6, 5)).toMatchObject({ missing: 1 });
  });

  it('numbers the events as the journal did, where no message shows which states were seen', () => {
    const record = recordOf({
      ...{ ...setting, arrivals: anew.slice(2, 3), gap: [3, 3] },
      // The running target was not seen: the Success has number 5.
      absences: [absenceOf({ stored: { seq: 6, version: '5', waiting: { log: [5] } } })],
    });
    const [plan] = record.plans;
    const verdict = check({
      ...record,
      plans: [{ ...plan!, writes: plan!.writes.map((write, index) => ({ ...write, version: `${index}` })) }],
      notifications: record.notifications.map((each) => ({ ...each, onEvents: ['Success'] })),
    });
    expect(verdict).toMatchObject({ violations: [], forgotten: 1, unseen: 1 });
  });

  it('may be seen as new twice, if the next process was killed before it wrote the journal', () => {
    const again = anew.map((each, index) => ({ ...each, id: `again-${index}`, at: AT + 9_000 + index }));
    const twice = {
      ...{ ...setting, kills: [killed, AT + 7_000] },
      absences: [{ ...absenceOf({ again: { at: AT + 9_000, term: 9 } }), to: AT + 9_100 }],
    };
    // Nothing of the second life was in the deleted journal.
    expect(judged({ ...twice, arrivals: [...before, ...anew.slice(0, 2), ...again] })).toMatchObject({
      ...{ violations: [], metAnew: 2, forgotten: 4 },
    });
  });

  it('may send its messages again with the same ids', () => {
    const same = anew.map((arrival, index) => ({ ...arrival, id: `log-${index}` }));
    expect(judged({ ...setting, arrivals: [...before, ...same] })).toMatchObject({
      ...{ violations: [], duplicates: 0 },
    });
  });

  it.each([
    ['the journal was not deleted', { absences: [] }],
    ['it was the journal of another plan', { absences: [absenceOf({}, 'other')] }],
    [
      'it was written again before the kill',
      { absences: [absenceOf({ again: { at: killed - 10, term: 7 } })] },
    ],
    ['it was deleted after the next process had read it', { absences: [{ ...absence, from: killed + 200 }] }],
    ['no process was killed', { kills: [] }],
    [
      'a late write of the killed process created it again',
      { absences: [absenceOf({ again: { at: killed + 40, term: 7 } })] },
    ],
  ])('fails when %s', (_, wrong) => {
    expect(judged({ ...setting, arrivals, ...wrong }).violations).not.toEqual([]);
  });

  it('fails when a missing event is not one of the last', () => {
    expect(judged({ ...setting, arrivals: without(arrivals, 3) })).toMatchObject({ missing: 1 });
  });

  it('fails when an event is missing after it was seen as new', () => {
    expect(judged({ ...setting, arrivals: without(arrivals, arrivals.length - 1) })).toMatchObject({
      missing: 1,
    });
  });

  const threaded = { ...setting, forms: { nights: 'thread' } as const };
  const told = [
    ...replied.slice(0, 5),
    ...['Start', 'Progress', 'Success', 'PhaseChange'].flatMap((_, index) => {
      const { message, ...rest } = at(anew, index);
      const { event, phase, previousPhase: before } = message as Record<string, string>;
      const state = index === 1 ? { state: 'Completed' } : {};
      const second = index === 1 ? 3 : 4;
      const said = reply(
        { event: event ?? '', second, phase: phase ?? '', before: before ?? '', ...state },
        0,
      );
      return [{ ...rest, sink: 'nights', message: said.message, thread: '2.2' }];
    }),
  ];

  it('need not send messages again that are in a thread', () => {
    const roots = [ROOT, { ...ROOT, ts: '2.2' }];
    // Start was sent before the loss, Success was not.
    expect(judged({ ...threaded, roots, arrivals: without(told, 5) }).violations).toEqual([]);
    expect(judged({ ...threaded, roots, arrivals: without(told, 7) })).toMatchObject({ missing: 1 });
    const webhooks = without(arrivals, 5);
    expect(judged({ ...setting, arrivals: webhooks })).toMatchObject({ missing: 1 });
  });

  it('may have a second root, but not a third', () => {
    const roots = [ROOT, { ...ROOT, ts: '2.2' }];
    expect(judged({ ...threaded, arrivals: told, roots }).violations).toEqual([]);
    const third = [...roots, { ...ROOT, ts: '3.3' }];
    expect(judged({ ...threaded, arrivals: told, roots: third }).violations).toEqual([
      expect.stringContaining('3 roots of'),
    ]);
  });
});

describe('a plan that was deleted', () => {
  const forms = { log: 'webhook' } as const;
  const deleted = { from: AT + 4_100, to: AT + 4_200 };
  const setting = { forms, roots: [], deleted, arrivals: logged.slice(0, 5) };
  const stored = { seq: 7, waiting: { log: [6, 7] } };

  it('is finished', () => {
    expect(judged(setting)).toMatchObject({ missing: 2 });
    expect(judged({ ...setting, arrivals: logged }).violations).toEqual([]);
  });

  it.each([
    [
      'its journal was deleted, too',
      {
        kills: [AT + 5_500],
        absences: [{ from: AT + 5_000, to: AT + 6_000, plans: { orders: { stored } } }],
      },
    ],
    ['its namespace was deleted, too', { deleted: { ...deleted, withNamespace: stored } }],
  ])('may have missing messages at the end when %s', (_, more) => {
    expect(judged({ ...setting, ...more })).toMatchObject({ violations: [], forgotten: 2 });
    const arrivals = without(setting.arrivals, 2);
    expect(judged({ ...setting, ...more, arrivals })).toMatchObject({ missing: 1 });
  });

  it('may miss others of a gap in which the notifications of its namespace were deleted and created', () => {
    const withNamespace = { seq: 5, waiting: {} };
    const record = (missing: number) =>
      recordOf({
        ...{ forms, roots: [], deleted: { ...deleted, withNamespace } },
        arrivals: without(logged, missing),
      });
    const last = record(5).plans[0]?.writes.at(-1)?.from ?? 0;
    const gaps = [{ from: last, to: AT + 4_150, why: 'watch' }] as const;
    expect(check({ ...record(5), gaps })).toMatchObject({ violations: [] });
    expect(check(record(5))).toMatchObject({ missing: 1 });
    expect(check({ ...record(1), gaps })).toMatchObject({ missing: 1 });
  });

  it.each([1_000, 9_000])('is finished, also after a kill (%i ms)', (ms) => {
    expect(judged({ ...setting, kills: [AT + ms] })).toMatchObject({ missing: 2 });
  });

  it('is finished if its journal was deleted and no process was killed before it was written again', () => {
    const absences = [{ from: AT + 5_000, to: AT + 6_000, plans: { orders: { stored } } }];
    for (const kills of [[], [AT + 9_000]])
      expect(judged({ ...setting, kills, absences })).toMatchObject({ missing: 2 });
  });

  it('is distinguished by a label from the next plan of the same name', () => {
    const record = recordOf({ forms, roots: [] });
    const [plan] = record.plans;
    const again = logged.map((arrival) => {
      const message = arrival.message as { readonly plan: object };
      const plan = { name: 'orders', labels: { life: '1' } };
      return { ...arrival, id: `${arrival.id}-1`, message: { ...message, plan } };
    });
    const plans = plan === undefined ? [] : [plan, { ...plan, name: 'orders#1' }];
    const both = { ...record, plans, arrivals: [...logged, ...again] };
    expect(check(both)).toMatchObject({ violations: [], received: 14 });
    expect(check({ ...both, arrivals: logged })).toMatchObject({ missing: 7 });
  });

  it('is told from the next plan of the same name by the ids of its messages, where its labels are lost', () => {
    const record = recordOf({ forms, roots: [] });
    const [plan] = record.plans;
    if (plan === undefined) throw new Error('the record has no plan');
    // All that they say is the same.
    const plans = ['', '#1'].map((life) => {
      const epoch = `epoch${life}`;
      const epochs = [{ epoch, at: 0, term: 1, lastTerm: 1 }];
      return { ...plan, name: `orders${life}`, uid: `uid${life}`, epochs, epoch };
    });
    const arrivals = plans.flatMap(({ uid, epoch }) =>
      logged.map((arrival, index) => {
        const { second = 0, event, phase, state = '', before = '', cycle = 'c1' } = EVENTS[index] ?? {};
        const told =
          index === 0
            ? { fact: '', epoch, seq: 1 }
            : { fact: new Date(AT + second * 1_000).toISOString().replace('.000', ''), epoch: '', seq: 0 };
        const facts = {
          ...{ planUid: uid, kind: event, cycle, operation: cycle && 'shutdown', target: state && 'db' },
          ...{ executor: state && 'rds', state, ...told },
          ...(event === 'PhaseChange' ? { previousPhase: before, phase } : { previousPhase: '', phase: '' }),
        };
        const message = arrival.message as { readonly targetExecution?: object };
        const targetExecution = message.targetExecution && { ...message.targetExecution, executor: 'rds' };
        return {
          ...{ ...arrival, id: deliveryId(eventId(facts as EventIdentity), 'n', 'n', 'log') },
          message: { ...message, targetExecution, plan: { name: 'orders', labels: {} } },
        };
      }),
    );
    const both = { ...record, plans, arrivals };
    expect(check(both)).toMatchObject({ violations: [], received: 14 });
    for (const { uid } of plans)
      expect(check({ ...both, plans: plans.filter((each) => each.uid === uid) }).violations).not.toEqual([]);
  });
});

describe('a night that fails', () => {
  function failing(): OperatorStatus[] {
    const begun = begin(initialStatus, 'shutdown', 'c1', TARGETS, AT + 1_000);
    const broken = poll(begun, [{ target: 'db', state: 'Failed' }], AT + 2_000);
    const failed = fail(broken, 'no capacity', AT + 3_000);
    const retried = retry(failed, AT + 4_000);
    const done = poll(retried, [{ target: 'db', state: 'Completed' }], AT + 5_000);
    return [initialStatus, begun, broken, failed, retried, done, succeed(done, AT + 6_000)];
  }
  const told: readonly Told[] = [
    ...EVENTS.slice(0, 3),
    { event: 'ExecutionProgress', second: 2, phase: 'Hibernating', state: 'Failed' },
    { event: 'Failure', second: 3, phase: 'Error', before: 'Hibernating' },
    { event: 'PhaseChange', second: 3, phase: 'Error', before: 'Hibernating' },
    { event: 'Recovery', second: 4, phase: 'Hibernating', before: 'Error' },
    { event: 'ExecutionProgress', second: 4, phase: 'Hibernating', state: 'Pending' },
    { event: 'PhaseChange', second: 4, phase: 'Hibernating', before: 'Error' },
    { event: 'ExecutionProgress', second: 5, phase: 'Hibernating', state: 'Completed' },
    { event: 'Success', second: 6, phase: 'Hibernated', before: 'Hibernating' },
    { event: 'PhaseChange', second: 6, phase: 'Hibernated', before: 'Hibernating' },
  ];
  const forms = { log: 'webhook' } as const;

  it('makes a Failure when its retries are used up, and a Recovery', () => {
    const states = failing();
    const arrivals = told.map(webhook);
    expect(judged({ forms, roots: [], states, arrivals, retries: 0 }).violations).toEqual([]);
    expect(
      judged({ forms, roots: [], states, arrivals: without(arrivals, 4), retries: 1 }).violations,
    ).toEqual([]);
    expect(judged({ forms, roots: [], states, arrivals, retries: 1 })).toMatchObject({ disorder: 1 });
    expect(judged({ forms, roots: [], states, arrivals: without(arrivals, 6), retries: 0 })).toMatchObject({
      missing: 1,
    });
  });

  it('may be left without a PhaseChange if its process was killed before it stored the Error', () => {
    const setting = { forms, roots: [], states: failing(), retries: 0, gap: [4, 5] } as const;
    const arrivals = without(told.map(webhook), 8);
    expect(judged({ ...setting, arrivals }).violations).toEqual([]);
    expect(judged({ ...setting, arrivals, gap: [5, 5] })).toMatchObject({ missing: 1 });
    expect(judged({ ...setting, arrivals: without(arrivals, 6) })).toMatchObject({ missing: 1 });
    // Progress is stored before it is sent, and so is what goes to a chat.
    const unstored = without(told.map(webhook), 7, 8);
    expect(judged({ ...setting, arrivals: unstored, gap: [3, 4] })).toMatchObject({ missing: 1 });
    const both = { ...forms, nights: 'thread' } as const;
    const twice = [...arrivals, ...without(told.map(reply), 8)];
    expect(judged({ ...setting, forms: both, arrivals: twice })).toMatchObject({ missing: 2 });
  });
});
