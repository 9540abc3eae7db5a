import type { Logger } from 'pino';
import { nextTurn, sleep, type Clock } from '@hnotif/core/clock';
import {
  keyOf,
  type Notification,
  suspensionAt,
  parseReplay,
  REPLAY_REASONS,
  type ReplayReason,
  type ReplayRequest,
  type ReplayStatus,
} from '@hnotif/core/resources';
import { WorkQueue } from '@hnotif/core/fair';
import type { PlanJournal } from '../journal/plan-journal.ts';
import { linesOf } from '../journal/outcomes.ts';
import { replayOf } from '../journal/replay.ts';
import { formatSeconds } from '@hnotif/core/lifecycle';
import type { Routes } from '@hnotif/core/routing';
import type { StatusTracker } from '../status/status-tracker.ts';
import type { Intake } from './intake.ts';
import type { NotificationEvents } from './notification-events.ts';
import type { Watches } from './watches.ts';

export interface ReplaysOptions {
  readonly clock: Clock;
  /** The API server's time (milliseconds since the epoch), by which suspensions end. */
  readonly serverNow: () => number;
  readonly log: Logger;
  readonly watches: Pick<Watches, 'whenListed' | 'plans' | 'notifications'>;
  readonly routes: Pick<Routes, 'for'>;
  readonly intake: Pick<Intake, 'again' | 'observedOf'>;
  readonly journals: { of(planUid: string): Pick<PlanJournal, 'state' | 'persistOutcomes'> | undefined };
  readonly statusTracker: Pick<StatusTracker, 'replayed'>;
  readonly events: Pick<NotificationEvents, 'warn' | 'inform'>;
}

type Answer = Pick<ReplayStatus, 'reason' | 'message' | 'sent' | 'deliveries'>;

/** Requests that are carried out at once. Namespaces take turns, and one alone has half: each waits until a journal is written. */
const WORKERS = 4;
/** Each of them rests after a request (milliseconds): a plan with thousands of targets is much work, and a tenant may ask again and again. */
export const REST_MS = 500;

/**
 * Carries out the replays that annotations of notifications ask for. The answer is in the status, with the request: so each is carried out
 * once, and again after a kill before the status was written. What is sent again takes the way of all events: journal, backlog, limits.
 */
export class Replays {
  readonly #options: ReplaysOptions;
  readonly #queue: WorkQueue<string>;
  /** The requests of this process, by the uid of the notification. Their answers may not be in a status yet. */
  readonly #done = new Map<string, string>();
  /** Replays that are not stored yet, and whether the journal took over the entry of another process meanwhile. */
  readonly #unstored = new Set<{ readonly planUid: string; isGone: boolean }>();
  readonly #stop = new AbortController();
  /** The turn of the event loop that was taken last. */
  #turn = Promise.resolve();

