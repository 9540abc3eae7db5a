import { isDeepStrictEqual } from 'node:util';
import type { Logger } from 'pino';
import type { Clock } from '../clock.ts';
import { TokenBucket } from '../cluster/bucket.ts';
import type { Pause, Setback, Settlement } from '../dispatch/delivery.ts';
import type { Condition, Notification, NotificationStatus, SinkStatus } from '../resources/notification.ts';
import type { SinkAddress } from '../resources/sink-address.ts';
import type { Trouble } from '../journal/plan-journal.ts';
import { SILENT_DROPS } from './drops.ts';
import { Looks } from './looks.ts';
import { LASTING, OF_THE_SINK, type Notice } from '../sinks/notice.ts';
import type { EventKind } from '../resources/kinds.ts';
import {
  afterSetback,
  afterSettlement,
  durableCondition,
  isFine,
  pauseInWords,
  readyCondition,
  statusOf,
  whileThrottled,
  type LastFailure,
  type Said,
  type SinkCheck,
} from './status.ts';

export interface StandingsOptions {
  readonly clock: Clock;
  readonly log: Logger;
  readonly matched: (notification: Notification) => number;
  /** Looks at a sink; must not reject. */
  readonly check: (to: SinkAddress) => Promise<SinkCheck>;
  /** Hands a status to the writer, which debounces and skips what is known. */
  readonly write: (notification: Notification, status: NotificationStatus) => void;
  /** Tells the writer what stands there, as the watch shows it. */
  readonly observed: (notification: Notification) => void;
  /** Sinks that are looked at in a second, in the long run. A delivery's own look at its secret is none of these. */
  readonly looksPerSecond: number;
  readonly recheckUnreadyMs: number;
  readonly recheckReadyMs: number;
}

interface Entry {
  notification: Notification;
  /** What the last look found; of the generation that it names. */
  ready: Condition | undefined;
  durable: Condition;
  checks: ReadonlyMap<string, SinkCheck>;
  /** What deliveries told, by sink, then by kind of event or, where it is said of the sink, by reason. */
  readonly notices: Map<string, Map<string, Notice>>;
  /** Why the last send of a sink failed; until a message arrives. */
  readonly failures: Map<string, LastFailure>;
  readonly sinks: Map<string, SinkStatus>;
  /** How many deliveries were dropped since the last success, by sink and reason. */
  readonly losses: Map<string, Map<string, number>>;
  /** Sinks of this generation of which the log says that their template has no effect. */
  readonly templatesIgnored: Set<string>;
  /** Whether a status was handed to the writer, which knows from then on what stands there. */
  written: boolean;
  /** Rises with every look, so that a look that was overtaken is not believed. */
  look: number;
  cancelRecheck: (() => void) | undefined;
}

/** Notifications whose sinks are looked at at the same time. */
const LOOKS = 4;
/** Sinks that are looked at without a pause after a quiet time. */
const LOOKS_BURST = 20;
/** Statuses that are made in one turn of the event loop. */
const SLICE = 100;

/**
 * How each notification stands: what its status is made of, kept up to date and handed to the writer. A change only
 * marks; the status is made in a later turn, however many changes there were.
 */
export class Standings {
  readonly #options: StandingsOptions;
  readonly #entries = new Map<string, Entry>();
  readonly #changed = new Set<Entry>();
  /** Why journals cannot be written, by namespace. */
  readonly #troubles = new Map<string, Trouble>();
  readonly #looks = new Looks(LOOKS);
  readonly #pace: TokenBucket;
  readonly #stop = new AbortController();
  #scheduled = false;

  constructor(options: StandingsOptions) {
    this.#options = options;
    this.#pace = new TokenBucket(options.clock, options.looksPerSecond, LOOKS_BURST);
  }

