import type { Clock } from '@hnotif/core/clock';
import { overflowOf } from '@hnotif/core/fair';
import { SERIES_MS } from '../cluster/event-recorder.ts';

/** Each series has one line in this time (milliseconds). */
const WINDOW_MS = 10_000;

/** Series at most. With more, the namespaces that have the most lose their oldest ones. */
const MOST = 10_000;

/** The content of a line. */
export interface Sum {
  /** New ones since the last line. */
  readonly count: number;
  /** When the last line was written (milliseconds since the epoch); undefined: this is the first. */
  readonly since: number | undefined;
  /** All of the series. */
  readonly total: number;
}

type Report = (sum: Sum) => void;

interface Window {
  readonly key: string;
  readonly owner: string;
  count: number;
  total: number;
  since: number | undefined;
  /** Writes the line with the text of the newest. */
  report: Report;
  /** Whether new ones wait for the next line. */
  open: boolean;
  cancel: () => void;
}

/**
 * Joins similar log lines. The first of a series is written at once, further ones as one line with their number after ten seconds. The
 * total counts for as long as a series of Events lasts.
 */
export class LogSeries {
  readonly #clock: Clock;
  readonly #windows = new Map<string, Window>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Adds `count` to the series of this key. `owner`: its namespace. */
  add(owner: string, key: string, count: number, report: Report): void {
    let window = this.#windows.get(key);
    if (window === undefined) {
      window = {
        ...{ key, owner, report, count: 0, total: 0 },
        ...{ since: undefined, open: false, cancel: () => undefined },
      };
      this.#windows.set(key, window);
      for (const [, oldest] of overflowOf(this.#windows, MOST, (each) => each.owner)) this.#end(oldest);
    }
    window.count += count;
    window.total += count;
    window.report = report;
    if (!window.open) this.#line(window);
  }

  /** Writes the lines that are due. */
  close(): void {
    for (const window of this.#windows.values()) this.#end(window);
  }

  #end(window: Window): void {
    window.cancel();
    this.#windows.delete(window.key);
    if (window.count > 0) window.report(window);
  }

  #line(window: Window): void {
    const { count, total, since } = window;
    window.cancel();
    window.open = count > 0;
    window.count = 0;
    window.since = window.open ? this.#clock.now() : undefined;
    const next = (): void => {
      if (window.open) this.#line(window);
      else this.#end(window);
    };
    window.cancel = this.#clock.after(window.open ? WINDOW_MS : SERIES_MS - WINDOW_MS, next);
    if (count > 0) window.report({ count, total, since });
  }
}
