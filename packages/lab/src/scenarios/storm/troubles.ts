import type { DevCluster, Effect, Verb } from '@hnotif/devcluster';
import type { PagingClient } from './client.ts';
import { deck, type Dice } from '../../dice.ts';
import type { TokenFile } from './token.ts';
import type { Writer } from './writer.ts';

/** Only the reflector gets failures, not the writer. */
const WHERE = { resource: 'hibernateplans' };

const KINDS = [
  ...['the watch ends', 'the watch is reset', 'the watch is silent', 'the watch is cut in a line'],
  ...['a watch is late', 'a watch is refused with 429', 'a watch is answered 500'],
  ...['a watch is reset before it is answered', 'a watch is reset after', 'a watch is answered 410'],
  ...['old versions are compacted', 'a list is late', 'a list is refused with 429', 'a list is answered 500'],
  ...['a list is reset', 'a list is cut', 'a later page fails', 'a later page has expired'],
  ...['the token has expired', 'the server goes away'],
] as const;

export type TroubleKind = (typeof KINDS)[number];

/** A fault that the server applies to a later request. */
interface Trap {
  readonly kind: TroubleKind;
  readonly hitsBefore: number;
  readonly remove: () => void;
  /** For a delayed request: lets the server handle it. */
  readonly release: (() => void) | undefined;
}

/**
 * Causes failures between a server and its reflector, of each kind in turn. There is one trap at a time, so that each hit
 * is counted for the right kind.
 */
export class Troubles {
  readonly #cluster: DevCluster;
  readonly #client: PagingClient;
  readonly #writer: Writer;
  readonly #token: TokenFile;
  readonly #dice: Dice;
  readonly #next: () => TroubleKind;
  readonly #met = new Map<TroubleKind, number>(KINDS.map((kind) => [kind, 0]));
  #trap: Trap | undefined;
  /** The watch is already broken. Compact old versions after the present write. */
  #forgetting = false;
  #leaving = false;
  /** The number of pauses of the reflector until the server comes back; 0: the server runs. */
  #awayFor = 0;
  /** The number of pauses of the reflector until the token is valid; 0: it is valid. */
  #renewIn = 0;
  /** A kind to try again, because there was no watch. */
  #again: TroubleKind | undefined;
  #restarts = 0;
  #silentSince = -1;

  constructor(
    cluster: DevCluster,
    parts: { readonly client: PagingClient; readonly writer: Writer; readonly token: TokenFile },
    dice: Dice,
  ) {
    this.#cluster = cluster;
    this.#client = parts.client;
    this.#writer = parts.writer;
    this.#token = parts.token;
    this.#dice = dice;
    this.#next = deck(KINDS, dice.fork());
  }

  /** How often each kind happened. */
  get met(): ReadonlyMap<TroubleKind, number> {
    return this.#met;
  }

  /** Whether the open watch is silent. */
  get isSilent(): boolean {
    return this.#silentSince === this.#restarts;
  }

  get isAway(): boolean {
    return this.#awayFor > 0;
  }

  /** Whether a request is delayed. */
  get isHolding(): boolean {
    return this.#trap?.release !== undefined && this.#cluster.faults.hits > this.#trap.hitsBefore;
  }

