import type { Notification } from '../resources/notification.ts';
import { LabelIndex } from './label-index.ts';
import { nearestInWords } from './nearest.ts';
import { labelOf, meetsAll, requirementsOf, type Labels, type Requirement } from './selector.ts';

interface Subscriber {
  notification: Notification;
  requirements: readonly Requirement[];
  /** The requirement that it is indexed by; undefined: it is checked for every plan. */
  anchor: Requirement | undefined;
  matched: number;
}

interface LabelledPlan {
  labels: Labels;
}

/** The routes of one namespace. See `Routes`. */
export class NamespaceRoutes {
  readonly #subscribers = new Map<string, Subscriber>();
  readonly #plans = new Map<string, LabelledPlan>();
  /** Each subscriber by ONE requirement that names a label which a matching plan must have… */
  readonly #anchored = new LabelIndex<Subscriber>();
  /** …or here, if it has no such requirement. */
  readonly #unanchored = new Set<Subscriber>();
  /** Each subscriber by ALL keys and values that it names: the subscribers that a change of a label may affect. */
  readonly #concerned = new LabelIndex<Subscriber>();
  /** Each plan by its labels, and by their keys. */
  readonly #labelled = new LabelIndex<LabelledPlan>();

  get isEmpty(): boolean {
    return this.#subscribers.size === 0 && this.#plans.size === 0;
  }

  matched(notification: string): number {
    return this.#subscribers.get(notification)?.matched ?? 0;
  }

