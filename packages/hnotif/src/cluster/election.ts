import { randomBytes } from 'node:crypto';
import { abortAfter, sleep, type Clock } from '@hnotif/core/clock';
import type { KubeClient } from './client.ts';
import { KubeError } from './error.ts';
import { LeaseLeadership, type Leadership, type LeaseCheck, type LeadershipState } from './leadership.ts';
import { LeaseMemory } from './lease-memory.ts';
import {
  candidateStep,
  observeLease,
  RETRY_JITTER,
  termOf,
  type Lease,
  type LeaseTiming,
  type ObservedLease,
  type Term,
} from './lease.ts';
import { LeaseHolder, type Write } from './lease-lock.ts';

export interface ElectionOptions extends LeaseTiming {
  readonly client: Pick<KubeClient, 'get' | 'create' | 'update'>;
  readonly clock: Clock;
  readonly log: LeaseLog;
  readonly namespace: string;
  readonly name: string;
  /** Unique to this process, also among processes of the same pod. See `newIdentity`. */
  readonly identity: string;
  /** Memory shared with another thread. Default: not shared. */
  readonly memory?: LeaseMemory;
  /** Why this process must not lead; undefined: it may. Called before each read and renewal of the Lease. */
  readonly objection?: () => string | undefined;
  /** Called after each read and renewal: `state` may have changed. */
  readonly turned?: () => void;
  /** Called when the Lease can be read and written again. */
  readonly mended?: (() => void) | undefined;
}

/** The log of the election. */
export interface LeaseLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

/** A name for this process: its host (in a pod: the pod's name) and random digits. */
export const newIdentity = (host: string): string => `${host}_${randomBytes(6).toString('hex')}`;

/**
 * Leader election by a Lease, after client-go's algorithm: takes the Lease when it is free, and renews it. Leadership is lost after
 * `renewDeadlineMs` without a renewal, before others may take the Lease. It never gives up: a Lease that cannot be read or written is
 * logged once, shown by `state`, and tried again.
 */
export class Election extends LeaseLeadership implements Leadership {
  readonly identity: string;
  readonly #options: ElectionOptions;
  readonly #holder: LeaseHolder;
  /** Ends the request in flight. */
  readonly #hurry = new AbortController();
  #isReleased = false;
  #turns: Promise<void> | undefined;
  #observed: ObservedLease | undefined;
  #term: Term | undefined;
  #trouble: string | undefined;

