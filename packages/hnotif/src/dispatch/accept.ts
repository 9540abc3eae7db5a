import type { Clock } from '../clock.ts';
import type { Pending, Submission } from './delivery.ts';
import type { Ledger } from './ledger.ts';
import type { Lanes } from './lanes.ts';
import type { Limits } from './limits.ts';
import { isExpendable } from './overflow.ts';
import { OVERFLOW } from './reasons.ts';
import { sizeOfEvent } from './size.ts';

/** A submission as it begins to wait. */
export function pendingOf(submission: Submission, clock: Clock): Pending {
  const { to, sinkType, event, plan, acceptedAt, since, unclearSince } = submission;
  const age = acceptedAt === undefined ? 0 : Math.max(0, clock.now() - acceptedAt);
  // Field by field: what is spread together costs several times as much, here and wherever it is read.
  return {
    to,
    sinkType,
    event,
    plan,
    acceptedAt: acceptedAt ?? clock.now(),
    unclearSince,
    since: since ?? clock.monotonic() - age,
    bytes: sizeOfEvent(event),
    attempts: 0,
    arrivedBefore: 0,
    refusedAfter: undefined,
    parks: 0,
    failedSends: 0,
    requests: 0,
    progress: { rung: 0, unclearSince },
    noticed: false,
  };
}

/** Puts what comes in its place: at the end of its stream, if there is room or some can be made. */
export class Admission {
  readonly #limits: Limits;
  readonly #ledger: Ledger;
  readonly #lanes: Lanes;

  constructor(limits: Limits, ledger: Ledger, lanes: Lanes) {
    this.#limits = limits;
    this.#ledger = ledger;
    this.#lanes = lanes;
  }

  /** False: it was dropped. */
  admit(pending: Pending): boolean {
    const { to, event } = pending;
    if (!this.#makeRoom(pending)) {
      this.#ledger.refuse(pending, OVERFLOW);
      return false;
    }
    const lane = this.#lanes.of(to);
    const stream = lane.stream(event.planUid);
    this.#ledger.enter(pending);
    const gone = stream.push(pending, this.#limits);
    for (const victim of gone) this.#ledger.settle(victim, OVERFLOW);
    if (stream.state === 'idle') lane.queue(stream);
    this.#lanes.schedule(lane);
    return !gone.includes(pending);
  }

  /**
   * Whether the backlog takes one more; where it is full the oldest progress and phase changes go for it, whatever
   * stream they wait in. What tells how a night went is taken all the same.
   */
  #makeRoom(pending: Pending): boolean {
    const room = this.#limits.backlogBytes - this.#ledger.cost(pending);
    if (this.#ledger.bytes <= room) return true;
    for (const expendable of this.#ledger.expendables()) {
      const gone = this.#lanes.withdraw(expendable, (stream) => stream.remove(expendable));
      if (gone !== undefined) this.#ledger.settle(expendable, OVERFLOW);
      if (this.#ledger.bytes <= room) return true;
    }
    return !isExpendable(pending.event);
  }
}
