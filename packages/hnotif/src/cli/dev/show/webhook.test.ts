import { expect, it } from 'vitest';
import { paintFor, plain } from '../../paint.ts';
import { webhookLines, type ShownContext } from './webhook.ts';

const at = Date.parse('2026-01-05T20:00:01Z');
const context: ShownContext = {
  event: 'Start',
  plan: { namespace: 'team', name: 'orders' },
  operation: 'Hibernate',
  phase: 'Hibernating',
  previousPhase: 'Active',
  sinkName: 'ops',
};
const record = (json: object, accepted = true) => ({
  path: '/hooks/ops',
  arrivedAt: at,
  arrivedMonotonic: 1_004.4,
  json,
  answered: { accepted },
  signatureReason: accepted ? '' : 'no key fits',
  schemaErrors: [],
});
const lines = (json: object, written?: number) =>
  webhookLines(record(json), () => written, plain).map((line) => line.replaceAll(/ +/g, ' '));
const line = (more: Partial<ShownContext>) => lines({ context: { ...context, ...more } })[0];

it('a delivery is shown on one line, with its latency where it is known', () => {
  expect(lines({ context })).toEqual(['20:00:01 ops ▶ Start orders Hibernate']);
  expect(lines({ context }, 1_000)).toEqual(['20:00:01 4 ms ops ▶ Start orders Hibernate']);
});

it('the latency is that of the plan', () => {
  const since = (namespace: string, plan: string) =>
    namespace === 'team' && plan === 'orders' ? 1_000 : undefined;
  expect(webhookLines(record({ context }), since, plain)[0]).toContain(' 4 ms ');
});

it('each kind of event says what matters of it', () => {
  const targets = [{ state: 'Failed' }, { state: 'Completed' }, { state: 'Completed' }];
  expect(line({ event: 'Failure', targets, errorMessage: 'boom' })).toContain(
    '✘ Failure orders Hibernate: 1 Failed, 2 Completed — boom',
  );
  expect(line({ event: 'Recovery', retryCount: 2 })).toContain('↻ Recovery orders Hibernate, retry 2');
  expect(line({ event: 'PhaseChange' })).toContain('→ PhaseChange orders Active → Hibernating');
  const targetExecution = { name: 'db', executor: 'rds', state: 'Running', message: '' };
  expect(line({ event: 'ExecutionProgress', targetExecution })).toContain('orders db (rds) Running');
});

it('the rendered text stands below, each of its lines behind a bar', () => {
  expect(lines({ context, rendered: 'one\n20:00:01.235 ops ✔ Success' }).slice(1)).toEqual([
    ' │ one',
    ' │ 20:00:01.235 ops ✔ Success',
  ]);
});

it('no text of a payload steers the terminal or makes lines of its own', () => {
  const [first, ...more] = lines({
    context: { ...context, event: 'Failure', errorMessage: '\u001b[2J\u009b1m\r\nforged\u202e' },
  });
  expect(first).toContain('— \ufffd[2J\ufffd1m forged');
  expect(more).toEqual([]);
});

it('a refused one says why', () => {
  expect(webhookLines(record({}, false), () => 0, plain)).toEqual(['refused: /hooks/ops no key fits']);
});

it('a failure is red, and a success with failed targets is not green', () => {
  const colourOf = (more: Partial<ShownContext>): string => {
    const used: string[] = [];
    webhookLines(
      record({ context: { ...context, ...more } }),
      () => 0,
      (style, text) => {
        used.push(String(style));
        return text;
      },
    );
    return used.at(-1) ?? '';
  };
  const target = (state: string) => ({ name: 'db', executor: 'rds', state, message: '' });
  expect(colourOf({ event: 'Failure' })).toBe('red');
  expect(colourOf({ event: 'ExecutionProgress', targetExecution: target('Failed') })).toBe('red');
  expect(colourOf({ event: 'ExecutionProgress', targetExecution: target('Running') })).toBe('gray');
  expect(colourOf({ event: 'Success', targets: [target('Completed')] })).toBe('green');
  expect(colourOf({ event: 'Success', targets: [target('Completed'), target('Aborted')] })).toBe('yellow');
  const used: string[] = [];
  webhookLines(
    record({}, false),
    () => 0,
    (style, text) => {
      used.push(String(style));
      return text;
    },
  );
  expect(used).toEqual(['red']);
});

it('colours are for terminals alone, and not where NO_COLOR is set', () => {
  expect(paintFor(true, { NO_COLOR: '1' })('red', 'x')).toBe('x');
  expect(paintFor(false, {})('red', 'x')).toBe('x');
  expect(paintFor(true, { TERM: 'dumb' })('red', 'x')).toBe('x');
  for (const env of [{}, { NO_COLOR: '' }, { TERM: 'xterm' }])
    expect(paintFor(true, env)('red', 'x')).toBe('\u001b[31mx\u001b[39m');
});
