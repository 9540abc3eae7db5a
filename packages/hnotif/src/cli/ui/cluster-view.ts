import type { Logger } from 'pino';
import type { Clock } from '@hnotif/core/clock';
import {
  type ResourceType,
  type Metadata,
  type Notification,
  identityOf,
  ParseError,
  parseNotification,
  parsePlan,
  type Plan,
} from '@hnotif/core/resources';
import { Reflector } from '../../cluster/reflector.ts';
import type { Facts, PlanFacts } from '../../explain/facts.ts';
import { planKey } from '../../journal/conditions.ts';
import { readFound } from '../../journal/merge.ts';
import type { Leaders } from '../../explain/leader.ts';
import { ByName } from '../../status/by-name.ts';
import { factsOf, type Target } from '../facts.ts';
import { neededRight, type Session } from '../session.ts';
import { storedJournal, type StoredJournal } from '../stored-journal.ts';

/** What has changed, for the page. */
export interface ViewListener {
  planChanged(plan: Plan): void;
  planDeleted(plan: Plan): void;
  /** The entry of a plan in a journal has changed, or is gone. The plan may not be known yet. */
  entryChanged(namespace: string, uid: string): void;
  notificationChanged(namespace: string): void;
}

export interface ClusterViewOptions {
  readonly session: Session;
  readonly clock: Clock;
  readonly log: Logger;
  /** Undefined: all namespaces. */
  readonly namespace: string | undefined;
}

/** A notification that cannot be parsed. */
interface Unreadable extends Metadata {
  readonly why: ParseError;
}

function readNotification(raw: unknown): Notification | Unreadable {
  try {
    return parseNotification(raw);
  } catch (error) {
    if (error instanceof ParseError) return { ...identityOf(raw), why: error };
    throw error;
  }
}

/** Follows the plans, notifications and journals that the user may read. */
export class ClusterView {
  readonly #options: ClusterViewOptions;
  readonly #plans: Reflector<Plan>;
  readonly #notifications: Reflector<Notification | Unreadable>;
  readonly #journals: Reflector<StoredJournal>;
  /** The names of the journals with an entry of a plan, by namespace and uid of the plan. An entry that moves is in two of them for a moment. */
  readonly #holders = new Map<string, readonly string[]>();
  readonly #byNamespace = new ByName<Notification | Unreadable>();

  constructor(options: ClusterViewOptions) {
    this.#options = options;
    const { session } = options;
    this.#plans = this.#reflector(session.plans, parsePlan);
    this.#notifications = this.#reflector(session.notifications, readNotification);
    this.#journals = this.#reflector(session.journals, (raw) => this.#parseJournal(raw));
  }

