import type { LifecycleEvent } from '../../lifecycle/event.ts';
import type { SavePriority } from '../memory.ts';
import type { Cause, OnChange } from '../outcome.ts';
import { formAtLevel, isLastLevel } from './levels.ts';
import type { Card, RootClient, RootMark, SearchSpan } from './root-client.ts';
import { isTerminal, type RootStatus } from './root-status.ts';
import type { Cards, Notice, RootDeps, RootLocation, RootPlace, RootState } from './root-state.ts';
import type { DuplicateRisk, Searched } from './search.ts';

/** After this many losses a root is posted again only after a pause: the team may delete it, or editing is not allowed. */
const LOSSES = 3;
const LOSS_PAUSE_MS = 10 * 60_000;

/** One root: its desired state, the state that was sent, its location. */
export class ThreadRoot implements Searched {
  readonly state: RootState;
  readonly key: string;
  #turn: Promise<unknown> = Promise.resolve();
  #sent: string;
  #location: RootLocation | undefined;
  #level = 0;
  #losses = 0;
  #lostAt = -Infinity;
  #unsaved = true;
  #trouble: Cause | undefined;
  #changes = 0;
  readonly #watchers = new Set<() => void>();
  /** The last save; undefined: it is done. */
  #saved: void | Promise<void> = undefined;

  #deps: RootDeps;
  /** When another request may have posted it; undefined: none has. */
  searchSpan: SearchSpan | undefined;
  failedSearches = 0;
  duplicateRisk: DuplicateRisk | undefined;
  /** Whether to post it again, even without a reply. */
  lost = false;
  /** When it was posted or updated last (monotonic milliseconds). */
  shownAt = -Infinity;
  /** Consecutive failed updates. */
  failures = 0;
  /** When the first of them was made (monotonic milliseconds). */
  failingSince: number | undefined;
  /** No update before (monotonic milliseconds). */
  notBefore = -Infinity;
  /** No update before this time (monotonic milliseconds): a late request of a former process would overwrite it. */
  notBeforeTakeOver = -Infinity;
  /** Digest of the last attempted update. */
  attempted = '';
  /** Why the chat refused less plain cards. It is reported when a plainer one was sent. */
  readonly #refusals: string[] = [];
  /** Digest of a card that the chat refused at every level. */
  #refused = '';

  constructor(key: string, state: RootState, context: RootDeps, place: RootPlace | undefined) {
    this.key = key;
    this.state = state;
    this.#deps = context;
    this.#sent = place?.sent ?? '';
    this.#location = place?.location;
  }

  get deps(): RootDeps {
    return this.#deps;
  }

  /** Another client has another configuration. The chat may take what it refused before. */
  set deps(deps: RootDeps) {
    if (deps.client !== this.client) {
      this.#refused = '';
      this.resetFailures();
    }
    this.#deps = deps;
  }

  get client(): RootClient {
    return this.#deps.client;
  }

  /** Of the desired state. */
  get digest(): string {
    return this.state.digest;
  }

  get hasEnded(): boolean {
    return isTerminal(this.state.status);
  }

  get location(): RootLocation | undefined {
    return this.#location;
  }

  get #cards(): Cards {
    return this.state.cards(this.#deps.plan);
  }

