import type { RequestWait, DeliveryRequest } from '@hnotif/core/page';

/** One request of a delivery, and what followed. */
export type MadeRequest = Omit<DeliveryRequest, 'at'>;

/** So many of the first requests are kept… */
const FIRST = 2;
/** …and of the last ones. A sink that is down for days is tried every ten minutes. */
const LAST = 4;
/** The most that is kept of a delivery. */
export const MOST_REQUESTS = FIRST + LAST;

/** A request. Times in monotonic milliseconds. */
interface Made {
  readonly sent: number;
  readonly ended: number;
  readonly status: number | undefined;
  /** `''`: the receiver took it. */
  readonly reason: string;
  why: RequestWait | undefined;
}

/** The requests of one delivery: the first ones and the last ones. */
export class MadeRequests {
  readonly #kept: Made[] = [];
  #omitted = 0;

  add(sent: number, ended: number, status: number | undefined, reason: string): void {
    this.#kept.push({ sent, ended, status, reason, why: undefined });
    if (this.#kept.length <= MOST_REQUESTS) return;
    this.#kept.splice(FIRST, 1);
    this.#omitted++;
  }

  /** Why the delivery is not over after the last one. */
  continues(why: RequestWait): void {
    const last = this.#kept.at(-1);
    if (last !== undefined) last.why = why;
  }

  /** All of it, for a delivery that has ended at `now` (monotonic milliseconds). */
  until(now: number): readonly MadeRequest[] {
    return this.#kept.map(({ sent, ended, status, reason, why }, at) => {
      const next = this.#kept[at + 1];
      const waits = next === undefined ? why : (why ?? 'own');
      return {
        tookMs: whole(ended - sent),
        ...(status !== undefined && { status }),
        ...(reason !== '' && { reason }),
        ...(waits && { wait: { why: waits, ms: whole((next?.sent ?? now) - ended) } }),
        ...(this.#omitted > 0 && at === FIRST - 1 && { omitted: this.#omitted }),
      };
    });
  }
}

const whole = (ms: number): number => Math.max(0, Math.round(ms));
