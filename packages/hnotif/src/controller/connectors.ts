import type { Logger } from 'pino';
import { overflowOf } from '@hnotif/core/fair';
import {
  NO_CONNECTOR,
  permits,
  permittedTo,
  resolveConnector,
  type ConnectorLookup,
  type ConnectorPolicy,
  type Notification,
  type Execution,
  type Plan,
  type PlanTarget,
  type PlanView,
  type SinkAddress,
} from '@hnotif/core/resources';
import type { NotificationEvents } from './notification-events.ts';

interface ConnectorRightsOptions {
  /** The name of the cluster; `''`: it was not given. */
  readonly cluster: string;
  /** Which connectors of other namespaces plans may use. */
  readonly policy: ConnectorPolicy;
  /** The namespaces that are watched; empty: all. Connectors of other namespaces are not known. */
  readonly watched: readonly string[];
  readonly lookup: ConnectorLookup;
  readonly log: Logger;
  readonly events: Pick<NotificationEvents, 'warn'>;
}

/** The number of reports that are remembered. With more, the namespaces that have the most lose their oldest ones. */
const MAX_REPORTED = 10_000;

/**
 * Plans as sinks see them, with the connectors that they may use. A refused connector leaves fields of messages empty. This is reported
 * once: for each plan and notification with an Event, for each plan with a line in the log.
 */
export class ConnectorRights {
  readonly #options: ConnectorRightsOptions;
  /** The policy, without the namespaces that are not watched. */
  readonly #usable: ConnectorPolicy;
  /** The namespace of each report. The key is the uid of a plan (for the log), or that and a notification (for the Event). */
  readonly #reported = new Map<string, string>();

  constructor(options: ConnectorRightsOptions) {
    this.#options = options;
    const { policy, watched } = options;
    this.#usable = watched.length === 0 ? policy : watched.filter((namespace) => permits(policy, namespace));
  }

  view(plan: Plan, to: SinkAddress, facts: Facts = {}): PlanView {
    const { cluster, lookup } = this.#options;
    if (this.#usable === 'all') return planView(plan, lookup, facts, cluster);
    const refused = (namespace: string): void => {
      this.#report(plan, to, namespace);
    };
    return planView(plan, permittedTo(plan.namespace, this.#usable, lookup, refused), facts, cluster);
  }

  #report({ uid, namespace, name }: Plan, to: SinkAddress, other: string): void {
    const { events, log, policy } = this.#options;
    if (!this.#isNew(`${uid} ${to.notification}`, namespace)) return;
    const plan = `${namespace}/${name}`;
    const isPermitted = permits(policy, other);
    const reason = isPermitted ? NOT_WATCHED : NOT_PERMITTED;
    const why = isPermitted
      ? `a connector of namespace ${other} is not known, because hnotif does not watch that namespace`
      : `a connector of namespace ${other} may not be used by plans of namespace ${namespace}`;
    const flag = isPermitted ? '--watch-namespaces' : '--cross-namespace-connectors';
    const remedy = `use one of namespace ${namespace}, or have ${flag} name ${other}`;
    if (this.#isNew(uid, namespace))
      log.warn({ plan, reason, detail: why, remedy }, 'connector fields are left empty');
    const message = `plan ${name}: ${why}, so its fields are empty in messages; ${remedy}`;
    events.warn({ ...to, sink: '' }, reason, message, '');
  }

  /** Whether this was not reported yet. From now on it was. */
  #isNew(what: string, namespace: string): boolean {
    if (this.#reported.has(what)) return false;
    this.#reported.set(what, namespace);
    for (const [oldest] of overflowOf(this.#reported, MAX_REPORTED, (owner) => owner))
      this.#reported.delete(oldest);
    return true;
  }
}

const NOT_PERMITTED = 'ConnectorNotPermitted';
const NOT_WATCHED = 'ConnectorNotWatched';

/** By name. A plan may have thousands of targets, and each delivery looks up some. */
const TARGETS = new WeakMap<Plan, ReadonlyMap<string, PlanTarget>>();
const EXECUTIONS = new WeakMap<Plan, ReadonlyMap<string, Execution>>();

/** What messages show of a notification: its labels, and its annotations for links. */
type Facts = Pick<Notification, 'annotations' | 'labels'>;

type Texts = Readonly<Record<string, string>>;
const NO_TEXTS: Texts = {};

interface CachedView {
  readonly lookup: ConnectorLookup;
  readonly version: number | undefined;
  readonly view: PlanView;
}

/** The last view of a plan. */
const VIEWS = new WeakMap<Plan, CachedView>();
let views = 0;

/**
 * A plan as a sink sees it when it sends. A target that the plan no longer lists has no connector. While nothing that it shows has changed, all
 * sinks get the same object.
 */
export function planView(
  plan: Plan,
  lookup: ConnectorLookup,
  { annotations, labels }: Facts = {},
  cluster = '',
): PlanView {
  const [notification, notificationLabels] = [orNone(annotations), orNone(labels)];
  const { version } = lookup;
  const before = VIEWS.get(plan);
  const isSame =
    before?.lookup === lookup &&
    before.version === version &&
    before.view.notification === notification &&
    before.view.notificationLabels === notificationLabels &&
    before.view.cluster === cluster;
  if (isSame) return before.view;
  const view: PlanView = {
    view: ++views,
    labels: plan.labels,
    annotations: plan.annotations,
    ...{ notification, notificationLabels, cluster },
    retries: plan.retries,
    connector(name) {
      const target = known(TARGETS, plan, () => plan.targets.map((each) => [each.name, each])).get(name);
      return target === undefined ? NO_CONNECTOR : resolveConnector(target.connectorRef, lookup);
    },
    work(name, { cycle, operation }) {
      const { cycleId, operation: present, executions } = plan.status;
      if (cycleId !== cycle || present !== operation) return undefined;
      return known(EXECUTIONS, plan, () => executions.map((each) => [each.target, each])).get(name);
    },
  };
  VIEWS.set(plan, { lookup, version, view });
  return view;
}

/** The same object for all that are empty. */
function orNone(texts: Texts = NO_TEXTS): Texts {
  for (const _ in texts) return texts;
  return NO_TEXTS;
}

function known<V>(
  all: WeakMap<Plan, ReadonlyMap<string, V>>,
  plan: Plan,
  rows: () => readonly (readonly [string, V])[],
): ReadonlyMap<string, V> {
  const before = all.get(plan);
  if (before !== undefined) return before;
  const made = new Map(rows());
  all.set(plan, made);
  return made;
}
