import type { DevCluster, DevClusterOptions } from '@hnotif/devcluster';
import type { WebhookReceiver, WebhookRecord } from '@hnotif/receivers';
import { settle } from '../../core/src/testing/clock.ts';
import type { ControllerOptions } from '../../hnotif/src/controller/options.ts';
import { webhookArrival } from './arrivals.ts';
import { check } from './checker/checker.ts';
import { gapsOf, withSlack } from './gaps.ts';
import { waitingIn } from './journals.ts';
import { timeoutIn } from './log-lines.ts';
import { ALL, NAMESPACE } from './objects.ts';
import { contextOf } from './payload.ts';
import { ALONE, type Process } from './process.ts';
import { startProxy, type Proxy, type ProxyOptions } from './proxy.ts';
import type { Arrival, ChaosRecord, Timeout, Trouble } from './record.ts';
import { RecordedTeam } from './recorded-team.ts';
import { verdict, type Scenario } from './scenario.ts';
import type { TurnedClock } from './turned-clock.ts';
import { HANGS_MS, pause, until } from './wait.ts';
import { World } from './world.ts';

const SINK = 'hook';
/** All messages have arrived when this many looks in a row find no waiting delivery and no new message. */
const QUIET = 4;
const LOOK_MS = 250;
/** How far a turned clock is turned with each look. Less than a request may take… */
const TURN_MS = 6_000;
/** …and not before so many turns of the event loop: on a slow machine, time alone would end each request. */
const TURNS = 100;

export interface StageOptions {
  /** More flags of hnotif. */
  readonly flags?: readonly string[];
  readonly cluster?: DevClusterOptions;
  /** Between hnotif and the control plane: the lines that replace a line of a watch. */
  readonly onLine?: ProxyOptions['onLine'];
  /** hnotif runs in this process with this clock, so that hours take no time. Default: the bundle, in its own process. */
  readonly clock?: TurnedClock;
  /** Its other options, with such a clock. */
  readonly controller?: Partial<ControllerOptions>;
  /** Without such a clock: more flags of Node, such as `--max-old-space-size=60`. */
  readonly node?: readonly string[];
  /** …and another bundle than that of this checkout. */
  readonly bundle?: string;
}

/** A world with a team whose notification has one webhook for all events, hnotif, and the record of all. */
export class Stage {
  readonly cluster: DevCluster;
  readonly receiver: WebhookReceiver;
  readonly team: RecordedTeam;
  /** Times in which states of plans could be missed or come late, as a scenario says. */
  readonly troubles: Trouble[] = [];
  readonly world: World;
  /** hnotif, if it has its own process. */
  hnotif: Process | undefined;
  /** What the next process is started from. Default: the bundle of this checkout. */
  bundle: string | undefined;
  readonly #options: StageOptions;
  readonly #kills: { readonly at: number; servedAt: number | null; readonly fell: false }[] = [];
  readonly #arrivals: Arrival[] = [];
  readonly #timeouts: Timeout[] = [];
  /** When plans were listed or watched. */
  readonly #looks: readonly number[];
  /** How many watches hnotif opens. */
  #watches = 0;
  #proxy: Proxy | undefined;

  private constructor(world: World, looks: readonly number[], options: StageOptions) {
    this.world = world;
    this.cluster = world.cluster;
    this.receiver = world.receiver;
    this.#looks = looks;
    this.team = new RecordedTeam(NAMESPACE, world.kube);
    this.#options = options;
    this.bundle = options.bundle;
    const keep = (record: WebhookRecord): void => {
      const arrival = webhookArrival(record, 0);
      if (arrival?.sink === SINK) this.#arrivals.push(arrival);
    };
    this.receiver.onRecord(keep);
    this.receiver.onAmended(keep);
  }

