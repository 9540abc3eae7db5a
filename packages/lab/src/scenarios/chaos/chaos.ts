import { setMaxListeners } from 'node:events';
import { createWriteStream } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { DevClusterOptions } from '@hnotif/devcluster';
import { waitingIn } from '../../journals.ts';
import type { KubeObject } from '../../kube.ts';
import { Dice } from '../../dice.ts';
import { RecordedTeam, type History } from '../../recorded-team.ts';
import type { Team } from '../../team.ts';
import { until } from '../../wait.ts';
import { World } from '../../world.ts';
import { churning, removing } from './changes.ts';
import { Coverage } from './coverage.ts';
import { Replicas } from './replicas.ts';
import { gapsOf, withSlack } from '../../gaps.ts';
import {
  type Mode,
  CROWDED,
  deadOf,
  furnish,
  JOURNALS,
  LONG_ERROR,
  MAIN,
  notificationsOf,
  SIDE,
  teamsOf,
  WITHOUT_IDS,
} from './setting.ts';
import { Player } from './player.ts';
import { KEPT, Receivers } from './receivers.ts';
import { linesOf, type ChaosRecord, type SinkSpec, type Trouble } from '../../record.ts';
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
  /** The average time between two failures of the control plane (milliseconds), at 20 messages a second. Other changes are rarer. */
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

const TARGETS = ['db', 'vm', 'nodes', 'cache'];

/** The share of new leaders whose first journal writes are refused. */
const REFUSED = 0.3;

/** Kills every process of hnotif again and again, while plans go through nights and the control plane and receivers fail. */
export async function runChaos(options: ChaosOptions): Promise<ChaosRun> {
  const dice = new Dice(options.seed);
  const looks: number[] = [];
  const onLook: DevClusterOptions['onLook'] = ({ resource }) => {
    if (resource === PLANS) looks.push(Date.now());
  };
  const world = await World.start({
    cluster: { random: dice.source(), onLook },
    receiver: { keep: KEPT, random: dice.source() },
  });
  const over = new AbortController();
  let replicas: Replicas | undefined;
  try {
    const { folder, leaseMs, modes } = options;
    const receivers = await Receivers.open(world, modes, dice);
    const troubles: Trouble[] = [];
    const taken = dice.fork();
    replicas = new Replicas({
      ...{ world, leaseMs, folder, dice: dice.fork() },
      ...{ replicas: modes.has('replicas'), clocks: modes.has('clocks') },
      served: () => {
        if (taken.hits(REFUSED))
          void refuseJournals(world.cluster, taken).then((each) => troubles.push(each));
      },
    });
    return await run(options, { world, dice, receivers, replicas, troubles, looks, over: over.signal });
  } finally {
    over.abort();
    await replicas?.close('SIGKILL');
    await world.close();
  }
}

interface Setting {
  readonly world: World;
  readonly dice: Dice;
  readonly receivers: Receivers;
  readonly replicas: Replicas;
  readonly troubles: Trouble[];
  /** When plans were listed or watched. */
  readonly looks: readonly number[];
  /** Aborts when all is over. */
  readonly over: AbortSignal;
}

