import { createHash } from 'node:crypto';
import type { Clock } from '../clock.ts';
import { TEMPLATE_LIMITS } from './limits.ts';

const { strikes, strikeWindow, suspension } = TEMPLATE_LIMITS;

interface Record {
  /** Strikes of the last minute, by when they were; none while it is suspended. */
  readonly at: readonly number[];
  /** When it may be tried again. */
  readonly until: number;
}

/** Templates that cost too much, by what they say: after two strikes within a minute one rests for five. */
export class Suspensions {
  readonly #clock: Clock;
  readonly #records = new Map<string, Record>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Milliseconds until the template may be tried again; 0: at once. */
  left(text: string): number {
    // Almost always, and then nothing need be hashed.
    if (this.#records.size === 0) return 0;
    const until = this.#records.get(hashOf(text))?.until ?? 0;
    return Math.max(0, until - this.#clock.monotonic());
  }

  /** The template has cost too much. */
  strike(text: string): void {
    const now = this.#clock.monotonic();
    const isRecent = (at: number): boolean => at > now - strikeWindow.value;
    for (const [key, { at, until }] of this.#records)
      if (until <= now && !at.some(isRecent)) this.#records.delete(key);
    const key = hashOf(text);
    const at = [...(this.#records.get(key)?.at.filter(isRecent) ?? []), now];
    this.#records.set(
      key,
      at.length < strikes.value ? { at, until: 0 } : { at: [], until: now + suspension.value },
    );
  }
}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('base64');
