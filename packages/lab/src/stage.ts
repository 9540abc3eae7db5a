import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startDevCluster, type DevCluster, type DevClusterOptions } from '@hnotif/devcluster';
import { startWebhookReceiver, type WebhookReceiver } from '@hnotif/receivers';
import { pino } from 'pino';
import { check } from './checker/checker.ts';
import { gapsOf, withSlack } from './gaps.ts';
import type { Arrival, ChaosRecord, PlanHistory, StatusWrite, Timeout, Trouble } from './record.ts';
import { startController } from '../../hnotif/src/controller/controller.ts';
import { webhookArrival } from './arrivals.ts';
import { Kube, type KubeObject } from './kube.ts';
import { timeoutIn } from './log-lines.ts';
import { IN_PROCESS, LOOPBACK_FLAGS } from './loopback.ts';
import { ALL, createNamespace, installCrds, NAMESPACE, planObject, type PlanMore } from './objects.ts';
import { contextOf } from './payload.ts';
import { AT_ANY_PORT, Process } from './process.ts';
import { startProxy, type Proxy, type ProxyOptions } from './proxy.ts';
import { verdict, type Scenario } from './scenario.ts';
import { Team, type Step } from './team.ts';
import type { TurnedClock } from './turned-clock.ts';
import { pause, until, within } from './wait.ts';

const SINK = 'hook';
const LIMIT_MS = 120_000;
/** All messages have arrived when this many looks in a row find no waiting delivery and no new message. */
const QUIET = 4;
const LOOK_MS = 250;
/** How far a turned clock is turned with each look. Less than a request may take. */
const TURN_MS = 6_000;

export interface StageOptions {
  /** More flags of hnotif. */
  readonly flags?: readonly string[];
  readonly cluster?: DevClusterOptions;
  /** Between hnotif and the control plane: the lines that replace a line of a watch. */
  readonly onLine?: ProxyOptions['onLine'];
  /** hnotif runs in this process with this clock, so that hours take no time. Default: the bundle, in its own process. */
  readonly clock?: TurnedClock;
}

interface History extends PlanHistory {
  readonly writes: StatusWrite[];
  deleted?: PlanHistory['deleted'];
}

/** A team that records what the operator writes. The times of an operator's writes have whole seconds. */
class RecordedTeam extends Team {
  readonly histories: History[] = [];
  #at = 0;

  override now = (): number => (this.#at = Math.max(Math.floor(Date.now() / 1000) * 1000, this.#at + 1_000));

  override plan(name: string, targets: readonly string[] = ['db'], more: PlanMore = {}): Promise<KubeObject> {
    return this.#plan(name, targets, { ...more, labels: {} }, name);
  }

  /** Deletes a plan, and creates another one with its name. The checker tells them apart by a label. */
  async replace(plan: string): Promise<void> {
    const before = this.#historyOf(plan);
    const from = Date.now();
    await this.kube.delete(this.path('hibernateplans', plan));
    if (before !== undefined) before.deleted = { from, to: Date.now() };
    this.forget(plan);
    const life = String(this.histories.length + 1);
    await this.#plan(plan, ['db'], { labels: { life } }, `${plan}#${life}`);
  }

  async #plan(
    name: string,
    targets: readonly string[],
    more: PlanMore & { readonly labels: Readonly<Record<string, string>> },
    unique: string,
  ): Promise<KubeObject> {
    const from = Date.now();
    const object = planObject(name, targets, { ...more, spec: { behavior: { retries: 0 }, ...more.spec } });
    const made = await this.create('hibernateplans', object);
    const writes = [{ from, to: Date.now(), status: {} }];
    const { labels } = more;
    this.histories.push({ name: unique, namespace: this.namespace, labels, retries: 0, writes });
    await this.write(name, (status) => status);
    return made;
  }

  /** Of the present plan of this name. */
  #historyOf(plan: string): History | undefined {
    return this.histories.findLast(({ name }) => name.split('#')[0] === plan);
  }

  override async write(plan: string, step: Step): Promise<KubeObject> {
    const from = Date.now();
    let status: unknown;
    const object = await super.write(plan, (before, at) => {
      const after = step(before, at);
      status = after;
      return after;
    });
    const version = object.metadata.resourceVersion;
    this.#historyOf(plan)?.writes.push({ from, to: Date.now(), status, version });
    return object;
  }
}

/** A control plane, a team whose notification has one webhook for all events, its receiver, hnotif, and the record of all. */
export class Stage {
  readonly cluster: DevCluster;
  readonly receiver: WebhookReceiver;
  readonly team: RecordedTeam;
  /** Times in which states of plans could be missed or come late, as a scenario says. */
  readonly troubles: Trouble[] = [];
  readonly #options: StageOptions;
  readonly #folder: string;
  readonly #kills: { readonly at: number; servedAt: number | null; readonly fell: false }[] = [];
  readonly #arrivals: Arrival[] = [];
  readonly #timeouts: Timeout[] = [];
  /** When plans were listed or watched. */
  readonly #looks: readonly number[];
  #proxy: Proxy | undefined;
  #hnotif: { end(signal: NodeJS.Signals): Promise<unknown> } | undefined;

  private constructor(
    { cluster, looks }: { readonly cluster: DevCluster; readonly looks: readonly number[] },
    receiver: WebhookReceiver,
    folder: string,
    options: StageOptions,
  ) {
    this.cluster = cluster;
    this.#looks = looks;
    this.receiver = receiver;
    this.team = new RecordedTeam(NAMESPACE, new Kube(cluster.url));
    this.#folder = folder;
    this.#options = options;
    const keep = (...[record]: Parameters<typeof webhookArrival>): void => {
      const arrival = webhookArrival(record, 0);
      if (arrival !== undefined) this.#arrivals.push(arrival);
    };
    receiver.onRecord((record) => {
      keep(record, 0);
    });
    receiver.onAmended((record) => {
      keep(record, 0);
    });
  }

