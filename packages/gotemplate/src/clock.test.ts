import { expect, test } from 'vitest';
import { workClock, workTime } from './clock.ts';
import { TemplateError } from './errors.ts';
import { parse } from './template.ts';

test('is the CPU time of the thread, in milliseconds', () => {
  expect(workClock(() => ({ user: 1_500, system: 250 }))()).toBe(1.75);
});

test('is a tenth of the wall time where the CPU time is not known', () => {
  const [before, counted, after] = [performance.now(), workClock(undefined)(), performance.now()];
  expect(counted).toBeGreaterThanOrEqual(before / 10);
  expect(counted).toBeLessThanOrEqual(after / 10);
});

test('ends a template that works for too long', () => {
  const endless = '{{ range 1000000000 }}{{ end }}';
  let limit: unknown;
  try {
    parse('endless', endless, { limits: { time: 1, steps: Infinity }, clock: workTime }).execute();
  } catch (error) {
    limit = error instanceof TemplateError && error.limit;
  }
  expect(limit).toBe('time');
});
