import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { startWebhookReceiver, type WebhookReceiver, type WebhookRecord } from '@hnotif/receivers';
import { initialStatus, type OperatorStatus } from '../../../../hnotif/src/lifecycle/operator.ts';
import { Killable } from '../../../../hnotif/e2e/chaos/killable.ts';
import type { Kube, KubeObject } from '../../kube.ts';
import { LOOPBACK_FLAGS } from '../../loopback.ts';
import { ALL, type Writer } from '../../nights.ts';
import {
  collection,
  notificationObject,
  planObject,
  secretObject,
  type NotificationSpec,
  type PlanMore,
} from '../../objects.ts';
import { inWords } from '../../payload.ts';
import type { Ground } from './ground.ts';

/** A short Lease that is long enough for a busy machine. */
const LEASE = ['--lease-duration=6s', '--renew-deadline=4s', '--retry-period=200ms'];
const AT_ANY_PORT = ['--metrics-address=127.0.0.1:0', '--health-address=127.0.0.1:0'];
const TRIES = 20;
const SERVES_MS = 60_000;

/** The resources of one case: a namespace, a webhook receiver, and controllers. They run on this machine with the service account of deploy/. */
export class Stage implements Writer {
  readonly ground: Ground;
  readonly namespace: string;
  readonly receiver: WebhookReceiver;
  readonly #controllers: Killable[] = [];
  readonly #statuses = new Map<string, OperatorStatus>();
  readonly #closers: (() => Promise<void>)[];

  private constructor(ground: Ground, namespace: string, receiver: WebhookReceiver) {
    this.ground = ground;
    this.namespace = namespace;
    this.receiver = receiver;
    this.#closers = [() => receiver.close()];
  }

  static async set(ground: Ground, name: string): Promise<Stage> {
    // A later leader also sends events of plans that were created before it led. So each case begins with the first leader.
    await ground.plane.kube.ask('DELETE', `${ground.leases}/hnotif`);
    const namespace = await ground.namespace(name);
    return new Stage(ground, namespace, await startWebhookReceiver());
  }

  get kube(): Kube {
    return this.ground.plane.kube;
  }

  /** Closes the resource at the end of the case. */
  uses<R extends { close(): Promise<void> }>(resource: R): R {
    this.#closers.push(() => resource.close());
    return resource;
  }

  /** Starts a controller. Resolves when it serves or stands by. */
  async controller(...flags: readonly string[]): Promise<Killable> {
    const { plane, system } = this.ground;
    const kubeconfig = await plane.accountOf(system, 'hnotif');
    const lines: string[] = [];
    let resolve = (): void => undefined;
    const promise = new Promise<void>((done) => (resolve = done));
    const controller = new Killable(
      [
        ...[`--kubeconfig=${kubeconfig}`, `--lease-namespace=${system}`, ...LOOPBACK_FLAGS, ...AT_ANY_PORT],
        ...['--status-interval=1s', '--drain-timeout=1s', ...LEASE, ...flags],
      ],
      join(plane.folder, 'controller.log'),
      {
        onLine: (line) => {
          lines.push(line);
          if (/"msg":"(serving|standing by)"/.test(line)) resolve();
        },
      },
    );
    this.#controllers.push(controller);
    const ended = controller.ended.then((code) => {
      throw new Error(`the controller ended with ${code}: ${lines.slice(-5).join('\n')}`);
    });
    ended.catch(() => undefined);
    await within(SERVES_MS, 'the start of the controller', Promise.race([promise, ended]));
    return controller;
  }

  collection(plural: string): string {
    return collection(this.namespace, plural);
  }

  async secret(name: string, config: object = { url: `${this.receiver.url}${name}` }): Promise<void> {
    await this.kube.post(this.collection('secrets'), secretObject(name, JSON.stringify(config)));
  }

  /** Creates a notification of all events, by default `n` with one webhook, `hook`. */
  async notification({
    name = 'n',
    ...spec
  }: Partial<NotificationSpec> & { readonly name?: string } = {}): Promise<KubeObject> {
    const object = notificationObject(name, { onEvents: ALL, sinks: ['hook'], ...spec });
    return this.kube.post(this.collection('hibernatenotifications'), object);
  }

