import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Clock } from '@hnotif/core/clock';

/**
 * V8 collects garbage when the heap has grown by 40 %, as in the image. By default the heap grows to four times the memory in use.
 * Commands call it that run for hours on the machine of a user.
 */
export const keepHeapSmall = (): void => setFlagsFromString('--heap-growing-percent=40');

/** Without work for this time, a night is over (milliseconds). */
const QUIET_MS = 10_000;

/**
 * Collects garbage once when the work is over. A night leaves a third of the memory as garbage, and V8 would collect it at the next one.
 * With the memory of 5,000 plans it takes a tenth of a second.
 */
export class QuietCollection {
  readonly #clock: Clock;
  readonly #collect: () => void;
  #cancel: (() => void) | undefined;

  constructor(clock: Clock, collect = collectGarbage) {
    this.#clock = clock;
    this.#collect = collect;
  }

  /** There was work. */
  worked(): void {
    this.#cancel?.();
    this.#cancel = this.#clock.after(QUIET_MS, this.#collect);
  }

  stop(): void {
    this.#cancel?.();
  }
}

function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
}
