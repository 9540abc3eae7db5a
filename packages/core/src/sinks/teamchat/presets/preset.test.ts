import { describe, expect, test } from 'vitest';
import { NO_CONNECTOR } from '../../../resources/connectors.ts';
import type { Source } from '../../../render/context.ts';
import { EVENT_KINDS, type EventKind } from '../../../resources/kinds.ts';
import { parseBlocks } from '../blocks.ts';
import type { TargetState } from '../../../lifecycle/event.ts';
import { LAYOUTS, type PresetOptions, SCOPES } from '../types.ts';
import { presetMessage } from './preset.ts';
import { aSource, aTarget, OPTIONS, TWELVE } from './testing/sources.ts';

const show = (source: Source, options: Partial<PresetOptions> = {}) => {
  const { blocks = [] } = presetMessage(source, { ...OPTIONS, ...options });
  return { types: blocks.map(({ type }) => type), all: JSON.stringify(blocks), last: blocks.at(-1) };
};
const contextOf = (source: Source, options: Partial<PresetOptions> = {}): string =>
  JSON.stringify(show(source, options).last);
/** The lines of targets, and what is left out. */
const targetsOf = (source: Source, maxTargets: number): string[] =>
  show(source, { maxTargets })
    .all.split(/\\n|"/)
    .filter((line) => /^:\w+: \*db|^…/.test(line))
    .map((line) => /db-\d+|….*/.exec(line)?.[0] ?? '');

describe('which layout', () => {
  const blocks = {
    default: ['header', 'section', 'section', 'section', 'context'],
    compact: ['section', 'context'],
  };

  test.each(['default', 'auto'] as const)('%s has a headline', (layout) => {
    expect(show(aSource('Failure'), { layout }).types).toEqual(blocks.default);
  });

  test('compact is one section and one line', () => {
    expect(show(aSource('Failure'), { layout: 'compact' }).types).toEqual(blocks.compact);
  });

  test('progress has one of its own with auto', () => {
    const progress = aSource('ExecutionProgress');
    expect(show(progress, { layout: 'auto' }).types).toEqual(blocks.compact);
    expect(show(progress, { layout: 'auto' }).all).toContain(
      '```\\n[██████░░░░] 2/3 completed, 1 running\\n```',
    );
    expect(show(progress, { layout: 'default' }).types[0]).toBe('header');
  });
});

describe('targets', () => {
  const night = aSource('Failure', { targets: TWELVE });

  test('failed ones come first, the others in their order, and the rest is counted', () => {
    expect(targetsOf(night, 5)).toEqual(['db-10', 'db-04', 'db-01', 'db-02', 'db-03', '… and 7 more']);
    expect(targetsOf(night, 1)).toEqual(['db-10', '… and 11 more']);
    expect(targetsOf(night, 7)).toHaveLength(8);
    expect(targetsOf(night, 7).at(-1)).toBe('… and 5 more');
  });

  test('those that only wait share one line of names', () => {
    expect(show(night).all).toContain('\\n:white_circle: Pending: db-07 … and 4 more"');
    expect(show(night, { maxTargets: 12 }).all).toContain(
      '\\n:white_circle: Pending: db-07, db-08, db-09, db-11, db-12"',
    );
    const start = show(aSource('Start', { targets: TWELVE.map(({ name }) => aTarget(name, 'Pending')) })).all;
    expect(start).toContain(
      '*Targets*\\ndb-01, db-02, db-03, db-04, db-05, db-06, db-07, db-08 … and 4 more"',
    );
    expect(start).not.toContain('Pending');
    const waiting = aSource('Failure', { targets: [aTarget('db', 'Pending', 'no quota')] });
    expect(show(waiting).all).toContain(':white_circle: *db* (rds) Pending — no quota');
  });

  test('a hundred of them have a line each, whatever their names', () => {
    for (const length of [5, 300]) {
      const targets = Array.from({ length: 150 }, (_, i) =>
        aTarget(`db-${i}${'x'.repeat(length)}`, 'Running', 'm'.repeat(900)),
      );
      const lines = targetsOf(aSource('Success', { targets }), 100);
      expect(lines).toHaveLength(101);
      expect(lines.at(-1)).toBe('… and 50 more');
    }
  });

  test('the message of a target is shown, unless it is done or the error contains it', () => {
    const said = (message: string, state: string, errorMessage: string): boolean =>
      show(aSource('Failure', { errorMessage, targets: [aTarget('db', state, message)] })).all.includes(
        ` — ${message}`,
      );
    expect(said('no quota', 'Failed', 'the run failed')).toBe(true);
    expect(said('no quota', 'Failed', 'db: no quota')).toBe(false);
    expect(said('stopped', 'Completed', '')).toBe(false);
  });

  test.each([
    ['exit 1', 'exit 137: killed', true],
    ['exit 1', 'exit 1', false],
    ['exit 1', 'db: (exit 1), vm: exit 137.', false],
    ['code -1', 'code 1', true],
    ['quota', 'no quotas', true],
    ['no quota', 'no\n  quota', false],
    ['no `quota` <left>', 'db: no `quota` <left>;', false],
    ['see *bold*', 'see *bold*', false],
    ['...', 'all... over', true],
    ['...', '????', true],
  ])('%j is news beside the error %j: %s, word by word', (message, errorMessage, isNews) => {
    const source = aSource('Failure', { errorMessage, targets: [aTarget('db', 'Failed', message)] });
    for (const layout of ['default', 'compact'] as const)
      expect(show(source, { layout }).all.includes('*db* (rds) Failed — ')).toBe(isNews);
  });

  test.each(['default', 'compact'] as const)(
    '%s shows each message, in the error or beside its target',
    (layout) => {
      const targets = Array.from({ length: 16 }, (_, i) => aTarget(`db-${i}`, 'Failed', `quota ${i} hit`));
      for (const separator of ['\n', '; ', '&'.repeat(100)]) {
        const errorMessage = targets.map(({ name, message }) => `${name}: ${message}`).join(separator);
        const { all } = show(aSource('Failure', { errorMessage, targets }), { layout, maxTargets: 20 });
        expect(targets.filter(({ message }) => !all.includes(message))).toEqual([]);
      }
    },
  );

  test('compact has a line for each failed target, and one line for the others', () => {
    const { all } = show(night, { layout: 'compact' });
    expect(all).toMatch(/db-10.*db-04/);
    expect(all).toContain(
      ':white_check_mark: db-01, db-02, db-03, db-05, db-06  ·  :white_circle: db-07  ·  … and 4 more',
    );
    expect(all.match(/db-\d\d/g)).toHaveLength(8);
    expect(show(night, { layout: 'compact', maxTargets: 1 }).all).toContain('… and 11 more');
    expect(show(night, { layout: 'compact', maxTargets: 12 }).all).not.toContain('more');
  });

  test('compact shows no target that is done before all failed ones', () => {
    const sad = Array.from({ length: 60 }, (_, i) =>
      aTarget(`${'n'.repeat(70)}${i}`, 'Failed', '', 'e'.repeat(30)),
    );
    const done = Array.from({ length: 40 }, (_, i) => aTarget(`a${i}`, 'Completed'));
    const shown = (targets: readonly TargetState[]) =>
      show(aSource('Failure', { targets }), { layout: 'compact', maxTargets: 100 }).all;
    const failed = shown([...done, ...sad]).match(/:x: \*n/g)?.length ?? 0;
    expect(failed).toBeGreaterThan(10);
    expect(failed).toBeLessThan(60);
    expect(shown([...done, ...sad])).not.toContain(':white_check_mark:');
    expect(shown([...done, ...sad])).toContain(`\\n… and ${100 - failed} more`);
    // With all of them told there is room for the others.
    expect(shown([...done, ...sad.slice(0, failed - 2)])).toContain(':white_check_mark: a0, ');
  });

  test('a run that succeeded although targets failed has no white check mark', () => {
    const source = aSource('Success', { targets: [aTarget('a', 'Aborted')] });
    expect(show(source).all).toContain(':warning: Hibernation Completed — web-shop');
    expect(show(source, { layout: 'compact' }).all).toContain(
      ':warning: *Hibernation Completed* — *web-shop*',
    );
    expect(show(aSource('Success')).all).toContain(':white_check_mark: Hibernation Completed — web-shop');
  });
});

describe('the line at the bottom', () => {
  const place = (accountId: string) => ({ ...NO_CONNECTOR, accountId, clusterName: 'blue', region: 'r1' });
  const at = (targets: string[], places: Record<string, string>, more = {}) =>
    aSource(
      'Success',
      { targets: targets.map((each) => aTarget(...(each.split(' ') as [string, string]))), ...more },
      { connector: (name) => (Object.hasOwn(places, name) ? place(places[name] ?? '') : NO_CONNECTOR) },
    );

  test('always has account and cluster, others if configured, each once', () => {
    expect(contextOf(at(['a Completed'], { a: '1' }))).toContain(
      'Account 1  ·  Cluster blue  ·  Cycle 8c1e-4f',
    );
    expect(contextOf(at(['a Completed'], { a: '1' }), { scopes: ['region', 'cluster'] })).toContain(
      'Account 1  ·  Cluster blue  ·  Region r1  ·  Cycle 8c1e-4f',
    );
  });

  test('is about a failed target, or else about the first one with an account or cluster', () => {
    expect(contextOf(at(['a Completed', 'b Failed'], { a: '1', b: '2' }))).toContain('Account 2');
    expect(contextOf(at(['a Completed', 'b Failed'], { a: '1' }))).toContain('Account 1');
    expect(contextOf(at(['a Completed', 'b Completed'], { b: '2' }))).toContain('Account 2');
    expect(contextOf(at(['a Completed'], {}))).not.toContain('Account');
  });

  test('says how many more there are of each name', () => {
    const names = ['a', 'b', 'c', 'd'];
    const many = at(
      names.map((name) => `${name} Completed`),
      { a: '1', b: '2', c: '3', d: '1' },
    );
    expect(contextOf(many)).toContain('Account 1 and 2 more  ·  Cluster blue  ·  Cycle');
    const targets = Array.from({ length: 600 }, (_, i) => `t${i} Completed`);
    const crowd = at(targets, Object.fromEntries(targets.map((_, i) => [`t${i}`, String(i % 2)])));
    expect(contextOf(crowd)).toContain('Account 0 and at least 1 more  ·  Cluster blue  ·  Cycle');
  });

  test('is about the changed target, whatever the states of the others', () => {
    const change = { kind: 'ExecutionProgress' as const, targetExecution: aTarget('b', 'Running') };
    expect(contextOf(at(['a Failed', 'b Running'], { a: '1', b: '2' }, change))).toContain('Account 2');
    expect(contextOf(at(['a Failed', 'b Running'], { a: '1' }, change))).not.toContain('Account');
  });

  test.each([
    [{ env: 'a', environment: 'b' }, { env: 'c' }, 'a'],
    [{ environment: 'b' }, { env: 'c' }, 'b'],
    [{ env: ' ' }, { environment: 'd' }, 'd'],
    [{}, { env: 'c' }, 'c'],
  ])('has the environment of labels %j and annotations %j', (labels, annotations, shown) => {
    const source = aSource('Success', {}, { labels, annotations });
    expect(contextOf(source, { scopes: ['environment'] })).toContain(`Environment ${shown} `);
  });

  test('has the time in the configured layout', () => {
    const source = aSource('Success', { timestamp: '2026-01-05T20:03:04.567Z' });
    expect(contextOf(source)).toContain(
      '<!date^1767643384^{date_short_pretty} {time_secs}|2026-01-05 20:03:04 UTC>',
    );
    const timeLayout = '02 Jan 15:04 MST';
    expect(contextOf(source, { timeDisplay: 'utc', timezone: 'Asia/Jakarta', timeLayout })).toContain(
      '05 Jan 20:03 UTC',
    );
    expect(contextOf(source, { timeDisplay: 'fixed', timezone: 'Asia/Jakarta', timeLayout })).toContain(
      '06 Jan 03:03 WIB',
    );
    expect(contextOf(source, { timeDisplay: 'utc', timeLayout: '<!here> 2006' })).toContain(
      '&lt;!here&gt; 2026',
    );
    expect(contextOf(aSource('Success', { timestamp: 'no time <' }))).toContain('no time &lt;');
  });
});

test('values of other events are not shown, even if the plan still has them', () => {
  const stale = { errorMessage: 'stale error', retryCount: 777, targetExecution: aTarget('stale', 'Failed') };
  for (const kind of ['Start', 'Success', 'PhaseChange'] as const)
    for (const layout of ['default', 'compact', 'auto'] as const)
      expect(show(aSource(kind, stale), { layout }).all).not.toMatch(/stale|777/);
});

test('the longest plan there can be has a message in every layout', () => {
  const long = '& <long> name '.repeat(300);
  const targets = Array.from({ length: 300 }, () => aTarget(long, 'Failed', `${long}!`, long));
  const everything = {
    namespace: long,
    plan: long,
    cycle: long,
    operation: long,
    phase: long,
    previousPhase: long,
  };
  const connector = () => ({
    ...NO_CONNECTOR,
    accountId: long,
    clusterName: long,
    region: long,
    projectId: long,
  });
  const plan = { labels: { env: long }, connector };
  for (const kind of EVENT_KINDS)
    for (const layout of LAYOUTS) {
      const source = aSource(
        kind,
        { ...everything, targets, targetExecution: targets[0], errorMessage: `${long}\n`.repeat(20) },
        plan,
      );
      const message = presetMessage(source, { ...OPTIONS, layout, maxTargets: 100, scopes: SCOPES });
      expect(parseBlocks(JSON.stringify(message), '')).toEqual({ ok: true, message });
      expect(JSON.stringify(message.blocks).length).toBeLessThan(12_000);
      expect(message.text.length).toBeLessThan(400);
      if (layout === 'compact' && kind === 'Failure')
        expect(JSON.stringify(message)).toMatch(/… and 2\d\d more/);
    }
});

describe('a headline', () => {
  const headline = (kind: EventKind, plan: string): string =>
    /"text":"(:[^"]*)"/.exec(show(aSource(kind, { plan })).all)?.[1] ?? '';

  test('names the plan, and then no other line names it', () => {
    expect(headline('Start', 'web-shop')).toBe(':crescent_moon: Hibernation Starting (3 targets) — web-shop');
    expect(show(aSource('Start')).all).not.toContain('*Plan:*');
  });

  test.each([':smile:', '<!here>', 'a'.repeat(71), '', 'two words'])('has no room for %j', (plan) => {
    expect(headline('Start', plan)).toBe(':crescent_moon: Hibernation Starting (3 targets)');
    expect(show(aSource('Start', { plan })).all.includes('*Plan:*')).toBe(plan !== '');
  });

  test('uses the singular for one target', () => {
    const targets = [aTarget('db', 'Pending')];
    expect(show(aSource('Start', { targets })).all).toContain('Hibernation Starting (1 target) — ');
  });

  test('names the operation, and then no other line names it', () => {
    expect(show(aSource('Success')).all).not.toContain('*Operation:*');
    expect(show(aSource('Success', { operation: 'resize' })).all).toContain('*Operation:* resize');
    expect(show(aSource('PhaseChange')).all).toContain('*Operation:* Hibernation');
  });
});

