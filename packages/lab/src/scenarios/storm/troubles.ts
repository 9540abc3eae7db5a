import { writeFileSync } from 'node:fs';
import type { DevCluster, Effect, Verb } from '@hnotif/devcluster';
import type { KubeClient } from '../../../../hnotif/src/cluster/client.ts';
import { deck, type Dice } from '../../dice.ts';
import type { World } from '../../world.ts';
import type { Writer } from './writer.ts';

/** The token of a service account in a file. It is renewed as by a kubelet, or too late. */
export interface TokenFile {
  /** The path of a kubeconfig whose user has this token file. */
  readonly kubeconfig: string;
  /** Makes the token in the file invalid. */
  readonly revoke: () => void;
  /** Writes another token to the file. */
  readonly renew: () => void;
}

export async function tokenFile(world: World): Promise<TokenFile> {
  const { cluster } = world;
  const make = (): string => cluster.users.token('storm', { groups: ['system:masters'] });
  let token = make();
  const path = await world.file('token', token);
  const text = cluster.kubeconfig({ token });
  return {
    kubeconfig: await world.file(
      'kubeconfig',
      text.replace(`token: ${JSON.stringify(token)}`, `tokenFile: ${path}`),
    ),
    revoke: () => {
      cluster.users.revoke(token);
    },
    renew: () => {
      token = make();
      writeFileSync(path, token);
    },
  };
}

/** Only the reflector gets failures, not the writer. */
const WHERE = { resource: 'hibernateplans' };

/** A fault that the server applies to a later request. */
interface Trap {
  readonly kind: string;
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
  /** How often each kind happened. */
  readonly met = new Map<string, number>();
  /** How many watches of the reflector have ended. */
  restarts = 0;
  readonly #cluster: DevCluster;
  /** Happens before the next later page of a list is requested. */
  #betweenPages: (() => Promise<void>) | undefined;
  readonly #writer: Writer;
  readonly #token: TokenFile;
  readonly #dice: Dice;
  readonly #next: () => string;
  readonly #kinds: Readonly<Record<string, (kind: string) => void>>;
  #trap: Trap | undefined;
  /** The watch is already broken. Compact old versions after the present write. */
  #forgetting = false;
  #leaving = false;
  /** The number of pauses of the reflector until the server comes back; 0: the server runs. */
  #awayFor = 0;
  /** The number of pauses of the reflector until the token is valid; 0: it is valid. */
  #renewIn = 0;
  /** A kind to try again, because there was no watch. */
  #again: string | undefined;
  #silentSince = -1;