  /** Plays, waits for the remaining messages, and resolves with what the checker finds: violations of docs/guarantees.md. */
  static async check(
    options: StageOptions,
    play: (stage: Stage) => Promise<void>,
  ): Promise<readonly string[]> {
    const looks: number[] = [];
    const onLook: DevClusterOptions['onLook'] = ({ resource }) => {
      if (resource === 'hibernateplans') looks.push(Date.now());
    };
    // With a turned clock, signatures are of another time.
    const world = await World.start({ cluster: { ...options.cluster, onLook }, receiver: {} });
    try {
      const stage = new Stage(world, looks, options);
      await world.secret(SINK);
      await world.notification('n', { sinks: [SINK] });
      await stage.start();
      // Plans that are created in the second of the installation may count as older than it.
      await pause(1_100);
      stage.#watches = stage.cluster.stats().watchers;
      await play(stage);
      stage.receiver.faults.clear();
      stage.receiver.release();
      stage.cluster.faults.clear();
      await stage.settled();
      return check(stage.#record()).violations;
    } finally {
      await world.close();
    }
  }

  /** Starts hnotif. Resolves when it serves. */
  async start(): Promise<void> {
    const { clock, controller, flags = [], node = [], onLine } = this.#options;
    if (clock !== undefined) {
      await this.world.synced({ ...controller, clock });
      return;
    }
    if (this.#proxy === undefined && onLine !== undefined) {
      const proxy = await startProxy(this.cluster.url, { onLine });
      this.world.closes(() => {
        proxy.close();
      });
      this.#proxy = proxy;
    }
    // Each request without an answer has its line in the log of this level.
    const args = [...flags, ...ALONE, '--status-interval=1s', '--log-level=debug'];
    const keep = (line: string): void => void this.#timeouts.push(...timeoutIn(line, Date.now()));
    this.hnotif = await this.world.process(
      args,
      { node, onLine: keep, ...(this.bundle !== undefined && { bundle: this.bundle }) },
      this.#proxy?.url,
    );
    const servedAt = await this.hnotif.serves();
    for (const kill of this.#kills) kill.servedAt ??= servedAt;
  }

  /** Ends hnotif, by default like a power cut, and starts it again. */
  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    this.#kills.push({ at: Date.now(), servedAt: null, fell: false });
    await this.hnotif?.end(signal);
    await this.start();
  }

  /** Resolves when so many requests have come to the receiver. hnotif may not have read their answers yet: a turn of its clock ends them. */
  async asked(count: number): Promise<void> {
    await this.receiver.waitFor((records) => records.length >= count);
  }

  /** Resolves when this event of a plan has come to the receiver. `life`: of plans of one name, the second has 1. */
  async told(event: string, life?: string): Promise<void> {
    await this.receiver.waitFor((records) =>
      records.some((record) => {
        const context = contextOf(record);
        return context.event === event && context.plan.labels.life === life;
      }),
    );
  }

  /** Resolves when at least so many deliveries wait in journals. */
  async waits(count: number): Promise<void> {
    const isWaiting = async (): Promise<boolean> => (await this.#waiting()) >= count;
    await until(isWaiting, { what: `a journal with ${count} waiting deliveries`, limitMs: HANGS_MS });
  }

  async #waiting(): Promise<number> {
    return waitingIn(await this.team.list('hibernatenotificationjournals'));
  }

  /** Resolves when all messages have arrived. A watch that was cut is opened again after a while: before that, hnotif sees nothing. */
  async settled(): Promise<void> {
    let [quiet, before] = [0, -1];
    const { clock } = this.#options;
    const isSettled = async (): Promise<boolean> => {
      if (clock !== undefined) await this.#turn(clock);
      const isWatching = this.cluster.stats().watchers >= this.#watches;
      const isQuiet = isWatching && (await this.#waiting()) === 0 && this.#arrivals.length === before;
      quiet = isQuiet ? quiet + 1 : 0;
      before = this.#arrivals.length;
      return quiet >= QUIET;
    };
    await until(isSettled, {
      what: 'the arrival of all messages',
      limitMs: HANGS_MS,
      everyMs: clock === undefined ? LOOK_MS : 10,
    });
  }

  /** Receiver, control plane and hnotif have one event loop here: after so many turns of it, no request is on its way. */
  async #turn(clock: TurnedClock): Promise<void> {
    await settle(TURNS);
    clock.turn(TURN_MS);
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
  options: () => StageOptions | Promise<StageOptions> = () => ({}),
): Scenario => ({
  ...{ name, about },
  run: async ({ say }) => verdict(await Stage.check(await options(), play), say),
});
