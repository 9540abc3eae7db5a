import type { Logger } from 'pino';
import type { Clock } from '../clock.ts';
import type { SinkAddress } from '../resources/sink-address.ts';
import type { Metrics } from '../observe/metrics.ts';

export interface MetricSeriesOptions {
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: Metrics;
  /** Whether the sink stands in a notification now. */
  readonly isListed: (to: SinkAddress) => boolean;
}

/** So long a sink's last counts can still be scraped after it is gone (milliseconds), or less if another went before. */
const LINGER_MS = 600_000;

/**
 * Takes the counters of sinks that are gone out of the metrics: in a cluster where notifications come and go they
 * would grow without end. Not at once, or the drops that a deletion makes would never be scraped.
 */
export class MetricSeries {
  readonly #options: MetricSeriesOptions;
  #cancel: (() => void) | undefined;

  constructor(options: MetricSeriesOptions) {
    this.#options = options;
  }

  /** A sink is gone. Cheap: all that went together are swept together. */
  released(): void {
    this.#cancel ??= this.#options.clock.after(LINGER_MS, () => {
      this.#cancel = undefined;
      this.#sweep().catch((error: unknown) => {
        this.#options.log.error({ err: error }, 'fault while counters were swept');
      });
    });
  }

  close(): void {
    this.#cancel?.();
  }

  async #sweep(): Promise<void> {
    const { metrics, isListed } = this.#options;
    for (const metric of [metrics.failed, metrics.dropped, metrics.degraded])
      for (const { labels } of (await metric.get()).values) {
        const { namespace, notification, sink } = labels;
        if (!isListed({ namespace: text(namespace), notification: text(notification), sink: text(sink) }))
          metric.remove(labels);
      }
  }
}

/** prom-client takes numbers for labels too; ours are text. */
const text = (label: string | number | undefined): string => String(label);
