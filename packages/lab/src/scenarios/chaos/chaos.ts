import { setMaxListeners } from 'node:events';
import { createWriteStream } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { startDevCluster, type DevCluster } from '@hnotif/devcluster';
import { Kube, type KubeObject } from '../../kube.ts';
import { waitingIn } from '../../journals.ts';
import { installCrds } from '../../objects.ts';
import { LOOPBACK_FLAGS } from '../../loopback.ts';
import { AT_ANY_PORT } from '../../process.ts';
import { Dice } from '../../dice.ts';
import { until } from '../../wait.ts';
import { Churn } from './churn.ts';
import { Coverage } from './coverage.ts';
import { Replicas } from './replicas.ts';
import { gapsOf, withSlack } from '../../gaps.ts';
import type { Mode } from './modes.ts';
import { Player } from './player.ts';
import { Receivers } from './receivers.ts';
import type {
  ChaosRecord,
  DeliveryEnd,
  Form,
  NotificationSpec,
  PlanHistory,
  SinkSpec,
  Trouble,
} from '../../record.ts';
import { Removals } from './removals.ts';
import {
  createPlan,
  CROWDED,
  deadOf,
  furnish,
  JOURNALS,
  LONG_ERROR,
  MAIN,
  notificationsIn,
  notificationsOf,
  planPath,
  SIDE,
  teamsOf,
  WITHOUT_IDS,
} from './setting.ts';
import { PLANS, refuseJournals, trouble, type Act } from './troubles.ts';

export interface ChaosOptions {
  readonly modes: ReadonlySet<Mode>;
  readonly kills: number;
  readonly plans: number;
  readonly seed: number;
  /** The folder for the logs and the record. */
  readonly folder: string;
  /** Status writes per second, of all plans together, if hnotif stores them soon enough. */
  readonly writesPerSecond: number;
  /** The average time between two failures of the control plane (milliseconds), at 20 messages a second: messages count. Removals and other changes are rarer. */
  readonly paceMs: number;
  /** The duration of the Lease (milliseconds, whole seconds). It is long, so that a slow machine does not lose it; those of most killed processes are ended. */
  readonly leaseMs: number;
  /** The time limit for waiting deliveries after the last kill (milliseconds). */
  readonly drainMs: number;
  /**
   * How long cards may stay behind after the last message (milliseconds). Default 90 s: the chat takes 50 updates a minute, and then names a
   * pause of up to a minute. Cards of deleted plans may stay behind for ever.
   */
  readonly cardsMs?: number;
  readonly tell?: (line: string) => void;
}

export interface ChaosRun {
  readonly record: ChaosRecord;
  /** Deliveries that still wait at the end. */
  readonly pending: number;
  /** Processes that ended by themselves. */
  readonly falls: number;
  /** The exit code or signal of the last process, after a SIGTERM. */
  readonly exit: number | NodeJS.Signals | null | undefined;
  readonly troubles: readonly Trouble[];
  /** Each deletion and each change of the configuration. */
  readonly changed: readonly string[];
  /** Leaders that were paused (SIGSTOP) until another process led, and then continued. */
  readonly stops: number;
  /** Faults that were seen during the run, not in the record. */
  readonly faults: readonly string[];
}

/** One plan of this many is in the namespace that is deleted. */
const ONE_IN = 5;

/** All messages have arrived when this many checks in a row, half a second apart, find no waiting delivery and no new message. */
const QUIET = 4;

/** The share of leaders that are paused (SIGSTOP), not killed. Only with a standby. */
const STOPS = 0.1;
/** Most leaders end after fewer messages than this… */
const SHORT_LIFE = 120;
/** …but a new leader changes no thread for 10 s. So this share of them ends after fewer updates of cards and boards than this… */
const LONG_LIVES = 0.12;
const LONG_LIFE = 12;
/** …and each of them, if nothing arrives, after this time (milliseconds). */
const LONGEST_LIFE_MS = 20_000;
/** Failures follow each other after so many messages, instead of a second. */
const MESSAGES_A_SECOND = 20;

