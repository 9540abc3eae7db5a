/**
 * Deliveries beside a template that never ends: how long the event loop is kept from its work, and what a thousand ordinary
 * deliveries take, with it and without.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setImmediate } from 'node:timers/promises';
import { sinkKey } from '../packages/hnotif/src/resources/sink-address.ts';
import { aim, within } from './figures.ts';
import { WEBHOOK, type Kind } from './kinds.ts';
import { nights } from './night.ts';
import { startService } from './service.ts';
import { startSink } from './sink.ts';
import type { Submission } from './submission.ts';

const DELIVERIES = 1_000;
const WARM_UP = 3_000;
/** Submissions of one turn of the event loop, as one change of a plan makes them. */
const BATCH = 64;
const LIMIT_MS = 60_000;
/** Below the engine's bounds of steps and memory: only the clock ends it. */
const ENDLESS =
  '{{ $s := repeat 1000000 "ab" }}{{ range until 100000 }}{{ $x := regexMatch "(?i)k" $s }}{{ end }}';
const NEVER_ENDING: Kind = {
  ...WEBHOOK,
  template: ENDLESS,
  config: (origin, to) => ({ ...WEBHOOK.config(origin, to), enable_renderer: true }),
};

/** Milliseconds for the ordinary deliveries, and the longest time in which the event loop did nothing else. */
async function round(
  origin: string,
  count: number,
  beside: boolean,
): Promise<{ took: number; stalled: number }> {
  const source = nights({ notifications: 2, plans: 64 });
  const next = (): Submission => source.next().value as Submission;
  const [ordinary, other] = [next(), next()].map(({ to }) => sinkKey(to));
  let left = count;
  let done = (): void => {};
  const all = new Promise<void>((resolve) => {
    done = resolve;
  });
  const service = startService({
    origin,
    kindOf: (to) => (sinkKey(to) === other ? NEVER_ENDING : WEBHOOK),
    settled: ({ to }) => {
      if (sinkKey(to) === ordinary && --left === 0) done();
    },
  });
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const begun = performance.now();
  for (let submitted = 0; submitted < count;) {
    const submission = next();
    const isOrdinary = sinkKey(submission.to) === ordinary;
    if (isOrdinary || beside) service.submit(submission);
    if (isOrdinary && ++submitted % BATCH === 0) await setImmediate();
  }
  await within(LIMIT_MS, 'a round', all);
  const took = performance.now() - begun;
  delay.disable();
  await service.stop();
  return { took, stalled: delay.max / 1e6 };
}

const sink = await startSink('counting');
const { origin } = sink;
await round(origin, WARM_UP, false);
const [alone, beside] = [await round(origin, DELIVERIES, false), await round(origin, DELIVERIES, true)];
await sink.stop();
const line = (name: string, { took, stalled }: typeof alone): string =>
  `${name.padEnd(28)} ${DELIVERIES} deliveries in ${took.toFixed(0)} ms, event loop busy at most ${stalled.toFixed(1)} ms at a time`;
console.log(line('alone', alone));
console.log(line('beside an endless template', beside));
console.log(aim('the event loop is never kept for 50 ms', beside.stalled < 50));
