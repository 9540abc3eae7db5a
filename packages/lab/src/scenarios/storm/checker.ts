import { createHash } from 'node:crypto';
import type { Metadata, Plan } from '@hnotif/core/resources';

/** The label that each change of the writer sets. */
export const LABEL = 'storm';
/** The annotation that holds a long text now and then. */
export const TEXT = 'storm/text';

/** The parts of a plan that the checker compares. */
export function seenOf({ namespace, name, uid, resourceVersion, labels, annotations, status }: Plan): Seen {
  const text = annotations[TEXT] ?? '';
  const digest = text === '' ? '' : createHash('sha256').update(text).digest('hex').slice(0, 8);
  return { namespace, name, uid, resourceVersion, value: `${labels[LABEL]} ${status.cycleId} ${digest}` };
}

/** The parts of an object that a checker compares. `value`: the compared part of its contents. */
export interface Seen extends Metadata {
  readonly value: string;
}

export const keyOf = ({ namespace, name }: Pick<Metadata, 'namespace' | 'name'>): string =>
  `${namespace}/${name}`;

const NOTHING = 'nothing';
const inWords = (object: Seen | undefined): string =>
  object === undefined ? NOTHING : `${object.uid}@${object.resourceVersion} "${object.value}"`;

/** The states of one name since the last check, in their order. Both begin with the state at that check. */
interface Story {
  readonly written: string[];
  readonly told: string[];
}

/** Compares the calls of a reflector's handler with the writes, by its guarantees alone. */
export class Checker {
  readonly #stories = new Map<string, Story>();
  readonly violations: string[] = [];
  #synced = 0;

  /** How many objects have a last state that is not reported. */
  get waiting(): number {
    return [...this.#stories.values()].filter(({ written, told }) => written.at(-1) !== told.at(-1)).length;
  }

  /** The state of an object after a write. */
  wrote(object: Seen): void {
    this.#storyOf(keyOf(object)).written.push(inWords(object));
  }

  /** The object was deleted. */
  removed(key: string): void {
    this.#storyOf(key).written.push(NOTHING);
  }

  changed(object: Seen, previous: Seen | undefined): void {
    if (previous !== undefined && previous.uid !== object.uid)
      this.violations.push(`${keyOf(object)} replaced ${previous.uid} without its deletion`);
    this.#told(keyOf(object), inWords(previous), inWords(object));
  }

  deleted(object: Seen): void {
    this.#told(keyOf(object), inWords(object), NOTHING);
  }

  synced(): void {
    if (++this.#synced > 1) this.violations.push('synced was called more than once');
  }

  /** Each report must be of a write, in the order of the writes. A write may have no report, if a later one has. */
  check(): void {
    for (const [key, { written, told }] of this.#stories) {
      let at = 0;
      for (const state of told) {
        const place = written.indexOf(state, at);
        if (place < 0)
          this.violations.push(`${key}: reported ${told.join(', ')}; written ${written.join(', ')}`);
        at = place < 0 ? Infinity : place + 1;
      }
      this.#stories.set(key, { written: written.slice(-1), told: told.slice(-1) });
    }
  }

  /** Compares the last reports with the actual objects. `what`: the source of `objects`. */
  compare(what: string, objects: Iterable<Seen>): void {
    const there = new Map([...objects].map((object) => [keyOf(object), inWords(object)]));
    for (const key of new Set([...there.keys(), ...this.#stories.keys()])) {
      const [is, told] = [there.get(key) ?? NOTHING, this.#storyOf(key).told.at(-1)];
      if (is !== told) this.violations.push(`${what} has ${is} as ${key}, but reported was ${told}`);
    }
  }

  #told(key: string, before: string, now: string): void {
    const { told } = this.#storyOf(key);
    const last = told.at(-1);
    if (before !== last)
      this.violations.push(`${key} is reported as ${now} after ${before}, but before it was ${last}`);
    told.push(now);
  }

  #storyOf(key: string): Story {
    const story = this.#stories.get(key) ?? { written: [NOTHING], told: [NOTHING] };
    this.#stories.set(key, story);
    return story;
  }
}
