import {
  begin,
  fail,
  initialStatus,
  poll,
  recordFailure,
  succeed,
  type Operation,
  type OperatorStatus,
  type TargetChange,
} from '../../core/src/lifecycle/operator.ts';
import type { NotificationStatus } from '@hnotif/core/resources';
import type { Kube, KubeObject } from './kube.ts';
import {
  collection,
  configMapObject,
  notificationObject,
  planObject,
  secretObject,
  type NotificationSpec,
  type PlanMore,
} from './objects.ts';
import { pause } from './wait.ts';

/** A notification as the API server shows it. */
export interface ShownNotification extends KubeObject {
  readonly status?: NotificationStatus;
}

/** One write of the operator. */
export type Step = (status: OperatorStatus, at: number) => OperatorStatus;

/** A run of a plan. Default: the night `c0` of a target `db`. */
export interface RunOf {
  readonly operation?: Operation;
  readonly cycle?: string;
  readonly targets?: readonly string[];
}

const MOST_TRIES = 20;
const REST_MS = 200;

/** A team with its own namespace: the objects that it creates there, those that it may read, and the nights of its plans. */
export class Team {
  readonly namespace: string;
  /** The operator's clock: milliseconds since the epoch. */
  now: (plan?: string) => number = Date.now;
  readonly kube: Kube;
  readonly #operator: Kube;
  readonly #statuses = new Map<string, OperatorStatus>();

  /** `kube` has the rights of the team. `operator` writes the statuses of plans. */
  constructor(namespace: string, kube: Kube, operator = kube) {
    this.namespace = namespace;
    this.kube = kube;
    this.#operator = operator;
  }

  /** The path of a collection of the namespace, or of an object in it. */
  path(plural: string, name?: string): string {
    return collection(this.namespace, plural) + (name === undefined ? '' : `/${name}`);
  }

  /** Creates an object in the namespace. `plural`: the name of its collection. */
  create(plural: string, object: object): Promise<KubeObject> {
    return this.kube.post(this.path(plural), object);
  }

  async list(plural: string): Promise<readonly KubeObject[]> {
    return (await this.kube.get(this.path(plural))).items as readonly KubeObject[];
  }

  patch(plural: string, name: string, body: object): Promise<KubeObject> {
    return this.kube.patch(this.path(plural, name), body);
  }

  /** Creates or replaces the secret of a sink. */
  async secret(name: string, config: object | string): Promise<void> {
    await this.kube.put(this.path('secrets'), name, secretObject(name, config));
  }

  template(name: string, text: string): Promise<KubeObject> {
    return this.create('configmaps', configMapObject(name, { 'template.gotpl': text }));
  }

  notification(name: string, spec: NotificationSpec): Promise<KubeObject> {
    return this.create('hibernatenotifications', notificationObject(name, spec));
  }

  async notifications(): Promise<readonly ShownNotification[]> {
    return (await this.list('hibernatenotifications')) as readonly ShownNotification[];
  }

  /** Creates a plan at rest that the operator has seen. */
  async plan(name: string, targets: readonly string[] = ['db'], more: PlanMore = {}): Promise<KubeObject> {
    const made = await this.create('hibernateplans', planObject(name, targets, more));
    await this.write(name, (status) => status);
    return made;
  }

  /** The plan was deleted. Another one with its name begins again. */
  forget(plan: string): void {
    this.#statuses.delete(plan);
  }

  /** As the operator wrote it last. */
  statusOf(plan: string): OperatorStatus {
    return this.#statuses.get(plan) ?? initialStatus;
  }

  /** One write of the operator, of the whole status. It is repeated if the server refuses it for a while. */
  async write(plan: string, step: Step): Promise<KubeObject> {
    const status = step(this.statusOf(plan), this.now(plan));
    this.#statuses.set(plan, status);
    const path = `${this.path('hibernateplans', plan)}/status`;
    for (let tries = 1; ; tries++) {
      const type = 'application/merge-patch+json';
      const { code, body } = await this.#operator.ask('PATCH', path, { status }, type);
      if (code < 300) return body as KubeObject;
      if (code < 500 || tries === MOST_TRIES)
        throw new Error(`PATCH ${path}: ${code} ${JSON.stringify(body)}`);
      await pause(REST_MS);
    }
  }

  /** A night or a morning begins. */
  begins(
    plan: string,
    { operation = 'shutdown', cycle = 'c0', targets = ['db'] }: RunOf = {},
  ): Promise<KubeObject> {
    const all = targets.map((name) => ({ name, type: 'rds' }));
    return this.write(plan, (status, at) => begin(status, operation, cycle, all, at));
  }

  /** The operator sees what became of targets. */
  sees(plan: string, ...changes: readonly TargetChange[]): Promise<KubeObject> {
    return this.write(plan, (status, at) => poll(status, changes, at));
  }

  /** The run succeeds, as does its target `db`. */
  async succeeds(plan: string): Promise<KubeObject> {
    await this.sees(plan, { target: 'db', state: 'Completed' });
    return this.write(plan, succeed);
  }

  /** The target `db` fails with this message, and the run with it. */
  async fails(plan: string, message: string): Promise<KubeObject> {
    await this.sees(plan, { target: 'db', state: 'Failed', message });
    await this.write(plan, recordFailure);
    return this.write(plan, (status, at) => fail(status, `target db: ${message}`, at));
  }
}
