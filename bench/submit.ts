/**
 * From `submit()` to the recorded 2xx: what `submit()` costs its caller, with a receiver that lives and with ones
 * that are dead, and how many deliveries a second go out beside what undici alone sends of the same messages.
 */
import { createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import type { Submission } from '../packages/hnotif/src/dispatch/delivery.ts';
import { aim, median, quantile, spread, within } from './figures.ts';
import { nights, type Spread } from './night.ts';
import { sendRaw, type RawMessage } from './raw-client.ts';
import { messageOf, startService, type Service } from './service.ts';
import { startSink, type Sink } from './sink.ts';

/** Messages of a round. Short rounds, many pairs: what else the machine does then falls on both alike. */
const ROUND = 10_000;
const WARM_UP = 6_000;
const PAIRS = 9;
/** Submissions to a dead receiver: more than its streams hold. */
const TO_THE_DEAD = 20_000;
const SINGLES = 500;
/** 16 requests of each sink may be in flight: four sinks fill the 64 of one origin. */
const ALIVE: Spread = { notifications: 4, plans: 64 };
/** So few streams that they overflow: the dearest `submit()` there is. */
const DEAD: Spread = { notifications: 4, plans: 8 };
const CONNECTIONS = 64;
/** Submissions that wait at most; more would measure the queue. */
const WINDOW = 1_024;
/** Submissions of one turn of the event loop, as one change of a plan makes them. */
const BATCH = 64;
const LIMIT_MS = 60_000;
const PATH = '/hook';

interface Round {
  readonly perSecond: number;
  readonly receiverBusy: number;
}

function take(count: number, load: Spread): Submission[] {
  const source = nights(load);
  return Array.from({ length: count }, () => source.next().value as Submission);
}

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Calls `submit()` and notes what it took, in microseconds. */
function timed(service: Service, submission: Submission, micros: number[]): void {
  const begun = performance.now();
  service.submit(submission);
  micros.push((performance.now() - begun) * 1000);
}

/** Has the service deliver all; returns the milliseconds from the first `submit()` to the last 2xx. */
async function sendByService(
  url: string,
  submissions: readonly Submission[],
  micros: number[],
): Promise<number> {
  let waiting = 0;
  const lost: string[] = [];
  let moved = (): void => {};
  const service = startService(url, ({ result, reason }) => {
    if (result !== 'delivered') lost.push(`${result} ${reason}`);
    waiting--;
    moved();
  });
  const until = (condition: () => boolean): Promise<void> =>
    new Promise((resolve) => {
      moved = () => {
        if (condition()) resolve();
      };
      moved();
    });
  const begun = performance.now();
  for (let next = 0; next < submissions.length; next += BATCH) {
    await until(() => waiting < WINDOW);
    for (const submission of submissions.slice(next, next + BATCH)) {
      waiting++;
      timed(service, submission, micros);
    }
    await nextTurn();
  }
  await until(() => waiting === 0);
  const took = performance.now() - begun;
  await service.stop();
  if (lost.length > 0) throw new Error(`${lost.length} deliveries were lost, the first: ${lost[0]}`);
  return took;
}

/** Checks that the receiver has recorded so many messages, each once; returns the processor time it took, in ms. */
async function recorded(sink: Sink, count: number): Promise<number> {
  const { requests, distinct, cpuMs } = await sink.report();
  if (requests !== count || distinct !== count)
    throw new Error(`the receiver has ${requests} requests with ${distinct} ids of ${count} messages`);
  return cpuMs;
}

async function round(sink: Sink, count: number, send: () => Promise<number>): Promise<Round> {
  const took = await within(LIMIT_MS, 'a round', send());
  return { perSecond: (count / took) * 1000, receiverBusy: (await recorded(sink, count)) / took };
}

async function throughput(sink: Sink): Promise<void> {
  const micros: number[] = [];
  const submissions = take(ROUND, ALIVE);
  const messages: RawMessage[] = submissions.map(messageOf);
  const bytes = messages.reduce((sum, { body }) => sum + Buffer.byteLength(body), 0) / messages.length;
  const raw = (count: number): Promise<Round> =>
    round(sink, count, () => sendRaw(sink.origin, PATH, messages.slice(0, count), CONNECTIONS));
  const service = (count: number, into: number[]): Promise<Round> =>
    round(sink, count, () => sendByService(sink.origin + PATH, submissions.slice(0, count), into));

  await raw(WARM_UP);
  await service(WARM_UP, []);
  console.log(`${ROUND} messages a round, ${bytes.toFixed(0)} bytes on average, ${CONNECTIONS} connections`);
  const pairs: { raw: Round; service: Round }[] = [];
  for (let pair = 0; pair < PAIRS; pair++) {
    const both = { raw: await raw(ROUND), service: await service(ROUND, micros) };
    pairs.push(both);
    console.log(
      `  undici ${figure(both.raw)}   hnotif ${figure(both.service)}   ratio ${ratio(both).toFixed(2)}`,
    );
  }
  const ratios = pairs.map(ratio);
  console.log(
    `deliveries/s, median: undici ${median(pairs.map((pair) => pair.raw.perSecond)).toFixed(0)}, ` +
      `hnotif ${median(pairs.map((pair) => pair.service.perSecond)).toFixed(0)}; ` +
      `ratio, median: ${median(ratios).toFixed(2)} (${aim('0.6', median(ratios) >= 0.6)})`,
  );
  showSubmit('receiver alive', micros);
}

const ratio = (pair: { raw: Round; service: Round }): number => pair.service.perSecond / pair.raw.perSecond;
const figure = ({ perSecond, receiverBusy }: Round): string =>
  `${perSecond.toFixed(0).padStart(6)}/s (receiver's process ${(receiverBusy * 100).toFixed(0).padStart(3)} % busy)`;

function showSubmit(what: string, micros: number[]): void {
  console.log(
    `submit(), ${what.padEnd(44)} ${spread(micros, 'µs')} (${aim('p99 < 50 µs', quantile(micros, 0.99) < 50)})`,
  );
}

/** One delivery at a time, each from `submit()` to its 2xx, nothing else in the way. */
async function latency(sink: Sink): Promise<void> {
  const millis: number[] = [];
  let settled = (_latencyMs: number): void => {};
  const service = startService(sink.origin + PATH, ({ latencyMs }) => {
    settled(latencyMs);
  });
  for (const submission of take(SINGLES, ALIVE)) {
    const done = new Promise<number>((resolve) => (settled = resolve));
    service.submit(submission);
    millis.push(await done);
  }
  await service.stop();
  await recorded(sink, SINGLES);
  console.log(`submit() to 2xx, one at a time                           ${spread(millis, 'ms', 2)}`);
}

/** What `submit()` costs while nothing goes out: first the streams fill, then something must go for each new one. */
async function dead(what: string, origin: string): Promise<void> {
  const filling: number[] = [];
  const overflowing: number[] = [];
  let dropped = 0;
  const service = startService(origin + PATH, ({ result }) => {
    if (result === 'dropped') dropped++;
  });
  const submissions = take(TO_THE_DEAD, DEAD);
  for (let next = 0; next < submissions.length; next += BATCH) {
    for (const submission of submissions.slice(next, next + BATCH))
      timed(service, submission, dropped === 0 ? filling : overflowing);
    await nextTurn();
  }
  await service.stop();
  showSubmit(`${what}, streams filling`, filling);
  showSubmit(`${what}, streams full`, overflowing);
}

/** An address where nobody listens. */
async function refusing(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return `http://127.0.0.1:${port}`;
}

const [alive, mute] = await Promise.all([startSink('counting'), startSink('mute')]);
try {
  await throughput(alive);
  await within(LIMIT_MS, 'the single deliveries', latency(alive));
  await within(LIMIT_MS, 'the refusing receiver', dead('connection refused', await refusing()));
  await within(LIMIT_MS, 'the mute receiver', dead('never answers', mute.origin));
} finally {
  await Promise.all([alive.stop(), mute.stop()]);
}
