import type { Clock } from '../clock.ts';
import { termOf, type Term } from './lease.ts';

/**
 * One time of leading: it may begin, and then end, once. Whoever wants to lead again makes a new one, with the same
 * identity.
 */
export interface Leadership {
  /** Who we are, among those who may lead. */
  readonly identity: string;
  /** Resolves when we lead. Never rejects; stays open where we never do. */
  readonly leading: Promise<Term>;
  /** Aborts when leadership is lost, before another process can lead; also when it is released. Its reason is an `Error` that says why. */
  readonly lost: AbortSignal;
  /** Asked before each thing that only a leader may do. Cheap; once false after leading, false for good. */
  isLeader(): boolean;
  /** Whether the Lease was renewed lately: half of the renew deadline is left, or more. Without election always, while it leads. */
  isRenewed(): boolean;
  /** Reads the Lease anew, for a process that meets the work of one with a later term. Never rejects. */
  check(): Promise<LeaseCheck>;
  /** When hnotif was first installed here, by the API server's clock (milliseconds since the epoch); undefined: not known. */
  readonly installedAt: number | undefined;
  /** For `/readyz`. A standby is well. */
  state(): LeadershipState;
  start(): void;
  /** Ends leadership, and lets the next one lead at once where it can: until `enough` aborts. Never rejects. */
  release(enough?: AbortSignal): Promise<void>;
}

/** Whether the Lease has moved to another process; `unknown`: it cannot be read now. */
export type LeaseCheck = 'moved' | 'held' | 'unknown';

export interface LeadershipState {
  readonly ok: boolean;
  readonly words: string;
}

/** For one who is told that it is alone: leads from the start. Its term is the time, so that it is above those before. */
export function unelected(identity: string, clock: Clock): Leadership {
  const lost = new AbortController();
  return {
    identity,
    // Two may be started in one second: the milliseconds count, too.
    leading: Promise.resolve(termOf({ createdAt: clock.now(), transitions: clock.now() % 1000 })),
    lost: lost.signal,
    isLeader: () => !lost.signal.aborted,
    isRenewed: () => !lost.signal.aborted,
    // Without a Lease a later term is all that tells of another process.
    check: () => Promise.resolve('moved'),
    installedAt: undefined,
    state: () => ({ ok: true, words: 'leading, without election' }),
    start: () => undefined,
    release: () => {
      lost.abort();
      return Promise.resolve();
    },
  };
}
