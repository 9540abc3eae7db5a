import type { Metadata } from '../../src/resources/metadata.ts';

/** What a checker compares of an object. `value`: what of its contents is looked at. */
export interface Seen extends Metadata {
  readonly value: string;
}

const MAX_VIOLATIONS = 20;

const keyOf = ({ namespace, name }: Metadata): string => `${namespace}/${name}`;

const inWords = (object: Seen): string =>
  `${keyOf(object)} ${object.uid}@${object.resourceVersion} "${object.value}"`;

const isSame = (a: Seen, b: Seen): boolean => inWords(a) === inWords(b);

/**
 * Judges what a reflector tells, by its promises alone: it keeps a view of its own from what was told. Versions have to
 * be decimal.
 */
export class Checker {
  readonly #view = new Map<string, Seen>();
  /** Uids that were told as deleted: they never come again. */
  readonly #ended = new Set<string>();
  /** Each state of an object, in words: as it was written, and as it was told. */
  readonly #written = new Set<string>();
  readonly #told = new Set<string>();
  readonly #violations: string[] = [];
  #count = 0;
  #synced = 0;

  /** The first of them, and how many more there are. */
  get violations(): readonly string[] {
    const more = this.#count - this.#violations.length;
    return more > 0 ? [...this.#violations, `… and ${more} more`] : this.#violations;
  }

  /** A write has made this of an object. */
  wrote(object: Seen): void {
    this.#written.add(inWords(object));
  }

  changed(object: Seen, previous: Seen | undefined): void {
    const known = this.#view.get(keyOf(object));
    if (known === undefined) {
      if (previous !== undefined) this.violation(`a previous state of what is not known: ${inWords(object)}`);
      if (this.#ended.has(object.uid)) this.violation(`told after its deletion: ${inWords(object)}`);
    } else if (known.uid !== object.uid)
      this.violation(`took the place of ${known.uid} without its deletion: ${inWords(object)}`);
    else {
      if (previous === undefined || !isSame(previous, known))
        this.violation(
          `previous is ${previous === undefined ? 'nothing' : inWords(previous)}, not what was told last: ${inWords(known)}`,
        );
      if (Number(object.resourceVersion) <= Number(known.resourceVersion))
        this.violation(`${inWords(object)} is not newer than ${known.resourceVersion}`);
    }
    this.#view.set(keyOf(object), object);
    this.#told.add(inWords(object));
  }

  deleted(object: Seen): void {
    const known = this.#view.get(keyOf(object));
    if (known === undefined) this.violation(`deleted, but not known: ${inWords(object)}`);
    else if (!isSame(known, object))
      this.violation(`deleted as ${inWords(object)}, but told last as ${inWords(known)}`);
    this.#view.delete(keyOf(object));
    this.#ended.add(object.uid);
  }

  synced(): void {
    if (++this.#synced > 1) this.violation('synced is told more than once');
  }

  /** Whatever else is wrong. */
  violation(text: string): void {
    this.#count++;
    if (this.#violations.length < MAX_VIOLATIONS) this.#violations.push(text);
  }

  /** What was told has to add up to what is there. `what`: where `objects` are from. */
  compare(what: string, objects: Iterable<Seen>): void {
    const missing = new Map(this.#view);
    for (const object of objects) {
      const known = missing.get(keyOf(object));
      missing.delete(keyOf(object));
      if (known === undefined) this.violation(`${what} has ${inWords(object)}, which was not told`);
      else if (!isSame(known, object))
        this.violation(`${what} has ${inWords(object)}, but told was ${inWords(known)}`);
    }
    for (const known of missing.values())
      this.violation(`${what} has no ${keyOf(known)}, but told was ${inWords(known)}`);
  }

  /** Everything that was told must have been written. Then forgets what would only fill the memory. */
  settle(): void {
    for (const told of this.#told) if (!this.#written.has(told)) this.violation(`never written: ${told}`);
    this.#told.clear();
    this.#written.clear();
    this.#ended.clear();
  }
}