  constructor(
    cluster: DevCluster,
    parts: { readonly client: KubeClient; readonly writer: Writer; readonly token: TokenFile },
    dice: Dice,
  ) {
    this.#cluster = cluster;
    this.#writer = parts.writer;
    this.#token = parts.token;
    this.#dice = dice;
    const list = parts.client.list.bind(parts.client);
    parts.client.list = async (...asked) => {
      if (asked[2].continue !== undefined) {
        const happen = this.#betweenPages;
        this.#betweenPages = undefined;
        await happen?.();
      }
      return list(...asked);
    };
    this.#kinds = this.#strikes();
    const kinds = Object.keys(this.#kinds);
    for (const kind of kinds) this.met.set(kind, 0);
    this.#next = deck(kinds, dice.fork());
  }

  /** Whether the open watch is silent. */
  get isSilent(): boolean {
    return this.#silentSince === this.restarts;
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
    this.#kinds[kind]?.(kind);
  }

  #strikes(): Readonly<Record<string, (kind: string) => void>> {
    const dice = this.#dice;
    const { faults } = this.#cluster;
    const cut = (how: 'end' | 'reset') => (kind: string) => {
      this.#count(kind, faults.cutWatches(how, WHERE));
    };
    /** The next watch has this effect. */
    const watch =
      (effect: () => Effect, times = () => 1) =>
      (kind: string) => {
        this.#set(kind, 'watch', effect(), times());
        faults.cutWatches('end', WHERE);
      };
    /** The next list has this effect. There is one, because old versions are forgotten. */
    const list =
      (effect: () => Effect, times = () => 1) =>
      (kind: string) => {
        this.#set(kind, 'list', effect(), times());
        this.#forget();
      };
    const status = (code: number, reason?: string) => (): Effect => ({
      ...{ kind: 'status', code },
      ...(reason !== undefined && { reason }),
    });
    const tooMany = (): Effect => ({ kind: 'status', code: 429, retryAfter: 1 + dice.below(35) });
    const reset = (when: 'before' | 'after') => (): Effect => ({ kind: 'reset', when });
    const cutAfter = (bytes: number) => (): Effect => ({ kind: 'cut', afterBytes: 1 + dice.below(bytes) });
    const upTo = (most: number) => (): number => 1 + dice.below(most);
    return {
      'the watch ends': cut('end'),
      'the watch is reset': cut('reset'),
      'the watch is silent': (kind) => {
        const silenced = faults.silenceWatches(WHERE);
        this.#count(kind, silenced);
        if (silenced > 0) this.#silentSince = this.restarts;
        else this.#again = kind;
      },
      'the watch is cut in a line': watch(cutAfter(6_000)),
      'a watch is late': (kind) => {
        this.#hold(kind, 'watch');
        faults.cutWatches('end', WHERE);
      },
      'a watch is refused with 429': watch(tooMany, upTo(2)),
      'a watch is answered 500': watch(status(500), upTo(3)),
      'a watch is answered 410': watch(status(410, 'Expired')),
      'a watch is reset before it is answered': watch(reset('before')),
      'a watch is reset after': watch(reset('after')),
      'old versions are compacted': (kind) => {
        this.#count(kind, 1);
        this.#forget();
      },
      'a list is late': (kind) => {
        this.#hold(kind, 'list');
        this.#forget();
      },
      'a list is refused with 429': list(tooMany, upTo(6)),
      'a list is answered 500': list(status(500), upTo(3)),
      'a list is reset': list(() => reset(dice.hits(0.5) ? 'before' : 'after')()),
      'a list is cut': list(cutAfter(20_000)),
      'a later page fails': (kind) => {
        this.#betweenPages = () => {
          this.#set(kind, 'list', { kind: 'status', code: 500 });
          return Promise.resolve();
        };
        this.#forget();
      },
      'a later page has expired': (kind) => {
        this.#betweenPages = async () => {
          this.#count(kind, 1);
          await this.#writer.toggleFirst();
          this.#cluster.compact();
        };
        this.#forget();
      },
      'the token has expired': (kind) => {
        this.#count(kind, 1);
        this.#token.revoke();
        this.#renewIn = dice.below(3);
        if (this.#renewIn === 0) this.#token.renew();
        faults.cutWatches(dice.hits(0.5) ? 'end' : 'reset', WHERE);
      },
      'the server goes away': () => {
        this.#leaving = true;
      },
    };
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

  /** Lets the server handle the delayed request. */
  release(): void {
    this.#unset();
  }

  /** Ends all failures, but a silent watch stays silent. */
  end(): void {
    this.#unset();
    this.#betweenPages = undefined;
    this.#forgetting = false;
    this.#leaving = false;
  }

  /** Breaks the watch, and compacts the missed versions before the watch is opened again. */
  #forget(): void {
    this.#cluster.faults.cutWatches('reset', WHERE);
    this.#forgetting = true;
  }

  #hold(kind: string, verb: Verb): void {
    let release = (): void => {};
    const until = new Promise<void>((resolve) => (release = resolve));
    this.#set(kind, verb, { kind: 'delay', until }, 1, release);
  }

  #set(kind: string, verb: Verb, effect: Effect, times = 1, release?: () => void): void {
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

  #count(kind: string, times: number): void {
    this.met.set(kind, (this.met.get(kind) ?? 0) + times);
  }
}
