/** A time on the reflector's clock. `deaf`: the part of it during silent watches (milliseconds). */
export interface Moment {
  readonly at: number;
  readonly deaf: number;
}

interface Write extends Moment {
  /** Infinity: the deletion. */
  readonly version: number;
}

/**
 * The writes that are not reported yet, and the longest lag. A write counts as reported when a later one of the same object
 * is reported. Writes of an object that was deleted before they were reported do not count.
 */
export class Lags {
  readonly #now: () => Moment;
  /** The last reported version of each object, by uid. */
  readonly #told = new Map<string, number>();
  readonly #waiting = new Map<string, Write[]>();
  /** The deletions of objects that may still be reported. */
  readonly #gone = new Map<string, Write>();
  #longest = 0;
  #longestDeaf = 0;

  constructor(now: () => Moment) {
    this.#now = now;
  }

  /** The number of objects with writes that are not reported. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /** The longest time from a write to its report (milliseconds). */
  get longest(): number {
    return this.#longest;
  }

  /** The same, without the pauses and time-outs after failures of the server. */
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

  /** Forgets deleted objects. Only while no write waits. */
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