  /** Begins the next failure. */
  strike(): void {
    const kind = this.#again ?? this.#next();
    this.#again = undefined;
    const { faults } = this.#cluster;
    switch (kind) {
      case 'the watch ends':
        this.#count(kind, faults.cutWatches('end', WHERE));
        break;
      case 'the watch is reset':
        this.#count(kind, faults.cutWatches('reset', WHERE));
        break;
      case 'the watch is silent': {
        const silenced = faults.silenceWatches(WHERE);
        this.#count(kind, silenced);
        if (silenced > 0) this.#silentSince = this.#restarts;
        else this.#again = kind;
        break;
      }
      case 'the watch is cut in a line':
        this.#set(kind, 'watch', { kind: 'cut', afterBytes: 1 + this.#dice.below(6_000) });
        faults.cutWatches('end', WHERE);
        break;
      case 'a watch is late':
        this.#hold(kind, 'watch');
        faults.cutWatches('end', WHERE);
        break;
      case 'a watch is refused with 429':
        this.#set(kind, 'watch', this.#tooMany(), 1 + this.#dice.below(2));
        faults.cutWatches('end', WHERE);
        break;
      case 'a watch is answered 500':
        this.#set(kind, 'watch', { kind: 'status', code: 500 }, 1 + this.#dice.below(3));
        faults.cutWatches('end', WHERE);
        break;
      case 'a watch is answered 410':
        this.#set(kind, 'watch', { kind: 'status', code: 410, reason: 'Expired' });
        faults.cutWatches('end', WHERE);
        break;
      case 'a watch is reset before it is answered':
        this.#set(kind, 'watch', { kind: 'reset', when: 'before' });
        faults.cutWatches('end', WHERE);
        break;
      case 'a watch is reset after':
        this.#set(kind, 'watch', { kind: 'reset', when: 'after' });
        faults.cutWatches('end', WHERE);
        break;
      case 'old versions are compacted':
        this.#count(kind, 1);
        this.#forget();
        break;
      case 'a list is late':
        this.#hold(kind, 'list');
        this.#forget();
        break;
      case 'a list is refused with 429':
        this.#set(kind, 'list', this.#tooMany(), 1 + this.#dice.below(6));
        this.#forget();
        break;
      case 'a list is answered 500':
        this.#set(kind, 'list', { kind: 'status', code: 500 }, 1 + this.#dice.below(3));
        this.#forget();
        break;
      case 'a list is reset': {
        const when = this.#dice.hits(0.5) ? 'before' : 'after';
        this.#set(kind, 'list', { kind: 'reset', when });
        this.#forget();
        break;
      }
      case 'a list is cut':
        this.#set(kind, 'list', { kind: 'cut', afterBytes: 1 + this.#dice.below(20_000) });
        this.#forget();
        break;
      case 'a later page fails':
        this.#client.betweenPages = () => {
          this.#set(kind, 'list', { kind: 'status', code: 500 });
          return Promise.resolve();
        };
        this.#forget();
        break;
      case 'a later page has expired':
        this.#client.betweenPages = async () => {
          this.#count(kind, 1);
          await this.#writer.toggleFirst();
          this.#cluster.compact();
        };
        this.#forget();
        break;
      case 'the token has expired':
        this.#count(kind, 1);
        this.#token.revoke();
        this.#renewIn = this.#dice.below(3);
        if (this.#renewIn === 0) this.#token.renew();
        faults.cutWatches(this.#dice.hits(0.5) ? 'end' : 'reset', WHERE);
        break;
      case 'the server goes away':
        this.#leaving = true;
        break;
    }
  }

  /** The present write is done: now the server may stop or compact. */
  async written(): Promise<void> {
    if (this.#forgetting) this.#cluster.compact();
    this.#forgetting = false;
    if (!this.#leaving) return;
    this.#leaving = false;
    this.#count('the server goes away', 1);
    this.#awayFor = 1 + this.#dice.below(4);
    await this.#cluster.goAway();
  }

  /** A pause of the reflector is over. */
  async paused(): Promise<void> {
    if (this.#renewIn > 0 && --this.#renewIn === 0) this.#token.renew();
    if (this.#awayFor > 0 && --this.#awayFor === 0) await this.#cluster.comeBack();
  }

  /** A watch of the reflector has ended. */
  restarted(): void {
    this.#restarts++;
  }

  /** Lets the server handle the delayed request. */
  release(): void {
    this.#unset();
  }

  /** Ends all failures, but a silent watch stays silent. */
  end(): void {
    this.#unset();
    this.#client.betweenPages = undefined;
    this.#forgetting = false;
    this.#leaving = false;
  }

  #tooMany(): Effect {
    return { kind: 'status', code: 429, retryAfter: 1 + this.#dice.below(35) };
  }

  /** Breaks the watch, and compacts the missed versions before the watch is opened again. */
  #forget(): void {
    this.#cluster.faults.cutWatches('reset', WHERE);
    this.#forgetting = true;
  }

  #hold(kind: TroubleKind, verb: Verb): void {
    let release = (): void => {};
    const until = new Promise<void>((resolve) => (release = resolve));
    this.#set(kind, verb, { kind: 'delay', until }, 1, release);
  }

  #set(kind: TroubleKind, verb: Verb, effect: Effect, times = 1, release?: () => void): void {
    this.#unset();
    const { faults } = this.#cluster;
    const hitsBefore = faults.hits;
    const remove = faults.add({ ...WHERE, verb, times, effect });
    this.#trap = { kind, hitsBefore, remove, release };
  }

  #unset(): void {
    const trap = this.#trap;
    if (trap === undefined) return;
    this.#trap = undefined;
    trap.remove();
    trap.release?.();
    this.#count(trap.kind, this.#cluster.faults.hits - trap.hitsBefore);
  }

  #count(kind: TroubleKind, times: number): void {
    this.#met.set(kind, (this.#met.get(kind) ?? 0) + times);
  }
}
