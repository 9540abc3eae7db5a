/**
 * A plan of thousands of targets and hundreds of sinks whose receivers never answer, in `hnotif run` from the bundle. All targets change
 * at once, and a tenth of them ten times more. Measures the stalls of the event loop, the memory, and the latency of a healthy sink of
 * another namespace, from the write of its plan's status to the arrival. Arguments are passed to Node, for the service (`--cpu-prof`).
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { begin, initialStatus, poll, type OperatorStatus, type TargetChange } from '@hnotif/core/lifecycle';
import { API_VERSION, DEFAULT_API_GROUP, EVENT_KINDS } from '@hnotif/core/resources';
import { aim, quantile, spread, within } from './figures.ts';
import { startCluster } from './journal/cluster.ts';
import { NAMESPACE as WIDE } from './journal/plans.ts';
import { startHnotif } from './scale/process.ts';
import { startSink } from './sink.ts';

const NOTIFICATIONS = 12;
const SINKS = 32;
const VICTIM = 'team-b';
/** The number of targets. No plan has more than the last. */
const TARGETS = [5_000, 10_000];
const FURTHER = 10;
/** The duration of the neighbour's writes for each write of the wide plan, in milliseconds. */
const BESIDE_MS = 2_500;
/** The time between two writes of the neighbour, in milliseconds. */
const GAP_MS = 20;
const LIMIT_MS = 60_000;
const AIM_BYTES = 300e6;
const AIM_STALL_MS = 50;
const API = `${DEFAULT_API_GROUP}/${API_VERSION}`;
const LABELS = { team: 'payments' };
const NAMESPACE_KIND = { apiVersion: 'v1', kind: 'Namespace' };

const targetsOf = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    name: `payments-db-${String(index).padStart(5, '0')}`,
    type: 'rds',
    connectorRef: { kind: 'CloudProvider', name: 'production' },
  }));
type Targets = ReturnType<typeof targetsOf>;

const moved = (targets: Targets, state: TargetChange['state'], message: string): TargetChange[] =>
  targets.map(({ name }) => ({
    ...{ target: name, state, message: `${message} ${name} in eu-central-1` },
    jobRef: `${WIDE}/runner-${name}`,
  }));

