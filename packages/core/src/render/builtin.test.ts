import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LifecycleEvent, TargetState } from '../lifecycle/event.ts';
import { NO_CONNECTOR } from '../resources/connectors.ts';
import { EVENT_KINDS, type EventKind } from '../resources/kinds.ts';
import { anEvent } from '../testing/events.ts';
import { type BuiltinForm, renderBuiltin } from './builtin.ts';
import type { Source } from './context.ts';
import { exampleSource } from './example.ts';
import { oneLine } from './one-line.ts';
import { READERS } from './testing/readers.ts';

const FORMS: readonly BuiltinForm[] = ['teamchat', 'botchat-html', 'botchat-markdown', 'msteams', 'webhook'];
const CHATS = FORMS.filter((form) => form !== 'webhook');

/** What a reader sees. */
const seen = (form: BuiltinForm, source: Source, budget = 4000): string =>
  READERS[form](renderBuiltin(form, source, budget));

describe('the wording', () => {
  it('of a failure in teamchat, as it is sent', () => {
    expect(renderBuiltin('teamchat', exampleSource('Failure', 'teamchat', 'shutdown'), 4000)).toBe(
      [
        ':x: *Hibernation Failed*',
        '*Plan:* web-shop',
        '*Namespace:* shop-eu',
        '*Phase:* Error',
        '*Operation:* shutdown',
        '*Previous Phase:* Hibernating',
        `*Error:* build-machines: volume &lt;vol-07&gt; is "busy" &amp; can't be detached [3/3]`,
        '*Timestamp:* 2026-03-02 20:00:00 UTC',
        '*Targets:*',
        '• build-machines (ec2): Failed | Account: 210987654321 | Region: eu-central-1',
        '• orders-db (rds): Completed | Account: 210987654321 | Region: eu-central-1',
        '• app-nodes (eks): Completed | Account: 210987654321 | Cluster: staging-blue | Region: eu-central-1',
      ].join('\n'),
    );
  });

  it.each([
    ['teamchat', ':x: *Hibernation Failed · eu_1.a-b*'],
    ['botchat-html', '❌ <b>Hibernation Failed · eu_1.a-b</b>'],
    ['botchat-markdown', '❌ *Hibernation Failed · eu\\_1\\.a\\-b*'],
  ] as const)('of a failure in a cluster with a name in %s, as it is sent', (form, line) => {
    const source = exampleSource('Failure', 'teamchat', 'shutdown');
    const text = renderBuiltin(form, { ...source, plan: { ...source.plan, cluster: 'eu_1.a-b' } }, 4000);
    expect(text.split('\n')[0]).toBe(line);
  });

  it.each([
    ['teamchat', ':white_check_mark: *Target Progress:* orders-db (rds) -&gt; Completed - stopped'],
    ['botchat-html', '✅ <b>Target Progress:</b> orders-db (rds) -&gt; <code>Completed</code> - stopped'],
    ['botchat-markdown', '✅ *Target Progress:* orders\\-db \\(rds\\) \\-\\> `Completed` \\- stopped'],
  ] as const)('of progress in %s, as it is sent', (form, line) => {
    const text = renderBuiltin(form, exampleSource('ExecutionProgress', 'teamchat', 'shutdown'), 4000);
    expect(text.split('\n')[0]).toBe(line);
  });

  it('has no heading for progress without a target', () => {
    const { event, ...rest } = exampleSource('ExecutionProgress', 'teamchat', 'shutdown');
    for (const form of CHATS)
      expect(seen(form, { event: { ...event, targetExecution: undefined }, ...rest })).toMatch(
        /^Plan: web-shop\nNamespace/,
      );
  });

  it('is the wording of the contract for any event, character by character', () => {
    fc.assert(
      fc.property(anySource(ordinary), fc.constantFrom(...CHATS), (source, form) => {
        // The characters that prevent mentions in botchat are invisible.
        const visible = (text: string): string => text.replaceAll('\u2060', '');
        expect(visible(seen(form, source, 1e6))).toBe(visible(expectedLines(source).join('\n')));
      }),
      { seed: 1, numRuns: 300 },
    );
  });
});

