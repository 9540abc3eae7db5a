import { loadAccess } from '../../../../hnotif/src/cluster/access.ts';
import { KubeClient } from '../../../../hnotif/src/cluster/client.ts';
import { parsePlan } from '@hnotif/core/resources';
import { settle } from '../../../../core/src/testing/clock.ts';
import { Checker, seenOf } from './checker.ts';
import { DEADLINE_MS, StormClock, WATCHDOG_MS } from './clock.ts';
import { Dice } from '../../dice.ts';
import { Follower } from './follower.ts';
import { tokenFile, Troubles } from './troubles.ts';
import { PLANS, Writer } from './writer.ts';
import { World } from '../../world.ts';

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

export interface Storm {
  /**
   * Makes at least this many changes, and more (at most five times as many) until each failure has happened. At the end
   * everything is compared.
   */
  rage(changes: number): Promise<void>;
  figures(): Figures;
  close(): Promise<void>;
}

/**
 * hnotif's reflector with a real server over HTTP, changes, and failures. The reflector's clock advances only when the reflector
 * waits for nothing else. So it is known how long a watch was silent, even on a slow machine.
 */
export async function startStorm(seed: number): Promise<Storm> {
  const world = await World.start({ cluster: { watch: { bookmarkMs: 30 }, auth: true }, receiver: {} });
  const { cluster, kube } = world;
  const dice = new Dice(seed);
  const checker = new Checker();
  const { violations } = checker;
  const clock = new StormClock(dice.fork());
  const token = await tokenFile(world);
  const access = await loadAccess({ kubeconfig: token.kubeconfig, env: {}, clock });
  const client = new KubeClient({ access, clock, timeoutMs: DEADLINE_MS });
  const writer = new Writer(kube, dice.fork(), checker);
  const troubles = new Troubles(cluster, { client, writer, token }, dice.fork());
  const follower = new Follower({
    ...{ client, clock, dice: dice.fork(), checker },
    restarted: () => void troubles.restarts++,
  });
  const { reflector } = follower;
  /** How long the present silent watch has been waited for (milliseconds). */
  let deaf = 0;

  /** Runs all pending work. Advances the clock if the reflector waits only for the clock. */
  const step = async (): Promise<void> => {
    if (clock.waitsFor('pause')) {
      clock.turnTo('pause');
      await troubles.paused();
    } else if (troubles.isHolding && clock.waitsFor('deadline')) {
      if (dice.hits(0.5)) clock.turnTo('deadline');
      troubles.release();
    } else if (troubles.isSilent) {
      deaf += clock.turnTo('watchdog');
      // The time is a sum of doubles.
      if (Math.round(deaf) > WATCHDOG_MS)
        violations.push(`changes were missed for ${deaf} ms of a silent watch`);
    } else deaf = 0;
    await settle(1);
  };

  const isCalm = (): boolean =>
    clock.waitsFor('watchdog') && clock.timers === 1 && !troubles.isAway && checker.waiting === 0;

  /** Resolves when all changes are reported and a watch is open, and checks the reports. */
  const calm = async (): Promise<void> => {
    const done = (): number => follower.told + clock.monotonic();
    for (let [since, before] = [performance.now(), done()]; !isCalm(); before = done()) {
      await step();
      if (done() !== before) since = performance.now();
      if (performance.now() - since < PATIENCE_MS) continue;
      violations.push(
        `the reflector has stopped (${reflector.state}), and changes of ${checker.waiting} plans are not reported`,
      );
      break;
    }
    checker.check();
  };

  /** Makes some changes and up to three failures. Then all changes must be reported. */
  const burst = async (): Promise<void> => {
    const steps = 1 + dice.below(MAX_BURST);
    const strikes = new Set(Array.from({ length: dice.below(4) }, () => dice.below(steps)));
    for (let at = 0; at < steps; at++) {
      if (strikes.has(at)) troubles.strike();
      await writer.write();
      // Now and then the reflector works between two writes.
      if (dice.hits(0.1)) await step();
    }
    await troubles.written();
    await calm();
    if (dice.hits(0.5)) clock.turn(dice.below(100_000));
  };

  await writer.begin();
  reflector.start(follower.handler);
  await calm();
  return {
    async rage(changes) {
      const begun = writer.changes;
      const goesOn = (): boolean => {
        const done = writer.changes - begun;
        return done < changes || (done < 5 * changes && [...troubles.met.values()].includes(0));
      };
      while (goesOn() && violations.length === 0) await burst();
      troubles.end();
      await writer.fill();
      await calm();
      const { items } = await kube.get(PLANS);
      checker.compare('the server', (items as unknown[]).map(parsePlan).map(seenOf));
      checker.compare('the reflector', [...reflector.objects()].map(seenOf));
      follower.checkReports();
      cluster.compact();
    },
    figures: () => ({
      ...{ told: follower.told, thrown: follower.thrown, counts: follower.counts },
      ...{ changes: writer.changes, troubles: troubles.met, elapsedMs: clock.monotonic(), violations },
    }),
    async close() {
      await reflector.stop();
      if (clock.timers > 0) violations.push(`${clock.timers} timers are left after the stop`);
      await client.close();
      await world.close();
    },
  };
}
