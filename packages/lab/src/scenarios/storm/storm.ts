import { startDevCluster, type DevCluster } from '@hnotif/devcluster';
import { loadAccess } from '../../../../hnotif/src/cluster/access.ts';
import { KubeClient } from '../../../../hnotif/src/cluster/client.ts';
import { parsePlan } from '@hnotif/core/resources';
import { settle } from '../../../../core/src/testing/clock.ts';
import { Kube } from '../../kube.ts';
import { Checker, seenOf } from './checker.ts';
import { DEADLINE_MS, StormClock, WATCHDOG_MS } from './clock.ts';
import { Dice } from '../../dice.ts';
import { Follower } from './follower.ts';
import { TokenFile, Troubles } from './troubles.ts';
import { PLANS, Writer } from './writer.ts';

/** The most steps of the writer between two checks that all changes are reported. */
const MAX_BURST = 20;
/** A reflector that waits for nothing, and does nothing for this time, has stopped (milliseconds of real time). */
const PATIENCE_MS = 20_000;

export interface Figures {
  readonly changes: number;
  /** The calls of the handler, and those that threw. */
  readonly told: number;
  readonly thrown: number;
  /** How often each failure happened. */
  readonly troubles: ReadonlyMap<string, number>;
  /** The reflector's reports about itself, with their numbers. */
  readonly counts: ReadonlyMap<string, number>;
  /** The total time on the reflector's clock (milliseconds). */
  readonly elapsedMs: number;
  readonly violations: readonly string[];
}

/**
 * hnotif's reflector with a real server over HTTP, changes, and failures. The reflector's clock advances only when the reflector
 * waits for nothing else. So it is known how long a watch was silent, even on a slow machine.
 */
export class Storm {
  readonly #cluster: DevCluster;
  readonly #kube: Kube;
  readonly #dice: Dice;
  readonly #clock: StormClock;
  readonly #client: KubeClient;
  readonly #writer: Writer;
  readonly #troubles: Troubles;
  readonly #follower: Follower;
  readonly #checker = new Checker();
  /** How long the present silent watch has been waited for (milliseconds). */
  #deaf = 0;

  private constructor(
    cluster: DevCluster,
    token: TokenFile,
    client: KubeClient,
    clock: StormClock,
    dice: Dice,
  ) {
    this.#cluster = cluster;
    this.#client = client;
    this.#clock = clock;
    this.#dice = dice;
    const writer = cluster.users.token('writer', { groups: ['system:masters'] });
    this.#kube = new Kube(cluster.url, { ca: cluster.ca, token: writer });
    this.#writer = new Writer(this.#kube, dice.fork(), this.#checker);
    this.#troubles = new Troubles(cluster, { client, writer: this.#writer, token }, dice.fork());
    this.#follower = new Follower({
      ...{ client, clock, dice: dice.fork(), checker: this.#checker },
      restarted: () => void this.#troubles.restarts++,
    });
  }

  static async start(seed: number): Promise<Storm> {
    const cluster = await startDevCluster({ watch: { bookmarkMs: 30 }, auth: true });
    const dice = new Dice(seed);
    const clock = new StormClock(dice.fork());
    const token = new TokenFile(cluster);
    const access = await loadAccess({ kubeconfig: token.kubeconfig(), env: {}, clock });
    const client = new KubeClient({ access, clock, timeoutMs: DEADLINE_MS });
    const storm = new Storm(cluster, token, client, clock, dice);
    await storm.#writer.begin();
    storm.#follower.reflector.start(storm.#follower.handler);
    await storm.#calm();
    return storm;
  }

  /**
   * Makes at least this many changes, and more (at most five times as many) until each failure has happened. At the end
   * everything is compared.
   */
  async rage(changes: number): Promise<void> {
    const begun = this.#writer.changes;
    const goesOn = (): boolean => {
      const done = this.#writer.changes - begun;
      return done < changes || (done < 5 * changes && [...this.#troubles.met.values()].includes(0));
    };
    while (goesOn() && this.#checker.violations.length === 0) await this.#burst();
    this.#troubles.end();
    await this.#writer.fill();
    await this.#calm();
    const { items } = await this.#kube.get(PLANS);
    this.#checker.compare(
      'the server',
      (items as unknown[]).map((raw) => seenOf(parsePlan(raw))),
    );
    this.#checker.compare('the reflector', [...this.#follower.reflector.objects()].map(seenOf));
    this.#follower.checkReports();
    this.#cluster.compact();
  }

  get figures(): Figures {
    const { told, thrown, counts } = this.#follower;
    return {
      ...{ told, thrown, counts, changes: this.#writer.changes, troubles: this.#troubles.met },
      ...{ elapsedMs: this.#clock.monotonic(), violations: this.#checker.violations },
    };
  }

  async close(): Promise<void> {
    await this.#follower.reflector.stop();
    if (this.#clock.timers > 0)
      this.#checker.violations.push(`${this.#clock.timers} timers are left after the stop`);
    await this.#client.close();
    await this.#cluster.close();
    this.#troubles.close();
  }

  /** Makes some changes and up to three failures. Then all changes must be reported. */
  async #burst(): Promise<void> {
    const steps = 1 + this.#dice.below(MAX_BURST);
    const strikes = new Set(Array.from({ length: this.#dice.below(4) }, () => this.#dice.below(steps)));
    for (let step = 0; step < steps; step++) {
      if (strikes.has(step)) this.#troubles.strike();
      await this.#writer.write();
      // Now and then the reflector works between two writes.
      if (this.#dice.hits(0.1)) await this.#step();
    }
    await this.#troubles.written();
    await this.#calm();
    if (this.#dice.hits(0.5)) this.#clock.turn(this.#dice.below(100_000));
  }

  /** Resolves when all changes are reported and a watch is open, and checks the reports. */
  async #calm(): Promise<void> {
    const done = (): number => this.#follower.told + this.#clock.monotonic();
    for (let [since, before] = [performance.now(), done()]; !this.#isCalm(); before = done()) {
      await this.#step();
      if (done() !== before) since = performance.now();
      if (performance.now() - since < PATIENCE_MS) continue;
      this.#checker.violations.push(
        `the reflector has stopped (${this.#follower.reflector.state}), and changes of ${this.#checker.waiting} plans are not reported`,
      );
      break;
    }
    this.#checker.check();
  }

  #isCalm(): boolean {
    const following = this.#clock.waitsFor('watchdog') && this.#clock.timers === 1;
    return following && !this.#troubles.isAway && this.#checker.waiting === 0;
  }

  /** Runs all pending work. Advances the clock if the reflector waits only for the clock. */
  async #step(): Promise<void> {
    if (this.#clock.waitsFor('pause')) {
      this.#clock.turnTo('pause');
      await this.#troubles.paused();
    } else if (this.#troubles.isHolding && this.#clock.waitsFor('deadline')) {
      if (this.#dice.hits(0.5)) this.#clock.turnTo('deadline');
      this.#troubles.release();
    } else if (this.#troubles.isSilent) {
      this.#deaf += this.#clock.turnTo('watchdog');
      // The time is a sum of doubles.
      if (Math.round(this.#deaf) > WATCHDOG_MS)
        this.#checker.violations.push(`changes were missed for ${this.#deaf} ms of a silent watch`);
    } else this.#deaf = 0;
    await settle(1);
  }
}