  /**
   * A notification that is new or has changed. Its sinks are looked at when its spec did; soon when it is `fresh`
   * (it came while we watch), else when its turn comes.
   */
  set(notification: Notification, fresh: boolean): void {
    const key = keyOf(notification.namespace, notification.name);
    const before = this.#entries.get(key);
    if (before?.notification.uid === notification.uid) {
      const respecified = before.notification.generation !== notification.generation;
      before.notification = notification;
      before.durable = { ...before.durable, observedGeneration: notification.generation };
      if (before.written) this.#options.observed(notification);
      for (const sink of before.sinks.keys())
        if (!notification.sinks.some(({ name }) => name === sink)) before.sinks.delete(sink);
      for (const sink of before.losses.keys())
        if (!notification.sinks.some(({ name }) => name === sink)) before.losses.delete(sink);
      if (respecified) {
        before.notices.clear();
        before.failures.clear();
      }
      if (respecified) before.templatesIgnored.clear();
      if (respecified) this.#look(before, fresh);
      this.#mark(before);
      return;
    }
    before?.cancelRecheck?.();
    const { status } = notification;
    const entry: Entry = {
      notification,
      ready: status.conditions?.find(({ type }) => type === 'Ready'),
      durable: durableCondition(
        notification,
        this.#troubles.get(notification.namespace),
        status.conditions?.find(({ type }) => type === 'Durable'),
        this.#options.clock.now(),
      ),
      checks: new Map(),
      notices: new Map(),
      failures: new Map(),
      sinks: new Map(status.sinks?.map((sink) => [sink.name, sink])),
      losses: new Map(),
      templatesIgnored: new Set(),
      written: false,
      look: 0,
      cancelRecheck: undefined,
    };
    this.#entries.set(key, entry);
    this.#look(entry, fresh);
    this.#mark(entry);
  }

  delete({ namespace, name }: Notification): void {
    const entry = this.#entries.get(keyOf(namespace, name));
    if (entry === undefined) return;
    entry.cancelRecheck?.();
    this.#changed.delete(entry);
    this.#entries.delete(keyOf(namespace, name));
  }

  /** Whether what is accepted in a namespace is kept; why not. */
  durable(namespace: string, trouble: Trouble | undefined): void {
    if (trouble === undefined) this.#troubles.delete(namespace);
    else this.#troubles.set(namespace, trouble);
    for (const entry of this.#entries.values()) {
      if (entry.notification.namespace !== namespace) continue;
      const now = this.#options.clock.now();
      entry.durable = durableCondition(entry.notification, trouble, entry.durable, now);
      this.#mark(entry);
    }
  }

  /** Other plans match now. */
  rematched(namespace: string, name: string): void {
    const entry = this.#entries.get(keyOf(namespace, name));
    if (entry !== undefined) this.#mark(entry);
  }

  /** It is known now which plans there are: every count may be another. */
  rematchedAll(): void {
    for (const entry of this.#entries.values()) this.#mark(entry);
  }

  settled(settlement: Settlement): void {
    const { to, event, noticed, result, reason, message } = settlement;
    if (result === 'failed') this.#failed(to, { reason, message, kind: 'failing' });
    else if (result === 'delivered') this.#arrived(to, event.kind, noticed);
    else if (result === 'dropped') this.#lost(to, reason);
    this.#update(to, (before) => afterSettlement(before, settlement, this.#options.clock.now()));
  }

  /** A send has failed, and its delivery waits. */
  putOff(to: SinkAddress, setback: Setback): void {
    const { kind, begun, reason, message } = setback;
    const lasting = kind === 'quarantined';
    this.#failed(to, { reason, message, kind: lasting ? 'lasting' : 'failing' });
    this.#update(to, (before) => afterSetback(before, setback, this.#options.clock.now()));
    // Its secret may be another one by now.
    const entry = begun && lasting ? this.#listing(to) : undefined;
    if (entry !== undefined) this.#look(entry, false);
  }

  #lost(to: SinkAddress, reason: string): void {
    const entry = SILENT_DROPS.has(reason) ? undefined : this.#listing(to);
    if (entry === undefined) return;
    const losses = entry.losses.get(to.sink) ?? new Map<string, number>();
    entry.losses.set(to.sink, losses.set(reason, (losses.get(reason) ?? 0) + 1));
    this.#mark(entry);
  }