  #reflector<T extends Metadata>(type: ResourceType, parse: (raw: unknown) => T): Reflector<T> {
    const { clock, log, namespace, session } = this.#options;
    return new Reflector({
      ...{ client: session.client, type, namespace, parse, clock, log },
      // People see the first plans while others are read.
      isEager: true,
    });
  }

  /** Begins to follow. `synced`: a first list is complete. */
  start(listener: ViewListener, synced: () => void = () => undefined): void {
    this.#plans.start({
      changed: (plan) => {
        listener.planChanged(plan);
      },
      deleted: (plan) => {
        listener.planDeleted(plan);
      },
      synced,
    });
    this.#notifications.start({
      changed: (notification) => {
        this.#byNamespace.set(notification);
        listener.notificationChanged(notification.namespace);
      },
      deleted: (notification) => {
        this.#byNamespace.delete(notification);
        listener.notificationChanged(notification.namespace);
      },
      synced,
    });
    this.#journals.start({
      changed: (journal, previous) => {
        this.#setJournal(listener, journal, previous);
      },
      deleted: (journal) => {
        this.#setJournal(listener, { ...journal, plans: new Map() }, journal);
      },
      synced,
    });
  }

  async stop(): Promise<void> {
    await Promise.all(this.#all.map((each) => each.stop()));
  }

  get #all() {
    return [this.#plans, this.#notifications, this.#journals] as const;
  }

  /** Whether everything was listed, or cannot be listed now. */
  get isSynced(): boolean {
    return this.#all.every(({ state }) => state !== 'starting');
  }

  /** What cannot be seen now, each in a sentence with the remedy. */
  get unseen(): readonly string[] {
    const { namespace, session } = this.#options;
    const where = namespace === undefined ? 'in all namespaces' : `in namespace ${namespace}`;
    const failing = [
      { type: session.plans, reflector: this.#plans },
      { type: session.notifications, reflector: this.#notifications },
      { type: session.journals, reflector: this.#journals },
    ].filter(({ reflector }) => reflector.error !== undefined);
    const forbidden = failing.filter(({ reflector }) => reflector.isForbidden);
    const others = failing.filter(({ reflector }) => !reflector.isForbidden);
    return [
      ...forbidden.map(({ type }) => `you may not see ${type.plural} ${where}: ask for ${neededRight(type)}`),
      ...(others.length === 0
        ? []
        : [
            `${others.map(({ type }) => type.plural).join(', ')}: what you see may be old; trying again (${others[0]?.reflector.error ?? ''})`,
          ]),
    ];
  }

  plan(namespace: string, name: string): Plan | undefined {
    return this.#plans.get(namespace, name);
  }

  plans(): Iterable<Plan> {
    return this.#plans.objects();
  }

  notificationsIn(namespace: string): readonly Notification[] {
    return [...this.#byNamespace.of(namespace)].filter(isReadable);
  }

  notifications(): readonly Notification[] {
    return [...this.#notifications.objects()].filter(isReadable);
  }

  /** A plan with what its journal keeps. */
  factsOf(plan: Plan): PlanFacts {
    // Of what was read before, the last state counts.
    const why = this.#journals.synced ? undefined : this.#journals.error;
    const holders = this.#holders.get(planKey(plan)) ?? [];
    const journals = holders.flatMap((name) => this.#journals.get(plan.namespace, name) ?? []);
    return { plan, journal: why ?? readFound(plan, journals).stored };
  }

  /** The facts about a plan, or about everything, by namespace. */
  facts(leaders: Leaders, now: number, target?: Target): readonly Facts[] {
    const all = [...this.#notifications.objects()];
    return factsOf(
      {
        notifications: all.filter(isReadable),
        invalid: all.flatMap((each) => (isReadable(each) ? [] : [each.why])),
        plans: [...this.#plans.objects()],
        journalOf: (plan) => this.factsOf(plan).journal,
        ...{ leaders, now },
      },
      target,
    );
  }

  /** Each change of a journal brings all of its entries. Those that have not changed are shared with the state before. */
  #parseJournal(raw: unknown): StoredJournal {
    const { namespace, name, uid } = identityOf(raw);
    const before = this.#journals.get(namespace, name);
    return storedJournal(raw, before?.uid === uid ? before : undefined);
  }

  #setJournal(
    listener: ViewListener,
    { name, namespace, plans }: StoredJournal,
    previous: StoredJournal | undefined,
  ): void {
    for (const uid of new Set([...(previous?.plans.keys() ?? []), ...plans.keys()])) {
      const id = planKey({ namespace, uid });
      const known = this.#holders.get(id) ?? [];
      if (plans.has(uid) !== known.includes(name)) {
        const holders = plans.has(uid) ? [...known, name] : known.filter((holder) => holder !== name);
        if (holders.length === 0) this.#holders.delete(id);
        else this.#holders.set(id, holders);
      }
      const entry = plans.get(uid);
      if (entry === undefined || entry !== previous?.plans.get(uid)) listener.entryChanged(namespace, uid);
    }
  }
}

const isReadable = (each: Notification | Unreadable): each is Notification => !('why' in each);
