import { join } from 'node:path';
import { startWebhookReceiver, type WebhookReceiver, type WebhookRecord } from '@hnotif/receivers';
import { waitingIn } from '../../journals.ts';
import type { KubeObject } from '../../kube.ts';
import { LOOPBACK_FLAGS } from '../../loopback.ts';
import type { NotificationSpec, PlanMore } from '../../objects.ts';
import { inWords } from '../../payload.ts';
import { AT_ANY_PORT, Process, QUICK_LEASE } from '../../process.ts';
import { Team } from '../../team.ts';
import { until, within } from '../../wait.ts';
import type { Ground } from './ground.ts';

const SERVES_MS = 60_000;

/** The resources of one case: a namespace, a webhook receiver, and controllers. They run on this machine with the service account of deploy/. */
export class Stage extends Team {
  readonly ground: Ground;
  readonly receiver: WebhookReceiver;
  readonly #controllers: Process[] = [];
  readonly #closers: (() => Promise<void>)[];

  private constructor(ground: Ground, namespace: string, receiver: WebhookReceiver) {
    super(namespace, ground.plane.kube);
    this.ground = ground;
    this.receiver = receiver;
    this.#closers = [() => receiver.close()];
  }

  static async set(ground: Ground, name: string): Promise<Stage> {
    // A later leader also sends events of plans that were created before it led. So each case begins with the first leader.
    await ground.plane.kube.ask('DELETE', `${ground.leases}/hnotif`);
    const namespace = await ground.namespace(name);
    return new Stage(ground, namespace, await startWebhookReceiver());
  }

  /** Closes the resource at the end of the case. */
  uses<R extends { close(): Promise<void> }>(resource: R): R {
    this.#closers.push(() => resource.close());
    return resource;
  }

  /** Starts a controller. Resolves when it serves or stands by. */
  async controller(...flags: readonly string[]): Promise<Process> {
    const { plane, system } = this.ground;
    const kubeconfig = await plane.accountOf(system, 'hnotif');
    const controller = new Process(
      [
        ...['run', `--kubeconfig=${kubeconfig}`, `--lease-namespace=${system}`, ...LOOPBACK_FLAGS],
        ...[...AT_ANY_PORT, '--status-interval=1s', '--drain-timeout=1s', ...QUICK_LEASE, ...flags],
      ],
      { logFile: join(plane.folder, 'controller.log') },
    );
    this.#controllers.push(controller);
    const started = controller.line(/"msg":"(serving|standing by)"/);
    await within(SERVES_MS, 'the start of the controller', started);
    return controller;
  }

  /** The secret `hook` of the receiver. */
  hook(): Promise<void> {
    return this.secret('hook', { url: `${this.receiver.url}hook` });
  }

  /** A notification `n` of all events, by default with one webhook, `hook`. */
  notify(spec: NotificationSpec = {}): Promise<KubeObject> {
    return this.notification('n', { sinks: ['hook'], ...spec });
  }

  override plan(name: string, targets = ['db', 'vm'], more: PlanMore = {}): Promise<KubeObject> {
    return super.plan(name, targets, more);
  }

  /** Resolves when the controller has seen the plan and the notification: the status shows the number of matched plans. */
  async matched(plans = 1): Promise<void> {
    await this.kube.until(
      this.path('hibernatenotifications'),
      'n',
      ({ status }) => (status as { readonly matched?: number } | undefined)?.matched === plans,
    );
  }

  /** Resolves when this many deliveries wait in journals of layout 3, and no journal has an older layout. */
  async waiting(count: number): Promise<void> {
    const isThere = async (): Promise<boolean> => {
      const journals = await this.list('hibernatenotificationjournals');
      const isNew = journals.length > 0 && journals.every(({ spec }) => spec?.version === 3);
      return isNew && waitingIn(journals) === count;
    };
    await until(isThere, { what: `journals in which ${count} deliveries wait`, limitMs: SERVES_MS });
  }

  /**
   * Resolves with the messages at a path as text, without duplicates, when these have arrived.
   *
   * @throws when other messages have arrived, or another order
   */
  async told(wanted: readonly string[], path = 'hook'): Promise<string> {
    const isWanted = ({ answered, path: at }: WebhookRecord): boolean =>
      answered.accepted && at === `/${path}`;
    const arrived = await this.receiver.waitFor((records) => {
      const accepted = records.filter(isWanted).toReversed();
      const all = [...new Map(accepted.map((record) => [record.id, record])).values()].reverse();
      return all.length >= wanted.length && all;
    });
    const told = arrived.map(inWords).join(', ');
    if (told !== wanted.join(', ')) throw new Error(`arrived: ${told}; wanted: ${wanted.join(', ')}`);
    return told;
  }

  async close(): Promise<void> {
    const ended = (signal: NodeJS.Signals): Promise<unknown> =>
      Promise.all(this.#controllers.map((each) => each.end(signal)));
    await within(10_000, 'the stop', ended('SIGTERM')).catch(() => ended('SIGKILL'));
    for (const close of this.#closers) await close();
  }
}
