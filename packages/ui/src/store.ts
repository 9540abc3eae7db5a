import {
  applyRows,
  type Board,
  type Change,
  type Head,
  MOST_MESSAGES,
  type MessageItem,
} from '@hnotif/core/page';

/** Whether the page hears from its server. `silent`: the connection is open, and nothing comes. `ended`: it will not hear any more. */
export type Link = 'connecting' | 'live' | 'silent' | 'lost' | 'ended';

/** The used part of `EventSource`. It connects again by itself, and says which change it had last. */
export interface Source extends EventTarget {
  readonly readyState: number;
  close(): void;
}

/** `EventSource.CLOSED` */
const CLOSED = 2;

/** The server sends a beat every 5 s. After two that did not come it is taken for dead (milliseconds). */
export const SILENCE_MS = 12_000;

/** Between two versions (milliseconds). */
export const AGE_MS = 2_000;

/** After this time a version is old: a mute has ended, or the next try is another one (milliseconds). */
export const STALE_MS = 30_000;

/** Time and frames of a browser. */
export interface Surroundings {
  now(): number;
  nextFrame(run: () => void): void;
  /** Calls `run` once after `ms`. Returns a function that cancels. */
  after(ms: number, run: () => void): () => void;
}

const EMPTY: Head = { leader: 'connecting …', serving: 'unknown', unseen: [], hasMessages: false };

/** What the server has told so far. Listeners are called once a frame at most. */
export class Store {
  readonly board: Board = new Map();
  head: Head = EMPTY;
  messages: readonly MessageItem[] = [];
  link: Link = 'connecting';
  /** Grows after changes of what the server answers, and when it is old: for views that ask the server. */
  version = 0;
  /** Of the version, by our clock. */
  #bornAt: number;
  /** Server's time minus ours (milliseconds). */
  #ahead = 0;
  /** By our clock. */
  #heardAt = 0;
  readonly #listeners = new Set<() => void>();
  readonly #clock: Surroundings;
  #isScheduled = false;
  #isAging = false;

  constructor(clock: Surroundings) {
    this.#clock = clock;
    this.#bornAt = clock.now();
  }

  /** Whether what it has is of now. */
  get isHeard(): boolean {
    return this.link === 'live' || this.link === 'connecting';
  }

  /** The API server's time (milliseconds since the epoch). It stands still while nothing is heard: nobody knows what is now. */
  now(): number {
    return (this.isHeard ? this.#clock.now() : this.#heardAt) + this.#ahead;
  }

  /** Follows a source, and opens another one when it is silent. Returns a function that ends this. */
  connect(open: () => Source): () => void {
    let source = open();
    let cancel = (): void => undefined;
    const link = (state: Link): void => {
      if (this.link === state) return;
      this.link = state;
      this.#changed();
    };
    const listen = (): void => {
      cancel();
      cancel = this.#clock.after(SILENCE_MS, () => {
        source.close();
        if (this.link !== 'lost') link('silent');
        source = open();
        follow(source);
      });
    };
    const follow = (followed: Source): void => {
      const heard = (): void => {
        this.#heardAt = this.#clock.now();
        if (this.#heardAt - this.#bornAt >= STALE_MS) this.#ageSoon();
        link('live');
        listen();
      };
      followed.addEventListener('open', heard);
      followed.addEventListener('beat', heard);
      followed.addEventListener('message', (event) => {
        heard();
        this.apply(JSON.parse((event as MessageEvent<string>).data) as Change);
      });
      followed.addEventListener('error', () => {
        // It gives up after an answer that is no stream: another token, another program.
        if (followed.readyState === CLOSED) {
          cancel();
          link('ended');
        } else link('lost');
      });
      listen();
    };
    follow(source);
    return () => {
      cancel();
      source.close();
    };
  }

  apply(change: Change): void {
    const { facts = false, gone, head, messages, now, reset = false, rows } = change;
    applyRows(this.board, change);
    // The sentence about the leader is another one at each look.
    const isServedAnew = head !== undefined && head.serving !== this.head.serving;
    if (facts || reset || isServedAnew || rows !== undefined || gone !== undefined) this.#ageSoon();
    this.#ahead = now - this.#clock.now();
    if (head !== undefined) this.head = head;
    if (reset || messages !== undefined) {
      const all = [...(reset ? [] : this.messages), ...(messages ?? [])];
      this.messages = [...new Map(all.map((each) => [each.id, each])).values()].slice(-MOST_MESSAGES);
    }
    this.#changed();
  }

  /** An answer about all plans costs the server time: in a night with changes all the time, views ask once in a while. */
  #ageSoon(): void {
    if (this.#isAging) return;
    this.#isAging = true;
    this.#clock.after(AGE_MS, () => {
      this.#isAging = false;
      this.#bornAt = this.#clock.now();
      this.version++;
      this.#changed();
    });
  }

  /** Calls a listener after changes. Returns a function that ends this. */
  follow(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #changed(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    this.#clock.nextFrame(() => {
      this.#isScheduled = false;
      for (const listener of this.#listeners) listener();
    });
  }
}
