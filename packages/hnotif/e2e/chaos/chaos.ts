import { setMaxListeners } from 'node:events';
import { createWriteStream } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { startDevCluster, type DevCluster } from '@hnotif/devcluster';
import { Kube } from '../support/kube.ts';
import { LOOPBACK_FLAGS } from '../support/loopback.ts';
import { Dice } from '../storm/dice.ts';
import { Churn } from './churn.ts';
import { Coverage, follow } from './coverage.ts';
import { Crew } from './crew.ts';
import { gapsOf, withSlack } from './gaps.ts';
import type { Mode } from './modes.ts';
import { Player } from './player.ts';
import { Post } from './post.ts';
import type { ChaosRecord, NotificationSpec, PlanHistory, SinkSpec } from './record.ts';
import { Removals } from './removals.ts';
import {
  createPlan,
  CROWDED,
  deadOf,
  furnish,
  install,
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
import { PLANS, refuseJournals, trouble, type Act, type Trouble } from './troubles.ts';

export interface ChaosOptions {
  readonly modes: ReadonlySet<Mode>;
  readonly kills: number;
  readonly plans: number;
  readonly seed: number;
  /** Where the logs and the record go. */
  readonly folder: string;
  /** Writes of plans a second, all together. */
  readonly writesPerSecond: number;
  /** About the longest time for which a process serves before it is killed (milliseconds): most live shorter, some longer. */
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
  /** What was deleted or changed, each time. */
  readonly changed: readonly string[];
  /** Leaders that were stopped until another one led, and went on. */
  readonly stops: number;
  /** What the control plane showed that must not be. */
  readonly faults: readonly string[];
}

/** One of so many plans is in the namespace that is deleted. */
const ONE_IN = 5;

/** So many looks in a row (half a second between them) find that nothing waits and nothing has come: all has arrived. */
const QUIET = 4;

/** So many leaders are not killed but stopped, where another process stands by. */
const STOPS = 0.3;
/** Whoever takes over waits 10 s before it touches a thread: some live for longer than that… */
const LONG_LIVES = 0.4;
const LONG_LIFE = 2.4;
/** …and most for less. */
const SHORT_LIFE = 0.6;
/** A crowded plan is written so much more often than others. */
const CROWDED_PACE = 6;

/** The next card follows within so long when nothing else arrives (milliseconds); those of plans that are gone may not. */
const CARDS_MS = 15_000;

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
  const { modes } = options;
  const namesOf = (specs: readonly NotificationSpec[], isChosen: (sink: SinkSpec) => boolean): string[] =>
    specs.flatMap(({ sinks }) => sinks.filter(isChosen).map(({ name }) => name));
  const threads = namesOf(notificationsOf(modes), ({ form }) => form === 'thread');
  const post = await Post.open({ threads, dead: namesOf(deadOf(modes), () => true), modes }, dice);
  const run = new Run(options, dice, cluster, post, looks);
  try {
    return await run.run();
  } finally {
    await run.end();
    await post.close();
    await cluster.close();
  }
}

