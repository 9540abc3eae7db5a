import { describe, expect, test } from 'vitest';
import { NO_CONNECTOR } from '../../../resources/connectors.ts';
import type { Source } from '../../../render/context.ts';
import { EVENT_KINDS } from '../../../resources/kinds.ts';
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
    expect(show(progress, { layout: 'auto' }).all).toContain('`[██████░░░░] 2/3`');
    expect(show(progress, { layout: 'default' }).types[0]).toBe('header');
  });
});

describe('targets', () => {
  const night = aSource('Failure', { targets: TWELVE });

  test('those in trouble come first, the others in their order, and the rest is counted', () => {
    expect(targetsOf(night, 5)).toEqual(['db-10', 'db-04', 'db-01', 'db-02', 'db-03', '… and 7 more']);
    expect(targetsOf(night, 1)).toEqual(['db-10', '… and 11 more']);
    expect(targetsOf(night, 12)).toHaveLength(12);
    expect(targetsOf(night, 100)).toHaveLength(12);
    expect(targetsOf(night, 11).at(-1)).toBe('… and 1 more');
  });

  test('a hundred of them have a line each, whatever they are called', () => {
    for (const length of [5, 300]) {
      const targets = Array.from({ length: 150 }, (_, i) =>
        aTarget(`db-${i}${'x'.repeat(length)}`, 'Running', 'm'.repeat(900)),
      );
      const lines = targetsOf(aSource('Success', { targets }), 100);
      expect(lines).toHaveLength(101);
      expect(lines.at(-1)).toBe('… and 50 more');
    }
  });

  test('what a target says is told unless it is done, or the error says it', () => {
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

  test.each(['default', 'compact'] as const)('no message is left out of %s that nobody sees', (layout) => {
    const targets = Array.from({ length: 16 }, (_, i) => aTarget(`db-${i}`, 'Failed', `quota ${i} hit`));
    for (const separator of ['\n', '; ', '&'.repeat(100)]) {
      const errorMessage = targets.map(({ name, message }) => `${name}: ${message}`).join(separator);
      const { all } = show(aSource('Failure', { errorMessage, targets }), { layout, maxTargets: 20 });
      expect(targets.filter(({ message }) => !all.includes(message))).toEqual([]);
    }
  });

  test('compact has a line for each in trouble, and the others in a row', () => {
    const { all } = show(night, { layout: 'compact' });
    expect(all).toMatch(/db-10.*db-04/);
    expect(all).toMatch(/:white_check_mark: db-01  ·  :white_check_mark: db-02  ·  /);
    expect(all.match(/db-\d\d/g)).toHaveLength(8);
    expect(all).toContain('  ·  … and 4 more');
    expect(show(night, { layout: 'compact', maxTargets: 1 }).all).toContain('… and 11 more');
    expect(show(night, { layout: 'compact', maxTargets: 12 }).all).not.toContain('more');
  });

  test('compact shows no target that is done while one in trouble had no room', () => {
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
    expect(shown([...done, ...sad.slice(0, failed - 2)])).toContain(':white_check_mark: a0  ·  ');
  });

  test('a run that succeeded although targets failed is no white check mark', () => {
    const source = aSource('Success', { targets: [aTarget('a', 'Aborted')] });
    expect(show(source).all).toContain(':warning: Hibernation Completed');
    expect(show(aSource('Success')).all).toContain(':white_check_mark: Hibernation Completed');
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

  test('has account and cluster always, others when asked for, each once', () => {
    expect(contextOf(at(['a Completed'], { a: '1' }))).toContain('Account 1  ·  Cluster blue  ·  Success');
    expect(contextOf(at(['a Completed'], { a: '1' }), { scopes: ['region', 'cluster'] })).toContain(
      'Account 1  ·  Cluster blue  ·  Region r1  ·  Success',
    );
  });

  test('is about a failed target, else about the first that lives anywhere', () => {
    expect(contextOf(at(['a Completed', 'b Failed'], { a: '1', b: '2' }))).toContain('Account 2');
    expect(contextOf(at(['a Completed', 'b Failed'], { a: '1' }))).toContain('Account 1');
    expect(contextOf(at(['a Completed', 'b Completed'], { b: '2' }))).toContain('Account 2');
    expect(contextOf(at(['a Completed'], {}))).not.toContain('Account');
  });

  test('is about the changed target, whatever the others say', () => {
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

  test('has the time as it is asked for', () => {
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

test('what belongs to other events stays away, whatever the plan still says', () => {
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

test('the one line for lock screens names event and plan, and what went wrong', () => {
  const text = (source: Source): string => presetMessage(source, OPTIONS).text;
  expect(text(aSource('Start'))).toBe('Hibernation Starting (3 targets): shop/storefront');
  expect(text(aSource('Success', { operation: 'wakeup' }))).toBe(
    'Wake-Up Completed: shop/storefront — 3/3 completed',
  );
  expect(text(aSource('Failure', { errorMessage: 'no <quota>\nleft' }))).toBe(
    'Hibernation Failed: shop/storefront — no &lt;quota&gt; left',
  );
  expect(text(aSource('ExecutionProgress'))).toBe(
    'Target Progress: orders-db (rds) → Completed, shop/storefront',
  );
});