/** A receiver that answers at once; calls `arrived` for each message. */
async function listen(arrived: () => void): Promise<{ readonly origin: string; close(): void }> {
  const server = createServer((req, res) => {
    req.resume();
    req.on('end', () => {
      arrived();
      res.end('ok');
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function measure(count: number, mute: string): Promise<void> {
  let arrived = (): void => {};
  const [cluster, receiver] = await Promise.all([
    startCluster(0),
    listen(() => {
      arrived();
    }),
  ]);
  const send = async (method: string, path: string, body: object): Promise<void> => {
    const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
    const headers = { 'content-type': type };
    const answer = await fetch(cluster.url + path, { method, headers, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${method} ${path}: ${await answer.text()}`);
    await answer.arrayBuffer();
  };
  const core = (namespace: string): string => `/api/v1/namespaces/${namespace}`;
  const custom = (namespace: string): string => `/apis/${API}/namespaces/${namespace}`;
  const put = (namespace: string, status: OperatorStatus): Promise<void> =>
    send('PATCH', `${custom(namespace)}/hibernateplans/nightly/status`, { status });
  /** A namespace's secret, its notifications, and its plan at the beginning of a night. */
  const fill = async (
    namespace: string,
    targets: Targets,
    origin: string,
    notifications: readonly { readonly sinks: number; readonly onEvents: readonly string[] }[],
  ): Promise<OperatorStatus> => {
    const config = Buffer.from(JSON.stringify({ url: `${origin}/hook` })).toString('base64');
    const metadata = { name: 'hook' };
    await send('POST', `${core(namespace)}/secrets`, {
      ...{ apiVersion: 'v1', kind: 'Secret', metadata, data: { config } },
    });
    for (const [index, { sinks, onEvents }] of notifications.entries())
      await send('POST', `${custom(namespace)}/hibernatenotifications`, {
        ...{ apiVersion: API, kind: 'HibernateNotification', metadata: { name: `watch-${index}` } },
        spec: {
          selector: { matchLabels: LABELS },
          onEvents,
          sinks: Array.from({ length: sinks }, (_, at) => ({
            ...{ name: `sink-${at}`, type: 'webhook', secretRef: { name: 'hook' } },
          })),
        },
      });
    const offHours = [{ start: '20:00', end: '06:00', daysOfWeek: ['MON'] }];
    await send('POST', `${custom(namespace)}/hibernateplans`, {
      ...{ apiVersion: API, kind: 'HibernatePlan', metadata: { name: 'nightly', labels: LABELS } },
      spec: {
        schedule: { timezone: 'UTC', offHours },
        execution: { strategy: { type: 'Parallel' } },
        targets,
      },
    });
    const status = begin(initialStatus, 'shutdown', '7f9c2ba4e001', targets, Date.now());
    await put(namespace, status);
    return status;
  };
  await send('POST', '/api/v1/namespaces', { ...NAMESPACE_KIND, metadata: { name: VICTIM } });
  const every = Array.from({ length: NOTIFICATIONS }, () => ({ sinks: SINKS, onEvents: EVENT_KINDS }));
  const [targets, one] = [targetsOf(count), targetsOf(1)];
  let wide = await fill(WIDE, targets, mute, every);
  let small = await fill(VICTIM, one, receiver.origin, [{ sinks: 1, onEvents: ['ExecutionProgress'] }]);
  let troubles = 0;
  const hnotif = await startHnotif(cluster.kubeconfig, {
    flags: ['--allow-insecure-http'],
    node: process.argv.slice(2),
    troubled: () => troubles++,
  });

  let writes = 0;
  /** The neighbour's target changes again and again for this time. Returns the latency of each message, in milliseconds. */
  const neighbour = async (ms: number): Promise<number[]> => {
    const took: number[] = [];
    for (const end = performance.now() + ms; performance.now() < end;) {
      const came = new Promise<void>((resolve) => (arrived = resolve));
      small = poll(small, moved(one, writes++ % 2 === 0 ? 'Running' : 'Completed', 'now'), Date.now());
      const begun = performance.now();
      await put(VICTIM, small);
      await within(LIMIT_MS, 'the neighbour’s message', came);
      took.push(performance.now() - begun);
      await sleep(GAP_MS);
    }
    return took;
  };
  /** The wide plan's status is written while the neighbour's writes continue. */
  const write = async (some: Targets, state: TargetChange['state'], message: string): Promise<number[]> => {
    wide = poll(wide, moved(some, state, message), Date.now());
    const [took] = await Promise.all([neighbour(BESIDE_MS), put(WIDE, wide)]);
    return took;
  };
  const show = async (what: string, took: number[]): Promise<number> => {
    const [{ stalledMs, stalledCpuMs }, { now, peak }] = [await hnotif.stalled(), await hnotif.memory()];
    console.log(
      `  ${what.padEnd(24)} loop stalled for ${stalledMs.toFixed(0).padStart(5)} ms at most (at most ${stalledCpuMs.toFixed(0)} ms of CPU); ` +
        `resident ${mb(now)}, at most ${mb(peak)}; neighbour ${spread(took, 'ms')}`,
    );
    return stalledMs;
  };

  try {
    await neighbour(BESIDE_MS);
    await hnotif.stalled();
    console.log(`${count} targets × ${NOTIFICATIONS * SINKS} sinks`);
    const alone = await neighbour(BESIDE_MS);
    await show('at rest', alone);
    const beside = await write(targets, 'Running', 'stopping');
    const stalls = [await show('all targets move', beside)];
    const tenth = count / FURTHER;
    for (let part = 0; part < FURTHER; part++)
      beside.push(...(await write(targets.slice(part * tenth, (part + 1) * tenth), 'Completed', 'stopped')));
    stalls.push(await show(`${FURTHER} writes of a tenth`, beside));
    const [stall, { peak = NaN }] = [Math.max(...stalls), await hnotif.memory()];
    const ratio = quantile(beside, 0.99) / quantile(alone, 0.99);
    console.log(
      `  ${aim('no stall above 50 ms', stall <= AIM_STALL_MS)}; ${aim('memory under 300 MB', peak < AIM_BYTES)}; ` +
        `the neighbour's p99 is ${ratio.toFixed(1)} times that at rest; ${troubles} lines of the log tell of troubles`,
    );
  } finally {
    await hnotif.stop();
    receiver.close();
    await cluster.stop();
  }
}

const mb = (bytes: number | undefined): string =>
  bytes === undefined ? '?' : `${(bytes / 1e6).toFixed(0)} MB`;

const sink = await startSink('mute');
try {
  for (const targets of TARGETS) await measure(targets, sink.origin);
} finally {
  await sink.stop();
}
