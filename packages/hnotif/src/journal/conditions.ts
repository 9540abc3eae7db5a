import { isDeepStrictEqual } from 'node:util';
import type { Logger } from 'pino';
import { JOURNAL_VERSION, type Journal, type Plan } from '@hnotif/core/resources';
import { sliceTurn } from '../slices.ts';
import type { WriteProblem } from './durability.ts';
import type { JournalListener } from './listener.ts';

export interface JournalConditionsOptions {
  readonly log: Logger;
  readonly listener: Pick<JournalListener, 'durabilityChanged' | 'planReleased'>;
}

type Of = Pick<Plan, 'namespace' | 'name' | 'uid'>;

/**
 * Why plans of a namespace are not stored or not served. Each reason is logged once, for the first plan that has it. The listener gets one
 * report for all changes of a namespace in a turn of the event loop, in a later turn.
 */
export class JournalConditions {
  readonly #options: JournalConditionsOptions;
  /** By namespace, then by plan uid. The oldest comes first. */
  readonly #all = new Map<string, Map<string, WriteProblem>>();
  /** Namespaces that have changed since their last report. */
  readonly #changed = new Set<string>();
  /** The last reported problem, by namespace. */
  readonly #reported = new Map<string, WriteProblem>();
  /** By namespace and plan uid: plans that are not served, and the journals of another version that name them. */
  readonly #newer = new Map<
    string,
    { readonly journals: Set<string>; plan: Plan | undefined; readonly version: number }
  >();

  constructor(options: JournalConditionsOptions) {
    this.#options = options;
  }

  /** The number of plans, by reason. */
  get plans(): ReadonlyMap<string, number> {
    const plans = new Map<string, number>();
    for (const ofNamespace of this.#all.values())
      for (const { reason } of ofNamespace.values()) plans.set(reason, (plans.get(reason) ?? 0) + 1);
    return plans;
  }

  /** Why accepted events of a namespace are not stored, as reported; undefined: they are stored. */
  problemIn(namespace: string): WriteProblem | undefined {
    return this.#reported.get(namespace);
  }

  /** The journal of a plan cannot be written for this reason; undefined: it can be written again. */
  unwritten(plan: Of, trouble: WriteProblem | undefined): void {
    this.#set(plan, trouble === undefined ? undefined : inWords(trouble), 'delivering from memory');
  }

  /** This journal has the layout of another version of hnotif. Its plans are not served. */
  foundNewer({ namespace, name, plans, version }: Journal): void {
    for (const uid of plans.keys()) {
      const key = planKey({ namespace, uid });
      const newer = this.#newer.get(key) ?? { journals: new Set(), plan: undefined, version };
      newer.journals.add(name);
      this.#newer.set(key, newer);
    }
  }

  /** Whether a journal of another version names a plan. `key`: see `planKey`. */
  hasNewer(key: string): boolean {
    return this.#newer.has(key);
  }

  /** A plan was seen. Whether it is not served. */
  isUnserved(plan: Plan): boolean {
    const newer = this.#newer.get(planKey(plan));
    if (newer === undefined) return false;
    newer.plan = plan;
    const [name = ''] = newer.journals;
    const message =
      `plan ${plan.name} is not served: its journal ${name} has the layout ${newer.version} of another version of hnotif, ` +
      `this one knows ${JOURNAL_VERSION}; run that version, or delete the journal and the deliveries in it`;
    this.#set(plan, { reason: 'JournalTooNew', message }, 'a plan is not served');
    return true;
  }

  /** A journal was deleted. Plans that no other journal of another version names may be served. */
  vanished({ namespace, name }: Pick<Journal, 'namespace' | 'name'>): void {
    for (const [key, { journals, plan }] of this.#newer) {
      if (namespaceOf(key) !== namespace || !journals.delete(name) || journals.size > 0) continue;
      this.#newer.delete(key);
      if (plan === undefined) continue;
      this.gone(plan);
      this.#options.listener.planReleased(plan);
    }
  }

  /** A plan was deleted. Its entry may stay, unless it is not served. */
  deleted(plan: Plan): void {
    if (this.#newer.delete(planKey(plan))) this.gone(plan);
  }

  /** A plan has no entry any more, or may be served. */
  gone(plan: Of): void {
    this.#set(plan, undefined, '');
  }

  /** Reports nothing more. */
  close(): void {
    this.#changed.clear();
  }

  #set(plan: Of, trouble: WriteProblem | undefined, consequence: string): void {
    const { namespace, name, uid } = plan;
    const ofNamespace = this.#all.get(namespace) ?? new Map<string, WriteProblem>();
    if (isDeepStrictEqual(trouble, ofNamespace.get(uid))) return;
    if (trouble === undefined) ofNamespace.delete(uid);
    else {
      const { reason, message: detail } = trouble;
      if (![...ofNamespace.values()].some((known) => known.reason === reason))
        this.#options.log.warn({ plan: `${namespace}/${name}`, reason, detail }, consequence);
      ofNamespace.set(uid, trouble);
    }
    if (ofNamespace.size === 0) this.#all.delete(namespace);
    else this.#all.set(namespace, ofNamespace);
    if (this.#changed.has(namespace)) return;
    this.#changed.add(namespace);
    // A change may be that of thousands of plans, and each report costs work for every notification of the namespace.
    void sliceTurn().then(() => {
      if (this.#changed.delete(namespace)) this.#report(namespace);
    });
  }

  #report(namespace: string): void {
    const { log, listener } = this.#options;
    const now = summed(this.#all.get(namespace));
    if (isDeepStrictEqual(now, this.#reported.get(namespace))) return;
    if (now !== undefined) this.#reported.set(namespace, now);
    else {
      this.#reported.delete(namespace);
      log.info({ namespace }, 'all plans are served and kept again');
    }
    listener.durabilityChanged(namespace, now);
  }
}

export const planKey = ({ namespace, uid }: Pick<Plan, 'namespace' | 'uid'>): string => `${namespace}/${uid}`;

export const namespaceOf = (key: string): string => key.slice(0, key.indexOf('/'));

/** The first problem of a namespace, and how many more plans have one. */
function summed(ofNamespace: ReadonlyMap<string, WriteProblem> = new Map()): WriteProblem | undefined {
  const [first] = ofNamespace.values();
  const others = ofNamespace.size - 1;
  if (first === undefined || others === 0) return first;
  const more = others === 1 ? 'one more plan is' : `${others} more plans are`;
  return { ...first, message: `${first.message}; ${more} not kept or not served either` };
}

const inWords = ({ reason, message }: WriteProblem): WriteProblem => ({
  reason,
  message: `journals cannot be written: the deliveries that wait are lost if hnotif ends: ${message}${remedyOf(reason, message)}`,
});

/** What to do, if the server's message does not say it. */
function remedyOf(reason: string, message: string): string {
  if (message.includes('exceeded quota')) return '; raise the quota, or delete objects that you do not need';
  if (message.includes('being terminated')) return '';
  if (reason === 'Forbidden')
    return '; grant list, watch, get, create, patch and delete on hibernatenotificationjournals, as deploy/kustomize does';
  if (reason === 'NotFound' || reason === 'Invalid') return '; apply this version’s CRDs (hnotif crds)';
  if (reason === 'RequestEntityTooLarge' || reason === 'JournalTooLarge')
    return '; subscribe to fewer events, or divide the plan';
  return '';
}
