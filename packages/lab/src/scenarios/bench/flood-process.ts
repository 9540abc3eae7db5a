/**
 * Offers a million events of one namespace to a receiver that hangs. One event in a hundred is the end of a run. Measures the memory, by
 * our own count and by the process's, and checks that no end of a run is lost.
 */
import { createHistogram } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { systemClock } from '@hnotif/core/clock';
import { Dispatcher } from '../../../../hnotif/src/dispatch/dispatcher.ts';
import { LIMITS } from '../../../../hnotif/src/dispatch/limits.ts';
import { RateLimiter } from '@hnotif/core/sinks';
import { NO_CONNECTOR } from '@hnotif/core/resources';
import { sizeOfEvent } from '../../../../hnotif/src/dispatch/log-entry.ts';
import type { Outcome } from '@hnotif/core/sinks';
import { ABORTED } from '../../../../core/src/sinks/sink.ts';
import { aim } from '../../figures.ts';
import type { PlanLog } from '../../../../hnotif/src/dispatch/plan-log.ts';
import { idOf, type LifecycleEvent } from '@hnotif/core/lifecycle';
import { parsePlan } from '@hnotif/core/resources';
import { serveParent } from '../../forked.ts';
import { planObject } from '../../objects.ts';

const EVENTS = 1_000_000;
const PLANS = 1_000;
const EVERY = 100;
const BATCH = 200;
const AIM_BYTES = 250e6;
const HANG_MS = 10_000;
/** The backlog is cut in the turn after the one that has filled it. */
const SLACK = 1.01;

/** A request without an answer. It ends as the transport would end it. */
const hang = (signal: AbortSignal): Promise<Outcome> =>
  new Promise((resolve) => {
    const end = (kind: 'ambiguous' | 'aborted') => (): void => {
      cancel();
      resolve({ kind, reason: 'Timeout', message: 'no answer' });
    };
    const cancel = systemClock.after(HANG_MS, () => {
      end('ambiguous')();
    });
    signal.addEventListener('abort', end('aborted'), { once: true });
  });

let lost = 0;
let dropped = 0;
let terminal = 0;
let terminalBytes = 0;
/** The share of one namespace alone: half of it. */
const backlogBytes = LIMITS.backlogBytes / 2;
const dispatcher = new Dispatcher({
  clock: systemClock,
  rateLimits: new RateLimiter(systemClock),
  resolve: ({ plan }) => ({
    kind: 'ready',
    plan: { labels: plan.current.labels, annotations: {}, connector: () => NO_CONNECTOR },
    template: undefined,
    degradation: undefined,
    sink: {
      origin: 'http://hanging',
      rates: [],
      suppresses: () => false,
      ignoresTemplate: undefined,
      deliver: async (_, { signal, slot }) => ((await slot()) ? hang(signal) : ABORTED),
    },
  }),
  listener: {
    settled({ events }) {
      dropped += events.length;
      lost += events.filter(({ kind }) => kind === 'Success').length;
    },
    attempted: () => {},
    degraded: () => {},
    sendFailed: () => {},
    waits: () => {},
    resumed: () => {},
    circuitClosed: () => {},
    fault(error) {
      throw error;
    },
  },
});

const TARGETS = ['orders-db', 'reports-db', 'web', 'workers', 'cache', 'search', 'queue', 'batch'];
const targets = TARGETS.map((name) => ({
  ...{ name, executor: 'rds', state: 'Completed', message: `stopped ${name} in eu-central-1` },
}));

/** The plans, each with its log. Their accepted events may be sent at once: there are no journals. */
const plans = Array.from({ length: PLANS }, (_, index) => {
  const object = planObject(`nightly-${index}`, TARGETS) as { readonly metadata: object };
  const metadata = { ...object.metadata, namespace: 'team-a', uid: `uid-${index}`, resourceVersion: '1' };
  const current = parsePlan({ ...object, metadata });
  return { current, log: dispatcher.open({ current }) };
});

