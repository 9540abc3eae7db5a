import { describe, expect, it } from 'vitest';
import { METRICS } from '../src/observe/metric-table.ts';
import { AT_ANY_PORT, hnotif } from './support/process.ts';
import { startProxy } from './support/proxy.ts';
import { contextOf, metricsOf, World } from './support/world.ts';

describe('observability', () => {
  it('/metrics has delivery success, errors, latency and drops, and every metric of the table', async () => {
    const world = await World.start();
    for (const name of ['good', 'bad', 'down']) {
      await world.secret(name);
      await world.notification(name, { onEvents: ['Start'] });
    }
    await world.plan('orders');
    world.receiver.faults.add({ match: { path: '/bad' }, fault: { kind: 'status', status: 400 } });
    world.receiver.faults.add({ match: { path: '/down' }, fault: { kind: 'status', status: 500 } });
    // The counters of a notification that is gone are to be seen.
    const controller = await world.synced({ metricsKeptMs: 3_600_000 });
    await world.hibernate('orders');
    await world.status('bad', (status) => status.sinks?.[0]?.consecutiveFailures === 1);
    await world.status('good', (status) => status.sinks?.[0]?.lastSuccess !== undefined);
    await world.receiver.waitFor((records) => records.some(({ path }) => path === '/down'));
    await world.kube.delete(world.notificationPath('down'));
    await world.logged(/"reason":"unsubscribed"/);
    const metrics = await metricsOf(controller);
    const whose = (name: string): string =>
      `namespace="team-a",notification="${name}",sink="${name}",sink_type="webhook"`;
    for (const line of [
      'hnotif_deliveries_delivered_total{sink_type="webhook",event="Start"} 1',
      `hnotif_deliveries_failed_total{${whose('bad')},reason="BadRequest"} 1`,
      `hnotif_deliveries_dropped_total{${whose('down')},reason="unsubscribed"} 1`,
      'hnotif_delivery_delay_seconds_count{sink_type="webhook",event="Start"} 1',
      'hnotif_requests_total{sink_type="webhook",outcome="delivered"} 1',
      'hnotif_events_total{event="Start"} 1',
      'hnotif_journal_delay_seconds_count 1',
      'hnotif_plans 1',
      'hnotif_notifications 2',
      'hnotif_matches 2',
      'hnotif_queue_deliveries 0',
    ])
      expect(metrics.split('\n')).toContain(line);
    expect(metrics).toMatch(/^hnotif_kubernetes_requests_total\{method="GET",code="200"\} [1-9]/m);
    for (const { name } of Object.values(METRICS)) expect(metrics).toContain(`# TYPE ${name} `);
  });

  it('/readyz is green once all is listed; /healthz depends on nothing; receivers affect neither', async () => {
    const world = await World.start();
    await world.secret('n');
    await world.notification('n', { onEvents: ['Start'] });
    await world.receiver.close();
    const controller = await world.synced();
    const ready = await fetch(`${controller.healthUrl}/readyz`);
    expect([ready.status, await ready.text()]).toEqual([
      200,
      expect.stringMatching(
        /^\[\+\]leader leading, term \d+\n\[\+\]notifications ok\n\[\+\]journals ok\n\[\+\]plans ok\nreadyz check passed\n$/,
      ),
    ]);
    expect((await fetch(`${controller.healthUrl}/healthz`)).status).toBe(200);
  });
});

describe('a cluster', () => {
  it('that starts after hnotif is served from then on', async () => {
    const world = await World.start();
    const proxy = await startProxy(world.cluster.url);
    proxy.cut();
    const controller = await world.controller({ kubeconfig: await world.kubeconfig(proxy.url) });
    await world.logged(/Lease not read or written; trying again/);
    proxy.restore();
    await controller.synced;
    await world.secret('n');
    await world.notification('n', { onEvents: ['Start'] });
    await world.status('n', (status) => status.conditions?.[0]?.status === 'True');
    await world.plan('orders');
    await world.hibernate('orders');
    const [record] = await world.received(1);
    expect(record && contextOf(record).event).toBe('Start');
  });
});

/** Makes timers of ten seconds end at once, and prints a line for each garbage collection that was asked for. */
const IN_HASTE = `
  import { constants, PerformanceObserver } from 'node:perf_hooks';
  const timeout = setTimeout;
  globalThis.setTimeout = (run, ms, ...more) => timeout(run, ms === 10000 ? 10 : ms, ...more);
  const isForced = ({ detail }) => (detail.flags & constants.NODE_PERFORMANCE_GC_FLAGS_FORCED) !== 0;
  const observer = new PerformanceObserver((list) => list.getEntries().some(isForced) && console.log('collected'));
  observer.observe({ entryTypes: ['gc'] });
`;

describe('hnotif run', () => {
  it('collects its garbage when its work is over', async () => {
    const world = await World.start();
    const env = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(IN_HASTE)}` };
    const run = hnotif(['run', '--kubeconfig', await world.kubeconfig(), ...AT_ANY_PORT], env);
    await run.line(/^collected$/);
  });
});