  /** Creates an idle plan that the operator has seen. */
  async plan(
    name: string,
    targets: readonly string[] = ['db', 'vm'],
    more: PlanMore = {},
  ): Promise<KubeObject> {
    const made = await this.kube.post(this.collection('hibernateplans'), planObject(name, targets, more));
    await this.write(name, (status) => status);
    return made;
  }

  /** One write of the operator, of the whole status. It is repeated if the server restarts meanwhile. */
  async write(
    plan: string,
    step: (status: OperatorStatus, at: number) => OperatorStatus,
  ): Promise<KubeObject> {
    const status = step(this.#statuses.get(plan) ?? initialStatus, Date.now());
    this.#statuses.set(plan, status);
    const path = `${this.collection('hibernateplans')}/${plan}/status`;
    for (let tries = 1; ; tries++) {
      const { code, body } = await this.kube.ask('PATCH', path, { status }, 'application/merge-patch+json');
      if (code < 300) return body as KubeObject;
      if (code < 500 || tries === TRIES) throw new Error(`PATCH ${path}: ${code} ${JSON.stringify(body)}`);
      await setTimeout(200);
    }
  }

  /** Resolves when the controller has seen the plan and the notification: the status shows the number of matched plans. */
  async matched(plans = 1): Promise<void> {
    await this.kube.until(
      this.collection('hibernatenotifications'),
      'n',
      ({ status }) => (status as { readonly matched?: number } | undefined)?.matched === plans,
    );
  }

  /** Resolves when this many deliveries wait in journals of layout 3, and no journal has an older layout. */
  async waiting(count: number): Promise<void> {
    const path = this.collection('hibernatenotificationjournals');
    const isThere = (journals: readonly KubeObject[]): boolean => {
      const specs = journals.map(({ spec }) => spec as unknown as JournalSpec);
      const sum = specs.reduce((all, { summary }) => all + (summary?.waiting ?? 0), 0);
      return specs.length > 0 && sum === count && specs.every(({ version }) => version === 3);
    };
    for (const until = performance.now() + SERVES_MS; performance.now() < until; await setTimeout(20))
      if (isThere((await this.kube.get(path)).items as readonly KubeObject[])) return;
    throw new Error(`no journals in which ${count} deliveries wait`);
  }

  /** Resolves with the accepted messages at a path, without duplicates, when there are this many. */
  received(count: number, path = 'hook'): Promise<readonly WebhookRecord[]> {
    return this.receiver.waitFor((records) => {
      const accepted = records.filter((record) => record.answered.accepted && record.path === `/${path}`);
      const all = [...new Map(accepted.toReversed().map((record) => [record.id, record])).values()].reverse();
      return all.length >= count && all;
    });
  }

  /**
   * Resolves with the messages as text, when these have arrived.
   *
   * @throws when other messages have arrived, or another order
   */
  async told(wanted: readonly string[], path = 'hook'): Promise<string> {
    const told = (await this.received(wanted.length, path)).map(inWords).join(', ');
    if (told !== wanted.join(', ')) throw new Error(`arrived: ${told}; wanted: ${wanted.join(', ')}`);
    return told;
  }

  async close(): Promise<void> {
    await Promise.all(this.#controllers.map((each) => within(10_000, 'the stop', each.end('SIGTERM')))).catch(
      () => Promise.all(this.#controllers.map((each) => each.end('SIGKILL'))),
    );
    for (const close of this.#closers) await close();
  }
}

interface JournalSpec {
  readonly version: number;
  readonly summary?: { readonly waiting: number };
}

/** @throws when it takes longer */
export async function within<T>(ms: number, what: string, promise: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = globalThis.setTimeout(() => {
      reject(new Error(`${what} took longer than ${ms / 1000} s`));
    }, ms);
  });
  return Promise.race([promise, late]).finally(() => {
    clearTimeout(timer);
  });
}
