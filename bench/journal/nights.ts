import { pino } from 'pino';
import { systemClock } from '@hnotif/core/clock';
import { JournalStore } from '../../packages/hnotif/src/cluster/journal-store.ts';
import { Intake, type IntakeOptions } from '../../packages/hnotif/src/controller/intake.ts';
import { CONTROLLER_DEFAULTS } from '../../packages/hnotif/src/controller/options.ts';
import type { Settlement } from '../../packages/hnotif/src/dispatch/delivery.ts';
import { Journals } from '../../packages/hnotif/src/journal/journals.ts';
import type { DerivedEvent } from '@hnotif/core/lifecycle';
import { createMetrics } from '../../packages/hnotif/src/observe/metrics.ts';
import { DEFAULT_API_GROUP, EVENT_KINDS, type Notification, type Plan } from '@hnotif/core/resources';
import type { TemplatePool } from '../../packages/hnotif/src/template-pool/pool.ts';
import { Routes } from '@hnotif/core/routing';
import type { Kind } from '../kinds.ts';
import { startService, type Service } from '../service.ts';
import type { Cluster } from './cluster.ts';
import { NAMESPACE } from './plans.ts';

/** The API server of the journals. Undefined: there are no journals, and events are delivered at once. */
type JournalTarget = { readonly cluster: Cluster; readonly instance: string } | undefined;

export interface Writes {
  readonly count: number;
  /** The total number of characters of their texts. */
  readonly characters: number;
}

/** The path from a plan's change to the receiver, connected as in the service. */
export interface Nights {
  /** A plan's change. `known`: the plan existed before the start. */
  changed(plan: Plan, known: boolean): void;
  readonly writes: () => Writes;
  /** Resolves when nothing is left to write. */
  flush(): Promise<void>;
  stop(): Promise<void>;
}

interface NightsOptions {
  readonly origin: string;
  /** The type of all sinks. */
  readonly kind: Kind;
  /** Runs custom templates. */
  readonly templates: TemplatePool;
  readonly target: JournalTarget;
  /** Called for each derived event, with its number of sinks. */
  readonly derived: (event: DerivedEvent, sinks: number) => void;
  /** Called with the settlements of deliveries. */
  readonly settled: (settlement: Settlement) => void;
}

/** The number of notifications. Each matches all plans and has one sink. */
const SINKS = 2;
/** A share of the client's 50 requests a second, as in the service. */
const LAZY_PER_SECOND = 25;

const log = pino({ level: 'silent' });
const metrics = createMetrics('0.0.0');

export function startNights({ origin, kind, templates, target, derived, settled }: NightsOptions): Nights {
  const routes = new Routes();
  for (let index = 0; index < SINKS; index++) routes.setNotification(aNotification(index, kind));
  const service = startService({
    origin,
    kindOf: () => kind,
    templates,
    memory: target && {
      load: (at) => journalled?.journals.load(at),
      save: (at, value, priority) => journalled?.journals.save(at, value, priority),
    },
    settled(settlement) {
      journalled?.journals.settled(settlement);
      settled(settlement);
    },
  });
  const journalled = target && journalsOf(target, service);
  const journals = journalled?.journals ?? withoutJournals(service);
  const intake = new Intake({
    ...{ clock: systemClock, log, metrics, routes },
    journals: {
      recall: (plan) => journals.recall(plan),
      begin: (live) => {
        journals.begin(live);
      },
      has: (uid) => journals.has(uid),
      written: (uid) => journals.written(uid),
      deleted: (uid) => {
        journals.deleted(uid);
      },
      accept(live, observed, events, isMatched) {
        for (const { event, to } of events) derived(event, to.length);
        journals.accept(live, observed, events, isMatched);
      },
    },
    installedAt: undefined,
    failureAfterMs: CONTROLLER_DEFAULTS.failureAfterMs,
    newEpoch: () => 'epoch',
  });
  return {
    changed(plan, known) {
      routes.setPlan(plan);
      intake.changed(plan, known);
    },
    writes: () => ({ ...(journalled?.writes ?? { count: 0, characters: 0 }) }),
    flush: async () => journalled?.journals.flush(),
    async stop() {
      intake.close();
      await service.stop();
      await journalled?.journals.flush();
      journalled?.journals.close();
    },
  };
}

function journalsOf({ cluster, instance }: NonNullable<JournalTarget>, { dispatcher }: Service) {
  const store = new JournalStore(cluster.client, DEFAULT_API_GROUP);
  const writes = { count: 0, characters: 0 };
  const trouble = (what: string) => (): never => {
    throw new Error(what);
  };
  const journals = new Journals({
    ...{ clock: systemClock, log, instance },
    writer: { holder: 'bench', term: 1 },
    lazyPerSecond: LAZY_PER_SECOND,
    async write(journal, signal) {
      writes.count++;
      writes.characters += lengthOf(journal.plans);
      return store.write(journal, signal);
    },
    remove: (journal, signal) => store.remove(journal, signal),
    fenced: trouble('another process wrote'),
    listener: {
      appended: () => {},
      released: () => {},
      rebase: trouble('a plan was derived again'),
      memoryFound: trouble('a sink has a value of an earlier process'),
      endingFound: trouble('a delivery ended in an earlier process'),
      journalUnreadable: trouble('a journal could not be read'),
      planReleased: trouble('a journal was deleted'),
      durabilityChanged(_, refused) {
        if (refused !== undefined) throw new Error(`a journal could not be written: ${refused.message}`);
      },
    },
  });
  journals.deliverTo(dispatcher);
  return { journals, writes };
}

/** Characters of the texts in a value. Encoding everything once more would count as a cost of journals. */
function lengthOf(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  let length = 0;
  for (const each of Object.values(value)) length += lengthOf(each);
  return length;
}

/** Replaces the journals: events are delivered at once. */
function withoutJournals({ accept }: Service): IntakeOptions['journals'] {
  return {
    recall: () => ({ kind: 'nothing' }),
    begin: () => {},
    has: () => true,
    written: () => Promise.resolve(),
    deleted: () => {},
    accept(live, _, events) {
      accept(live, events);
    },
  };
}

const aNotification = (index: number, { type }: Kind): Notification => ({
  namespace: NAMESPACE,
  name: `night-watch-${index}`,
  uid: `night-watch-${index}`,
  resourceVersion: '1',
  generation: 1,
  selector: { matchLabels: { team: 'payments' }, matchExpressions: [] },
  onEvents: EVENT_KINDS,
  sinks: [{ name: 'audit', type, secretRef: { name: 'audit' }, templateRef: undefined }],
  status: {},
});