  constructor(options: ReplaysOptions) {
    this.#options = options;
    this.#queue = new WorkQueue({
      clock: options.clock,
      workers: WORKERS,
      isShared: true,
      ownerOf: (key) => key.slice(0, key.indexOf('/')),
      work: (key) => this.#work(key),
    });
  }

  /** A notification is new or has changed. */
  changed(notification: Notification): void {
    if (!this.#isAsked(notification)) return;
    void this.#options.watches.whenListed(notification.namespace).then(() => {
      this.#queue.add(keyOf(notification));
    });
  }

  deleted(notification: Notification): void {
    this.#done.delete(notification.uid);
  }

  /** A journal took over the entry of another process: what was not stored is gone. */
  rebased(planUid: string): void {
    for (const replay of this.#unstored) replay.isGone ||= replay.planUid === planUid;
  }

  close(): void {
    this.#stop.abort();
    void this.#queue.close();
  }

  #isAsked({ replay, status, uid }: Notification): boolean {
    return replay !== undefined && replay !== status.replay?.request && replay !== this.#done.get(uid);
  }

  async #work(key: string): Promise<void> {
    const { clock, log, events, statusTracker, watches } = this.#options;
    const [namespace = '', name = ''] = key.split('/');
    const notification = watches.notifications.get(namespace, name);
    if (notification?.replay === undefined || !this.#isAsked(notification)) return;
    const { replay: request, uid } = notification;
    this.#done.set(uid, request);
    const answer = await this.#answer(notification, request).catch((error: unknown): Answer => {
      log.error({ err: error, notification: key }, 'internal error in a replay');
      return refused('Internal');
    });
    const { reason, message, sent } = answer;
    log.info({ notification: key, reason, detail: message, deliveries: sent }, 'replay');
    statusTracker.replayed(notification, { request, at: formatSeconds(clock.now()), ...answer });
    const to = { namespace, notification: name, sink: '' };
    if (answer.deliveries === undefined) events.warn(to, 'ReplayRefused', message, reason);
    else events.inform(to, reason, message);
    await sleep(clock, REST_MS, this.#stop.signal);
  }

  async #answer(notification: Notification, text: string): Promise<Answer> {
    const { routes, serverNow, watches } = this.#options;
    const { namespace, name, sinks } = notification;
    const request = parseReplay(text);
    if (typeof request === 'string') return refused('MalformedRequest', request);
    if (suspensionAt(notification, serverNow()) !== undefined) return refused('Muted');
    const plan = watches.plans.get(namespace, request.plan);
    if (plan === undefined)
      return refused('UnknownPlan', `plan ${request.plan}: ${REPLAY_REASONS.UnknownPlan}`);
    if (!routes.for(namespace, plan.name).some((other) => other.name === name)) return refused('NotMatched');
    if (request.sink !== undefined && !sinks.some((sink) => sink.name === request.sink))
      return refused('UnknownSink', `sink ${request.sink}: ${REPLAY_REASONS.UnknownSink}`);
    return this.#replay(notification, plan.uid, request);
  }

  /** Resolves when what is sent again is stored, or cannot be stored and is sent from memory. */
  async #replay(notification: Notification, planUid: string, request: ReplayRequest): Promise<Answer> {
    const { intake, journals, serverNow, watches } = this.#options;
    for (;;) {
      // One in a turn: for a plan with thousands of targets it is the work of some 40 ms.
      await (this.#turn = this.#turn.then(nextTurn));
      const plan = watches.plans.get(notification.namespace, request.plan);
      const observed = intake.observedOf(planUid);
      const known = journals.of(planUid)?.state;
      if (plan?.uid !== planUid || observed === undefined || known === undefined)
        return refused('NothingToReplay');
      const { again, rows } = replayOf({
        ...{ plan, observed, notification, request, now: serverNow() },
        outcomes: linesOf(known.outcomes),
        waits: (stream, id) => known.waits(stream, id),
      });
      const sent = again.reduce((sum, { to }) => sum + to.length, 0);
      if (rows.length === 0) return refused('NothingToReplay');
      if (sent === 0) return { ...done(request, sent, rows.length), deliveries: rows };
      const storing = { planUid, isGone: false };
      this.#unstored.add(storing);
      intake.again(planUid, again);
      await journals.of(planUid)?.persistOutcomes();
      this.#unstored.delete(storing);
      if (!storing.isGone) return { ...done(request, sent, rows.length), deliveries: rows };
    }
  }
}

const refused = (reason: ReplayReason, message: string = REPLAY_REASONS[reason]): Answer => ({
  ...{ reason, message, sent: 0 },
});

const done = ({ plan, dryRun }: ReplayRequest, sent: number, rows: number): Answer => ({
  reason: dryRun ? 'DryRun' : 'Replayed',
  message: dryRun
    ? `plan ${plan}: a dry run; nothing was sent`
    : `plan ${plan}: ${sent === 1 ? '1 delivery is' : `${sent} deliveries are`} sent again under the same ids; ${rows === 1 ? 'the row says' : `${rows} rows say`} what became of what was asked for`,
  sent,
});
