import type { Root } from './root.ts';

/** Where a root stands. */
export interface Place {
  /** The channel as the configuration names it: another name is another root. */
  readonly asked: string;
  /** The channel as the chat names it, which is what updates and replies use. */
  readonly channel: string;
  readonly ts: string;
}

/** What has to outlive the process for a root to be one. */
export interface RootRecord {
  readonly wanted: Root;
  /** Digest of what the chat shows; `''`: not known. */
  readonly sent: string;
  /** Undefined: it is about to be posted, or may have been without an answer. */
  readonly place: Place | undefined;
}

/**
 * Keeps the records of roots. A record is saved before its root is posted, with its place before the first reply, and with
 * what an event changed before the reply to it; requests wait for that.
 */
export interface RootStore {
  load(key: string): RootRecord | undefined;
  /** Must not reject. */
  save(key: string, record: RootRecord): void | Promise<void>;
}
