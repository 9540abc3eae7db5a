import type { Logger } from 'pino';
import { permittedTo, type ConnectorLookup, type ConnectorPolicy } from '../resources/connectors.ts';
import type { Plan } from '../resources/plan.ts';
import type { PlanView } from '../resources/plan-view.ts';
import type { SinkAddress } from '../resources/sink-address.ts';
import { planView } from './view.ts';

export interface ConnectorRightsOptions {
  /** Which connectors of other namespaces plans may use. */
  readonly policy: ConnectorPolicy;
  readonly lookup: () => ConnectorLookup;
  readonly log: Logger;
  /** An Event of a notification. */
  readonly warn: (to: SinkAddress, reason: string, message: string) => void;
}

/** Plans of which it is remembered that they were told of. */
const MAX_TOLD = 10_000;

/**
 * Plans as sinks see them, with the connectors that they may use. A message that lacks fields for want of that right is told once a plan
 * and notification: an Event of the notification; of each plan also a line in the log.
 */
export class ConnectorRights {
  readonly #options: ConnectorRightsOptions;
  /** By the plan's uid, the notifications that were told. */
  readonly #told = new Map<string, Set<string>>();

  constructor(options: ConnectorRightsOptions) {
    this.#options = options;
  }

  view(plan: Plan, to: SinkAddress): PlanView {
    const { lookup, policy } = this.#options;
    if (policy === 'all') return planView(plan, lookup());
    const refused = (namespace: string): void => {
      this.#tell(plan, to, namespace);
    };
    return planView(plan, permittedTo(plan.namespace, policy, lookup(), refused));
  }

  #tell({ uid, namespace, name }: Plan, to: SinkAddress, other: string): void {
    const { log, warn } = this.#options;
    const told = this.#told.get(uid) ?? new Set();
    if (told.has(to.notification)) return;
    const plan = `${namespace}/${name}`;
    const why = `a connector of namespace ${other} may not be used by plans of namespace ${namespace}`;
    const remedy = `use one of namespace ${namespace}, or have --cross-namespace-connectors name ${other}`;
    if (told.size === 0)
      log.warn({ plan, reason: NOT_PERMITTED, detail: why, remedy }, 'connector fields are left empty');
    warn(to, NOT_PERMITTED, `plan ${name}: ${why}, so its fields are empty in messages; ${remedy}`);
    this.#told.set(uid, told.add(to.notification));
    const [oldest = ''] = this.#told.keys();
    if (this.#told.size > MAX_TOLD) this.#told.delete(oldest);
  }
}

const NOT_PERMITTED = 'ConnectorNotPermitted';
