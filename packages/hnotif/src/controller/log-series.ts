import type { Clock } from '../clock.ts';
import { SERIES_MS } from '../cluster/events.ts';

/** What is alike comes by the thousand: one line in this time, with their number (milliseconds). */
const WINDOW_MS = 10_000;

/** What the next line tells. */
export interface Sum {
  /** Since the last line. */
  readonly count: number;
  /** When that was written (milliseconds since the epoch); undefined: it is the first. */
  readonly since: number | undefined;
  /** Since its Events began. */
  readonly total: number;
}

type Tell = (sum: Sum) => void;

interface Window {
  count: number;
  total: number;
  since: number | undefined;
  /** Tells with the words of the last one. */
  tell: Tell;
  /** Whether what comes now waits for the next line. */
  open: boolean;
  cancel: () => void;
}

/**
 * Tells of what is alike without drowning the log: the first at once, further ones together, with their number, after ten seconds.
 * Each is in one of the numbers. The total goes on for as long as a series of Events does.
 */
export class LogSeries {
  readonly #clock: Clock;
  readonly #windows = new Map<string, Window>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** `count` more of those of this key. */
  add(key: string, count: number, tell: Tell): void {
    let window = this.#windows.get(key);
    if (window === undefined) {
      window = { count: 0, total: 0, since: undefined, tell, open: false, cancel: () => undefined };
      this.#windows.set(key, window);
    }
    window.count += count;
    window.total += count;
    window.tell = tell;
    if (!window.open) this.#line(key, window);
  }

  /** Tells what has not been told. */
  close(): void {
    for (const window of this.#windows.values()) {
      window.cancel();
      if (window.count > 0) window.tell(window);
    }
    this.#windows.clear();
  }

  #line(key: string, window: Window): void {
    const { count, total, since } = window;
    window.cancel();
    window.open = count > 0;
    window.count = 0;
    window.since = window.open ? this.#clock.now() : undefined;
    const next = (): void => {
      if (window.open) this.#line(key, window);
      else this.#windows.delete(key);
    };
    window.cancel = this.#clock.after(window.open ? WINDOW_MS : SERIES_MS - WINDOW_MS, next);
    if (count > 0) window.tell({ count, total, since });
  }
}
