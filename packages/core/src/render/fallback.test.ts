import { expect, it } from 'vitest';
import { exampleSource } from './example.ts';
import { plainFallback } from './fallback.ts';

it('shows event, plan, operation, phase and error', () => {
  expect(plainFallback(exampleSource('Failure', 'teamchat', 'shutdown')).split('\n')).toEqual([
    'Failure: shop-eu/web-shop',
    'Operation: shutdown',
    'Phase: Error',
    `Error: build-machines: volume <vol-07> is "busy" & can't be detached [3/3]`,
  ]);
});

it('shows the target that changed', () => {
  expect(plainFallback(exampleSource('ExecutionProgress', 'botchat', 'wakeup')).split('\n')).toEqual([
    'ExecutionProgress: shop-eu/web-shop',
    'Operation: wakeup',
    'Phase: Hibernating',
    'Target: orders-db (rds) -> Completed - stopped',
  ]);
});

it('shows N/A without an operation, and no error that belongs to another event', () => {
  const { event, ...rest } = exampleSource('PhaseChange', 'webhook', '');
  expect(plainFallback({ event: { ...event, errorMessage: 'old' }, ...rest }).split('\n')).toEqual([
    'PhaseChange: shop-eu/web-shop',
    'Operation: N/A',
    'Phase: Active',
  ]);
});

it('stays short and keeps its lines, whatever the values contain', () => {
  const { event, ...rest } = exampleSource('Failure', 'teamchat', 'shutdown');
  const hostile = 'x\nPhase: Active\n'.repeat(1000);
  const text = plainFallback({
    event: { ...event, plan: hostile, operation: hostile, phase: hostile, errorMessage: hostile },
    ...rest,
  });
  expect(text.length).toBeLessThanOrEqual(3000);
  expect(text.split('\n')).toHaveLength(4);
  expect(text).toMatch(/… \(\d+ more characters\)$/);
});