describe('hostile values', () => {
  it('add no lines and do not break the markup', () => {
    fc.assert(
      fc.property(anySource(hostile), fc.constantFrom(...CHATS), (source, form) => {
        expect(seen(form, source, 1e6).split('\n')).toHaveLength(expectedLines(source).length);
      }),
      { seed: 2, numRuns: 300 },
    );
  });

  it('are cut so that the whole message fits', () => {
    fc.assert(
      fc.property(
        anySource(
          fc.oneof(
            hostile,
            hostile.map((text) => text.repeat(400)),
          ),
        ),
        fc.constantFrom(...FORMS),
        fc.integer({ min: 1024, max: 5000 }),
        (source, form, budget) => {
          const text = renderBuiltin(form, source, budget);
          // teamchat counts all that is sent.
          expect((form === 'teamchat' ? text : READERS[form](text)).length).toBeLessThanOrEqual(budget);
          expect(text).not.toMatch(/\n$/);
        },
      ),
      { seed: 3, numRuns: 300 },
    );
  });

  it('show a backslash in MarkdownV2', () => {
    const { event, ...rest } = exampleSource('Failure', 'botchat', 'shutdown');
    const source = { event: { ...event, errorMessage: 'C:\\disk\\.x \\', phase: '`\\`' }, ...rest };
    expect(seen('botchat-markdown', source)).toContain('\nError: C:\\disk\\.x \\\n');
  });
});

describe('many targets', () => {
  const many = (count: number, state: (i: number) => string, kind: EventKind = 'Failure'): Source => ({
    ...exampleSource(kind, 'teamchat', 'shutdown'),
    event: {
      ...exampleSource(kind, 'teamchat', 'shutdown').event,
      targets: Array.from({ length: count }, (_, i) => ({
        name: `target-${i}`,
        executor: 'rds',
        state: state(i),
        message: '',
      })),
    },
  });
  const bullets = (text: string): string[] => text.split('\n').filter((line) => line.startsWith('• '));

  it.each(CHATS)('are cut in %s, and the message says so', (form) => {
    const lines = seen(
      form,
      many(10_000, () => 'Completed', 'Start'),
    ).split('\n');
    const listed = bullets(lines.join('\n')).length;
    expect(listed).toBeGreaterThan(100);
    expect(lines.at(-1)).toBe(`… and ${10_000 - listed} more`);
    expect(lines[0]).toContain('Hibernation Starting (10000 targets)');
    expect(lines.at(-2)).toContain(`target-${listed - 1} `);
  });

  it('fill the available length, and no more', () => {
    const source = many(100_000, () => 'Up', 'Recovery');
    const event = { ...source.event, errorMessage: '&'.repeat(9000), retryCount: -(2 ** 31) };
    for (let budget = 1024; budget < 1060; budget++) {
      const text = renderBuiltin('teamchat', { ...source, event }, budget);
      expect(text.length).toBeLessThanOrEqual(budget);
      expect(text.length).toBeGreaterThan(budget - 80);
    }
  });

  it('list the failed and aborted ones first, whatever the event', () => {
    const state = (i: number): string => (i % 1000 === 999 ? (i > 5000 ? 'Failed' : 'Aborted') : 'Completed');
    const names = bullets(seen('teamchat', many(10_000, state)));
    const sad = names.filter((line) => !line.includes('Completed'));
    expect(sad).toHaveLength(10);
    expect(names.slice(0, 11)).toEqual([...sad, '• target-0 (rds): Completed']);
    expect(sad[0]).toBe('• target-5999 (rds): Failed');
    expect(sad.at(-1)).toBe('• target-4999 (rds): Aborted');
  });

  it('are not all read', () => {
    const source = many(10_000, () => 'Completed');
    let lookups = 0;
    const connector = () => {
      lookups++;
      return NO_CONNECTOR;
    };
    renderBuiltin('teamchat', { ...source, plan: { ...source.plan, connector } }, 4000);
    expect(lookups).toBeLessThan(300);
  });

  it.each([
    ['botchat-html', /<code>/g],
    ['botchat-markdown', /`/g],
  ] as const)('show the first states of %s as code, fewer than Telegram drops', (form, code) => {
    const state = (i: number): string => (i > 110 ? 'Failed' : 'Up');
    const text = renderBuiltin(form, many(120, state), 4096);
    expect(bullets(seen(form, many(120, state)))).toHaveLength(120);
    expect(text.split('\n').filter((line) => /^•.*(<code>|`)Failed/.test(line))).toHaveLength(9);
    expect(text.match(code)).toHaveLength(form === 'botchat-html' ? 80 : 160);
  });

  it('leave half of the length to a long error', () => {
    const source = many(1000, () => 'Completed');
    const text = seen('teamchat', { ...source, event: { ...source.event, errorMessage: 'e'.repeat(9000) } });
    expect(text.length).toBeGreaterThan(3500);
    expect(bullets(text).length).toBeGreaterThan(40);
    const error = text.split('\n').find((line) => line.startsWith('Error: e'));
    expect(error?.length).toBeGreaterThan(1700);
    expect(error).toMatch(/e… \(\d{4} more characters\)$/);
  });
});

