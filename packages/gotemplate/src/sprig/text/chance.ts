import type { Context } from '../../context.ts';

/** The number of random bytes that are fetched at once. */
const BATCH = 240;
/** The minimal cost of fetching random bytes, in steps. */
const FETCH = 16;

/** Random characters of an alphabet of at most 256 characters, all equally likely. */
export function randomText({ budget, random }: Context, alphabet: string, count: number): string {
  budget.grow(16 * count);
  // Bytes above the last whole multiple would make the first characters more likely.
  const fair = 256 - (256 % alphabet.length);
  const characters: string[] = [];
  while (characters.length < count) {
    const bytes = random(Math.min(BATCH, count - characters.length));
    budget.spend(FETCH + bytes.length);
    for (const byte of bytes) if (byte < fair) characters.push(alphabet.charAt(byte % alphabet.length));
  }
  return characters.join('');
}

/** A random integer from 0 to below `limit`, all equally likely. The limit is positive. */
export function randomBelow({ budget, random }: Context, limit: bigint): bigint {
  const fair = 2n ** 64n - (2n ** 64n % limit);
  for (;;) {
    budget.spend(FETCH);
    const drawn = new DataView(random(8).slice().buffer).getBigUint64(0);
    if (drawn < fair) return drawn % limit;
  }
}

/** The same, faster for many numbers. Limits are at most 2 ** 31. */
export class Dice {
  readonly #context: Context;
  #pool = new DataView(new ArrayBuffer(0));
  #at = 0;

  constructor(context: Context) {
    this.#context = context;
  }

  below(limit: number): number {
    const fair = 2 ** 32 - (2 ** 32 % limit);
    for (;;) {
      const drawn = this.#draw();
      if (drawn < fair) return drawn % limit;
    }
  }

  #draw(): number {
    if (this.#at === this.#pool.byteLength) {
      this.#context.budget.spend(FETCH + BATCH);
      this.#pool = new DataView(this.#context.random(BATCH).slice().buffer);
      this.#at = 0;
    }
    this.#at += 4;
    return this.#pool.getUint32(this.#at - 4);
  }
}
