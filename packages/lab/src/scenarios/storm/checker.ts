import type { Metadata } from '@hnotif/core/resources';

/** The parts of an object that a checker compares. `value`: the compared part of its contents. */
export interface Seen extends Metadata {
  readonly value: string;
}

const MAX_VIOLATIONS = 20;

export const keyOf = ({ namespace, name }: Pick<Metadata, 'namespace' | 'name'>): string =>
  `${namespace}/${name}`;
const versionOf = ({ uid, resourceVersion }: Metadata): string => `${uid}@${resourceVersion}`;

const inWords = (object: Seen): string =>
  `${keyOf(object)} ${object.uid}@${object.resourceVersion} "${object.value}"`;

const isSame = (a: Seen, b: Seen): boolean => inWords(a) === inWords(b);

/**
 * Checks the calls of a reflector's handler, by its guarantees alone. It builds its own view from these calls. Versions must be
 * decimal.
 */
export class Checker {
  readonly #view = new Map<string, Seen>();
  /** Uids that were reported as deleted: they must not come again. */
  readonly #ended = new Set<string>();
  /** The states of objects as text: written ones, and reported ones. */
  readonly #written = new Set<string>();
  readonly #told = new Set<string>();
  /** The last written version of each object that exists. */
  readonly #last = new Map<string, string>();
  /** Objects of which the last write, or the deletion, is not reported. */
  readonly #behind = new Set<string>();
  readonly #violations: string[] = [];
  #count = 0;
  #synced = 0;

  /** The first violations, and the number of others. */
  get violations(): readonly string[] {
    const more = this.#count - this.#violations.length;
    return more > 0 ? [...this.#violations, `… and ${more} more`] : this.#violations;
  }

  /** How many objects have a last state that is not reported. */
  get waiting(): number {
    return this.#behind.size;
  }

  /** The state of an object after a write. */
  wrote(object: Seen): void {
    this.#written.add(inWords(object));
    this.#last.set(keyOf(object), versionOf(object));
    this.#look(keyOf(object));
  }

  /** The object was deleted. */
  removed(key: string): void {
    this.#last.delete(key);
    this.#look(key);
  }

  #look(key: string): void {
    const shown = this.#view.get(key);
    if (this.#last.get(key) === (shown && versionOf(shown))) this.#behind.delete(key);
    else this.#behind.add(key);
  }

  changed(object: Seen, previous: Seen | undefined): void {
    const known = this.#view.get(keyOf(object));
    if (known === undefined) {
      if (previous !== undefined) this.violation(`a previous state of an unknown object: ${inWords(object)}`);
      if (this.#ended.has(object.uid)) this.violation(`reported after its deletion: ${inWords(object)}`);
    } else if (known.uid !== object.uid)
      this.violation(`replaced ${known.uid} without its deletion: ${inWords(object)}`);
    else {
      if (previous === undefined || !isSame(previous, known))
        this.violation(
          `previous is ${previous === undefined ? 'nothing' : inWords(previous)}, not the last reported state: ${inWords(known)}`,
        );
      if (Number(object.resourceVersion) <= Number(known.resourceVersion))
        this.violation(`${inWords(object)} is not newer than ${known.resourceVersion}`);
    }
    this.#view.set(keyOf(object), object);
    this.#told.add(inWords(object));
    this.#look(keyOf(object));
  }

  deleted(object: Seen): void {
    const known = this.#view.get(keyOf(object));
    if (known === undefined) this.violation(`deleted, but not known: ${inWords(object)}`);
    else if (!isSame(known, object))
      this.violation(`deleted as ${inWords(object)}, but last reported as ${inWords(known)}`);
    this.#view.delete(keyOf(object));
    this.#ended.add(object.uid);
    this.#look(keyOf(object));
  }

  synced(): void {
    if (++this.#synced > 1) this.violation('synced was called more than once');
  }

  /** Adds a violation. */
  violation(text: string): void {
    this.#count++;
    if (this.#violations.length < MAX_VIOLATIONS) this.#violations.push(text);
  }

  /** Compares the view with the actual objects. `what`: the source of `objects`. */
  compare(what: string, objects: Iterable<Seen>): void {
    const missing = new Map(this.#view);
    for (const object of objects) {
      const known = missing.get(keyOf(object));
      missing.delete(keyOf(object));
      if (known === undefined) this.violation(`${what} has ${inWords(object)}, which was not reported`);
      else if (!isSame(known, object))
        this.violation(`${what} has ${inWords(object)}, but reported was ${inWords(known)}`);
    }
    for (const known of missing.values())
      this.violation(`${what} has no ${keyOf(known)}, but reported was ${inWords(known)}`);
  }

  /** Each reported state must have been written. Then the checker frees its memory of states. */
  settle(): void {
    for (const told of this.#told) if (!this.#written.has(told)) this.violation(`never written: ${told}`);
    this.#told.clear();
    this.#written.clear();
    this.#ended.clear();
  }
}