describe('a night that ended with targets in trouble', () => {
  const heading = (form: BuiltinForm, state: string, kind: EventKind = 'Success'): string => {
    const { event, ...rest } = exampleSource(kind, 'teamchat', 'shutdown');
    const targets = [...event.targets, { name: 'last', executor: 'rds', state, message: '' }];
    return renderBuiltin(form, { event: { ...event, targets }, ...rest }, 4000).split('\n')[0] ?? '';
  };

  it.each([
    ['teamchat', ':warning: *Hibernation Completed*', ':white_check_mark: *Hibernation Completed*'],
    ['botchat-html', '⚠️ <b>Hibernation Completed</b>', '✅ <b>Hibernation Completed</b>'],
    ['botchat-markdown', '⚠️ *Hibernation Completed*', '✅ *Hibernation Completed*'],
  ] as const)('does not look like a success in %s', (form, warning, success) => {
    for (const state of ['Failed', 'Aborted']) expect(heading(form, state)).toBe(warning);
    expect(heading(form, 'Completed')).toBe(success);
    expect(heading(form, 'Failed', 'Failure')).not.toContain(warning);
  });
});

describe('links', () => {
  const plan = {
    'hibernation.dev/runbook-url': 'https://wiki.test/a_b?c=1&d=(2)',
    'hibernation.dev/dashboard-url': 'https://grafana.test/d/1',
  };
  const linked = (form: BuiltinForm, annotations: Record<string, string>): string => {
    const source = exampleSource('Success', 'teamchat', 'shutdown');
    return renderBuiltin(form, { ...source, plan: { ...source.plan, annotations } }, 4000);
  };

  it.each([
    ['teamchat', '<https://wiki.test/a_b?c=1&amp;d=%282%29|Runbook> | <https://grafana.test/d/1|Dashboard>'],
    [
      'botchat-html',
      '<a href="https://wiki.test/a_b?c=1&amp;d=%282%29">Runbook</a> | <a href="https://grafana.test/d/1">Dashboard</a>',
    ],
    [
      'botchat-markdown',
      '[Runbook](https://wiki.test/a_b?c=1&d=%282%29) \\| [Dashboard](https://grafana.test/d/1)',
    ],
  ] as const)('are the last line of %s', (form, line) => {
    expect(linked(form, plan).split('\n').at(-1)).toBe(line);
    expect(linked(form, { 'hibernation.dev/runbook-url': 'tg://user?id=1' })).toBe(linked(form, {}));
  });

  it('are not in a webhook’s text', () => {
    expect(linked('webhook', plan)).toBe(linked('webhook', {}));
  });

  it('keep a long message within its length', () => {
    const source = exampleSource('Success', 'teamchat', 'shutdown');
    const targets = Array.from({ length: 500 }, () => source.event.targets[0]).filter(
      (each) => each !== undefined,
    );
    const annotations = { ...plan, 'hibernation.dev/dashboard-url': `https://g.test/${'&'.repeat(99)}` };
    const text = renderBuiltin(
      'teamchat',
      { ...source, event: { ...source.event, targets }, plan: { ...source.plan, annotations } },
      4000,
    );
    expect(text.length).toBeLessThanOrEqual(4000);
    expect(text).toMatch(/\|Dashboard>$/);
  });
});

it('a message that cannot be rendered is plain text in the markup of its receiver', () => {
  const { event, ...rest } = exampleSource('Failure', 'teamchat', 'shutdown');
  const source = { event: { ...event, timestamp: 'no time' }, ...rest };
  expect(renderBuiltin('teamchat', source, 4000)).toContain(
    'Error: build-machines: volume &lt;vol-07&gt; is',
  );
  expect(seen('botchat-markdown', source)).toContain('Failure: shop-eu/web-shop\nOperation: shutdown\n');
});

