import { latencyFigures, type Result, type Row, type Size, type Skipped } from './row.ts';
import { conditionsOf, setStage, type Scene } from './stage.ts';
import type { VictimOptions } from './victim.ts';

/** The machine settings of an attack. `undo` reverts them. */
export interface Means {
  /** A command that replaces itself with its last arguments, which run node. */
  readonly before?: readonly string[];
  /** Additional flags of the controller, besides those of the attack. */
  readonly flags?: readonly string[];
  readonly undo?: () => void;
}

/** An attack of one team on the controller that it shares with another team. */
export interface Attack extends Row {
  /** Additional flags of the controller. */
  readonly flags?: readonly string[];
  readonly victim?: Partial<VictimOptions>;
  /** Prepares the machine, or says why the attack cannot run. */
  readonly means?: () => Promise<Means | Skipped>;
  /** Runs before the controller starts. */
  readonly prepare?: (scene: Scene) => Promise<void>;
  /** A load of the control plane that is not part of the attack. It also runs while the victim is alone, until `signal` aborts. */
  readonly meanwhile?: (scene: Scene, signal: AbortSignal) => Promise<void>;
  /** Runs while the controller serves, before the victim is measured again: for instance a roll-out. */
  readonly begin?: (scene: Scene, size: Size) => Promise<void>;
  /** Runs while the victim is measured. Repeated actions continue until `signal` aborts. */
  readonly attack?: (scene: Scene, signal: AbortSignal, size: Size) => Promise<void>;
}

const VICTIM: Record<Size, VictimOptions> = {
  full: { plans: 25, perSecond: 25 },
  short: { plans: 4, perSecond: 8 },
};
/** The durations alone and beside the attack, and the longest wait for missing messages (milliseconds). */
const TIMES: Record<Size, { readonly alone: number; readonly beside: number; readonly grace: number }> = {
  full: { alone: 5_000, beside: 12_000, grace: 5_000 },
  // The wait is long enough for a slow machine.
  short: { alone: 500, beside: 1_000, grace: 20_000 },
};
/** A busy machine must not cost the Lease: how fast it is renewed is a matter of the full rows. */
const LEASE: Record<Size, readonly string[]> = {
  full: [],
  short: ['--lease-duration=120s', '--renew-deadline=100s'],
};
const WARM_UP_MS = 20_000;

/** Measures the victim alone, then beside these attacks at once, each of a team of its own. */
export async function besideAll(attacks: readonly Attack[], size: Size): Promise<Result | Skipped> {
  const means: Means[] = [];
  try {
    for (const attack of attacks) {
      const each = (await attack.means?.()) ?? {};
      if ('skipped' in each) return each;
      means.push(each);
    }
    return await run(attacks, size, means);
  } finally {
    for (const { undo } of means) undo?.();
  }
}

async function run(attacks: readonly Attack[], size: Size, means: readonly Means[]): Promise<Result> {
  const stage = await setStage({
    victim: Object.assign({ ...VICTIM[size] }, ...attacks.map(({ victim }) => victim)) as VictimOptions,
    flags: [...LEASE[size], ...[...attacks, ...means].flatMap(({ flags = [] }) => flags)],
    before: means.flatMap(({ before = [] }) => before),
    attackers: attacks.length,
  });
  const { scenes, victim } = stage;
  const pairs = attacks.flatMap((attack, index) =>
    scenes.slice(index, index + 1).map((scene) => ({ attack, scene })),
  );
  const together = <T>(act: (attack: Attack, scene: Scene) => Promise<T> | undefined) =>
    Promise.all(pairs.map(async ({ attack, scene }) => act(attack, scene)));
  const stop = new AbortController();
  const { signal } = stop;
  try {
    for (const { attack, scene } of pairs) await attack.prepare?.(scene);
    const controller = await stage.startController();
    if (!(await victim.warmUp(WARM_UP_MS)))
      throw new Error('the victim’s messages did not arrive before the attack');
    const meanwhile = together((attack, scene) => attack.meanwhile?.(scene, signal));
    const { alone: aloneMs, beside: besideMs, grace } = TIMES[size];
    const alone = await victim.measure(aloneMs, grace);
    await controller.forget();
    // One after the other: a roll-out ends the controller.
    for (const { attack, scene } of pairs) await attack.begin?.(scene, size);
    const attacking = together((attack, scene) => resultOf(attack.attack?.(scene, signal, size)));
    const beside = await victim.measure(besideMs, grace);
    stop.abort();
    const [notes] = await Promise.all([attacking, meanwhile]);
    await controller.settle();
    const attackers = await Promise.all(scenes.map(({ attacker }) => attacker.notifications()));
    const { exitedFor, ...fared } = controller.fared;
    return {
      figures: { ...latencyFigures(alone, beside), ...fared, 'leaked bytes': await stage.leaked() },
      words: [
        ...(exitedFor === '' ? [] : [`the last exit: ${exitedFor}`]),
        `victim: ${conditionsOf(await victim.team.notifications())}`,
        `attacker: ${conditionsOf(attackers.flat())}`,
        ...notes.filter((note) => note !== undefined),
      ],
    };
  } finally {
    stop.abort();
    await stage.close();
  }
}

/** A note for the report. A refused attack is the wanted result, not a fault of the row. */
async function resultOf(attacking: Promise<void> | undefined): Promise<string | undefined> {
  try {
    await attacking;
    return undefined;
  } catch (error) {
    return `the attack was refused or cut off: ${error instanceof Error ? error.message.slice(0, 200) : String(error)}`;
  }
}
