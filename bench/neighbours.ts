/**
 * What a healthy receiver's messages take from `submit()` to their 2xx, alone and beside a receiver that refuses connections,
 * one that takes 30 s and one that answers 429, each of which gets the same events of the same plans. The rounds take turns.
 */
import { fork } from 'node:child_process';
import { createServer, type AddressInfo } from 'node:net';
import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { once } from 'node:events';
import { systemClock } from '../packages/hnotif/src/clock.ts';
import { CONTROLLER_DEFAULTS } from '../packages/hnotif/src/controller/options.ts';
import { planView } from '../packages/hnotif/src/controller/view.ts';
import { Buckets } from '../packages/hnotif/src/dispatch/buckets.ts';
import type { Submission } from '../packages/hnotif/src/dispatch/delivery.ts';
import { Dispatcher } from '../packages/hnotif/src/dispatch/dispatcher.ts';
import { TemplatePool } from '../packages/hnotif/src/render/pool.ts';
import { readSink } from '../packages/hnotif/src/sinks/registry.ts';
import type { ReadySink } from '../packages/hnotif/src/sinks/sink.ts';
import { Threads } from '../packages/hnotif/src/sinks/teamchat/thread/threads.ts';
import { Transport } from '../packages/hnotif/src/transport/client.ts';
import { aim, median, quantile, spread, within } from './figures.ts';
import { nights } from './night.ts';

const PLANS = 500;
/** Each plan's night as `night.ts` has it has twelve events; two of them a round. */
const EVENTS = 2 * PLANS;
/** As a control plane brings them, not all at once: that would measure the queue. */
const PER_SECOND = 500;
const PAIRS = 7;
const LIMIT_MS = 60_000;
const SLOW_MS = 30_000;

/** The receivers' addresses, by sink. */
type Addresses = Readonly<Record<string, string>>;

/** The receivers, in a process of their own. */
async function receivers(): Promise<void> {
  const listen = async (listener: RequestListener): Promise<string> => {
    const server = createHttpServer({ keepAliveTimeout: 0 }, (req, res) => {
      req.resume();
      req.on('end', () => {
        void listener(req, res);
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  };
  const addresses: Addresses = {
    healthy: await listen((_, res) => res.end('ok')),
    slow: await listen((_, res) => {
      setTimeout(() => res.end('ok'), SLOW_MS).unref();
    }),
    throttling: await listen((_, res) => res.writeHead(429, { 'retry-after': '1' }).end()),
    refusing: await refusing(),
  };
  process.on('disconnect', () => process.exit());
  process.send?.(addresses);
}

/** An address where nobody listens. */
async function refusing(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return `http://127.0.0.1:${port}/hook`;
}

/** Submits a night's events to these sinks; returns the healthy one's latencies in milliseconds. */
async function round(addresses: Addresses): Promise<number[]> {
  const clock = systemClock;
  const transport = new Transport({ allowInsecureHttp: true, clock });
  const permits = new Buckets(clock);
  const templates = new TemplatePool({ clock });
  const threads = new Threads({ clock, permits });
  const sinks = new Map<string, ReadySink>();
  for (const [sink, url] of Object.entries(addresses)) {
    const address = { namespace: 'team-a', notification: 'night-watch-0', sink };
    const deps = {
      ...CONTROLLER_DEFAULTS,
      transport,
      clock,
      version: '0.0.0',
      templates,
      permits,
      threads,
      address,
    };
    const reading = readSink('webhook', JSON.stringify({ url }), deps);
    if (!reading.ok) throw new Error(reading.problems.join('; '));
    sinks.set(sink, reading.sink);
  }
  const millis: number[] = [];
  let done = (): void => {};
  const all = new Promise<void>((resolve) => (done = resolve));
  const dispatcher = new Dispatcher({
    clock,
    permits,
    resolve: ({ to, plan }) => {
      const sink = sinks.get(to.sink);
      if (sink === undefined) return { kind: 'unsubscribed' };
      const view = planView(plan.current, { cloudProvider: () => undefined, k8sCluster: () => undefined });
      return { kind: 'ready', sink, plan: view, template: undefined, notice: undefined };
    },
    listener: {
      settled({ to, result, latencyMs }) {
        if (to.sink !== 'healthy') return;
        if (result === 'delivered') millis.push(latencyMs);
        if (millis.length === EVENTS) done();
      },
      attempted: () => {},
      noticed: () => {},
      putOff: () => {},
      paused: () => {},
      released: () => {},
      fault: (error) => {
        setImmediate(() => {
          throw error;
        });
      },
    },
  });
  const source = nights({ notifications: 1, plans: PLANS });
  const begun = performance.now();
  for (let sent = 0; sent < EVENTS;) {
    const due = Math.min(EVENTS, Math.ceil(((performance.now() - begun) / 1000) * PER_SECOND));
    for (; sent < due; sent++) {
      const submission = source.next().value as Submission;
      for (const sink of sinks.keys()) dispatcher.submit({ ...submission, to: { ...submission.to, sink } });
    }
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  await within(LIMIT_MS, 'a round', all);
  await dispatcher.drain(0);
  await Promise.all([transport.close(), templates.close()]);
  return millis;
}

async function compare(): Promise<void> {
  const child = fork(new URL('./neighbours.mjs', import.meta.url), ['receivers']);
  const [addresses] = (await within(10_000, 'the receivers', once(child, 'message'))) as [Addresses];
  const healthy = { healthy: addresses.healthy ?? '' };
  await round(addresses);
  const alone: number[] = [];
  const beside: number[] = [];
  const ratios: number[] = [];
  for (let pair = 0; pair < PAIRS; pair++) {
    const [one, four] = [await round(healthy), await round(addresses)];
    alone.push(...one);
    beside.push(...four);
    ratios.push(median(four) / median(one));
  }
  child.disconnect();
  console.log(`${PLANS} plans and ${EVENTS} events a round, ${PER_SECOND} a second, to each sink`);
  console.log(`  the healthy sink alone                   ${spread(alone, 'ms', 2)}`);
  console.log(`  beside refusing, slow and throttling     ${spread(beside, 'ms', 2)}`);
  const [p50, p99] = [0.5, 0.99].map((part) => quantile(beside, part) - quantile(alone, part));
  console.log(
    `ratio of the medians, median of ${PAIRS}: ${median(ratios).toFixed(2)}; ` +
      `the neighbours cost ${p50?.toFixed(2)} ms (p50) and ${p99?.toFixed(2)} ms (p99) (${aim('p50 below 1 ms', (p50 ?? 1) < 1)})`,
  );
}

await (process.argv[2] === 'receivers' ? receivers() : compare());
