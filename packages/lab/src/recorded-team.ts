import type { KubeObject } from './kube.ts';
import { planObject, type PlanMore } from './objects.ts';
import type { Deletion, PlanHistory, StatusWrite } from './record.ts';
import { Team, type Step } from './team.ts';

/** The history of a plan that still grows. */
export interface History extends PlanHistory {
  readonly uid: string;
  readonly writes: StatusWrite[];
  deleted?: Deletion;
}

export interface RecordedPlan extends PlanMore {
  readonly labels?: Readonly<Record<string, string>>;
  /** `spec.behavior.retries`. Default 0. */
  readonly retries?: number;
}

/** A team that records what happens to its plans. */
export class RecordedTeam extends Team {
  readonly histories: History[] = [];
  readonly #times = new Map<string, number>();

  /** Whole seconds, and each write of a plan has its own: so messages show which write they are about. */
  override now = (plan = ''): number => {
    const at = Math.max(Math.floor(Date.now() / 1000) * 1000, (this.#times.get(plan) ?? 0) + 1_000);
    this.#times.set(plan, at);
    return at;
  };

  /** Creates a plan that the operator has not seen. A label tells it from the former plans of this name. */
  async make(
    name: string,
    targets: readonly string[],
    { labels = {}, retries = 0, ...more }: RecordedPlan = {},
  ): Promise<KubeObject> {
    const life = String(this.histories.filter((each) => nameOf(each) === name).length);
    const [unique, all] = life === '0' ? [name, labels] : [`${name}#${life}`, { ...labels, life }];
    const spec = { behavior: { retries }, ...more.spec };
    const from = Date.now();
    const made = await this.create(
      'hibernateplans',
      planObject(name, targets, { ...more, labels: all, spec }),
    );
    const { uid } = made.metadata;
    const writes = [{ from, to: Date.now(), status: {} }];
    this.histories.push({ name: unique, namespace: this.namespace, labels: all, retries, uid, writes });
    return made;
  }

  override async plan(
    name: string,
    targets: readonly string[] = ['db'],
    more?: RecordedPlan,
  ): Promise<KubeObject> {
    const made = await this.make(name, targets, more);
    await this.write(name, (status) => status);
    return made;
  }

  /** Deletes a plan. */
  async remove(plan: string): Promise<void> {
    const from = Date.now();
    await this.kube.delete(this.path('hibernateplans', plan));
    this.removed(plan, { from, to: Date.now() });
  }

  /** A plan was deleted. */
  removed(plan: string, deleted: Deletion): void {
    const history = this.historyOf(plan);
    if (history !== undefined) history.deleted = deleted;
    this.forget(plan);
  }

  /** Of the present plan of this name. */
  historyOf(plan: string): History | undefined {
    return this.histories.findLast((each) => nameOf(each) === plan);
  }

  override async write(plan: string, step: Step): Promise<KubeObject> {
    const from = Date.now();
    const object = await super.write(plan, step);
    const { resourceVersion: version } = object.metadata;
    this.historyOf(plan)?.writes.push({ from, to: Date.now(), status: this.statusOf(plan), version });
    return object;
  }
}

/** The name of the object. */
const nameOf = ({ name }: PlanHistory): string => name.split('#')[0] ?? name;