  /** Why a notification matches no plan, as a message. */
  unmatched(notification: string): string | undefined {
    const subscriber = this.#subscribers.get(notification);
    return subscriber && nearestInWords(this.#labels(), this.#plans.size, subscriber.requirements);
  }

  /** The notifications that match no plan. */
  get withoutPlan(): Notification[] {
    return [...this.#subscribers.values()]
      .filter(({ matched }) => matched === 0)
      .map(({ notification }) => notification);
  }

  hasPlan(name: string): boolean {
    return this.#plans.has(name);
  }

  hasNotification(name: string): boolean {
    return this.#subscribers.has(name);
  }

  for(plan: string): Notification[] {
    const found = this.#plans.get(plan);
    return found === undefined ? [] : notificationsOf(this.#matching(found.labels));
  }

  /** Returns the change of the number of matches. */
  setNotification(notification: Notification): number {
    const known = this.#subscribers.get(notification.name);
    const requirements = requirementsOf(notification.selector);
    if (known !== undefined && JSON.stringify(known.requirements) === JSON.stringify(requirements)) {
      known.notification = notification;
      return 0;
    }
    const before = this.deleteNotification(notification.name);
    const matched = this.#count(requirements);
    const subscriber: Subscriber = {
      notification,
      requirements,
      anchor: this.#rarest(requirements),
      matched,
    };
    this.#subscribers.set(notification.name, subscriber);
    if (subscriber.anchor === undefined) this.#unanchored.add(subscriber);
    else
      for (const value of filedUnder(subscriber.anchor))
        this.#anchored.add(subscriber.anchor.key, value, subscriber);
    for (const requirement of requirements)
      for (const value of filedUnder(requirement)) this.#concerned.add(requirement.key, value, subscriber);
    return matched - before;
  }

  /** Returns how many plans it matched. */
  deleteNotification(name: string): number {
    const subscriber = this.#subscribers.get(name);
    if (subscriber === undefined) return 0;
    const { anchor, requirements, matched } = subscriber;
    this.#subscribers.delete(name);
    if (anchor === undefined) this.#unanchored.delete(subscriber);
    else for (const value of filedUnder(anchor)) this.#anchored.delete(anchor.key, value, subscriber);
    for (const requirement of requirements)
      for (const value of filedUnder(requirement)) this.#concerned.delete(requirement.key, value, subscriber);
    return matched;
  }

  /** Returns the notifications that match it now and did not before, and the reverse. */
  setPlan(name: string, labels: Labels): { gained: Notification[]; lost: Notification[] } {
    const plan = this.#plans.get(name);
    if (plan === undefined) {
      const added = { labels };
      this.#plans.set(name, added);
      this.#file(added, labels, 'add');
      return { gained: this.#recount(this.#matching(labels), 1), lost: [] };
    }
    const before = plan.labels;
    plan.labels = labels;
    if (sameLabels(before, labels)) return { gained: [], lost: [] };
    const [gained, lost]: [Subscriber[], Subscriber[]] = [[], []];
    for (const subscriber of this.#affected(before, labels)) {
      const [was, is] = [before, labels].map((of) => meetsAll(of, subscriber.requirements));
      if (is && !was) gained.push(subscriber);
      if (was && !is) lost.push(subscriber);
    }
    this.#file(plan, before, 'delete');
    this.#file(plan, labels, 'add');
    return { gained: this.#recount(gained, 1), lost: this.#recount(lost, -1) };
  }

  /** Returns the notifications that matched it. */
  deletePlan(name: string): Notification[] {
    const plan = this.#plans.get(name);
    if (plan === undefined) return [];
    this.#plans.delete(name);
    this.#file(plan, plan.labels, 'delete');
    return this.#recount(this.#matching(plan.labels), -1);
  }

  *#labels(): Iterable<readonly [name: string, labels: Labels]> {
    for (const [name, { labels }] of this.#plans) yield [name, labels];
  }

  #matching(labels: Labels): Subscriber[] {
    const found: Subscriber[] = [];
    for (const subscribers of this.#candidates(labels))
      for (const subscriber of subscribers)
        if (meetsAll(labels, subscriber.requirements)) found.push(subscriber);
    return found;
  }

  /** Sets of subscribers that may match. They are disjoint: a subscriber has one anchor, and a label has one value. */
  *#candidates(labels: Labels): Generator<ReadonlySet<Subscriber>> {
    for (const key of Object.keys(labels)) {
      yield this.#anchored.get(key, labels[key]);
      yield this.#anchored.get(key, undefined);
    }
    yield this.#unanchored;
  }

  /**
   * The subscribers that a change of labels may affect: those that name a changed label, or those that may match before or after, whichever
   * are fewer. Ten thousand subscribers may name the environment that a plan moves to, each for another application.
   */
  #affected(before: Labels, after: Labels): ReadonlySet<Subscriber> {
    const concerned = [...this.#concernedBy(before, after)];
    const candidates = [...this.#candidates(before), ...this.#candidates(after)];
    const sizeOf = (sets: readonly ReadonlySet<Subscriber>[]): number =>
      sets.reduce((sum, { size }) => sum + size, 0);
    const affected = new Set<Subscriber>();
    for (const set of sizeOf(concerned) < sizeOf(candidates) ? concerned : candidates)
      for (const subscriber of set) affected.add(subscriber);
    return affected;
  }

  *#concernedBy(before: Labels, after: Labels): Generator<ReadonlySet<Subscriber>> {
    for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
      const [was, is] = [labelOf(before, key), labelOf(after, key)];
      if (was === is) continue;
      const values = was === undefined || is === undefined ? [was, is, undefined] : [was, is];
      for (const value of new Set(values)) yield this.#concerned.get(key, value);
    }
  }

  /** How many plans meet the requirements. Looks only at plans with a label that they name. */
  #count(requirements: readonly Requirement[]): number {
    const anchors = requirements.filter(isAnchor);
    const plansUnder = (requirement: Requirement): LabelledPlan[] =>
      filedUnder(requirement).flatMap((value) => [...this.#labelled.get(requirement.key, value)]);
    if (anchors.length > 0) {
      const sizeOf = ({ key, ...rest }: Requirement): number =>
        filedUnder({ key, ...rest }).reduce((sum, value) => sum + this.#labelled.get(key, value).size, 0);
      const rarest = anchors.reduce((best, anchor) => (sizeOf(anchor) < sizeOf(best) ? anchor : best));
      return plansUnder(rarest).filter((plan) => meetsAll(plan.labels, requirements)).length;
    }
    // Only negative requirements: all plans except those with an excluded label.
    return this.#plans.size - new Set(requirements.flatMap(plansUnder)).size;
  }

  /** The requirement that indexes the fewest other subscribers, so that few are checked in vain. */
  #rarest(requirements: readonly Requirement[]): Requirement | undefined {
    const crowd = (requirement: Requirement): number =>
      Math.max(0, ...filedUnder(requirement).map((value) => this.#anchored.get(requirement.key, value).size));
    let best: Requirement | undefined;
    for (const requirement of requirements)
      if (isAnchor(requirement) && (best === undefined || crowd(requirement) < crowd(best)))
        best = requirement;
    return best;
  }

  #file(plan: LabelledPlan, labels: Labels, action: 'add' | 'delete'): void {
    for (const key of Object.keys(labels)) {
      this.#labelled[action](key, labels[key], plan);
      this.#labelled[action](key, undefined, plan);
    }
  }

  #recount(subscribers: readonly Subscriber[], by: 1 | -1): Notification[] {
    for (const subscriber of subscribers) subscriber.matched += by;
    return notificationsOf(subscribers);
  }
}

const sameLabels = (a: Labels, b: Labels): boolean =>
  Object.keys(a).length === Object.keys(b).length &&
  Object.keys(a).every((key) => labelOf(b, key) === a[key]);

/** The values that a requirement is indexed by; undefined: by the key alone. */
const filedUnder = ({ kind, values }: Requirement): readonly (string | undefined)[] =>
  kind === 'in' || kind === 'notIn' ? values : [undefined];

/** Whether plans that meet the requirement have a label that it names. */
const isAnchor = ({ kind }: Requirement): boolean => kind === 'in' || kind === 'present';

const notificationsOf = (subscribers: readonly Subscriber[]): Notification[] =>
  subscribers
    .map((subscriber) => subscriber.notification)
    .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