async function run(options: ChaosOptions, setting: Setting): Promise<ChaosRun> {
  const { world, dice, receivers, replicas, troubles, looks, over } = setting;
  const { drainMs, cardsMs = 90_000, folder, kills, leaseMs, modes, paceMs, plans } = options;
  const { tell = () => undefined, seed, writesPerSecond } = options;
  const { cluster, kube } = world;
  const [main, side] = [new RecordedTeam(MAIN, kube), new RecordedTeam(SIDE, kube)];
  const histories = (): readonly History[] => [...main.histories, ...side.histories];
  const nameOf = (uid: string): string => histories().find((history) => history.uid === uid)?.name ?? uid;
  const coverage = new Coverage(receivers.boards, receivers.dead);
  /** Resolves after so many more messages. So a process has the same work in its life on each machine. */
  const live = async (
    more: number,
    count = () => receivers.arrivals.length,
    signal?: AbortSignal,
  ): Promise<void> => {
    const enough = count() + more;
    const wait = { what: 'a life', limitMs: LONGEST_LIFE_MS, everyMs: 5 };
    await until(() => signal?.aborted === true || count() >= enough, wait).catch(() => undefined);
  };
  const hardEnds = (): number => replicas.ends.filter(({ fell }) => !fell).length;

  /** Kills one process after the other. The last ones stay. */
  const killAll = async (count: number): Promise<void> => {
    const own = dice.fork();
    const hasReplicas = modes.has('replicas');
    while (hardEnds() < count) {
      // Some processes are killed before they serve.
      const isEarly = own.hits(0.1);
      if (!isEarly) await replicas.serving();
      if (isEarly) await setTimeout(own.below(1_500));
      else if (own.hits(LONG_LIVES)) await live(1 + own.below(LONG_LIFE), () => receivers.updates);
      else await live(own.below(SHORT_LIFE));
      if (hasReplicas && own.hits(0.1)) await replicas.killStandby();
      if (hasReplicas && !isEarly && own.hits(STOPS)) await replicas.stop();
      else await replicas.kill();
      if (hardEnds() % 10 === 0) tell(`${hardEnds()} killed, ${receivers.arrivals.length} messages so far`);
    }
    await replicas.serving();
  };

  /** Resolves with the number of waiting deliveries, when it is 0, or when nothing has arrived for long. */
  const drained = async (): Promise<number> => {
    let giveUpAt = Date.now() + drainMs;
    let [quiet, cardsUntil] = [0, 0];
    for (let before = -1; ;) {
      await setTimeout(500);
      await replicas.serving();
      const pending = waitingIn((await kube.get(JOURNALS)).items as readonly KubeObject[]);
      const arrived = receivers.arrivals.length + receivers.updates;
      const isQuiet = pending === 0 && arrived === before;
      if (!isQuiet) cardsUntil = Date.now() + cardsMs;
      // Hundreds of cards may be behind, and the chat takes 50 updates a minute.
      if (arrived !== before) giveUpAt = Date.now() + drainMs;
      const hasCards = receivers.cardsBehind() === 0 || Date.now() > cardsUntil;
      quiet = isQuiet && hasCards ? quiet + 1 : 0;
      before = arrived;
      if (quiet >= QUIET || Date.now() > giveUpAt) return pending;
    }
  };

  const configOf = (sink: SinkSpec): object => receivers.configOf(sink);
  const notifications = [...notificationsOf(modes), ...deadOf(modes)];
  for (const team of [main, side]) await furnish(team, notifications, configOf);
  const stop = new AbortController();
  const { signal } = stop;
  for (const each of [signal, over]) setMaxListeners(0, each);
  await kube.follow(JOURNALS, (journal) => coverage.journal(journal), over);
  await replicas.fill();
  await replicas.serving();
  // Plans that are created in the second of the installation may count as older than it.
  await setTimeout(1_100);

  let players = 0;
  /** A player that replaces another one has a plan of the same name. */
  const newPlayer = (team: Team, before?: Player): Player => {
    const index = players++;
    const own = dice.fork();
    const teams = teamsOf(modes);
    const { name, labels } = before?.options ?? {
      name: `plan-${index}`,
      labels: { team: teams[(index + Math.floor(index / ONE_IN)) % teams.length] ?? '' },
    };
    return new Player({
      ...{ team: team === side ? side : main, name, labels, dice: own, signal },
      ...{ targets: TARGETS.slice(0, 1 + own.below(TARGETS.length)), retries: own.below(3) },
      paceMs: (1_000 * plans) / writesPerSecond,
      reruns: labels.team !== WITHOUT_IDS,
      errorLength: labels.team === CROWDED ? LONG_ERROR : undefined,
      kept: modes.has('lockstep') ? (...version) => coverage.kept(...version) : undefined,
    });
  };
  // A slow machine has as many failures for each message as a fast one.
  const lull = (ms: number, signal?: AbortSignal): Promise<void> =>
    live((MESSAGES_A_SECOND * ms) / 1_000, undefined, signal);
  const acting = { main, side, signal, lull, notifications, configOf };
  const removals = removing({
    ...{ ...acting, coverage, dice: dice.fork(), paceMs: 1.3 * paceMs, newPlayer, nameOf },
    isActive: modes.has('removals'),
    serving: () => replicas.serving(),
  });
  const churn = churning({ ...acting, dice: dice.fork(), paceMs: 2 * paceMs });
  for (let index = 0; index < plans; index++) removals.add(index % ONE_IN === ONE_IN - 1 ? side : main);
  const isRemoved = removals.run();
  const isChurned = modes.has('churn') ? churn.run() : undefined;
  receivers.misbehave();
  const jump: Act = ['none', () => replicas.jump()];
  const pause: Act = ['pause', (_, dice) => replicas.pause(dice.next() * 0.4 * leaseMs)];
  const troubling = trouble(cluster, dice.fork(), {
    ...{ paceMs, signal, lull, push: (each) => troubles.push(each) },
    more: {
      ...(modes.has('clocks') && { 'a wall clock jumps': jump, 'a wall clock jumps again': jump }),
      ...(modes.has('replicas') && { 'the leader is paused for a moment': pause }),
    },
  });
  await killAll(kills - 1);
  await live(SHORT_LIFE / 2);
  stop.abort();
  await isRemoved;
  // A last kill, after the last change of a plan: later messages come only from journals.
  await replicas.kill();
  await replicas.serving();
  await Promise.all([troubling, isChurned]);
  receivers.behave();
  // Their waiting deliveries are dropped.
  for (const { name } of deadOf(modes))
    for (const team of [main, side]) await kube.delete(team.path('hibernatenotifications', name));
  tell('last kill done; waiting for the remaining messages');
  const pending = await drained();
  await writeFile(join(folder, 'journals.json'), JSON.stringify((await kube.get(JOURNALS)).items));
  const exit = await replicas.close('SIGTERM');

  const ends = withSlack(replicas.ends);
  const { absences } = removals;
  const named = <T extends { readonly plan: string }>(all: readonly T[]): T[] =>
    all.map((each) => ({ ...each, plan: nameOf(each.plan) }));
  const record: ChaosRecord = {
    ...{ seed, kills: ends, absences, timeouts: replicas.timeouts, arrivals: receivers.arrivals },
    plans: histories().map((history) => coverage.in(history)),
    notifications: notificationsOf(modes).map((spec) => ({
      ...spec,
      absences: churn.absencesOf(spec.name),
    })),
    gaps: gapsOf(ends, troubles, absences, looks),
    roots: receivers.rootsIn(receivers.threads),
    ...{ boards: receivers.boardMessages(), ends: named(coverage.ends) },
    drops: [...replicas.drops, ...named(coverage.drops)],
  };
  await pipeline(linesOf(record), createWriteStream(join(folder, 'record.ndjson')));
  return {
    ...{ record, pending, falls: replicas.falls, exit, troubles, stops: replicas.stops },
    changed: [...removals.done, ...churn.done],
    faults: [...removals.faults, ...churn.faults, ...replicas.faults],
  };
}
