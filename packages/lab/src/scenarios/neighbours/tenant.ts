import { initialStatus, type OperatorStatus } from '../../../../hnotif/src/lifecycle/operator.ts';
import type { NotificationStatus } from '../../../../hnotif/src/resources/notification.ts';
import type { Kube, KubeObject } from '../../kube.ts';
import {
  collection,
  configMapObject,
  notificationObject,
  planObject,
  secretObject,
  type NotificationSpec,
  type PlanMore,
} from '../../objects.ts';

/** A notification as the API server shows it. */
export interface ShownNotification extends KubeObject {
  readonly status?: NotificationStatus;
}

/** A team with its own namespace: the objects that it creates there, and those that it may read. */
export class Tenant {
  readonly namespace: string;
  readonly #kube: Kube;
  readonly #operator: Kube;
  readonly #statuses = new Map<string, OperatorStatus>();

  /** `kube` has the rights of the team. `operator` writes the statuses of plans. */
  constructor(namespace: string, kube: Kube, operator: Kube) {
    this.namespace = namespace;
    this.#kube = kube;
    this.#operator = operator;
  }

  /** Creates an object in the namespace. `plural`: the name of its collection. */
  async create(plural: string, object: object): Promise<void> {
    await this.#kube.post(collection(this.namespace, plural), object);
  }

  async list(plural: string): Promise<readonly KubeObject[]> {
    return (await this.#kube.get(collection(this.namespace, plural))).items as readonly KubeObject[];
  }

  async patch(plural: string, name: string, body: object): Promise<void> {
    await this.#kube.patch(`${collection(this.namespace, plural)}/${name}`, body);
  }

  /** Creates the secret of a webhook sink. */
  webhook(name: string, url: string, more: object = {}): Promise<void> {
    return this.create('secrets', secretObject(name, JSON.stringify({ url, ...more })));
  }

  template(name: string, text: string): Promise<void> {
    return this.create('configmaps', configMapObject(name, { 'template.gotpl': text }));
  }

  notification(name: string, spec: NotificationSpec): Promise<void> {
    return this.create('hibernatenotifications', notificationObject(name, spec));
  }

  async notifications(): Promise<readonly ShownNotification[]> {
    return (await this.list('hibernatenotifications')) as readonly ShownNotification[];
  }

  /** Creates a plan that is idle. */
  async plan(name: string, targets: readonly string[] = ['db'], more: PlanMore = {}): Promise<void> {
    await this.create('hibernateplans', planObject(name, targets, more));
    await this.write(name, (status) => ({ ...status, phase: 'Active' }));
  }

  /** One write of the plan's operator. Resolves with the version of the plan. */
  async write(plan: string, step: (status: OperatorStatus, at: number) => OperatorStatus): Promise<string> {
    const status = step(this.#statuses.get(plan) ?? initialStatus, Date.now());
    this.#statuses.set(plan, status);
    const path = `${collection(this.namespace, 'hibernateplans')}/${plan}/status`;
    const { metadata } = await this.#operator.patch(path, { status });
    return metadata.resourceVersion;
  }
}
