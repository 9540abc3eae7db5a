/**
 * What a healthy receiver's messages take from `submit()` to their 2xx, alone and beside a receiver that refuses connections,
 * one that takes 30 s and one that answers 429, each of which gets the same events of the same plans. The rounds take turns.
 */
import { fork } from 'node:child_process';
import type { AddressInfo } from 'node:net';
import { createServer, type RequestListener } from 'node:http';
import { once } from 'node:events';
import { aim, median, quantile, spread, within } from './figures.ts';
import { WEBHOOK } from './kinds.ts';
import { nights } from './night.ts';
import { refusing } from './refusing.ts';
import { startService } from './service.ts';
import type { Submission } from './submission.ts';

const PLANS = 500;
/** Each plan's night as `night.ts` has it has twelve events; two of them a round. */
const EVENTS = 2 * PLANS;
/** As a control plane brings them, not all at once: that would measure the queue. */
const PER_SECOND = 500;
const PAIRS = 7;
const LIMIT_MS = 60_000;
const SLOW_MS = 30_000;

/** The receivers' origins, by sink. */
type Addresses = Readonly<Record<string, string>>;

/** The receivers, in a process of their own. */
async function receivers(): Promise<void> {
  const listen = async (listener: RequestListener): Promise<string> => {
    const server = createServer({ keepAliveTimeout: 0 }, (req, res) => {
      req.resume();
      req.on('end', () => {
        void listener(req, res);
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
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

/** Submits a night's events to these sinks; returns the healthy one's latencies in milliseconds. */
async function round(addresses: Addresses): Promise<number[]> {
  const millis: number[] = [];
  let done = (): void => {};
  const all = new Promise<void>((resolve) => (done = resolve));
  const service = startService({
    origin: '',
    kindOf: ({ sink }) => ({ ...WEBHOOK, config: () => ({ url: `${addresses[sink]}/hook` }) }),
    settled({ to, result, latencyMs }) {
      if (to.sink !== 'healthy') return;
      if (result === 'delivered') millis.push(latencyMs);
      if (millis.length === EVENTS) done();
    },
  });
  const source = nights({ notifications: 1, plans: PLANS });
  const begun = performance.now();
  for (let sent = 0; sent < EVENTS;) {
    const due = Math.min(EVENTS, Math.ceil(((performance.now() - begun) / 1000) * PER_SECOND));
    for (; sent < due; sent++) {
      const submission = source.next().value as Submission;
      for (const sink of Object.keys(addresses))
        service.submit({ ...submission, to: { ...submission.to, sink } });
    }
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  await within(LIMIT_MS, 'a round', all);
  await service.stop();
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