  constructor(options: ElectionOptions) {
    const { clock, renewDeadlineMs } = options;
    super(clock, renewDeadlineMs, options.memory ?? new LeaseMemory());
    this.#options = options;
    this.identity = options.identity;
    // So two requests fit into the deadline.
    this.#holder = new LeaseHolder({ ...options, timeoutMs: renewDeadlineMs / 2 });
    this.lost.addEventListener('abort', () => {
      // A release waits for the request in flight. After a loss nothing does.
      if (!this.#isReleased) this.#hurry.abort();
    });
  }

  async check(): Promise<LeaseCheck> {
    try {
      const lease = await this.#holder.read(this.#hurry.signal);
      const isOurs = lease?.holder === this.identity && termOf(lease) === this.#term;
      return isOurs && this.isLeader() ? 'held' : 'moved';
    } catch {
      return this.isLeader() ? 'unknown' : 'moved';
    }
  }

  state(): LeadershipState {
    if (this.isLeader()) return { ok: true, words: `leading, term ${this.#term}` };
    if (this.lost.aborted) return { ok: false, words: 'lost leadership' };
    if (this.#trouble !== undefined)
      return { ok: false, words: `standby, the Lease ${this.#where}: ${this.#trouble}` };
    if (this.#observed === undefined)
      return { ok: false, words: `the Lease ${this.#where} has not been read yet` };
    const { holder } = this.#observed.lease;
    return {
      ok: true,
      words:
        holder === ''
          ? 'standby, there is no leader'
          : `standby, leader is ${holder}, which alone writes statuses`,
    };
  }

  start(): void {
    this.#turns ??= this.#run();
  }

  /**
   * Waits for the request in flight, then releases the Lease if it may be ours. Takes at most half of the renew deadline, or until `enough`
   * aborts. A Lease that could not be released expires.
   */
  async release(enough?: AbortSignal): Promise<void> {
    this.#isReleased = true;
    this.end('it is released');
    const { clock, log, renewDeadlineMs } = this.#options;
    const bound = new AbortController();
    bound.signal.addEventListener('abort', () => {
      this.#hurry.abort();
    });
    const cancel = abortAfter(clock, renewDeadlineMs / 2, bound, enough);
    try {
      await this.#turns;
      if (await this.#holder.giveBack(bound.signal)) log.info({ lease: this.#where }, 'Lease released');
    } catch (error) {
      log.warn({ lease: this.#where, detail: wordsOf(error) }, NOT_GIVEN_BACK);
    } finally {
      cancel();
    }
  }

  async #run(): Promise<void> {
    const { clock, retryPeriodMs } = this.#options;
    while (!this.lost.aborted) {
      const begun = clock.monotonic();
      let wait = retryPeriodMs * (1 + (RETRY_JITTER - 1) * clock.random());
      try {
        wait = Math.min(wait, await this.#turn());
        this.#mended();
      } catch (error) {
        this.#failed(error);
      }
      this.#options.turned?.();
      // The time of the request counts as a part of the wait.
      const gone = clock.monotonic() - begun;
      await sleep(clock, Math.max(0, wait - gone), this.lost);
    }
  }

  /** Resolves with the longest wait until the next one. */
  async #turn(): Promise<number> {
    const objection = this.#options.objection?.();
    if (objection !== undefined) {
      this.end(objection);
      return Infinity;
    }
    if (this.#term === undefined) return this.#campaign();
    if (!this.isLeader()) return Infinity;
    const write = await this.#holder.renew(this.#hurry.signal);
    if (typeof write === 'string') this.end(write);
    else this.renew(write.sent);
    return Infinity;
  }

  async #campaign(): Promise<number> {
    const { clock, leaseDurationMs: durationMs } = this.#options;
    const lease = await this.#holder.read(this.#hurry.signal);
    const now = clock.monotonic();
    if (lease !== undefined) this.#observe(lease, now);
    const step = candidateStep(
      { identity: this.identity, durationMs },
      this.#observed,
      lease !== undefined,
      now,
    );
    if (step.do === 'wait') return step.ms;
    if (!this.lost.aborted) this.#begin(await this.#holder.take(step, this.#hurry.signal));
    return Infinity;
  }

  #observe(lease: Lease, now: number): void {
    const before = this.#observed?.lease.holder;
    this.#observed = observeLease(this.#observed, lease, now);
    this.installedAt = lease.createdAt;
    if (lease.holder !== before && lease.holder !== '' && lease.holder !== this.identity)
      this.#options.log.info(
        { lease: this.#where, leader: lease.holder, statuses: 'written by the leader alone' },
        'standing by',
      );
  }

  #begin({ lease, sent }: Write): void {
    this.installedAt = lease.createdAt;
    // It may have been released, or the answer may have come too late.
    this.renew(sent);
    if (!this.isLeader()) return;
    this.#term = termOf(lease);
    const { log } = this.#options;
    log.info({ lease: this.#where, identity: this.identity, term: this.#term }, 'leading');
    this.begin(this.#term);
  }

  #mended(): void {
    if (this.#trouble === undefined) return;
    this.#trouble = undefined;
    this.#options.log.info({ lease: this.#where }, 'Lease read and written again');
    this.#options.mended?.();
  }

  #failed(error: unknown): void {
    if (this.lost.aborted) return;
    // Another process was faster.
    if (this.#term === undefined && error instanceof KubeError && error.status === 409) return;
    const detail = wordsOf(error) + this.#remedyFor(error);
    if (this.#trouble === undefined)
      this.#options.log.warn({ lease: this.#where, detail }, 'Lease not read or written; trying again');
    this.#trouble = detail;
  }

  /** A Lease that was permitted before is refused for a while by an API server that has just started. Then there is nothing to correct. */
  #remedyFor(error: unknown): string {
    if (!(error instanceof KubeError) || error.status !== 403 || this.#observed !== undefined) return '';
    const { namespace, name } = this.#options;
    return `; the Role for the Lease in namespace ${namespace} (deploy/ calls it hnotif-lease) must permit create of leases, and get and update with resourceNames: [${name}]`;
  }

  get #where(): string {
    return `${this.#options.namespace}/${this.#options.name}`;
  }
}

export const NOT_GIVEN_BACK = 'Lease not released; it expires';

const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
