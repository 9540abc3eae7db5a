import { describe, expect, it } from 'vitest';
import { createMetrics } from './metrics.ts';
import { setImmediate as turn } from 'node:timers/promises';
import { LABELS, METRICS, type MetricSpec } from './metric-table.ts';

const specs = Object.values(METRICS) as readonly MetricSpec[];

describe('the table of metrics', () => {
  it('follows Prometheus’ naming: counters end in _total, times are in seconds', () => {
    expect(new Set(specs.map((spec) => spec.name)).size).toBe(specs.length);
    for (const { name, type, unit } of specs) {
      expect(name).toMatch(/^hnotif_[a-z_]+$/);
      expect(name.endsWith('_total'), name).toBe(type === 'counter');
      if (type === 'histogram') expect(name.endsWith(`_${unit}`), name).toBe(true);
    }
  });

  it('has no label that nothing carries', () => {
    expect(Object.keys(LABELS).sort()).toEqual([...new Set(specs.flatMap((spec) => spec.labels))].sort());
  });
});

describe('createMetrics', () => {
  it('shows every metric of the table, and Node’s own', async () => {
    const text = await createMetrics('1.2.3').text();
    for (const { name, type } of specs) expect(text).toContain(`# TYPE ${name} ${type}\n`);
    expect(text).toContain('hnotif_build_info{version="1.2.3"} 1\n');
    expect(text).toContain('process_cpu_seconds_total');
  });

  it('shows how long the event loop was blocked since the last scrape', async () => {
    const metrics = createMetrics('1');
    const longest = async (): Promise<number> => {
      const end = performance.now() + 30;
      while (performance.now() < end);
      // With an older Node its timer fires between them. It does not count the first time after a scrape.
      await turn();
      await turn();
      return Number(/^nodejs_eventloop_lag_max_seconds (\S+)$/m.exec(await metrics.text())?.[1]);
    };
    await expect.poll(longest).toBeGreaterThanOrEqual(0.03);
    const text = await metrics.text();
    for (const value of ['', 'min_', 'mean_', 'stddev_', 'p50_', 'p90_', 'p99_'])
      expect(text).toMatch(new RegExp(`^nodejs_eventloop_lag_${value}seconds \\d`, 'm'));
  });

  it('lets other work come between one metric and the next', async () => {
    let [turns, done] = [0, false];
    const count = (): void => {
      turns++;
      if (!done) setImmediate(count);
    };
    setImmediate(count);
    await createMetrics('1').text();
    done = true;
    expect(turns).toBeGreaterThan(specs.length / 2);
  });

  it('keeps two instances in one process apart', async () => {
    const [one, two] = [createMetrics('1'), createMetrics('2')];
    one.submitted.inc({ sink_type: 'webhook', event: 'Start' });
    const line = 'hnotif_deliveries_submitted_total{sink_type="webhook",event="Start"} 1';
    expect(await one.text()).toContain(line);
    expect(await two.text()).not.toContain(line);
  });

  it('asks for the gauges of the moment at each scrape', async () => {
    const metrics = createMetrics('1');
    let depth = 3;
    metrics.onScrape(() => {
      metrics.queueDeliveries.set(depth);
    });
    expect(await metrics.text()).toContain('hnotif_queue_deliveries 3\n');
    depth = 0;
    expect(await metrics.text()).toContain('hnotif_queue_deliveries 0\n');
  });

  it('escapes what users may put into names', async () => {
    const metrics = createMetrics('1');
    const where = { namespace: 'a"b\n', notification: 'n', sink: 's', sink_type: 'webhook' };
    metrics.dropped.inc({ ...where, reason: 'overflow' });
    expect(await metrics.text()).toContain('namespace="a\\"b\\n"');
  });
});
