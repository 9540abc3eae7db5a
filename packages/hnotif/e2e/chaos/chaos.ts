import { setMaxListeners } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startDevCluster, type DevCluster } from '@hnotif/devcluster';
import { Kube } from '../kube.ts';
import { LOOPBACK_FLAGS } from '../loopback.ts';
import { Dice } from '../storm/dice.ts';
import { gapsOf, withSlack } from './gaps.ts';
import { Killable } from './killable.ts';
import { Player } from './player.ts';
import { Post } from './post.ts';
import type { ChaosRecord, PlanHistory, SinkSpec } from './record.ts';
import { Removals } from './removals.ts';
import {
  createPlan,
  furnish,
  install,
  JOURNALS,
  MAIN,
  NOTIFICATIONS,
  planPath,
  SIDE,
  TEAMS,
  WITHOUT_IDS,
} from './setting.ts';
import { PLANS, refuseJournals, trouble, type Trouble } from './troubles.ts';

export interface ChaosOptions {
  readonly kills: number;
  readonly plans: number;
  readonly seed: number;
  /** Where the logs and the record go. */
  readonly folder: string;
  /** Writes of plans a second, all together. */
  readonly writesPerSecond: number;
  /** A process is killed at the latest so long after it began to serve (milliseconds). */
  readonly lifeMs: number;
  /** How long a Lease holds: a killed process is followed after it (milliseconds, whole seconds). */
  readonly leaseMs: number;
  /** How long what waits may take to arrive after the last kill (milliseconds). */
  readonly drainMs: number;
  readonly tell?: (line: string) => void;
}

export interface ChaosRun {
  readonly record: ChaosRecord;
  /** Deliveries that still waited in the end. */
  readonly pending: number;
  /** Processes that ended by themselves. */
  readonly falls: number;
  /** How the last process ended after a SIGTERM. */
  readonly exit: number | NodeJS.Signals | null | undefined;
  readonly troubles: readonly Trouble[];
  /** What was deleted, each time. */
  readonly removed: readonly string[];
  /** What the control plane showed that must not be. */
  readonly faults: readonly string[];
}

/** One of so many plans is in the namespace that is deleted. */
const ONE_IN = 5;

/** So many looks in a row (half a second between them) find that nothing waits and nothing has come: all has arrived. */
const QUIET = 4;

/** So many processes of all meet refused journals when they have just taken over. */
const REFUSED = 0.3;

/** Every process of hnotif is killed, again and again, while plans go through nights and everything around it misbehaves. */
export async function runChaos(options: ChaosOptions): Promise<ChaosRun> {
  const dice = new Dice(options.seed);
  const looks: number[] = [];
  const cluster = await startDevCluster({
    random: randomOf(dice),
    onLook: ({ resource }) => {
      if (resource === PLANS) looks.push(Date.now());
    },
  });
  const threads = NOTIFICATIONS.flatMap(({ sinks }) => sinks.filter(({ form }) => form === 'thread'));
  const post = await Post.open(
    threads.map(({ name }) => name),
    dice,
  );
  const run = new Run(options, dice, cluster, post, looks);
  try {
    return await run.run();
  } finally {
    await run.end();
    await post.close();
    await cluster.close();
  }
}

const randomOf = (dice: Dice): (() => number) => {
  const own = dice.fork();
  return () => own.next();
};

class Run {
  readonly #options: ChaosOptions;
  readonly #dice: Dice;
  readonly #cluster: DevCluster;
  readonly #post: Post;
  readonly #kube: Kube;
  /** When plans were listed or watched. */
  readonly #looks: readonly number[];
  readonly #troubles: Trouble[] = [];
  /** The lives of processes: from when on it served, and its end. */
  readonly #ends: { readonly at: number; servedAt: number | null; readonly fell: boolean }[] = [];
  readonly #players: Player[] = [];
  readonly #playing: Promise<void>[] = [];
  #falls = 0;
  #current: Killable | undefined;

  constructor(options: ChaosOptions, dice: Dice, cluster: DevCluster, post: Post, looks: readonly number[]) {
    this.#options = options;
    this.#dice = dice;
    this.#cluster = cluster;
    this.#post = post;
    this.#looks = looks;
    this.#kube = new Kube(cluster.url);
  }

