import { setImmediate } from 'node:timers/promises';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { NEVER_MS, replaceEventLoopDelay } from './event-loop-delay.ts';
import { METRICS, type MetricSpec } from './metric-table.ts';

type Table = typeof METRICS;

/** The prom-client metric of a row of the table, with the row's labels as its type. */
type MetricOf<Spec extends MetricSpec> = Spec extends { type: 'counter' }
  ? Counter<Spec['labels'][number]>
  : Spec extends { type: 'gauge' }
    ? Gauge<Spec['labels'][number]>
    : Histogram<Spec['labels'][number]>;

type AllMetrics = { readonly [Key in keyof Table]: MetricOf<Table[Key]> };

export interface Metrics extends AllMetrics {
  /** MIME type of `text()`. */
  readonly contentType: string;
  /** All metrics in Prometheus' text format, with Node's process metrics. It yields to other work between two metrics. */
  text(): Promise<string>;
  /** Runs `run` before each scrape, to set gauges. */
  onScrape(run: () => void): void;
}

/** The metrics of one controller. They have their own registry, so that a process may have several controllers. */
export function createMetrics(version: string): Metrics {
  const registry = new Registry();
  const scrapers: (() => void)[] = [];
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: NEVER_MS });
  replaceEventLoopDelay(registry);
  const entries = Object.entries(METRICS).map(([key, spec]) => [key, create(spec, registry)]);
  const metrics = Object.fromEntries(entries) as AllMetrics;
  metrics.buildInfo.set({ version }, 1);
  return {
    ...metrics,
    contentType: registry.contentType,
    async text() {
      for (const run of scrapers) run();
      const parts: string[] = [];
      for (const { name } of registry.getMetricsAsArray()) {
        parts.push(await registry.getSingleMetricAsString(name));
        await setImmediate();
      }
      return `${parts.join('\n\n')}\n`;
    },
    onScrape(run) {
      scrapers.push(run);
    },
  };
}

function create(spec: MetricSpec, registry: Registry): Counter | Gauge | Histogram {
  const { name, help } = spec;
  const options = { name, help, labelNames: [...spec.labels], registers: [registry] };
  switch (spec.type) {
    case 'counter':
      return new Counter(options);
    case 'gauge':
      return new Gauge(options);
    case 'histogram':
      return new Histogram({ ...options, buckets: [...(spec.buckets ?? [])] });
  }
}