/** The share of new leaders whose first journal writes are refused. */
const REFUSED = 0.3;

/** Kills every process of hnotif again and again, while plans go through nights and the control plane and receivers fail. */
export async function runChaos(options: ChaosOptions): Promise<ChaosRun> {
  const dice = new Dice(options.seed);
  const looks: number[] = [];
  const cluster = await startDevCluster({
    random: randomOf(dice),
    onLook: ({ resource }) => {
      if (resource === PLANS) looks.push(Date.now());
    },
  });
  const { modes } = options;
  const namesOf = (specs: readonly NotificationSpec[], isChosen: (sink: SinkSpec) => boolean): string[] =>
    specs.flatMap(({ sinks }) => sinks.filter(isChosen).map(({ name }) => name));
  const ofForm = (wanted: Form): string[] => namesOf(notificationsOf(modes), ({ form }) => form === wanted);
  const [threads, boards] = [ofForm('thread'), ofForm('board')];
  const receivers = await Receivers.open(
    { threads, boards, dead: namesOf(deadOf(modes), () => true), modes },
    dice,
  );
  const run = new Run(options, dice, cluster, receivers, looks);
  try {
    return await run.run();
  } finally {
    await run.end();
    await receivers.close();
    await cluster.close();
  }
}

/** One line for each piece of the record, `[field, piece]`: the whole record is longer than a JavaScript string may be. */
function* linesOf(record: ChaosRecord): Generator<string> {
  for (const [field, value] of Object.entries(record) as [string, unknown][])
    for (const piece of Array.isArray(value) ? (value as readonly unknown[]) : [value])
      yield `${JSON.stringify([field, piece])}\n`;
}

const randomOf = (dice: Dice): (() => number) => {
  const own = dice.fork();
  return () => own.next();
};

class Run {
  readonly #options: ChaosOptions;
  readonly #dice: Dice;
  readonly #cluster: DevCluster;
  readonly #receivers: Receivers;
  readonly #kube: Kube;
  /** When plans were listed or watched. */
  readonly #looks: readonly number[];
  readonly #troubles: Trouble[] = [];
  readonly #coverage: Coverage;
  readonly #replicas: Replicas;
  readonly #over = new AbortController();
  readonly #players: Player[] = [];
  /** Of plans, by uid. */
  readonly #nameOf = new Map<string, string>();
  readonly #playing: Promise<void>[] = [];

  constructor(
    options: ChaosOptions,
    dice: Dice,
    cluster: DevCluster,
    receivers: Receivers,
    looks: readonly number[],
  ) {
    this.#options = options;
    this.#dice = dice;
    this.#cluster = cluster;
    this.#receivers = receivers;
    this.#looks = looks;
    this.#kube = new Kube(cluster.url);
    this.#coverage = new Coverage(receivers.boardSinks, receivers.deadSinks);
    const taken = dice.fork();
    this.#replicas = new Replicas({
      ...{ args: this.#args(), folder: options.folder, dice: dice.fork() },
      ...{ replicas: options.modes.has('replicas'), clocks: options.modes.has('clocks') },
      release: (identity) => this.#release(identity),
      served: () => {
        if (taken.hits(REFUSED))
          void refuseJournals(cluster, taken).then((each) => this.#troubles.push(each));
      },
    });
  }