  async run(): Promise<ChaosRun> {
    const { kills, seed, folder } = this.#options;
    const configOf = (sink: SinkSpec): object => this.#post.configOf(sink);
    await install(this.#kube);
    for (const namespace of [MAIN, SIDE]) await furnish(this.#kube, namespace, configOf);
    await writeFile(this.#kubeconfig, this.#cluster.kubeconfig());
    const stop = new AbortController();
    setMaxListeners(0, stop.signal);
    const first = this.#process();
    await first.serving;
    // Plans of the second in which hnotif was installed may have been there before.
    await setTimeout(1_100);
    const newPlayer = (namespace: string, before?: Player): Player =>
      this.#newPlayer(stop.signal, namespace, before);
    const removals = new Removals({
      ...{ kube: this.#kube, dice: this.#dice.fork(), paceMs: this.#options.lifeMs / 3 },
      ...{ signal: stop.signal, configOf, newPlayer },
      serving: () => this.#serving(),
      play: (player, created) => this.#play(player, created),
    });
    for (let index = 0; index < this.#options.plans; index++)
      removals.add(newPlayer(index % ONE_IN === ONE_IN - 1 ? SIDE : MAIN));
    const removing = removals.run();
    this.#post.misbehave();
    const troubling = trouble(this.#cluster, this.#dice.fork(), {
      ...{ paceMs: this.#options.lifeMs / 4, signal: stop.signal },
      push: (each) => this.#troubles.push(each),
    });
    await this.#killAll(first, kills - 1);
    await setTimeout(this.#options.lifeMs / 2);
    stop.abort();
    await Promise.all(this.#playing);
    // Once more when no plan changes any more: what then arrives was kept, and comes of nothing else.
    await this.#killOne();
    await Promise.all([troubling, removing]);
    this.#post.behave();
    this.#tell('all killed; waiting for what is on its way');
    const pending = await this.#drained();
    const exit = await this.#current?.end('SIGTERM');
    const ends = withSlack(this.#ends, this.#options.leaseMs);
    const record: ChaosRecord = {
      seed,
      plans: this.#players.map(({ history }) => history),
      notifications: NOTIFICATIONS,
      kills: ends,
      gaps: gapsOf(ends, this.#troubles, removals.absences, this.#looks),
      absences: removals.absences,
      arrivals: this.#post.arrivals,
      roots: this.#post.roots(),
    };
    await writeFile(join(folder, 'record.json'), JSON.stringify(record));
    return {
      ...{ record, pending, falls: this.#falls, exit, troubles: this.#troubles },
      ...{ removed: removals.done, faults: removals.faults },
    };
  }

  #tell(line: string): void {
    this.#options.tell?.(line);
  }

  /** Whatever has happened, no process stays. */
  async end(): Promise<void> {
    await this.#current?.end('SIGKILL');
  }

  get #kubeconfig(): string {
    return join(this.#options.folder, 'kubeconfig');
  }

  /** In the place of another one it has that one's name, and a label of its own. */
  #newPlayer(signal: AbortSignal, namespace: string, before?: Player): Player {
    const { plans, writesPerSecond } = this.#options;
    const index = this.#players.length;
    const dice = this.#dice.fork();
    const targets = ['db', 'vm', 'nodes', 'cache'].slice(0, 1 + dice.below(4));
    const [name = '', life = '0'] = before?.history.name.split('#') ?? [`plan-${index}`];
    const next = String(Number(life) + 1);
    const labels: PlanHistory['labels'] =
      before === undefined
        ? { team: TEAMS[index % TEAMS.length] ?? '' }
        : { ...before.history.labels, life: next };
    const player: Player = new Player(
      { namespace, name: before === undefined ? name : `${name}#${next}` },
      { labels, retries: dice.below(3) },
      targets.map((target) => ({ name: target, type: 'rds' })),
      {
        ...{ dice, paceMs: (1_000 * plans) / writesPerSecond, signal },
        reruns: labels.team !== WITHOUT_IDS,
        write: async (status) => {
          await this.#kube.patch(`${planPath(player)}/status`, { status });
        },
      },
    );
    this.#players.push(player);
    return player;
  }

  #play(player: Player, created: (uid: string) => void): Promise<void> {
    const play = async (): Promise<void> => {
      const from = Date.now();
      created(await createPlan(this.#kube, player));
      player.created(from);
      await player.play();
    };
    const playing = play();
    this.#playing.push(playing);
    return playing;
  }

  #process(): Killable {
    const { folder, leaseMs } = this.#options;
    return (this.#current = new Killable(
      [
        ...[`--kubeconfig=${this.#kubeconfig}`, ...LOOPBACK_FLAGS, '--kube-api-qps=1000'],
        ...['--kube-api-burst=1000', '--metrics-address=127.0.0.1:0', '--health-address=127.0.0.1:0'],
        ...[
          `--lease-duration=${leaseMs}ms`,
          `--renew-deadline=${0.8 * leaseMs}ms`,
          `--retry-period=${0.1 * leaseMs}ms`,
        ],
        ...[`--chat-api-url=${this.#post.chatApiUrl}`, `--bot-api-url=${this.#post.botApiUrl}`],
      ],
      join(folder, 'controller.log'),
    ));
  }

  /** Kills one process after the other, and leaves the last one. */
  async #killAll(first: Killable, kills: number): Promise<void> {
    const { lifeMs } = this.#options;
    const dice = this.#dice.fork();
    let current = first;
    for (let killed = 0; killed < kills;) {
      // Some do not get as far as to serve.
      const early = dice.hits(0.1);
      if (!early) await Promise.race([current.serving, current.ended]);
      await Promise.race([setTimeout(early ? dice.below(1_500) : dice.below(lifeMs)), current.ended]);
      if (await this.#end(current)) killed++;
      if (killed % 10 === 0) this.#tell(`${killed} killed, ${this.#post.arrivals.length} messages so far`);
      if (dice.hits(0.3)) await setTimeout(dice.below(700));
      current = this.#next();
    }
    await Promise.race([current.serving, current.ended]);
  }

  async #killOne(): Promise<void> {
    for (let killed = false; !killed;) {
      const current = this.#current ?? this.#next();
      killed = await this.#end(current);
      await this.#next().serving;
    }
  }

  /** Kills it; false where it had ended by itself. */
  async #end(current: Killable): Promise<boolean> {
    const fell = current.hasEnded;
    const at = current.fellAt ?? Date.now();
    if (fell) this.#falls++;
    else await current.end('SIGKILL');
    this.#ends.push({ at, servedAt: null, fell });
    return !fell;
  }

  #next(): Killable {
    const next = this.#process();
    const refuses = this.#dice.hits(REFUSED);
    void next.serving.then(async (servedAt) => {
      for (const end of this.#ends) end.servedAt ??= servedAt;
      if (refuses) this.#troubles.push(await refuseJournals(this.#cluster, this.#dice));
    });
    return next;
  }

  /** Resolves with what is left: nothing, or the time is over. */
  async #drained(): Promise<number> {
    const until = Date.now() + this.#options.drainMs;
    let quiet = 0;
    for (let before = -1; ;) {
      await setTimeout(500);
      if (this.#current?.hasEnded === true) {
        await this.#end(this.#current);
        await this.#next().serving;
      }
      const pending = await this.#waiting();
      const arrived = this.#post.arrivals.length;
      quiet = pending === 0 && arrived === before ? quiet + 1 : 0;
      before = arrived;
      if (quiet >= QUIET || Date.now() > until) return pending;
    }
  }

  /** Resolves when a process serves, which has not ended. */
  async #serving(): Promise<void> {
    while (this.#current?.isServing !== true || this.#current.hasEnded) await setTimeout(20);
  }

  async #waiting(): Promise<number> {
    const { items } = await this.#kube.get(JOURNALS);
    return (items as { readonly spec: { readonly summary: { readonly waiting: number } } }[]).reduce(
      (sum, { spec }) => sum + spec.summary.waiting,
      0,
    );
  }
}