  /** A function that makes the card of the present state, at its level. A later change of the state does not change this card. */
  get card(): () => Card {
    return formAtLevel(this.#cards, this.#level);
  }

  /** The plainest card has none: a token without an app may not post metadata. */
  get mark(): RootMark | undefined {
    return this.#level > 0 && isLastLevel(this.#cards, this.#level)
      ? undefined
      : { key: this.key, status: this.state.status };
  }

  /** Digest of the state that the chat shows; `''`: not known. */
  get sent(): string {
    return this.#sent;
  }

  /** Why the last update has failed; undefined: it has not. */
  get trouble(): Cause | undefined {
    return this.#trouble;
  }

  set trouble(trouble: Cause | undefined) {
    this.#trouble = trouble;
    this.#changes++;
    for (const changed of this.#watchers) changed();
  }

  /** Calls a function when the chat shows another state than at this moment, or an update has failed since. */
  get onChange(): OnChange {
    const seen = this.#changes;
    return (changed) => {
      // Between this moment and the call.
      if (this.#changes !== seen) changed();
      this.#watchers.add(changed);
      return () => this.#watchers.delete(changed);
    };
  }

  /** Whether it needs a request. */
  get isStale(): boolean {
    if (this.#location === undefined) return this.lost;
    return this.isCardStale || this.notice !== undefined;
  }

  /** A reply of its own that is due. */
  get notice(): Notice | undefined {
    return this.state.notice?.(this.#deps.plan);
  }

  get isCardStale(): boolean {
    return this.digest !== this.#sent && this.digest !== this.#refused;
  }

  /** Adds an event. */
  apply(event: LifecycleEvent): void {
    if (this.state.apply(event)) this.#unsaved = true;
  }

  /** It was posted with the state of `digest`. */
  async posted(location: RootLocation, digest: string, now: number): Promise<void> {
    this.#locate(location);
    this.notBeforeTakeOver = -Infinity;
    this.shown(digest, now);
    await this.#save('now');
  }

  /** It was found in the channel. Only its status there is known. */
  async found(location: RootLocation, status: RootStatus | undefined): Promise<void> {
    this.#locate(location);
    const isNews = status !== undefined && this.state.found(status);
    if (isNews) this.#unsaved = true;
    this.#sent = isNews ? this.digest : '';
    await this.#save('now');
  }

  /** It shows the state of `digest` now. */
  shown(digest: string, now: number): void {
    this.#sent = digest;
    this.#unsaved = true;
    this.shownAt = now;
    this.failures = 0;
    this.trouble = undefined;
    for (const why of this.#refusals.splice(0)) {
      const message = `${why}; a plainer status card of the thread was sent instead`;
      this.#deps.degraded({ reason: 'RejectedByReceiver', message });
    }
  }

  /** Its message is gone or cannot be edited: it will be posted again. False: that happened too often, so it keeps its location for a while. */
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

  /** An earlier process has posted it here. */
  located(location: RootLocation): void {
    if (this.#location === undefined) this.#locate(location);
  }

  /** Does not try the last request again. */
  giveUp(): void {
    if (!this.isCardStale) this.notice?.posted();
    this.failures = 0;
    this.lost = false;
    this.#refused = this.attempted;
  }

  /** There is a new state or configuration, which may succeed. */
  resetFailures(): void {
    this.failures = 0;
    this.notBefore = -Infinity;
  }

  /** In another channel than the configured one it is another root. After a restart the chat's name of the channel is known from it. */
  useChannel(): void {
    const { client } = this;
    if (this.#location !== undefined && this.#location.asked !== client.channel) this.forgetLocation();
    if (this.#location !== undefined) client.chat = this.#location.channel;
  }

  forgetLocation(): void {
    this.client.forget?.(this.key);
    this.#location = undefined;
    this.#sent = '';
    this.#unsaved = true;
  }

  /** After a refusal the next card is plainer. False: there is none. */
  fallBack(why: string): boolean {
    if (isLastLevel(this.#cards, this.#level)) return false;
    this.#level++;
    this.#refusals.push(why);
    return true;
  }

  /** Runs one function at a time: a root must not be posted twice. */
  exclusively<T>(run: () => Promise<T>): Promise<T> {
    const turn = this.#turn.then(run);
    this.#turn = turn.catch(() => undefined);
    return turn;
  }

  /** Saves its changes. Nothing waits for it. */
  saveLater(): void {
    if (this.#unsaved) void this.#save('later');
  }

  /** Whether a change is not saved yet. */
  get hasUnsaved(): boolean {
    return this.#unsaved || this.#saved !== undefined;
  }

  /** Resolves when all changes until now are saved. `now`: replies wait for it; `soon`: a card does. */
  async saveChanges(priority: 'now' | 'soon'): Promise<void> {
    if (this.#unsaved) void this.#save(priority);
    const saved = this.#saved;
    await saved;
    if (this.#saved === saved) this.#saved = undefined;
  }

  #save(priority: SavePriority): void | Promise<void> {
    this.#unsaved = false;
    return (this.#saved = this.state.save({ sent: this.#sent, location: this.#location }, priority));
  }

  #locate(location: RootLocation): void {
    this.#location = location;
    this.searchSpan = undefined;
    this.lost = false;
  }
}