  /** Plays, waits for the remaining messages, and resolves with what the checker finds: violations of docs/guarantees.md. */
  static async check(
    options: StageOptions,
    play: (stage: Stage) => Promise<void>,
  ): Promise<readonly string[]> {
    const looks: number[] = [];
    const [cluster, receiver] = await Promise.all([
      startDevCluster({
        ...options.cluster,
        onLook: ({ resource }) => {
          if (resource === 'hibernateplans') looks.push(Date.now());
        },
      }),
      startWebhookReceiver(),
    ]);
    const folder = await mkdtemp(join(tmpdir(), 'hnotif-lab-'));
    const stage = new Stage({ cluster, looks }, receiver, folder, options);
    try {
      const { kube } = stage.team;
      await installCrds(kube);
      await createNamespace(kube, NAMESPACE);
      await stage.team.secret(SINK, { url: `${receiver.url}${SINK}` });
      await stage.team.notification('n', { sinks: [SINK] });
      await stage.start();
      // Plans that are created in the second of the installation may count as older than it.
      await pause(1_100);
      await play(stage);
      receiver.faults.clear();
      cluster.faults.clear();
      await stage.#settled();
      return check(stage.#record()).violations;
    } finally {
      await stage.#hnotif?.end('SIGKILL');
      stage.#proxy?.close();
      await Promise.all([receiver.close(), cluster.close()]);
      await rm(folder, { recursive: true, force: true });
    }
  }

  /** Starts hnotif. Resolves when it serves. */
  async start(): Promise<void> {
    const { clock, flags = [] } = this.#options;
    const kubeconfig = join(this.#folder, 'kubeconfig');
    const { onLine } = this.#options;
    this.#proxy ??= await startProxy(this.cluster.url, onLine && { onLine });
    await writeFile(kubeconfig, this.cluster.kubeconfig().replaceAll(this.cluster.url, this.#proxy.url));
    if (clock !== undefined) {
      const options = { ...IN_PROCESS, kubeconfig, clock, leaderElect: false };
      const controller = await startController(options, pino({ level: 'silent' }));
      this.#hnotif = { end: () => controller.stop() };
      await controller.synced;
      return;
    }
    const hnotif = new Process(
      [
        ...['run', `--kubeconfig=${kubeconfig}`, ...LOOPBACK_FLAGS, ...AT_ANY_PORT, ...flags],
        ...['--lease-namespace=default', '--leader-elect=false', '--status-interval=1s'],
        // Each request without an answer has its line in the log of this level.
        '--log-level=debug',
      ],
      { onLine: (line) => this.#timeouts.push(...timeoutIn(line, Date.now())) },
    );
    this.#hnotif = hnotif;
    const servedAt = await within(LIMIT_MS, 'the start of hnotif', hnotif.serving);
    if (servedAt === undefined) throw new Error(`hnotif has ended: ${hnotif.stderr.at(-1)}`);
    for (const kill of this.#kills) kill.servedAt ??= servedAt;
  }

  /** Ends hnotif like a power cut, and starts it again. */
  async kill(): Promise<void> {
    this.#kills.push({ at: Date.now(), servedAt: null, fell: false });
    await this.#hnotif?.end('SIGKILL');
    await this.start();
  }

  /** Resolves when so many requests have come to the receiver. */
  async asked(count: number): Promise<void> {
    await this.receiver.waitFor((records) => records.length >= count);
  }

  /** Resolves when this event of a plan has come to the receiver. `life`: as `replace` counts the plans of one name. */
  async told(event: string, life?: string): Promise<void> {
    await this.receiver.waitFor((records) =>
      records.some((record) => {
        const context = contextOf(record);
        return context.event === event && context.plan.labels.life === life;
      }),
    );
  }

  /** Resolves with the number of deliveries that wait in journals. */
  async waiting(): Promise<number> {
    const journals = await this.team.list('hibernatenotificationjournals');
    const specs = journals.map(
      ({ spec }) => spec as { readonly summary?: { readonly waiting: number } } | undefined,
    );
    return specs.reduce((sum, spec) => sum + (spec?.summary?.waiting ?? 0), 0);
  }

  async #settled(): Promise<void> {
    let [quiet, before] = [0, -1];
    const isSettled = async (): Promise<boolean> => {
      this.#options.clock?.turn(TURN_MS);
      const isQuiet = (await this.waiting()) === 0 && this.#arrivals.length === before;
      quiet = isQuiet ? quiet + 1 : 0;
      before = this.#arrivals.length;
      return quiet >= QUIET;
    };
    await until(isSettled, { what: 'the arrival of all messages', limitMs: LIMIT_MS, everyMs: LOOK_MS });
  }

  #record(): ChaosRecord {
    const kills = withSlack(this.#kills);
    return {
      ...{ seed: 0, plans: this.team.histories, kills, arrivals: this.#arrivals },
      notifications: [
        { name: 'n', onEvents: ALL, matchLabels: {}, sinks: [{ name: SINK, form: 'webhook' }] },
      ],
      gaps: gapsOf(kills, this.troubles, [], this.#looks),
      ...{ absences: [], roots: [], boards: [], ends: [], drops: [] },
      timeouts: this.#timeouts,
    };
  }
}

/** A scenario in which a promise is kept: what is played in it, and then the checker judges all messages. */
export const promise = (
  name: string,
  about: string,
  play: (stage: Stage) => Promise<void>,
  options: () => StageOptions = () => ({}),
): Scenario => ({
  ...{ name, about },
  run: async ({ say }) => verdict(await Stage.check(options(), play), say),
});
