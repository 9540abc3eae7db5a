import type { KubeObject } from './object.ts';

/** One write. `object`: the new object or, for DELETED, the last one (with the deletion's version). */
export interface Change {
  readonly version: number;
  readonly resource: string;
  readonly key: string;
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly object: KubeObject;
  readonly previous: KubeObject | undefined;
  /** Length of the object's JSON. */
  readonly bytes: number;
}

/** The history that is kept for watches and for the later pages of lists. */
export interface HistoryBounds {
  /** The number of changes. Default 10 000. If it is too small, a watcher that reconnects gets 410 and must list again. */
  readonly changes?: number;
  /** Bytes of JSON. Default 32 MiB. */
  readonly bytes?: number;
}

/** The latest changes, in order. Requests for older ones are answered 410. */
export class History {
  readonly #maxChanges: number;
  readonly #maxBytes: number;
  #changes: Change[] = [];
  /** Changes before this index are outdated, but not yet removed. */
  #start = 0;
  #bytes = 0;
  /** Of the outdated changes. */
  #outdated = 0;
  #compacted = 0;

  constructor(bounds: HistoryBounds = {}) {
    this.#maxChanges = bounds.changes ?? 10_000;
    this.#maxBytes = bounds.bytes ?? 32 * 1024 * 1024;
  }

  get length(): number {
    return this.#changes.length - this.#start;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Bytes of all changes in memory, also of those that are outdated. */
  get held(): number {
    return this.#bytes + this.#outdated;
  }

  /** The version up to which the history is lost. */
  get compacted(): number {
    return this.#compacted;
  }

  push(change: Change): void {
    this.#changes.push(change);
    this.#bytes += change.bytes;
    while (this.length > this.#maxChanges || (this.#bytes > this.#maxBytes && this.length > 0))
      this.#forget();
    // Removed rarely, so that each change has the same average cost; but a thousand large ones would be a gigabyte.
    const isHalf = this.#start > 1024 && this.#start > this.#changes.length / 2;
    if (isHalf || this.#outdated > this.#maxBytes) this.#cut();
  }

  /** Removes everything up to `version`. */
  compact(version: number): void {
    while ((this.#changes[this.#start]?.version ?? Infinity) <= version) this.#forget();
    this.#compacted = Math.max(this.#compacted, version);
    this.#cut();
  }

  /** The changes after `version`; undefined if some of them were removed. */
  since(version: number): readonly Change[] | undefined {
    if (version < this.#compacted) return undefined;
    let low = this.#start;
    let high = this.#changes.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#changes[middle]?.version ?? Infinity) <= version) low = middle + 1;
      else high = middle;
    }
    return this.#changes.slice(low);
  }

  #forget(): void {
    const change = this.#changes[this.#start++];
    if (change === undefined) return;
    this.#bytes -= change.bytes;
    this.#outdated += change.bytes;
    this.#compacted = change.version;
  }

  #cut(): void {
    this.#changes = this.#changes.slice(this.#start);
    this.#start = 0;
    this.#outdated = 0;
  }
}
