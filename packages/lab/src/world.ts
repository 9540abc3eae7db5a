import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startDevCluster, type DevCluster, type DevClusterOptions } from '@hnotif/devcluster';
import {
  startBotchatReceiver,
  startTeamchatReceiver,
  startWebhookReceiver,
  type BotchatOptions,
  type BotchatReceiver,
  type TeamchatOptions,
  type TeamchatReceiver,
  type WebhookReceiverOptions,
  type WebhookReceiver,
  type WebhookRecord,
} from '@hnotif/receivers';
import type { Logger } from 'pino';
import { systemClock } from '@hnotif/core/clock';
import type { NotificationStatus } from '@hnotif/core/resources';
import { startController, type Controller } from '../../hnotif/src/controller/controller.ts';
import type { ControllerOptions } from '../../hnotif/src/controller/options.ts';
import { createLog } from '../../hnotif/src/observe/log.ts';
import { Kube, type KubeObject } from './kube.ts';
import { IN_PROCESS, LOOPBACK_FLAGS } from './loopback.ts';
import { configMapObject, createNamespace, installCrds, NAMESPACE } from './objects.ts';
import { AT_ANY_PORT, Process, type ProcessOptions } from './process.ts';
import { Team } from './team.ts';

const PAYLOAD_SCHEMA = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../../schemas/webhook-payload.schema.json'), 'utf8'),
) as object;

/** The keys with which the worlds' webhooks are signed. */
export const SIGNING_SECRET = `whsec_${Buffer.from('an-end-to-end-test-secret').toString('base64')}`;

/** Lines of the log that are shown when a wait is in vain. */
const LAST_LINES = 20;

export interface WorldOptions {
  readonly crds?: boolean;
  readonly cluster?: DevClusterOptions;
  /** The wall clock of the cluster, the operator and the receiver. Default: the system's. */
  readonly now?: () => number;
  /** Default: it refuses a body that is not of the schema, and a signature that is missing, wrong or of another time. */
  readonly receiver?: WebhookReceiverOptions;
}

/** A control plane, a receiver and, on request, a controller: all real, over HTTP. Most plans are of its own team. */
export class World extends Team {
  readonly cluster: DevCluster;
  readonly receiver: WebhookReceiver;
  readonly log: string[] = [];
  readonly #folder: string;
  readonly #looking = new Set<(line: string) => void>();
  readonly #teams = new Map<string, Team>();
  #teamchat: TeamchatReceiver | undefined;
  #botchat: BotchatReceiver | undefined;
  readonly #closers: (() => unknown)[] = [];

  private constructor(cluster: DevCluster, kube: Kube, receiver: WebhookReceiver, folder: string) {
    super(NAMESPACE, kube);
    this.cluster = cluster;
    this.receiver = receiver;
    this.#folder = folder;
  }

  static async start(options: WorldOptions = {}): Promise<World> {
    const clock = options.now && { now: options.now };
    const cluster = await startDevCluster({ ...options.cluster, ...clock });
    const receiver = await startWebhookReceiver({
      ...(options.receiver ?? { schema: PAYLOAD_SCHEMA, signingSecrets: [SIGNING_SECRET] }),
      ...clock,
    });
    const folder = await mkdtemp(join(tmpdir(), 'hnotif-e2e-'));
    const token = cluster.users.token('the-tests', { groups: ['system:masters'] });
    const kube = new Kube(cluster.url, options.cluster?.auth ? { ca: cluster.ca, token } : undefined);
    const world = new World(cluster, kube, receiver, folder);
    world.closes(async () => {
      await receiver.close();
      await cluster.close();
      await rm(folder, { recursive: true, force: true });
    });
    if (options.now !== undefined) world.now = options.now;
    if (options.crds !== false) await world.installCrds();
    await world.addNamespace(NAMESPACE);
    return world;
  }

