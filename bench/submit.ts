/**
 * What `submit()` costs its caller, with a receiver that lives and with ones that are dead, and how long a single delivery takes
 * from `submit()` to the recorded 2xx.
 */
import { BATCH, deliverAll, nextTurn } from './deliver.ts';
import { aim, quantile, spread, within } from './figures.ts';
import { nights, type Spread } from './night.ts';
import { refusing } from './refusing.ts';
import { startService, type Service } from './service.ts';
import { startSink, type Sink } from './sink.ts';
import type { Submission } from './submission.ts';

const DELIVERIES = 60_000;
const WARM_UP = 6_000;
/** Submissions to a dead receiver: more than its streams hold. */
const TO_THE_DEAD = 40_000;
const SINGLES = 500;
/** 16 requests of each sink may be in flight: four sinks fill the 64 of one origin. */
const ALIVE: Spread = { notifications: 4, plans: 64 };
/** So few streams that they overflow: the dearest `submit()` there is. */
const DEAD: Spread = { notifications: 4, plans: 8 };
const LIMIT_MS = 60_000;

function take(count: number, load: Spread): Submission[] {
  const source = nights(load);
  return Array.from({ length: count }, () => source.next().value as Submission);
}

/** Calls `submit()` and notes what it took, in microseconds. */
function timed(service: Service, submission: Submission, micros: number[]): void {
  const begun = performance.now();
  service.submit(submission);
  micros.push((performance.now() - begun) * 1000);
}

/** Checks that the receiver has recorded so many messages, each once. */
async function recorded(sink: Sink, count: number): Promise<void> {
  const { requests, distinct } = await sink.report();
  if (requests !== count || distinct !== count)
    throw new Error(`the receiver has ${requests} requests with ${distinct} ids of ${count} messages`);
}

async function alive(sink: Sink): Promise<void> {
  for (const count of [WARM_UP, DELIVERIES]) {
    const micros: number[] = [];
    await deliverAll({ origin: sink.origin }, take(count, ALIVE), (service, submission) => {
      timed(service, submission, micros);
    });
    await recorded(sink, count);
    if (count === DELIVERIES) showSubmit('receiver alive', micros);
  }
}

function showSubmit(what: string, micros: number[]): void {
  console.log(
    `submit(), ${what.padEnd(44)} ${spread(micros, 'µs')} (${aim('p99 < 50 µs', quantile(micros, 0.99) < 50)})`,
  );
}

/** One delivery at a time, each from `submit()` to its 2xx, nothing else in the way. */
async function latency(sink: Sink): Promise<void> {
  const millis: number[] = [];
  let settled = (_latencyMs: number): void => {};
  const service = startService({
    origin: sink.origin,
    settled: ({ latencyMs }) => {
      settled(latencyMs);
    },
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
  const service = startService({
    origin,
    settled: ({ result, events }) => {
      if (result === 'dropped') dropped += events.length;
    },
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

const [living, mute] = await Promise.all([startSink('counting'), startSink('mute')]);
try {
  await within(LIMIT_MS, 'the living receiver', alive(living));
  await within(LIMIT_MS, 'the single deliveries', latency(living));
  await within(LIMIT_MS, 'the refusing receiver', dead('connection refused', await refusing()));
  await within(LIMIT_MS, 'the mute receiver', dead('never answers', mute.origin));
} finally {
  await Promise.all([living.stop(), mute.stop()]);
}
