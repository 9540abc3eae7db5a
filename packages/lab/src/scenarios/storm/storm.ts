import { startDevCluster, type DevCluster } from '@hnotif/devcluster';
import { loadAccess } from '../../../../hnotif/src/cluster/access.ts';
import { parsePlan } from '@hnotif/core/resources';
import { Kube } from '../../kube.ts';
import { Checker } from './checker.ts';
import { PagingClient } from './client.ts';
import { DEADLINE_MS, StormClock, WATCHDOG_MS } from './clock.ts';
import { Dice } from '../../dice.ts';
import { Follower } from './follower.ts';
import { seenOf } from './plan.ts';
import { TokenFile } from './token.ts';
import { Troubles } from './troubles.ts';
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
  readonly #token: TokenFile;
  readonly #client: PagingClient;
  readonly #writer: Writer;
  readonly #troubles: Troubles;
  readonly #follower: Follower;
  readonly #checker = new Checker();
  /** How long the present silent watch has been waited for (milliseconds). */
  #deaf = 0;

  private constructor(
    cluster: DevCluster,
    token: TokenFile,
    { client, clock, dice }: { client: PagingClient; clock: StormClock; dice: Dice },
  ) {
    this.#cluster = cluster;
    this.#token = token;
    this.#client = client;
    this.#clock = clock;
    this.#dice = dice;
    const writer = cluster.users.token('writer', { groups: ['system:masters'] });
    this.#kube = new Kube(cluster.url, { ca: cluster.ca, token: writer });
    this.#writer = new Writer(this.#kube, dice.fork(), this.#checker);
    this.#troubles = new Troubles(cluster, { client, writer: this.#writer, token }, dice.fork());
    this.#follower = new Follower({
      client,
      clock,
      dice: dice.fork(),
      checker: this.#checker,
      restarted: () => {
        this.#troubles.restarted();
      },
    });
  }

  static async start(seed: number): Promise<Storm> {
    const cluster = await startDevCluster({ watch: { bookmarkMs: 30 }, auth: true });
    const dice = new Dice(seed);
    const clock = new StormClock(dice.fork());
    const token = new TokenFile(cluster);
    const access = await loadAccess({ kubeconfig: token.kubeconfig(), env: {}, clock });
    const client = new PagingClient({ access, clock, timeoutMs: DEADLINE_MS });
    const storm = new Storm(cluster, token, { client, clock, dice });
    await storm.#writer.begin();
    storm.#follower.reflector.start();
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
    await this.#compare();
    this.#cluster.compact();
  }

  get figures(): Figures {
    return {
      changes: this.#writer.changes,
      told: this.#follower.told,
      thrown: this.#follower.thrown,
      troubles: this.#troubles.met,
      counts: this.#follower.counts,
      elapsedMs: this.#clock.monotonic(),
      violations: this.#checker.violations,
    };
  }

  async close(): Promise<void> {
    await this.#follower.reflector.stop();
    if (this.#clock.timers > 0)
      this.#checker.violation(`${this.#clock.timers} timers are left after the stop`);
    await this.#client.close();
    await this.#cluster.close();
    this.#token.remove();
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

  /** Resolves when all changes are reported and a watch is open. */
  async #calm(): Promise<void> {
    const { reflector } = this.#follower;
    let since = performance.now();
    let told = this.#follower.told;
    let elapsed = this.#clock.monotonic();
    while (!this.#isCalm()) {
      await this.#step();
      const progress = this.#follower.told !== told || this.#clock.monotonic() !== elapsed;
      if (progress) since = performance.now();
      told = this.#follower.told;
      elapsed = this.#clock.monotonic();
      if (performance.now() - since < PATIENCE_MS) continue;
      const { waiting } = this.#checker;
      this.#checker.violation(
        `the reflector has stopped (${reflector.state}), and changes of ${waiting} plans are not reported`,
      );
      return;
    }
  }

  #isCalm(): boolean {
    const following = this.#clock.waitsFor('watchdog') && this.#clock.timers === 1;
    return following && this.#checker.waiting === 0 && !this.#troubles.isAway;
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
        this.#checker.violation(`changes were missed for ${this.#deaf} ms of a silent watch`);
    } else this.#deaf = 0;
    await new Promise((resolve) => setImmediate(resolve));
  }

  async #compare(): Promise<void> {
    const list = await this.#kube.get(PLANS);
    this.#checker.compare(
      'the server',
      (list.items as unknown[]).map((raw) => seenOf(parsePlan(raw))),
    );
    this.#checker.compare('the reflector', [...this.#follower.reflector.objects()].map(seenOf));
    this.#checker.settle();
    this.#follower.checkReports();
  }
}
