import { pino } from 'pino';
import { expect, it } from 'vitest';
import { createMetrics } from '../observe/metrics.ts';
import { ManualClock } from '../../../core/src/testing/clock.ts';
import { MetricSeries } from './metric-series.ts';

const labelsOf = (notification: string, reason: string) => ({
  namespace: 'team-a',
  notification,
  sink: 'ops',
  sink_type: 'webhook',
  reason,
});

it('the counters of a deleted sink are removed after they could be scraped', async () => {
  const clock = new ManualClock();
  const metrics = createMetrics('test');
  const listed = new Set(['gone', 'stays']);
  const log = pino({ level: 'silent' });
  const series = new MetricSeries({
    clock,
    log,
    metrics,
    watches: { lists: ({ notification }) => listed.has(notification) },
  });
  for (const name of listed) {
    metrics.dropped.inc(labelsOf(name, 'overflow'), 2);
    metrics.failed.inc(labelsOf(name, 'HttpStatus'));
  }
  const shown = async (): Promise<string[]> =>
    [...(await metrics.text()).matchAll(/deliveries_(\w+)_total\{.*notification="(\w+)".*\} (\d+)/g)].map(
      (found) => found.slice(1).join(' '),
    );

  listed.delete('gone');
  series.released();
  series.released();
  expect(clock.timers).toBe(1);
  await clock.advance(599_999);
  expect(await shown()).toHaveLength(4);
  await clock.advance(1);
  expect(await shown()).toEqual(['failed stays 1', 'dropped stays 2']);

  // One that is there again by then keeps its counters.
  listed.delete('stays');
  series.released();
  listed.add('stays');
  await clock.advance(600_000);
  expect(await shown()).toHaveLength(2);
  series.released();
  series.close();
  expect(clock.timers).toBe(0);
});
