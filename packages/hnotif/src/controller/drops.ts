import type { Clock } from '../clock.ts';
import { SERIES_MS } from '../cluster/events.ts';
import type { Settlement } from '../dispatch/delivery.ts';
import type { DropReason } from '../dispatch/reasons.ts';

/** Drops that need no Event and no word in a status: the sink is gone. */
export const SILENT_DROPS: ReadonlySet<string> = new Set<DropReason>(['unsubscribed']);

/** Drops come by the thousand: one line a sink and reason in this time, with their number (milliseconds). */
const WINDOW_MS = 10_000;

interface Window {
  /** Since the last line. */
  count: number;
  /** Since its Events began. */
  total: number;
  last: Settlement;
  /** Whether what comes now waits for the next line. */
  open: boolean;
  cancel: () => void;
}

/**
 * Tells of drops without drowning the log: the first of a sink and reason at once, further ones together, with their
 * number, after ten seconds. Every drop is in one of the numbers. The total goes on for as long as a series of Events does.
 */
export class Drops {
  readonly #clock: Clock;
  readonly #tell: (last: Settlement, count: number, total: number) => void;
  readonly #windows = new Map<string, Window>();

  constructor(clock: Clock, tell: (last: Settlement, count: number, total: number) => void) {
    this.#clock = clock;
    this.#tell = tell;
  }

  add(settlement: Settlement): void {
    const { to, reason } = settlement;
    const key = `${to.namespace}/${to.notification}/${to.sink}/${reason}`;
    let window = this.#windows.get(key);
    if (window === undefined) {
      window = { count: 0, total: 0, last: settlement, open: false, cancel: () => undefined };
      this.#windows.set(key, window);
    }
    window.count += settlement.events.length;
    window.total += settlement.events.length;
    window.last = settlement;
    if (!window.open) this.#line(key, window);
  }

  /** Tells what has not been told. */
  close(): void {
    for (const { count, total, last, cancel } of this.#windows.values()) {
      cancel();
      if (count > 0) this.#tell(last, count, total);
    }
    this.#windows.clear();
  }

  #line(key: string, window: Window): void {
    const { count, total, last } = window;
    window.cancel();
    window.open = count > 0;
    window.count = 0;
    const next = (): void => {
      if (window.open) this.#line(key, window);
      else this.#windows.delete(key);
    };
    window.cancel = this.#clock.after(window.open ? WINDOW_MS : SERIES_MS - WINDOW_MS, next);
    if (count > 0) this.#tell(last, count, total);
  }
}