type LoggedPlan = (typeof plans)[number];

function eventOf({ current }: LoggedPlan, sent: number): LifecycleEvent {
  const seq = Math.floor(sent / PLANS);
  const isTerminal = seq % EVERY === EVERY - 1;
  const event = {
    ...{ planUid: current.uid, seq, cycle: '7f9c2ba4e000', operation: 'shutdown', run: 0, retryCount: 0 },
    kind: isTerminal ? ('Success' as const) : ('ExecutionProgress' as const),
    ...{ phase: 'Hibernating', previousPhase: 'Active', namespace: current.namespace, plan: current.name },
    ...{ timestamp: '2026-01-05T20:00:00.000Z', errorMessage: '', targets },
    targetExecution: isTerminal ? undefined : targets[sent % targets.length],
  };
  return { ...event, id: idOf({ ...event, fact: '', epoch: 'e' }) };
}

const TO = [{ notification: 'night-watch', sink: 'audit', type: 'webhook' }] as const;
function submit(log: PlanLog, event: LifecycleEvent): void {
  const by = { acceptedAt: systemClock.now(), since: systemClock.monotonic(), restored: false };
  dispatcher.append(log, [{ event, to: TO }], by);
  dispatcher.release(log, Infinity);
}

const rss = (): number => process.memoryUsage().rss;
const before = rss();
let peakBytes = 0;
let peakRss = before;
/** In nanoseconds. A list of a million times would add to the measured memory. */
const times = createHistogram();
const begun = performance.now();
for (let sent = 0; sent < EVENTS;) {
  for (let batch = 0; batch < BATCH; batch++, sent++) {
    const plan = plans[sent % PLANS];
    if (plan === undefined) continue;
    const event = eventOf(plan, sent);
    if (event.kind === 'Success') {
      terminal++;
      terminalBytes += sizeOfEvent(event);
    }
    const at = performance.now();
    submit(plan.log, event);
    times.record(Math.max(1, Math.round((performance.now() - at) * 1e6)));
  }
  peakBytes = Math.max(peakBytes, dispatcher.stats().bytes);
  peakRss = Math.max(peakRss, rss());
  await new Promise((resolve) => setImmediate(resolve));
}
const seconds = (performance.now() - begun) / 1000;
const { deliveries, bytes } = dispatcher.stats();
setFlagsFromString('--expose-gc');
(runInNewContext('gc') as () => void)();
const heap = process.memoryUsage().heapUsed;
// The timers must not keep the process alive.
const awake = setInterval(() => {}, HANG_MS);
await dispatcher.drain(0);
clearInterval(awake);
let kept = 0;
dispatcher.dropRest((_, { kind }) => {
  if (kind === 'Success') kept++;
  return true;
});
const mb = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;
console.log(
  `${EVENTS} events of ${PLANS} plans in ${seconds.toFixed(1)} s; ${deliveries} wait, ${dropped} were dropped`,
);
const micros = (nanos: number): string => (nanos / 1000).toFixed(1);
console.log(
  `submit()  p50 ${micros(times.percentile(50))}  p99 ${micros(times.percentile(99))}  max ${micros(times.max)} µs`,
);
console.log(
  `bytes by our count, at most ${mb(peakBytes)} (${aim(`the bound, ${mb(backlogBytes)}, and 1 %`, peakBytes <= backlogBytes * SLACK)})`,
);
console.log(
  `resident memory: ${mb(before)} before, at most ${mb(peakRss)}, garbage included (${aim('under 250 MB', peakRss < AIM_BYTES)}); ` +
    `the heap at the end without garbage: ${mb(heap)}, of which by our count ${mb(bytes)}`,
);
console.log(
  `last words: ${terminal} of ${mb(terminalBytes)} without their tables; ${lost} lost, ${kept} kept (${aim('all kept', kept === terminal && lost === 0)})`,
);
serveParent({}, () => ({}));
