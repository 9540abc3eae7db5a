import type { Change } from '@hnotif/core/page';

/** A change as it is sent, with its number. */
export interface Entry {
  readonly number: number;
  readonly text: string;
}

/** Characters of changes that are kept for clients that connect again: what a night of thousands of plans sends in some seconds. */
const KEPT = 4_000_000;

/**
 * Numbers changes and keeps the newest, so that a client whose connection broke gets what it has missed: each change once, in order. A client
 * that was away for too long begins again with the whole board.
 */
export class Feed {
  /** Tells numbers of this process from those of an earlier one. */
  readonly #epoch: string;
  readonly #kept: Entry[] = [];
  readonly #listeners = new Set<(entry: Entry) => void>();
  #characters = 0;
  #last = 0;

  constructor(epoch: string) {
    this.#epoch = epoch;
  }

  push(change: Change): void {
    const entry = { number: ++this.#last, text: JSON.stringify(change) };
    this.#kept.push(entry);
    this.#characters += entry.text.length;
    while (this.#characters > KEPT && this.#kept.length > 1)
      this.#characters -= this.#kept.shift()?.text.length ?? 0;
    for (const listener of this.#listeners) listener(entry);
  }

  /** The id of an entry for the client, which names it when it connects again. */
  idOf(number: number): string {
    return `${this.#epoch}-${number}`;
  }

  /** The number of the newest change. */
  get last(): number {
    return this.#last;
  }

  /** What came after the change with this id; undefined: that is not known any more. */
  since(id: string | undefined): readonly Entry[] | undefined {
    const [epoch, text = ''] = id?.split('-') ?? [];
    const number = Number(text);
    if (epoch !== this.#epoch || !/^\d{1,15}$/.test(text) || number > this.#last) return undefined;
    const first = this.#kept[0]?.number ?? this.#last + 1;
    return number + 1 < first ? undefined : this.#kept.slice(number + 1 - first);
  }

  /** Calls a listener with each change from now on. Returns a function that ends this. */
  follow(listener: (entry: Entry) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
