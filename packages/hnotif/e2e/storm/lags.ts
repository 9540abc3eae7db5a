/** A moment of a storm: on the reflector's clock, and how much of that it spent at watches that were silent (milliseconds). */
export interface Moment {
  readonly at: number;
  readonly deaf: number;
}

interface Write extends Moment {
  /** Infinity: the deletion. */
  readonly version: number;
}

/**
 * What was written and has not been told yet, and how long the longest such write took. A write counts as told once a
 * later one of the same object is; writes of an object that was deleted before they were told count no more.
 */
export class Lags {
  readonly #now: () => Moment;
  /** The version of each object as it was told last, by uid. */
  readonly #told = new Map<string, number>();
  readonly #waiting = new Map<string, Write[]>();
  /** When objects were deleted that may yet be told. */
  readonly #gone = new Map<string, Write>();
  #longest = 0;
  #longestDeaf = 0;

  constructor(now: () => Moment) {
    this.#now = now;
  }

  /** Objects with writes that have not been told. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /** From the write to its telling (milliseconds). */
  get longest(): number {
    return this.#longest;
  }

  /** The same, without the pauses and time-outs that failures of the server cost. */
  get longestDeaf(): number {
    return this.#longestDeaf;
  }

  wrote(uid: string, version: number): void {
    if ((this.#told.get(uid) ?? 0) >= version || this.#gone.has(uid)) return;
    this.#waiting.set(uid, [...(this.#waiting.get(uid) ?? []), { version, ...this.#now() }]);
  }

  removed(uid: string): void {
    const removal = { version: Infinity, ...this.#now() };
    this.#gone.set(uid, removal);
    if (this.#told.has(uid)) this.#waiting.set(uid, [removal]);
    else this.#waiting.delete(uid);
  }

  changed(uid: string, version: number): void {
    this.#told.set(uid, version);
    const gone = this.#gone.get(uid);
    this.#settle(uid, version);
    if (gone !== undefined) this.#waiting.set(uid, [gone]);
  }

  deleted(uid: string): void {
    this.#told.delete(uid);
    this.#settle(uid, Infinity);
  }

  /** Forgets objects that are gone. Only while nothing waits. */
  forgetGone(): void {
    this.#gone.clear();
  }

  #settle(uid: string, version: number): void {
    const now = this.#now();
    const left: Write[] = [];
    for (const write of this.#waiting.get(uid) ?? []) {
      if (write.version > version) {
        left.push(write);
        continue;
      }
      this.#longest = Math.max(this.#longest, now.at - write.at);
      this.#longestDeaf = Math.max(this.#longestDeaf, now.deaf - write.deaf);
    }
    if (left.length > 0) this.#waiting.set(uid, left);
    else this.#waiting.delete(uid);
  }
}