describe('a retry', () => {
  const plan = { retries: 3 };

  test.each(['default', 'compact'] as const)(
    'shows in %s the number of the attempt, the maximum, and what it retries',
    (layout) => {
      const { all } = show(aSource('Recovery', { retryCount: 1 }, plan), { layout });
      expect(all).toMatch(/retries:\*? 1 of 3/i);
      expect(all).toMatch(/retrying:\*? build-machines\b/i);
      const last = show(aSource('Failure', { retryCount: 3 }, plan), { layout }).all;
      expect(last).toMatch(/retries:\*? 3 of 3/i);
      expect(last).not.toMatch(/retrying/i);
    },
  );

  test('shows only the number of the attempt if the plan has no maximum', () => {
    expect(show(aSource('Failure', { retryCount: 5 }, plan)).all).toContain('*Retries:* 5"');
    expect(show(aSource('Failure', { retryCount: 5 })).all).toContain('*Retries:* 5"');
    expect(show(aSource('Recovery', { retryCount: 5 })).all).not.toContain('Retries');
  });

  const retrying = (...targets: TargetState[]): string =>
    /retrying: ([^·"]*?) *[·"]/.exec(
      show(aSource('Recovery', { targets, errorMessage: '' }), { layout: 'compact' }).all.replaceAll(
        '\\n',
        '  ·  ',
      ),
    )?.[1] ?? '';

  test('is about the targets that were reset, or else about all that are not done', () => {
    const reset = aTarget('b', 'Pending', 'reset for another attempt');
    const done = aTarget('a', 'Completed', 'stopped');
    expect(retrying(done, reset, aTarget('c', 'Pending'), aTarget('d', 'Aborted'))).toBe('b');
    expect(retrying(done, aTarget('b', 'Pending'), aTarget('c', 'Pending'))).toBe('b, c');
    expect(retrying(...'abcdefg'.split('').map((name) => aTarget(name, 'Failed')))).toBe(
      'a, b, c, d, e and 2 more',
    );
  });
});

describe('how long it took', () => {
  const ended = { startedAt: '2026-03-02T19:46:05.000Z' };
  const work = (target: string) => ({
    executor: target === 'app-nodes' ? 'eks' : 'rds',
    state: 'Completed',
    startedAt: '2026-03-02T19:46:05Z',
    finishedAt: '2026-03-02T19:46:46Z',
  });

  test.each(['default', 'compact'] as const)('is shown in %s for a run that has ended', (layout) => {
    for (const kind of ['Success', 'Failure'] as const)
      expect(show(aSource(kind, ended), { layout }).all).toContain('13 min 55 s');
    expect(show(aSource('Success'), { layout }).all).not.toMatch(/\d s\b|uration/);
  });

  test('is shown for each target that the plan still shows', () => {
    const { all } = show(aSource('Success', {}, { work }));
    expect(all).toContain('*orders-db* (rds) Completed in 41 s\\n');
    expect(all).toContain('*build-machines* (ec2) Completed"');
    expect(show(aSource('ExecutionProgress', {}, { work })).all).toContain(
      '*orders-db* (rds) → Completed in 41 s',
    );
  });
});

test.each(LAYOUTS)('layout %s links runbook and dashboard', (layout) => {
  const annotations = { 'hibernation.dev/runbook-url': 'https://wiki.test/?a=1&b=2' };
  const notification = { 'hibernation.dev/dashboard-url': 'https://grafana.test/' };
  for (const kind of EVENT_KINDS)
    expect(contextOf(aSource(kind, {}, { annotations, notification }), { layout })).toContain(
      '"<https://wiki.test/?a=1&amp;b=2|Runbook>  ·  <https://grafana.test/|Dashboard>  ·  Account',
    );
});

test('the line for lock screens names event, plan and error', () => {
  const text = (source: Source): string => presetMessage(source, OPTIONS).text;
  expect(text(aSource('Start'))).toBe('Hibernation Starting (3 targets): shop-eu/web-shop');
  expect(text(aSource('Success', { operation: 'wakeup' }))).toBe(
    'Wake-Up Completed: shop-eu/web-shop — 3/3 completed',
  );
  expect(text(aSource('Success', { startedAt: '2026-03-02T19:46:05.000Z' }))).toBe(
    'Hibernation Completed: shop-eu/web-shop — 3/3 completed after 13 min 55 s',
  );
  const [a, b] = [aTarget('a', 'Completed'), aTarget('b', 'Failed')];
  expect(text(aSource('Success', { targets: [a, b, b, b] }))).toBe(
    'Hibernation Completed: shop-eu/web-shop — 1/4 completed, 3 failed',
  );
  expect(text(aSource('Recovery', { errorMessage: 'no quota' }))).toBe(
    'Hibernation Retrying (attempt 2): shop-eu/web-shop — retrying: build-machines — no quota',
  );
  expect(text(aSource('Recovery', { errorMessage: '', targets: [a] }))).toBe(
    'Hibernation Retrying (attempt 2): shop-eu/web-shop — 1/1 completed',
  );
  expect(text(aSource('Failure', { errorMessage: 'no <quota>\nleft' }))).toBe(
    'Hibernation Failed: shop-eu/web-shop — no &lt;quota&gt; left',
  );
  expect(text(aSource('ExecutionProgress'))).toBe(
    'Target Progress: orders-db (rds) → Completed, shop-eu/web-shop',
  );
  const failed = aTarget('db', 'Failed', 'no quota');
  expect(text(aSource('ExecutionProgress', { targetExecution: failed }))).toBe(
    'Target Progress: db (rds) → Failed, shop-eu/web-shop — no quota',
  );
});
