/**
 * An API server that has just started answers 403 until it has read its roles. What was permitted before is refused for some seconds then
 * (milliseconds). Only a refusal that lasts is a missing right.
 */
export const PASSING_MS = 10_000;

/** What a refusal means until then. */
export const PASSING =
  'the API server refuses what it permitted before; one that has just started does so until it has read its roles';

/** The most objects that are remembered. */
const MAX_KNOWN = 10_000;

/** Tells refusals that may pass from missing rights, by name of what is asked for. */
export class Refusals {
  /** What was permitted, and since when it is refused (monotonic milliseconds). */
  readonly #known = new Map<string, number | undefined>();

  /** It was permitted. */
  permitted(name: string): void {
    this.#known.delete(name);
    this.#known.set(name, undefined);
    if (this.#known.size <= MAX_KNOWN) return;
    const [oldest] = this.#known.keys();
    if (oldest !== undefined) this.#known.delete(oldest);
  }

  /** It was refused, at `now` (monotonic milliseconds). Returns whether that may pass. */
  mayPass(name: string, now: number): boolean {
    if (!this.#known.has(name)) return false;
    const since = this.#known.get(name) ?? now;
    this.#known.set(name, since);
    return now - since < PASSING_MS;
  }
}
