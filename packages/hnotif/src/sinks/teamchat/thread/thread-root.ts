import type { LifecycleEvent } from '../../../lifecycle/event.ts';
import type { PlanView } from '../../../resources/plan-view.ts';
import type { Degradation } from '../../degradation.ts';
import type { ChannelClient } from './channel-client.ts';
import type { SearchSpan } from './history.ts';
import { isLastLevel } from './fallback-levels.ts';
import { markRoot, type Metadata, rootId, rootMarker } from './marker.ts';
import { digestOf, ended, fold, type Root, type RootStatus } from './root.ts';
import type { Doubt } from './search.ts';
import type { RootLocation, RootRecord, RootStore } from './root-store.ts';

/** Who speaks for a root, and of what; the newest delivery's counts. */
export interface RootContext {
  readonly client: ChannelClient;
  readonly plan: PlanView;
  readonly notice: (notice: Degradation) => void;
}

/** A root that was lost so often… */
const LOSSES = 3;
/** …is posted again only after so long: somebody does not want it, or the workspace lets nobody edit (milliseconds). */
const LOSS_PAUSE_MS = 10 * 60_000;

/** One root: what it should show, what it shows, where it stands. */
export class ThreadRoot {
  readonly key: string;
  /** Its name in the metadata of its message. */
  readonly id: string;
  readonly #store: RootStore | undefined;
  #turn: Promise<unknown> = Promise.resolve();
  #desired: Root;
  #digest: string;
  #sent: string;
  #location: RootLocation | undefined;
  #level = 0;
  #losses = 0;
  #lostAt = -Infinity;
  #unsaved = true;

  context: RootContext;
  /** When it may have been posted without our knowing; undefined: it was not. */
  searchSpan: SearchSpan | undefined;
  /** Looks for it in a row that failed. */
  failedSearches = 0;
  /** Why it may stand there twice, if it is posted now. */
  doubt: Doubt | undefined;
  /** Whether it has to be posted again, be there a reply or not. */
  lost = false;
  /** When it was posted or updated last (monotonic milliseconds). */
  shownAt = -Infinity;
  /** Updates in a row that failed. */
  failures = 0;
  /** When the first of them was made (monotonic milliseconds). */
  failingSince: number | undefined;
  /** No update before (monotonic milliseconds). */
  notBefore = -Infinity;
  /** No request of a former process changes it from then on (monotonic milliseconds): one that came late would undo ours. */
  quietAt = -Infinity;
  /** Digest of what the last update was to show. */
  tried = '';
  /** Why the chat refused cards that were less plain: told when a plainer one stands. */
  readonly #refusals: string[] = [];
  /** Digest of what the chat refuses to show. */
  #refused = '';

  constructor(
    key: string,
    event: LifecycleEvent,
    context: RootContext,
    record: RootRecord | undefined,
    store: RootStore | undefined,
  ) {
    this.key = key;
    this.id = rootId(key);
    this.context = context;
    this.#store = store;
    this.#desired = fold(record?.desired, event);
    this.#digest = digestOf(this.#desired);
    this.#sent = record?.sent ?? '';
    this.#location = record?.location;
  }

  get client(): ChannelClient {
    return this.context.client;
  }

  get desired(): Root {
    return this.#desired;
  }

  /** Of what it should show. */
  get digest(): string {
    return this.#digest;
  }

  get location(): RootLocation | undefined {
    return this.#location;
  }

  /** Steps down the ladder of its cards. */
  get level(): number {
    return this.#level;
  }

  /** The plainest card has none: a token that belongs to no app may not post any. */
  get metadata(): Metadata | undefined {
    return this.#level > 0 && isLastLevel(this.client.cards, this.#level)
      ? undefined
      : markRoot(this.id, this.#desired.status);
  }

  /** Whether there is something to do for it besides replies. */
  get isStale(): boolean {
    if (this.#location === undefined) return this.lost;
    return this.#digest !== this.#sent && this.#digest !== this.#refused;
  }

  /** One more event. An old one, or one that was folded already, changes nothing. */
  apply(event: LifecycleEvent): void {
    this.#desire(fold(this.#desired, event));
  }

  /** It was posted, showing what `digest` stands for. */
  async posted(location: RootLocation, digest: string, now: number): Promise<void> {
    this.#locate(location);
    this.quietAt = -Infinity;
    await this.shown(digest, now);
  }

  /** It was found in the channel with a status; what else it shows there is not known. */
  async found(location: RootLocation, status: RootStatus | undefined): Promise<void> {
    this.#locate(location);
    const before = this.#desired;
    if (status !== undefined) this.#desire(ended(before, status));
    this.#sent = this.#desired === before ? '' : this.#digest;
    await this.save();
  }

  async shown(digest: string, now: number): Promise<void> {
    this.#sent = digest;
    this.shownAt = now;
    this.failures = 0;
    for (const why of this.#refusals.splice(0)) {
      const message = `${why}; a plainer status card of the thread was sent instead`;
      this.context.notice({ reason: 'RejectedByReceiver', message });
    }
    await this.save();
  }

  /** It is gone or frozen, and wants another location. False: that happened too often, and the location stays for a while. */
  markLost(now: number): boolean {
    if (this.#losses >= LOSSES && now - this.#lostAt < LOSS_PAUSE_MS) {
      this.notBefore = this.#lostAt + LOSS_PAUSE_MS;
      return false;
    }
    this.#losses++;
    this.#lostAt = now;
    this.forgetLocation();
    this.lost = true;
    return true;
  }

  /** What was tried is not tried again. */
  giveUp(): void {
    this.failures = 0;
    this.lost = false;
    this.#refused = this.tried;
  }

  /** There is something new, with which updates may succeed: they begin anew. */
  resetFailures(): void {
    this.failures = 0;
    this.notBefore = -Infinity;
  }

  /** Its location does not count any more. */
  forgetLocation(): void {
    this.client.history.forget(rootMarker(this.id));
    this.#location = undefined;
    this.#sent = '';
    this.#unsaved = true;
  }

  /** The chat refuses its card: the next one is plainer. False: there is none. */
  fallBack(why: string): boolean {
    if (isLastLevel(this.client.cards, this.#level)) return false;
    this.#level++;
    this.#refusals.push(why);
    return true;
  }

  /** One at a time: a root is never posted by two. */
  exclusively<T>(run: () => Promise<T>): Promise<T> {
    const turn = this.#turn.then(run);
    this.#turn = turn.catch(() => undefined);
    return turn;
  }

  /** Saves what it should show, where that is new. */
  async saveIfChanged(): Promise<void> {
    if (this.#unsaved) await this.save();
  }

  async save(): Promise<void> {
    this.#unsaved = false;
    await this.#store?.save(this.key, { desired: this.#desired, sent: this.#sent, location: this.#location });
  }

  #locate(location: RootLocation): void {
    this.#location = location;
    this.searchSpan = undefined;
    this.lost = false;
  }

  #desire(desired: Root): void {
    if (desired === this.#desired) return;
    this.#desired = desired;
    this.#digest = digestOf(desired);
    this.#unsaved = true;
  }
}