  async run(): Promise<ChaosRun> {
    const { kills, modes, paceMs } = this.#options;
    const replicas = this.#replicas;
    const configOf = (sink: SinkSpec): object => this.#receivers.configOf(sink);
    const notifications = [...notificationsOf(modes), ...deadOf(modes)];
    await installCrds(this.#kube);
    for (const namespace of [MAIN, SIDE]) await furnish(this.#kube, namespace, notifications, configOf);
    await writeFile(this.#kubeconfig, this.#cluster.kubeconfig());
    const stop = new AbortController();
    for (const { signal } of [stop, this.#over]) setMaxListeners(0, signal);
    await this.#kube.follow(
      JOURNALS,
      (journal) => {
        this.#coverage.journal(journal);
      },
      this.#over.signal,
    );
    await replicas.fill();
    await replicas.serving();
    // Plans that are created in the second of the installation may count as older than it.
    await setTimeout(1_100);
    const newPlayer = (namespace: string, before?: Player): Player =>
      this.#newPlayer(stop.signal, namespace, before);
    // A slow machine has as many failures for each message as a fast one.
    const lull = (ms: number, signal?: AbortSignal): Promise<void> =>
      this.#live((MESSAGES_A_SECOND * ms) / 1_000, undefined, signal);
    const removals = new Removals({
      ...{ kube: this.#kube, coverage: this.#coverage, dice: this.#dice.fork(), paceMs: 1.3 * paceMs },
      lull,
      isActive: modes.has('removals'),
      ...{ signal: stop.signal, notifications, configOf, newPlayer },
      serving: () => replicas.serving(),
      play: (player, created) => this.#play(player, created),
    });
    const churn = new Churn({
      ...{ kube: this.#kube, dice: this.#dice.fork(), paceMs: 2 * paceMs },
      ...{ signal: stop.signal, lull, notifications, configOf },
    });
    for (let index = 0; index < this.#options.plans; index++)
      removals.add(newPlayer(index % ONE_IN === ONE_IN - 1 ? SIDE : MAIN));
    const removing = removals.run();
    const churning = modes.has('churn') ? churn.run() : undefined;
    this.#receivers.misbehave();
    const troubling = trouble(this.#cluster, this.#dice.fork(), {
      ...{ paceMs, signal: stop.signal, lull, more: this.#ownTroubles() },
      push: (each) => this.#troubles.push(each),
    });
    await this.#killAll(kills - 1);
    await this.#live(SHORT_LIFE / 2);
    stop.abort();
    await Promise.all(this.#playing);
    // A last kill, after the last change of a plan: later messages come only from journals.
    await replicas.kill();
    await replicas.serving();
    await Promise.all([troubling, removing, churning]);
    this.#receivers.behave();
    // Their waiting deliveries are dropped.
    for (const { name } of deadOf(modes))
      for (const namespace of [MAIN, SIDE]) await this.#kube.delete(`${notificationsIn(namespace)}/${name}`);
    this.#tell('last kill done; waiting for the remaining messages');
    const pending = await this.#drained();
    const { items } = await this.#kube.get(JOURNALS);
    await writeFile(join(this.#options.folder, 'journals.json'), JSON.stringify(items));
    const exit = await replicas.close('SIGTERM');
    this.#over.abort();
    return this.#result(removals, churn, pending, exit);
  }

  /** Ends all processes, also after an error. */
  async end(): Promise<void> {
    this.#over.abort();
    await this.#replicas.close('SIGKILL');
  }

  async #result(
    removals: Removals,
    churn: Churn,
    pending: number,
    exit: ChaosRun['exit'],
  ): Promise<ChaosRun> {
    const { folder, modes, seed } = this.#options;
    const replicas = this.#replicas;
    const ends = withSlack(replicas.ends);
    const record: ChaosRecord = {
      seed,
      plans: this.#players.map(({ history, uid }) => this.#withCoverage(history, uid)),
      notifications: notificationsOf(modes).map((spec) => ({
        ...spec,
        absences: churn.absencesOf(spec.name),
      })),
      kills: ends,
      gaps: gapsOf(ends, this.#troubles, removals.absences, this.#looks),
      absences: removals.absences,
      arrivals: this.#receivers.arrivals,
      roots: this.#receivers.roots(),
      ...{ boards: this.#receivers.boards(), ends: this.#ends() },
      drops: [
        ...replicas.drops,
        ...this.#coverage.drops.map((drop) => ({ ...drop, plan: this.#nameOf.get(drop.plan) ?? drop.plan })),
      ],
      timeouts: replicas.timeouts,
    };
    await pipeline(linesOf(record), createWriteStream(join(folder, 'record.ndjson')));
    return {
      ...{ record, pending, falls: replicas.falls, exit, troubles: this.#troubles, stops: replicas.stops },
      changed: [...removals.done, ...churn.done],
      faults: [...removals.faults, ...churn.faults, ...replicas.faults],
    };
  }

  #withCoverage(history: PlanHistory, uid: string): PlanHistory {
    const writes = history.writes.map((write) => ({
      ...write,
      keptAt: write.version === undefined ? undefined : this.#coverage.keptAt(write.version),
    }));
    return { ...history, uid, writes, epochs: this.#coverage.epochsOf(uid) };
  }

  #ends(): DeliveryEnd[] {
    return this.#coverage.ends.map((end) => ({ ...end, plan: this.#nameOf.get(end.plan) ?? '' }));
  }

  #tell(line: string): void {
    this.#options.tell?.(line);
  }

  get #kubeconfig(): string {
    return join(this.#options.folder, 'kubeconfig');
  }

  #args(): readonly string[] {
    const { leaseMs } = this.#options;
    return [
      ...[`--kubeconfig=${this.#kubeconfig}`, ...LOOPBACK_FLAGS, '--kube-api-qps=1000'],
      ...['--kube-api-burst=1000', '--lease-namespace=default', ...AT_ANY_PORT],
      `--lease-duration=${leaseMs}ms`,
      `--renew-deadline=${0.8 * leaseMs}ms`,
      '--retry-period=300ms',
      // With a clock that is ahead, `--failure-after` would make a Failure. This rule is not checked here.
      // Each request without an answer has its line in the log of this level.
      ...['--failure-after=1000h', '--status-interval=1s', '--log-level=debug'],
      ...[`--chat-api-url=${this.#receivers.chatApiUrl}`, `--bot-api-url=${this.#receivers.botApiUrl}`],
    ];
  }

  /** A player that replaces another one has the same name, and its own label. */
  #newPlayer(signal: AbortSignal, namespace: string, before?: Player): Player {
    const { modes, plans, writesPerSecond } = this.#options;
    const index = this.#players.length;
    const dice = this.#dice.fork();
    const targets = ['db', 'vm', 'nodes', 'cache'].slice(0, 1 + dice.below(4));
    const [name = '', life = '0'] = before?.history.name.split('#') ?? [`plan-${index}`];
    const next = String(Number(life) + 1);
    const teams = teamsOf(modes);
    const labels: PlanHistory['labels'] =
      before === undefined
        ? { team: teams[(index + Math.floor(index / ONE_IN)) % teams.length] ?? '' }
        : { ...before.history.labels, life: next };
    const player: Player = new Player(
      { namespace, name: before === undefined ? name : `${name}#${next}` },
      { labels, retries: dice.below(3) },
      targets.map((target) => ({ name: target, type: 'rds' })),
      {
        ...{ dice, paceMs: (1_000 * plans) / writesPerSecond, signal },
        reruns: labels.team !== WITHOUT_IDS,
        errorLength: labels.team === CROWDED ? LONG_ERROR : undefined,
        write: async (status) =>
          (await this.#kube.patch(`${planPath(player)}/status`, { status })).metadata.resourceVersion,
        kept: modes.has('lockstep')
          ? (version, over) => this.#coverage.kept(player.uid, version, over)
          : undefined,
      },
    );
    this.#players.push(player);
    return player;
  }

  #play(player: Player, created: (uid: string) => void): Promise<void> {
    const play = async (): Promise<void> => {
      const from = Date.now();
      const uid = await createPlan(this.#kube, player);
      this.#nameOf.set(uid, player.history.name);
      created(uid);
      player.created(from, uid);
      await player.play();
    };
    const playing = play();
    this.#playing.push(playing);
    return playing;
  }

  #ownTroubles(): Readonly<Record<string, Act>> {
    const { leaseMs, modes } = this.#options;
    const jump: Act = [
      'none',
      () => {
        this.#replicas.jump();
      },
    ];
    const pause: Act = ['pause', (_, dice) => this.#replicas.pause(dice.next() * 0.4 * leaseMs)];
    return {
      ...(modes.has('clocks') && { 'a wall clock jumps': jump, 'a wall clock jumps again': jump }),
      ...(modes.has('replicas') && { 'the leader is paused for a moment': pause }),
    };
  }

  /** Kills one process after the other. The last ones stay. */
  async #killAll(kills: number): Promise<void> {
    const replicas = this.#replicas;
    const dice = this.#dice.fork();
    const hasReplicas = this.#options.modes.has('replicas');
    while (hardEnds(replicas) < kills) {
      // Some processes are killed before they serve.
      const isEarly = dice.hits(0.1);
      if (!isEarly) await replicas.serving();
      if (isEarly) await setTimeout(dice.below(1_500));
      else if (dice.hits(LONG_LIVES))
        await this.#live(1 + dice.below(LONG_LIFE), () => this.#receivers.updates);
      else await this.#live(dice.below(SHORT_LIFE));
      if (hasReplicas && dice.hits(0.1)) await replicas.killStandby();
      if (hasReplicas && !isEarly && dice.hits(STOPS)) await replicas.stop();
      else await replicas.kill();
      if (hardEnds(replicas) % 10 > 0) continue;
      const arrived = this.#receivers.arrivals.length;
      this.#tell(`${hardEnds(replicas)} killed, ${arrived} messages so far`);
    }
    await replicas.serving();
  }

  async #release(identity: string): Promise<void> {
    const path = '/apis/coordination.k8s.io/v1/namespaces/default/leases/hnotif';
    const { metadata, spec } = await this.#kube.get(path);
    // Another process may take it first: it has another version then.
    const { resourceVersion } = metadata;
    if (spec?.holderIdentity !== identity) return;
    await this.#kube.ask(
      'PATCH',
      path,
      { metadata: { resourceVersion }, spec: { holderIdentity: '' } },
      'application/merge-patch+json',
    );
  }

  /** Resolves after so many more messages. So a process has the same work in its life on each machine. */
  async #live(
    more: number,
    count = () => this.#receivers.arrivals.length,
    signal?: AbortSignal,
  ): Promise<void> {
    const enough = count() + more;
    const wait = { what: 'a life', limitMs: LONGEST_LIFE_MS, everyMs: 5 };
    await until(() => signal?.aborted === true || count() >= enough, wait).catch(() => undefined);
  }

  /** Resolves with the number of waiting deliveries, when it is 0, or when nothing has arrived for long. */
  async #drained(): Promise<number> {
    const { cardsMs = 90_000, drainMs } = this.#options;
    let giveUpAt = Date.now() + drainMs;
    let quiet = 0;
    let cardsUntil = 0;
    for (let before = -1; ;) {
      await setTimeout(500);
      await this.#replicas.serving();
      const pending = waitingIn((await this.#kube.get(JOURNALS)).items as readonly KubeObject[]);
      const arrived = this.#receivers.arrivals.length + this.#receivers.updates;
      const isQuiet = pending === 0 && arrived === before;
      if (!isQuiet) cardsUntil = Date.now() + cardsMs;
      // Hundreds of cards may be behind, and the chat takes 50 updates a minute.
      if (arrived !== before) giveUpAt = Date.now() + drainMs;
      const hasCards = this.#receivers.cardsBehind() === 0 || Date.now() > cardsUntil;
      quiet = isQuiet && hasCards ? quiet + 1 : 0;
      before = arrived;
      if (quiet >= QUIET || Date.now() > giveUpAt) return pending;
    }
  }
}

const hardEnds = ({ ends }: Replicas): number => ends.filter(({ fell }) => !fell).length;
