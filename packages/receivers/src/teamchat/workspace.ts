import type { Content } from './check.ts';
import type { Entity } from '@hnotif/judges/slack';
import type { Metadata, TeamchatMessage } from './message.ts';

export interface ChannelSettings {
  /** `C…`; upper case letters and digits. */
  readonly id: string;
  /** Without the `#`. Default: the ID in lower case. */
  readonly name?: string;
  /** Whether the app's bot has been invited. Default true. */
  readonly member?: boolean;
  readonly archived?: boolean;
}

/** A message to store. */
export interface Draft {
  readonly author: string;
  readonly content: Content;
  readonly entities: readonly Entity[];
  readonly metadata: Metadata | undefined;
  /** A reply that the channel shows, too. Default false. */
  readonly broadcast?: boolean;
}

interface Stored extends Draft {
  readonly ts: string;
  readonly channel: string;
  readonly threadTs: string | undefined;
  readonly broadcast: boolean;
  readonly edits: readonly Content[];
  readonly editedTs: string | undefined;
  readonly deleted: boolean;
}

/** The channels with their messages. */
export class Workspace {
  readonly #now: () => number;
  readonly #channels = new Map<string, Required<ChannelSettings>>();
  /** By `ts`. */
  readonly #messages = new Map<string, Stored>();
  readonly #keep: number;
  /** Of each channel (by its ID): the `ts` of its roots, those that changed last at the end. */
  readonly #roots = new Map<string, Set<string>>();
  /** The messages of a channel (by its ID) or of a thread (by its root's `ts`): each one's `ts`, in the order of posting. */
  readonly #under = new Map<string, string[]>();
  #lastMicros = 0;

  /**
   * @param now wall clock, milliseconds since the epoch.
   * @param keep of messages in each channel, without replies, and of the edits of each.
   */
  constructor(channels: readonly ChannelSettings[], now: () => number, keep = Infinity) {
    this.#now = now;
    this.#keep = keep;
    for (const channel of channels) this.setChannel(channel.id, channel);
  }

  /** Creates a channel, or changes one. */
  setChannel(id: string, settings: Omit<ChannelSettings, 'id'>): void {
    const old = this.#channels.get(id) ?? { id, name: id.toLowerCase(), member: true, archived: false };
    this.#channels.set(id, { ...old, ...settings, id });
  }

  /** A channel by its ID, or also by `#name` or `name`. */
  channel(idOrName: string, byName = false): Required<ChannelSettings> | undefined {
    const byId = this.#channels.get(idOrName);
    if (byId !== undefined || !byName) return byId;
    return [...this.#channels.values()].find(({ name }) => name === idOrName.replace(/^#/, ''));
  }

  /** A visible message by its `ts`. A deleted root with replies is not visible. */
  find(channel: string, ts: string): TeamchatMessage | undefined {
    const stored = this.#messages.get(ts);
    return stored?.channel === channel && !stored.deleted ? this.#view(stored) : undefined;
  }

  /** The root of the thread of a `ts`: the message itself, or the one to which it replies. A deleted root counts while it has replies. */
  root(channel: string, ts: string): TeamchatMessage | undefined {
    const stored = this.#messages.get(ts);
    if (stored?.channel !== channel) return undefined;
    const root = stored.threadTs === undefined ? stored : this.#messages.get(stored.threadTs);
    return root && this.#view(root);
  }

  /** The messages of a channel outside of threads, and the replies that it shows, oldest first. */
  messages(channel: string): TeamchatMessage[] {
    return this.#list(channel);
  }

  post(channel: string, threadTs: string | undefined, draft: Draft): TeamchatMessage {
    const stored: Stored = {
      ...draft,
      broadcast: draft.broadcast === true && threadTs !== undefined,
      ts: this.#nextTs(),
      channel,
      threadTs,
      edits: [],
      editedTs: undefined,
      deleted: false,
    };
    this.#messages.set(stored.ts, stored);
    for (const place of placesOf(stored)) {
      const others = this.#under.get(place);
      if (others === undefined) this.#under.set(place, [stored.ts]);
      else others.push(stored.ts);
    }
    this.#touch(stored);
    return this.#view(stored);
  }

  /** Replaces the content of an existing message. */
  update(ts: string, change: Omit<Draft, 'author'>): TeamchatMessage {
    const old = this.#messages.get(ts);
    if (old === undefined) throw new RangeError(`no message ${ts}`);
    const edits = [...old.edits, old.content].slice(-this.#keep);
    const stored = { ...old, ...change, edits, editedTs: this.#nextTs() };
    this.#messages.set(ts, stored);
    this.#touch(stored);
    return this.#view(stored);
  }

  /** The effect of a user's "Delete message". A root with replies becomes a placeholder. */
  remove(ts: string): boolean {
    const stored = this.#messages.get(ts);
    if (stored === undefined || stored.deleted) return false;
    if (this.#under.has(ts)) this.#messages.set(ts, { ...stored, deleted: true });
    else this.#forget(stored);
    const root = stored.threadTs === undefined ? undefined : this.#messages.get(stored.threadTs);
    if (root?.deleted === true && !this.#under.has(root.ts)) this.#forget(root);
    return true;
  }

  /** After a change of a message: the thread that has not changed for the longest time may be one too many. */
  #touch({ channel, threadTs, ts }: Stored): void {
    const roots = this.#roots.get(channel) ?? new Set();
    this.#roots.set(channel, roots);
    const root = threadTs ?? ts;
    roots.delete(root);
    roots.add(root);
    if (roots.size <= this.#keep) return;
    const [oldest = ''] = roots;
    for (const each of [...(this.#under.get(oldest) ?? []), oldest]) {
      const stored = this.#messages.get(each);
      if (stored !== undefined) this.#forget(stored);
    }
  }

  #forget(stored: Stored): void {
    this.#messages.delete(stored.ts);
    this.#roots.get(stored.channel)?.delete(stored.ts);
    for (const place of placesOf(stored)) {
      const left = (this.#under.get(place) ?? []).filter((ts) => ts !== stored.ts);
      if (left.length > 0) this.#under.set(place, left);
      else this.#under.delete(place);
    }
  }

  #list(place: string): TeamchatMessage[] {
    return (this.#under.get(place) ?? []).flatMap((ts) => {
      const stored = this.#messages.get(ts);
      return stored === undefined ? [] : [this.#view(stored)];
    });
  }

  #view({ content, ...stored }: Stored): TeamchatMessage {
    const replies = stored.threadTs === undefined ? this.#list(stored.ts) : [];
    return { ...stored, ...content, replies };
  }

  /** Unique and increasing, with any clock. */
  #nextTs(): string {
    this.#lastMicros = Math.max(Math.round(this.#now() * 1000), this.#lastMicros + 1);
    const digits = String(this.#lastMicros).padStart(16, '0');
    return `${digits.slice(0, -6)}.${digits.slice(-6)}`;
  }
}

/** Where a message is shown: in its thread, in its channel, or in both. */
function placesOf({ threadTs, channel, broadcast }: Stored): readonly string[] {
  if (threadTs === undefined) return [channel];
  return broadcast ? [threadTs, channel] : [threadTs];
}
