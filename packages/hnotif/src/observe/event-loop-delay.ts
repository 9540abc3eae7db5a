import { monitorEventLoopDelay, type IntervalHistogram } from 'node:perf_hooks';
import { Gauge, type Registry } from 'prom-client';

/** The metrics that prom-client has for the delay. Each is one value of Node's histogram (nanoseconds). */
const METRICS: readonly (readonly [name: string, help: string, (of: IntervalHistogram) => number])[] = [
  ['min', 'The minimum recorded event loop delay.', ({ min }) => min],
  ['max', 'The maximum recorded event loop delay.', ({ max }) => max],
  ['mean', 'The mean of the recorded event loop delays.', ({ mean }) => mean],
  ['stddev', 'The standard deviation of the recorded event loop delays.', ({ stddev }) => stddev],
  ['p50', 'The 50th percentile of the recorded event loop delays.', (delays) => delays.percentile(50)],
  ['p90', 'The 90th percentile of the recorded event loop delays.', (delays) => delays.percentile(90)],
  ['p99', 'The 99th percentile of the recorded event loop delays.', (delays) => delays.percentile(99)],
];

/** For prom-client's own timer: it never fires (milliseconds). */
export const NEVER_MS = 2 ** 31 - 1;

/**
 * Delays of the event loop since the last scrape, in place of prom-client's. Those have a timer that wakes the process a hundred times a
 * second, which was three quarters of the CPU of an idle pod. A newer Node (26.10 does) measures each turn of the loop instead;
 * an older one ignores the option, and has the timer.
 */
export function replaceEventLoopDelay(registry: Registry): void {
  const options = { resolution: 10, samplePerIteration: true };
  const delays = monitorEventLoopDelay(options);
  delays.enable();
  // The first value is the time until now.
  setImmediate(() => {
    delays.reset();
  });
  registry.removeSingleMetric('nodejs_eventloop_lag_seconds');
  // It comes first, and sets the others.
  new Gauge({
    name: 'nodejs_eventloop_lag_seconds',
    help: 'The mean of the recorded event loop delays.',
    registers: [registry],
    collect() {
      const isEmpty = delays.count === 0;
      this.set(isEmpty ? 0 : delays.mean / 1e9);
      for (const { gauge, read } of gauges) gauge.set(isEmpty ? 0 : read(delays) / 1e9);
      delays.reset();
    },
  });
  const gauges = METRICS.map(([value, help, read]) => {
    const name = `nodejs_eventloop_lag_${value}_seconds`;
    registry.removeSingleMetric(name);
    return { gauge: new Gauge({ name, help, registers: [registry] }), read };
  });
}