/** A line for each piece of the record, `[field, piece]`: all of it is more than the longest text that there may be. */
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
  readonly #post: Post;
  readonly #kube: Kube;
  /** When plans were listed or watched. */
  readonly #looks: readonly number[];
  readonly #troubles: Trouble[] = [];
  readonly #coverage = new Coverage();
  readonly #crew: Crew;
  readonly #over = new AbortController();
  readonly #players: Player[] = [];
  readonly #playing: Promise<void>[] = [];

  constructor(options: ChaosOptions, dice: Dice, cluster: DevCluster, post: Post, looks: readonly number[]) {
    this.#options = options;
    this.#dice = dice;
    this.#cluster = cluster;
    this.#post = post;
    this.#looks = looks;
    this.#kube = new Kube(cluster.url);
    const taken = dice.fork();
    this.#crew = new Crew({
      ...{ args: this.#args(), folder: options.folder, dice: dice.fork() },
      ...{ replicas: options.modes.has('replicas'), clocks: options.modes.has('clocks') },
      served: () => {
        if (taken.hits(REFUSED))
          void refuseJournals(cluster, taken).then((each) => this.#troubles.push(each));
      },
    });
  }

  async run(): Promise<ChaosRun> {
    const { kills, lifeMs, modes } = this.#options;
    const crew = this.#crew;
    const configOf = (sink: SinkSpec): object => this.#post.configOf(sink);
    const notifications = [...notificationsOf(modes), ...deadOf(modes)];
    await install(this.#kube);
    for (const namespace of [MAIN, SIDE]) await furnish(this.#kube, namespace, notifications, configOf);
    await writeFile(this.#kubeconfig, this.#cluster.kubeconfig());
    const stop = new AbortController();
    for (const { signal } of [stop, this.#over]) setMaxListeners(0, signal);
    const following = follow(
      `${this.#cluster.url}${JOURNALS}`,
      (journal) => {
        this.#coverage.journal(journal);
      },
      this.#over.signal,
    );
    await crew.fill();
    await crew.serving();
    // Plans of the second in which hnotif was installed may have been there before.
    await setTimeout(1_100);
    const newPlayer = (namespace: string, before?: Player): Player =>
      this.#newPlayer(stop.signal, namespace, before);
    const removals = new Removals({
      ...{ kube: this.#kube, dice: this.#dice.fork(), paceMs: lifeMs / 3 },
      ...{ signal: stop.signal, notifications, configOf, newPlayer },
      serving: () => crew.serving(),
      play: (player, created) => this.#play(player, created),
    });
    const churn = new Churn({
      ...{ kube: this.#kube, dice: this.#dice.fork(), paceMs: lifeMs / 2 },
      ...{ signal: stop.signal, notifications, configOf },
    });
    for (let index = 0; index < this.#options.plans; index++)
      removals.add(newPlayer(index % ONE_IN === ONE_IN - 1 ? SIDE : MAIN));
    const removing = removals.run();
    const churning = modes.has('churn') ? churn.run() : undefined;
    this.#post.misbehave();
    const troubling = trouble(this.#cluster, this.#dice.fork(), {
      ...{ paceMs: lifeMs / 4, signal: stop.signal, more: this.#ownTroubles() },
      push: (each) => this.#troubles.push(each),
    });
    await this.#killAll(kills - 1);
    await setTimeout(lifeMs / 2);
    stop.abort();
    await Promise.all(this.#playing);
    // Once more when no plan changes any more: what then arrives was kept, and comes of nothing else.
    await crew.kill();
    await crew.serving();
    await Promise.all([troubling, removing, churning]);
    this.#post.behave();
    // What waits for them is dropped.
    for (const { name } of deadOf(modes))
      for (const namespace of [MAIN, SIDE]) await this.#kube.delete(`${notificationsIn(namespace)}/${name}`);
    this.#tell('all killed; waiting for what is on its way');
    const pending = await this.#drained();
    const exit = await crew.close('SIGTERM');
    this.#over.abort();
    await following;
    return this.#result(removals, churn, pending, exit);
  }

  /** Whatever has happened, no process stays. */
  async end(): Promise<void> {
    this.#over.abort();
    await this.#crew.close('SIGKILL');
  }

  async #result(
    removals: Removals,
    churn: Churn,
    pending: number,
    exit: ChaosRun['exit'],
  ): Promise<ChaosRun> {
    const { folder, leaseMs, modes, seed } = this.#options;
    const crew = this.#crew;
    const ends = withSlack(crew.ends, leaseMs);
    const record: ChaosRecord = {
      seed,
      plans: this.#players.map(({ history }) => this.#withCoverage(history)),
      notifications: notificationsOf(modes).map((spec) => ({
        ...spec,
        absences: churn.absencesOf(spec.name),
      })),
      kills: ends,
      gaps: gapsOf(ends, this.#troubles, removals.absences, this.#looks),
      absences: removals.absences,
      arrivals: this.#post.arrivals,
      roots: this.#post.roots(),
    };
    await pipeline(linesOf(record), createWriteStream(join(folder, 'record.ndjson')));
    return {
      ...{ record, pending, falls: crew.falls, exit, troubles: this.#troubles, stops: crew.stops },
      changed: [...removals.done, ...churn.done],
      faults: [...removals.faults, ...churn.faults, ...crew.faults],
    };
  }

  #withCoverage(history: PlanHistory): PlanHistory {
    const writes = history.writes.map((write) => ({
      ...write,
      keptAt: write.version === undefined ? undefined : this.#coverage.keptAt(write.version),
    }));
    return { ...history, writes };
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
      ...['--kube-api-burst=1000', '--metrics-address=127.0.0.1:0', '--health-address=127.0.0.1:0'],
      `--lease-duration=${leaseMs}ms`,
      `--renew-deadline=${0.8 * leaseMs}ms`,
      `--retry-period=${0.1 * leaseMs}ms`,
      // A clock that is ahead makes a Failure of an Error whose time is over: that is not what is judged here.
      ...['--failure-after=1000h', '--status-interval=1s'],
      ...[`--chat-api-url=${this.#post.chatApiUrl}`, `--bot-api-url=${this.#post.botApiUrl}`],
    ];
  }

  /** In the place of another one it has that one's name, and a label of its own. */
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
    const isCrowded = labels.team === CROWDED;
    const player: Player = new Player(
      { namespace, name: before === undefined ? name : `${name}#${next}` },
      { labels, retries: dice.below(3) },
      targets.map((target) => ({ name: target, type: 'rds' })),
      {
        ...{ dice, paceMs: (1_000 * plans) / writesPerSecond / (isCrowded ? CROWDED_PACE : 1), signal },
        reruns: labels.team !== WITHOUT_IDS,
        errorLength: isCrowded ? LONG_ERROR : undefined,
        write: async (status) =>
          (await this.#kube.patch(`${planPath(player)}/status`, { status })).metadata.resourceVersion,
        kept: modes.has('lockstep') ? (version, over) => this.#coverage.kept(version, over) : undefined,
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

  #ownTroubles(): Readonly<Record<string, Act>> {
    const { leaseMs, modes } = this.#options;
    const jump: Act = [
      'none',
      () => {
        this.#crew.jump();
      },
    ];
    const pause: Act = ['pause', (_, dice) => this.#crew.pause(dice.next() * 0.4 * leaseMs)];
    return {
      ...(modes.has('clocks') && { 'a wall clock jumps': jump, 'a wall clock jumps again': jump }),
      ...(modes.has('replicas') && { 'the leader stands still for a moment': pause }),
    };
  }

  /** Kills one process after the other, and leaves the last ones. */
  async #killAll(kills: number): Promise<void> {
    const { lifeMs, modes } = this.#options;
    const crew = this.#crew;
    const dice = this.#dice.fork();
    const hasReplicas = modes.has('replicas');
    while (hardEnds(crew) < kills) {
      // Some do not get as far as to serve.
      const isEarly = dice.hits(0.1);
      if (!isEarly) await crew.serving();
      const longest = lifeMs * (dice.hits(LONG_LIVES) ? LONG_LIFE : SHORT_LIFE);
      await setTimeout(isEarly ? dice.below(1_500) : dice.below(longest));
      if (hasReplicas && dice.hits(0.1)) await crew.killStandby();
      if (hasReplicas && !isEarly && dice.hits(STOPS)) await crew.stop();
      else await crew.kill();
      if (hardEnds(crew) % 10 === 0)
        this.#tell(`${hardEnds(crew)} killed, ${this.#post.arrivals.length} messages so far`);
    }
    await crew.serving();
  }

  /** Resolves with what is left: nothing, or the time is over. */
  async #drained(): Promise<number> {
    const until = Date.now() + this.#options.drainMs;
    let quiet = 0;
    let cardsUntil = 0;
    for (let before = -1; ;) {
      await setTimeout(500);
      await this.#crew.serving();
      const pending = await this.#waiting();
      const arrived = this.#post.arrivals.length + this.#post.updates;
      const isQuiet = pending === 0 && arrived === before;
      if (!isQuiet) cardsUntil = Date.now() + CARDS_MS;
      const hasCards = this.#post.cardsBehind() === 0 || Date.now() > cardsUntil;
      quiet = isQuiet && hasCards ? quiet + 1 : 0;
      before = arrived;
      if (quiet >= QUIET || Date.now() > until) return pending;
    }
  }

  async #waiting(): Promise<number> {
    const { items } = await this.#kube.get(JOURNALS);
    return (items as { readonly spec: { readonly summary: { readonly waiting: number } } }[]).reduce(
      (sum, { spec }) => sum + spec.summary.waiting,
      0,
    );
  }
}

const hardEnds = ({ ends }: Crew): number => ends.filter(({ fell }) => !fell).length;
