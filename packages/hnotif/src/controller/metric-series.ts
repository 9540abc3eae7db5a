import type { Logger } from 'pino';
import type { Clock } from '@hnotif/core/clock';
import type { Metrics } from '../observe/metrics.ts';
import type { Watches } from './watches.ts';

interface MetricSeriesOptions {
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly watches: Pick<Watches, 'lists'>;
}

/** The counters of a deleted sink can be scraped for this time (milliseconds), or less if another sink was deleted before. */
const LINGER_MS = 600_000;

/**
 * Removes the counters of deleted sinks from the metrics, so that the number of series is bounded. It does so later, because the drops
 * of a deletion must be scraped first.
 */
export class MetricSeries {
  readonly #options: MetricSeriesOptions;
  #cancel: (() => void) | undefined;

  constructor(options: MetricSeriesOptions) {
    this.#options = options;
  }

  /** A sink was deleted. One sweep serves all sinks that are deleted together. */
  released(): void {
    this.#cancel ??= this.#options.clock.after(LINGER_MS, () => {
      this.#cancel = undefined;
      this.#sweep().catch((error: unknown) => {
        this.#options.log.error(
          { err: error },
          'internal error: counters of deleted sinks could not be removed',
        );
      });
    });
  }

  close(): void {
    this.#cancel?.();
  }

  async #sweep(): Promise<void> {
    const { metrics, watches } = this.#options;
    for (const metric of [metrics.failed, metrics.dropped, metrics.degraded])
      for (const { labels } of (await metric.get()).values) {
        const { namespace, notification, sink } = labels;
        if (
          !watches.lists({ namespace: text(namespace), notification: text(notification), sink: text(sink) })
        )
          metric.remove(labels);
      }
  }
}

/** The type of prom-client's labels allows numbers. Ours are text. */
const text = (label: string | number | undefined): string => String(label);