/** The text of the contract, implemented a second time. */
function expectedLines({ event, plan }: Source): string[] {
  const { kind, operation, targets } = event;
  const v = oneLine;
  const what = v(operation) === 'shutdown' ? 'Hibernation' : 'Wake-Up';
  const hasError = kind === 'Failure' || kind === 'Recovery';
  const changed = kind === 'ExecutionProgress' ? event.targetExecution : undefined;
  const previous = kind === 'Start' || kind === 'ExecutionProgress' ? '' : v(event.previousPhase);
  const error = hasError ? v(event.errorMessage) : '';
  const lines: string[] = [];
  if (kind === 'Start') lines.push(`${what} Starting (${targets.length} targets)`);
  if (kind === 'Success') lines.push(`${what} Completed`);
  if (kind === 'Failure') lines.push(`${what} Failed`);
  if (kind === 'Recovery') lines.push(`${what} Retrying (attempt ${event.retryCount})`);
  if (kind === 'PhaseChange') lines.push('Phase Change');
  if (changed !== undefined) {
    const message = v(changed.message) === '' ? '' : ` - ${v(changed.message)}`;
    lines.push(
      `Target Progress: ${v(changed.name)} (${v(changed.executor)}) -> ${v(changed.state)}${message}`,
    );
  }
  lines.push(`Plan: ${v(event.plan)}`, `Namespace: ${v(event.namespace)}`, `Phase: ${v(event.phase)}`);
  lines.push(`Operation: ${v(operation) === '' ? 'N/A' : v(operation)}`);
  if (previous !== '') lines.push(`Previous Phase: ${previous}`);
  if (error !== '') lines.push(`Error: ${error}`);
  lines.push(`Timestamp: ${event.timestamp.slice(0, 10)} ${event.timestamp.slice(11, 19)} UTC`);
  if (targets.length > 0) lines.push('Targets:');
  for (const { name, executor, state } of targets) {
    const at = plan.connector(name);
    const parts = [
      ['Account', v(at.accountId)],
      ['Cluster', v(at.clusterName)],
      ['Region', v(at.region)],
    ].map(([label, value]) => (value === '' ? '' : ` | ${label}: ${value}`));
    lines.push(`• ${v(name)} (${v(executor)}): ${v(state)}${parts.join('')}`);
  }
  return lines;
}

/** Texts as they are but for `*`, which mrkdwn cannot escape. */
const ordinary = fc
  .string({ unit: 'grapheme', maxLength: 60 })
  .map((text) => text.replaceAll('*', '').replace(/:(\w+):/g, '$1'));
/** Texts that try to be more than a value. */
const hostile = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '\n',
        '\r\nPlan: forged',
        '\u2028',
        '\\',
        '`',
        '<b>',
        '</code>',
        '&',
        '&lt;',
        '_[x](y)',
        '\u202e',
      ),
      fc.string({ unit: 'grapheme', maxLength: 8 }).map((text) => text.replaceAll('*', '')),
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(''));

function anySource(text: fc.Arbitrary<string>): fc.Arbitrary<Source> {
  const target = fc.record<TargetState>({
    name: text,
    executor: text,
    state: fc.oneof(fc.constantFrom('Pending', 'Running', 'Completed'), text),
    message: text,
  });
  const event = fc.record<Partial<LifecycleEvent>>({
    kind: fc.constantFrom(...EVENT_KINDS),
    namespace: text,
    plan: text,
    operation: fc.oneof(fc.constantFrom('shutdown', 'wakeup', ''), text),
    phase: text,
    previousPhase: text,
    errorMessage: text,
    timestamp: fc.integer({ min: 0, max: 4e9 }).map((seconds) => new Date(seconds * 1000).toISOString()),
    targets: fc.array(target, { maxLength: 5 }),
    targetExecution: fc.option(target, { nil: undefined }),
    retryCount: fc.integer({ min: -2, max: 5 }),
  });
  const place = fc.record({ accountId: text, clusterName: text, region: text });
  return fc.record({ event, place }).map(({ event, place }) => ({
    event: anEvent(event.kind ?? 'Start', 1, event),
    plan: { labels: {}, annotations: {}, connector: () => ({ ...NO_CONNECTOR, ...place }) },
    sinkName: 'sink',
    sinkType: 'teamchat' as const,
  }));
}
