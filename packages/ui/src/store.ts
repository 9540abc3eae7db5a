import {
  applyRows,
  type Board,
  type Change,
  type Head,
  MOST_MESSAGES,
  type MessageItem,
} from '@hnotif/core/page';

/** Whether the page hears from its server. `ended`: it will not any more. */
export type Link = 'connecting' | 'live' | 'lost' | 'ended';

/** The used part of `EventSource`. It connects again by itself, and says which change it had last. */
export interface Source extends EventTarget {
  readonly readyState: number;
  close(): void;
}

/** `EventSource.CLOSED` */
const CLOSED = 2;

const EMPTY: Head = { leader: 'connecting …', serving: 'unknown', unseen: [], hasMessages: false };

/** What the server has told so far. Listeners are called once a frame at most. */
export class Store {
  readonly board: Board = new Map();
  head: Head = EMPTY;
  messages: readonly MessageItem[] = [];
  link: Link = 'connecting';
  /** Server's time minus ours (milliseconds). */
  #ahead = 0;
  readonly #listeners = new Set<() => void>();
  readonly #clock: { now(): number; nextFrame(run: () => void): void };
  #isScheduled = false;

  constructor(clock: { now(): number; nextFrame(run: () => void): void }) {
    this.#clock = clock;
  }

  /** The API server's time (milliseconds since the epoch). */
  now(): number {
    return this.#clock.now() + this.#ahead;
  }

  /** Follows a source. Returns a function that ends this. */
  connect(source: Source): () => void {
    const link = (state: Link): void => {
      this.link = state;
      this.#changed();
    };
    source.addEventListener('open', () => {
      link('live');
    });
    source.addEventListener('message', (event) => {
      this.apply(JSON.parse((event as MessageEvent<string>).data) as Change);
    });
    source.addEventListener('error', () => {
      // It gives up after an answer that is no stream: another token, another program.
      link(source.readyState === CLOSED ? 'ended' : 'lost');
    });
    return () => {
      source.close();
    };
  }

  apply(change: Change): void {
    const { head, messages, now, reset } = change;
    applyRows(this.board, change);
    this.#ahead = now - this.#clock.now();
    if (head !== undefined) this.head = head;
    if (reset === true || messages !== undefined) {
      const known = reset === true ? [] : this.messages;
      this.messages = [...known, ...(messages ?? [])].slice(-MOST_MESSAGES);
    }
    this.#changed();
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
