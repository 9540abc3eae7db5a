import { pause } from './wait.ts';

/** A random generator with a seed (mulberry32). */
export class Dice {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** Uniform in [0, 1). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number from 0 to `count` - 1. */
  below(count: number): number {
    return Math.floor(this.next() * count);
  }

  hits(chance: number): boolean {
    return this.next() < chance;
  }

  /** A separate generator for a part, so that the numbers of one part do not change those of another. */
  fork(): Dice {
    return new Dice(this.below(2 ** 32));
  }

  /** The numbers of such a generator. */
  source(): () => number {
    const own = this.fork();
    return () => own.next();
  }
}

/** Returns each of `cards` once in a random order, then all of them in another order, for ever. */
export function deck<T>(cards: readonly T[], dice: Dice): () => T {
  let left: T[] = [];
  return () => {
    if (left.length === 0) left = [...cards];
    const [card] = left.splice(dice.below(left.length), 1);
    if (card === undefined) throw new Error('a deck has at least one card');
    return card;
  };
}

export interface Acting {
  readonly dice: Dice;
  readonly paceMs: number;
  readonly signal: AbortSignal;
  /** The pause between two acts. Default: so many milliseconds. */
  readonly lull?: typeof pause;
}

/** Does one act after the other, in random order and at this average pace (milliseconds), until the signal aborts. */
export async function actAgain<Act>(
  acts: readonly Act[],
  { dice, paceMs, signal, lull = pause }: Acting,
  act: (act: Act) => Promise<void>,
): Promise<void> {
  const next = deck(acts, dice);
  for (;;) {
    await lull(2 * paceMs * dice.next(), signal);
    if (signal.aborted) return;
    await act(next());
  }
}
