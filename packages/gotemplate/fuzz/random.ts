/** A seeded random generator (sfc32): the same seed gives the same numbers. */
export class Random {
  #a: number;
  #b: number;
  #c: number;
  #counter = 1;

  constructor(seed: number, stream = 0) {
    this.#a = seed | 0;
    this.#b = stream | 0;
    this.#c = 0x9e3779b9;
    for (let i = 0; i < 12; i++) this.next();
  }

  /** 32 bits, from 0. */
  next(): number {
    const sum = (this.#a + this.#b + this.#counter) | 0;
    this.#counter = (this.#counter + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = (((this.#c << 21) | (this.#c >>> 11)) + sum) | 0;
    return sum >>> 0;
  }

  /** An integer from `low` to `high`, inclusive. */
  int(low: number, high: number): number {
    return low + (this.next() % (high - low + 1));
  }

  /** True with this probability. */
  chance(probability: number): boolean {
    return this.next() < probability * 2 ** 32;
  }

  pick<T>(items: readonly T[]): T {
    const item = items[this.int(0, items.length - 1)];
    if (item === undefined && items.length === 0) throw new RangeError('nothing to pick from');
    return item as T;
  }

  /** One of the keys. The numbers are their weights. */
  weighted<T extends string>(weights: Readonly<Record<T, number>>): T {
    const entries = Object.entries(weights) as [T, number][];
    let point = (this.next() / 2 ** 32) * entries.reduce((sum, [, weight]) => sum + weight, 0);
    for (const [key, weight] of entries) {
      point -= weight;
      if (point < 0) return key;
    }
    return this.pick(entries)[0];
  }

  /** An array of `low` to `high` results of `make`. */
  times<T>(low: number, high: number, make: (i: number) => T): T[] {
    return Array.from({ length: this.int(low, high) }, (_, i) => make(i));
  }

  bigint(bits: number): bigint {
    let value = 0n;
    for (let have = 0; have < bits; have += 32) value = (value << 32n) | BigInt(this.next());
    return BigInt.asUintN(bits, value);
  }
}
