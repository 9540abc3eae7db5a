import { AsyncLocalStorage } from 'node:async_hooks';

/** A call of a function, and the call that made it or handed over to it. */
export interface Frame {
  readonly id: string;
  readonly caller: Frame | undefined;
}

/**
 * What `instrument.ts` calls. A call is kept through awaits, timers and turns: what a function leaves to a later turn has this function
 * as its caller.
 */
export class Way {
  readonly #frames = new AsyncLocalStorage<Frame>();
  readonly #look: (frame: Frame) => void;

  constructor(look: (frame: Frame) => void) {
    this.#look = look;
  }

  run<T>(id: string, body: () => T): T {
    const frame = { id, caller: this.#frames.getStore() };
    this.#look(frame);
    return this.#frames.run(frame, body);
  }

  *steps<T, R, N>(id: string, made: Generator<T, R, N>): Generator<T, R, N> {
    const frame = { id, caller: this.#frames.getStore() };
    this.#look(frame);
    let step = this.#frames.run(frame, () => made.next(...([] as unknown as [N])));
    while (!(step.done ?? false)) {
      const sent = yield step.value;
      step = this.#frames.run(frame, () => made.next(sent));
    }
    return step.value as R;
  }
}

const CLOCK = 'src/clock.ts#';

/** The calls that led to this one, the first one first. */
export function wayTo(frame: Frame): readonly Frame[] {
  const way: Frame[] = [];
  for (let each: Frame | undefined = frame; each !== undefined; each = each.caller)
    if (!each.id.includes(CLOCK)) way.unshift(each);
  return way;
}
