import type { Clock } from '../clock.ts';
import type { Settlement } from '../dispatch/delivery.ts';
import type { DropReason } from '../dispatch/reasons.ts';

/** Drops that nobody can mend need no Event and no word in a status: the sink is gone, or the process goes. */
export const SILENT_DROPS: ReadonlySet<string> = new Set<DropReason>(['unsubscribed', 'stopping']);

/** Drops come by the thousand: one line a sink and reason in this time, with their number (milliseconds). */
const WINDOW_MS = 10_000;

interface Window {
  /** Since the last line. */
  count: number;
  last: Settlement;
  cancel: () => void;
}

/**
 * Tells of drops without drowning the log: the first of a sink and reason at once, further ones together, with their
 * number, after ten seconds. Every drop is in one of the numbers; what has gone quiet is forgotten.
 */
export class Drops {
  readonly #clock: Clock;
  readonly #tell: (last: Settlement, count: number) => void;
  readonly #windows = new Map<string, Window>();

  constructor(clock: Clock, tell: (last: Settlement, count: number) => void) {
    this.#clock = clock;
    this.#tell = tell;
  }

  add(settlement: Settlement): void {
    const { to, reason } = settlement;
    const key = `${to.namespace}/${to.notification}/${to.sink}/${reason}`;
    const window = this.#windows.get(key);
    if (window !== undefined) {
      window.count++;
      window.last = settlement;
      return;
    }
    this.#tell(settlement, 1);
    this.#windows.set(key, { count: 0, last: settlement, cancel: this.#later(key) });
  }

  /** Tells what has not been told. */
  close(): void {
    for (const { count, last, cancel } of this.#windows.values()) {
      cancel();
      if (count > 0) this.#tell(last, count);
    }
    this.#windows.clear();
  }

  #later(key: string): () => void {
    return this.#clock.after(WINDOW_MS, () => {
      const window = this.#windows.get(key);
      if (window === undefined) return;
      if (window.count === 0) {
        this.#windows.delete(key);
        return;
      }
      this.#tell(window.last, window.count);
      window.count = 0;
      window.cancel = this.#later(key);
    });
  }
}