  /** A message of this kind arrived, but not as the user wished for. */
  noticed(to: SinkAddress, event: EventKind, notice: Notice): void {
    const entry = this.#listing(to);
    if (entry === undefined) return;
    const notices = entry.notices.get(to.sink) ?? new Map<string, Notice>();
    const about = OF_THE_SINK.has(notice.reason) ? notice.reason : event;
    entry.notices.set(to.sink, notices.set(about, notice));
    this.#judge(entry);
  }

  /** A sink's configuration or template is another one: what was told of the old one is of no interest. */
  renewed(to: SinkAddress): void {
    const entry = this.#listing(to);
    if (entry === undefined) return;
    const changed = [entry.notices.delete(to.sink), entry.failures.delete(to.sink)];
    if (changed.includes(true)) this.#judge(entry);
  }

  #failed(to: SinkAddress, failure: LastFailure): void {
    const entry = this.#listing(to);
    if (entry === undefined) return;
    const { failures } = entry;
    if (isDeepStrictEqual(failures.get(to.sink), failure)) return;
    failures.set(to.sink, failure);
    this.#judge(entry);
  }

  #arrived(to: SinkAddress, event: EventKind, noticed: boolean): void {
    const entry = this.#listing(to);
    if (entry === undefined) return;
    entry.losses.delete(to.sink);
    let changed = entry.failures.delete(to.sink);
    const notices = noticed ? undefined : entry.notices.get(to.sink);
    for (const [about, { reason }] of notices ?? [])
      if ((about === event || OF_THE_SINK.has(reason)) && !LASTING.has(reason))
        changed = notices?.delete(about) === true || changed;
    if (changed) this.#judge(entry);
  }

  /** The condition, from what is known; nothing before the first look. */
  #judge(entry: Entry): void {
    const { notification, checks, ready } = entry;
    if (checks.size === 0) return;
    const now = this.#options.clock.now();
    const generation = ready?.observedGeneration ?? notification.generation;
    entry.ready = {
      ...readyCondition(notification, checks, saidOf(entry), ready, now),
      observedGeneration: generation,
    };
    this.#mark(entry);
    if (!isFine(entry.ready) && (ready === undefined || isFine(ready))) this.#lookAgain(entry);
  }

  #listing({ namespace, notification, sink }: SinkAddress): Entry | undefined {
    const entry = this.#entries.get(keyOf(namespace, notification));
    return entry?.notification.sinks.some(({ name }) => name === sink) === true ? entry : undefined;
  }

  /** A receiver asked for a pause that is worth a word. */
  paused(to: SinkAddress, pause: Pause): void {
    const before = this.#listing(to)?.failures.get(to.sink);
    // What has to be mended is told first.
    if (before?.kind !== 'lasting')
      this.#failed(to, { reason: pause.reason, message: pauseInWords(pause), kind: 'throttled' });
  }

  /** A receiver asked for a pause. */
  throttled(to: SinkAddress, reason: string, message: string): void {
    this.#update(to, (before) => whileThrottled(before, reason, message));
  }

  #update(to: SinkAddress, change: (before: SinkStatus) => SinkStatus): void {
    const entry = this.#listing(to);
    if (entry === undefined) return;
    const { sink } = to;
    const before = entry.sinks.get(sink) ?? { name: sink, consecutiveFailures: 0 };
    const after = change(before);
    if (after === before) return;
    entry.sinks.set(sink, after);
    this.#mark(entry);
  }

  /** Hands what is marked to the writer, and ends every timer. */
  close(): void {
    for (const entry of this.#changed) this.#write(entry);
    this.#changed.clear();
    this.#stop.abort();
    this.#looks.clear();
    for (const entry of this.#entries.values()) entry.cancelRecheck?.();
    this.#entries.clear();
  }

  #mark(entry: Entry): void {
    this.#changed.add(entry);
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      this.#writeSome();
    });
  }

  #writeSome(): void {
    let left = SLICE;
    for (const entry of this.#changed) {
      if (left-- === 0) {
        this.#mark(entry);
        return;
      }
      this.#changed.delete(entry);
      this.#write(entry);
    }
  }

  #write(entry: Entry): void {
    const { notification } = entry;
    const status = statusOf({ ...entry, matched: this.#options.matched(notification) });
    // After a restart most statuses are as they should be: nothing is written then.
    if (!entry.written && isDeepStrictEqual(status, notification.status)) return;
    entry.written = true;
    this.#options.write(notification, status);
  }

  /** Reads every sink's secret and configuration, and again after a while. */
  #look(entry: Entry, urgent: boolean): void {
    entry.cancelRecheck?.();
    entry.cancelRecheck = undefined;
    const look = ++entry.look;
    const { notification } = entry;
    const { namespace, name, sinks } = notification;
    const isCurrent = (): boolean =>
      entry.look === look && this.#entries.get(keyOf(namespace, name)) === entry;
    this.#looks.add(async () => {
      try {
        const checks = new Map<string, SinkCheck>();
        for (const { name: sink } of sinks) {
          await this.#pace.take(this.#stop.signal);
          if (!isCurrent()) return;
          checks.set(sink, await this.#options.check({ namespace, notification: name, sink }));
        }
        if (isCurrent()) this.#looked(entry, notification, checks);
      } catch (error) {
        this.#options.log.error(
          { err: error, notification: keyOf(namespace, name) },
          'fault in a look at sinks',
        );
      }
    }, urgent);
  }

  #looked(entry: Entry, notification: Notification, checks: ReadonlyMap<string, SinkCheck>): void {
    const { clock } = this.#options;
    if (entry.ready !== undefined && isInconclusive(checks)) {
      // What stands there is kept.
      this.#lookAgain(entry, true);
      return;
    }
    this.#tellNews(notification, entry.checks, checks);
    this.#tellIgnored(entry, checks);
    entry.checks = checks;
    entry.ready = readyCondition(notification, checks, saidOf(entry), entry.ready, clock.now());
    this.#mark(entry);
    this.#lookAgain(entry);
  }

  /** Sooner while somebody has something to mend: they want to see that they did. */
  #lookAgain(entry: Entry, soon = entry.ready === undefined || !isFine(entry.ready)): void {
    const { clock, recheckReadyMs, recheckUnreadyMs } = this.#options;
    entry.cancelRecheck?.();
    entry.cancelRecheck = clock.after(soon ? recheckUnreadyMs : recheckReadyMs, () => {
      this.#look(entry, false);
    });
  }

  #tellNews(
    { namespace, name }: Notification,
    before: ReadonlyMap<string, SinkCheck>,
    checks: ReadonlyMap<string, SinkCheck>,
  ): void {
    const { log } = this.#options;
    for (const [sink, check] of checks) {
      const known = before.get(sink);
      const where = { notification: keyOf(namespace, name), sink };
      if (check.ok) {
        if (known?.ok === false) log.info(where, 'sink is ready again');
      } else if (known?.ok !== false || known.message !== check.message)
        log.warn({ ...where, reason: check.reason, detail: check.message }, 'sink is not ready');
    }
  }

  /** Once for each generation of a notification. */
  #tellIgnored({ notification, templatesIgnored }: Entry, checks: ReadonlyMap<string, SinkCheck>): void {
    const { namespace, name } = notification;
    for (const [sink, check] of checks) {
      if (!check.ok || check.templateIgnored === undefined || templatesIgnored.has(sink)) continue;
      templatesIgnored.add(sink);
      const where = { notification: keyOf(namespace, name), sink };
      this.#options.log.info({ ...where, detail: check.templateIgnored }, 'custom template ignored');
    }
  }
}

/** Whether some sinks could not be looked at, and all others are well. */
function isInconclusive(checks: ReadonlyMap<string, SinkCheck>): boolean {
  const bad = [...checks.values()].filter((check) => !check.ok);
  return bad.length > 0 && bad.every(({ unavailable }) => unavailable === true);
}

const saidOf = ({ notices, failures }: Entry): Said => ({
  notices: (sink) => notices.get(sink)?.values() ?? [],
  failure: (sink) => failures.get(sink),
});

const keyOf = (namespace: string, name: string): string => `${namespace}/${name}`;
