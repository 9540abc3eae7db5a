import { expect, it } from 'vitest';
import { deliveryLine, paintFor, type ShownContext } from './show.ts';

const plain = paintFor(false, {});
const at = new Date('2026-01-05T20:00:01.234Z');
const context: ShownContext = {
  event: 'Start',
  timestamp: '2026-01-05T20:00:01.000Z',
  plan: { name: 'orders' },
  operation: 'Hibernate',
  phase: 'Hibernating',
  previousPhase: 'Active',
  sinkName: 'ops',
};
const line = (more: Partial<ShownContext>, latency?: number) =>
  deliveryLine({ ...context, ...more }, at, latency, plain).replaceAll(/ +/g, ' ');

it('a delivery is shown on one line, with its latency where it is known', () => {
  expect(line({})).toBe('20:00:01.234 ops ▶ Start orders Hibernate');
  expect(line({}, 4.4)).toBe('20:00:01.234 4 ms ops ▶ Start orders Hibernate');
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

it('colours are for terminals alone, and not where NO_COLOR is set', () => {
  expect(paintFor(true, { NO_COLOR: '1' })('red', 'x')).toBe('x');
  expect(paintFor(false, {})('red', 'x')).toBe('x');
  for (const env of [{}, { NO_COLOR: '' }])
    expect(paintFor(true, env)('red', 'x')).toBe('\u001b[31mx\u001b[39m');
});