  installCrds(definitions?: readonly object[]): Promise<void> {
    return installCrds(this.kube, definitions);
  }

  /** Writes a file into a folder that is deleted after the test. Returns its path. */
  async file(name: string, text: string, mode = 0o600): Promise<string> {
    const path = join(this.#folder, name);
    await writeFile(path, text, { mode });
    return path;
  }

  /** The path of the kubeconfig of a user, with the namespace `NAMESPACE`. The cluster needs TLS and authorization. */
  kubeconfigOf(user: string): Promise<string> {
    const { ca = '', url: server, users } = this.cluster;
    const authority = Buffer.from(ca).toString('base64');
    const config = {
      'current-context': 'c',
      contexts: [{ name: 'c', context: { cluster: 'c', user, namespace: NAMESPACE } }],
      clusters: [{ name: 'c', cluster: { server, 'certificate-authority-data': authority } }],
      users: [{ name: user, user: { token: users.token(user) } }],
    };
    return this.file(`kubeconfig-of-${user}`, JSON.stringify(config));
  }

  /** The path of a kubeconfig. `server`: another address, such as that of a proxy. */
  async kubeconfig(server = this.cluster.url): Promise<string> {
    const text = this.cluster.kubeconfig().replaceAll(this.cluster.url, server);
    return this.file(`kubeconfig-${new URL(server).port}`, text);
  }

  /** A teamchat workspace for controllers that are started later. */
  async teamchat(options: TeamchatOptions = {}): Promise<TeamchatReceiver> {
    const chat = await startTeamchatReceiver(options);
    this.closes(() => chat.close());
    this.#teamchat = chat;
    return chat;
  }

  /** A botchat server for controllers that are started later. */
  async botchat(options: BotchatOptions = {}): Promise<BotchatReceiver> {
    const chat = await startBotchatReceiver(options);
    this.closes(() => chat.close());
    this.#botchat = chat;
    return chat;
  }

  /** The flags with the addresses of the chats of this world, for a controller in a separate process. */
  get addresses(): readonly string[] {
    return [
      ...(this.#teamchat === undefined ? [] : [`--chat-api-url=${this.#teamchat.apiUrl}`]),
      ...(this.#botchat === undefined ? [] : [`--bot-api-url=${this.#botchat.origin}`]),
    ];
  }

  /** `close` calls this. */
  closes(end: () => unknown): void {
    this.#closers.push(end);
  }

  /** Ends all that was started, the last first. */
  async close(): Promise<void> {
    for (let end = this.#closers.pop(); end !== undefined; end = this.#closers.pop()) await end();
  }

  /** hnotif in a separate process, for this world. `close` ends it like a power cut. */
  async process(
    args: readonly string[],
    options: ProcessOptions = {},
    server = this.cluster.url,
  ): Promise<Process> {
    const kubeconfig = await this.kubeconfig(server);
    const hnotif = new Process(
      [
        ...['run', `--kubeconfig=${kubeconfig}`, ...LOOPBACK_FLAGS, ...AT_ANY_PORT],
        ...[...this.addresses, ...args],
      ],
      options,
    );
    this.closes(() => hnotif.end('SIGKILL'));
    return hnotif;
  }

  /** A controller with short waits. `close` stops it. */
  async controller(options: Partial<ControllerOptions> = {}, log = this.#logger()): Promise<Controller> {
    const controller = await startController(
      {
        ...IN_PROCESS,
        kubeconfig: await this.kubeconfig(),
        // If the clock is turned, a leader loses its Lease.
        leaderElect: options.clock === undefined,
        // The control plane is in this process, too: on a busy machine it may not answer for longer than a Lease usually lasts.
        ...{ leaseDurationMs: 900_000, renewDeadlineMs: 600_000 },
        // With an injected clock the election needs no thread. The start of one takes a third of a second.
        clock: systemClock,
        ...{ unsubscribeAfterMs: 0, metricsKeptMs: 0, statusIntervalMs: 20, secretTtlMs: 20 },
        recheckUnreadyMs: 250,
        drainTimeoutMs: 5_000,
        ...(this.#teamchat && { chatApiUrl: this.#teamchat.apiUrl }),
        ...(this.#botchat && { botApiUrl: this.#botchat.origin }),
        ...options,
      },
      log,
    );
    this.closes(() => controller.stop());
    return controller;
  }

  /** A log whose lines are kept. */
  #logger(): Logger {
    const write = (line: string): void => {
      this.log.push(line);
      for (const look of this.#looking) look(line);
    };
    return createLog({ format: 'json', level: 'debug', destination: { write } });
  }

  /** Resolves with the first line of the log that matches, also if it was written before. */
  logged(pattern: RegExp): Promise<string> {
    const line = this.log.find((written) => pattern.test(written));
    if (line !== undefined) return Promise.resolve(line);
    return new Promise((resolve) => {
      const look = (written: string): void => {
        if (!pattern.test(written)) return;
        this.#looking.delete(look);
        resolve(written);
      };
      this.#looking.add(look);
    });
  }

  /** A controller that has listed everything. */
  async synced(options: Partial<ControllerOptions> = {}, log?: Logger): Promise<Controller> {
    const controller = await this.controller(options, log);
    await controller.synced;
    return controller;
  }

  addNamespace(name: string): Promise<void> {
    return createNamespace(this.kube, name);
  }

  /** The objects of a namespace. */
  team(namespace = NAMESPACE): Team {
    if (namespace === NAMESPACE) return this;
    const team = this.#teams.get(namespace) ?? new Team(namespace, this.kube);
    team.now = (plan) => this.now(plan);
    this.#teams.set(namespace, team);
    return team;
  }

  /** A webhook's secret. `path` distinguishes sinks of the one receiver. */
  override secret(name: string, config: object | string = {}, namespace = NAMESPACE): Promise<void> {
    const webhook = { url: `${this.receiver.url}${name}`, signing_secret: SIGNING_SECRET };
    const full = typeof config === 'string' ? config : { ...webhook, ...config };
    return namespace === NAMESPACE ? super.secret(name, full) : this.team(namespace).secret(name, full);
  }

  /** The secret of any sink, with only this configuration. */
  configure(name: string, config: object): Promise<void> {
    return super.secret(name, config);
  }

  /** A config map with templates by key. */
  async templates(name: string, data: Readonly<Record<string, string>>): Promise<void> {
    await this.kube.put(this.path('configmaps'), name, configMapObject(name, data));
  }

  notificationPath(name: string): string {
    return this.path('hibernatenotifications', name);
  }

  /** Resolves with the status when it satisfies `wanted`. Watches, does not poll. */
  async status(name: string, wanted: (status: NotificationStatus) => boolean): Promise<NotificationStatus> {
    const object = await this.kube.until(
      this.path('hibernatenotifications'),
      name,
      (found) => found.status !== undefined && wanted(found.status as NotificationStatus),
    );
    return object.status as NotificationStatus;
  }

  planPath(name: string): string {
    return this.path('hibernateplans', name);
  }

  /** A plan with one target, `db`, begins its night. */
  hibernate(plan: string): Promise<KubeObject> {
    return this.begins(plan, { cycle: `of-${plan}` });
  }

  /** Resolves when `count` messages have been accepted at the sink's path (at all paths without one). */
  async received(count: number, path?: string): Promise<WebhookRecord[]> {
    try {
      return await this.receiver.waitFor((records) => {
        const accepted = records.filter(
          (record) => record.answered.accepted && (path === undefined || record.path === `/${path}`),
        );
        return accepted.length >= count && accepted;
      });
    } catch (error) {
      throw new Error(`${String(error)}; the end of hnotif's log:\n${this.log.slice(-LAST_LINES).join('')}`, {
        cause: error,
      });
    }
  }
}
