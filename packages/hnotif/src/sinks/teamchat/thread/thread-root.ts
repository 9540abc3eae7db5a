import type { LifecycleEvent } from '../../../lifecycle/event.ts';
import type { PlanView } from '../../../resources/plan-view.ts';
import type { Notice } from '../../notice.ts';
import type { Desk } from './desk.ts';
import type { Span } from './history.ts';
import { isPlainest } from './ladder.ts';
import { markRoot, type Metadata, rootId, rootMarker } from './marker.ts';
import { digestOf, ended, fold, type Root, type RootStatus } from './root.ts';
import type { Doubt } from './search.ts';
import type { Place, RootRecord, RootStore } from './store.ts';

/** Who speaks for a root, and of what; the newest delivery's counts. */
export interface Voice {
  readonly desk: Desk;
  readonly plan: PlanView;
  readonly notice: (notice: Notice) => void;
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
  #wanted: Root;
  #digest: string;
  #sent: string;
  #place: Place | undefined;
  #rung = 0;
  #losses = 0;
  #lostAt = -Infinity;
  #unsaved = true;

  voice: Voice;
  /** When it may have been posted without our knowing; undefined: it was not. */
  lookFor: Span | undefined;
  /** Looks for it in a row that failed. */
  failedLooks = 0;
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
  calmAt = -Infinity;
  /** Digest of what the last update was to show. */
  tried = '';
  /** Why the chat refused cards that were less plain: told when a plainer one stands. */
  readonly #refusals: string[] = [];
  /** Digest of what the chat refuses to show. */
  #refused = '';

  constructor(
    key: string,
    event: LifecycleEvent,
    voice: Voice,
    record: RootRecord | undefined,
    store: RootStore | undefined,
  ) {
    this.key = key;
    this.id = rootId(key);
    this.voice = voice;
    this.#store = store;
    this.#wanted = fold(record?.wanted, event);
    this.#digest = digestOf(this.#wanted);
    this.#sent = record?.sent ?? '';
    this.#place = record?.place;
  }

  get desk(): Desk {
    return this.voice.desk;
  }

  get wanted(): Root {
    return this.#wanted;
  }

  /** Of what it should show. */
  get digest(): string {
    return this.#digest;
  }

  get place(): Place | undefined {
    return this.#place;
  }

  /** Steps down the ladder of its cards. */
  get rung(): number {
    return this.#rung;
  }

  /** The plainest card has none: a token that belongs to no app may not post any. */
  get metadata(): Metadata | undefined {
    return this.#rung > 0 && isPlainest(this.desk.cards, this.#rung)
      ? undefined
      : markRoot(this.id, this.#wanted.status);
  }

  /** Whether there is something to do for it besides replies. */
  get stale(): boolean {
    if (this.#place === undefined) return this.lost;
    return this.#digest !== this.#sent && this.#digest !== this.#refused;
  }

  /** One more event. An old one, or one that was folded already, changes nothing. */
  fold(event: LifecycleEvent): void {
    this.#want(fold(this.#wanted, event));
  }

  /** It was posted, showing what `digest` stands for. */
  async placed(place: Place, digest: string, now: number): Promise<void> {
    this.#stands(place);
    this.calmAt = -Infinity;
    await this.shown(digest, now);
  }

  /** It was found in the channel with a status; what else it shows there is not known. */
  async found(place: Place, status: RootStatus | undefined): Promise<void> {
    this.#stands(place);
    const before = this.#wanted;
    if (status !== undefined) this.#want(ended(before, status));
    this.#sent = this.#wanted === before ? '' : this.#digest;
    await this.save();
  }

  async shown(digest: string, now: number): Promise<void> {
    this.#sent = digest;
    this.shownAt = now;
    this.failures = 0;
    for (const why of this.#refusals.splice(0)) {
      const message = `${why}; a plainer status card of the thread was sent instead`;
      this.voice.notice({ reason: 'RejectedByReceiver', message });
    }
    await this.save();
  }

  /** It is gone or frozen, and wants another place. False: that happened too often, and the place stays for a while. */
  lose(now: number): boolean {
    if (this.#losses >= LOSSES && now - this.#lostAt < LOSS_PAUSE_MS) {
      this.notBefore = this.#lostAt + LOSS_PAUSE_MS;
      return false;
    }
    this.#losses++;
    this.#lostAt = now;
    this.leave();
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
  hope(): void {
    this.failures = 0;
    this.notBefore = -Infinity;
  }

  /** Its place does not count any more. */
  leave(): void {
    this.desk.history.forget(rootMarker(this.id));
    this.#place = undefined;
    this.#sent = '';
    this.#unsaved = true;
  }

  /** The chat refuses its card: the next one is plainer. False: there is none. */
  stepDown(why: string): boolean {
    if (isPlainest(this.desk.cards, this.#rung)) return false;
    this.#rung++;
    this.#refusals.push(why);
    return true;
  }

  /** One at a time: a root is never posted by two. */
  alone<T>(run: () => Promise<T>): Promise<T> {
    const turn = this.#turn.then(run);
    this.#turn = turn.catch(() => undefined);
    return turn;
  }

  /** Saves what is wanted, where that is new. */
  async keep(): Promise<void> {
    if (this.#unsaved) await this.save();
  }

  async save(): Promise<void> {
    this.#unsaved = false;
    await this.#store?.save(this.key, { wanted: this.#wanted, sent: this.#sent, place: this.#place });
  }

  #stands(place: Place): void {
    this.#place = place;
    this.lookFor = undefined;
    this.lost = false;
  }

  #want(wanted: Root): void {
    if (wanted === this.#wanted) return;
    this.#wanted = wanted;
    this.#digest = digestOf(wanted);
    this.#unsaved = true;
  }
}
