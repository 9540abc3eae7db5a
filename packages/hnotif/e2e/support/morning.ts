import { TurnedClock } from '../../../lab/src/turned-clock.ts';
import { World } from './world.ts';

/** When the morning of these tests is. */
export const MORNING = Date.parse('2026-01-06T08:00:00Z');

/** The clock of a controller in that morning. */
export const morningClock = new TurnedClock();
morningClock.turn(MORNING - Date.now());

/** A world in that morning. Its operator writes the times that a test sets. */
export const morningWorld = (): Promise<World> => World.start({ now: () => morningClock.now() });

/** One run of a plan with the target `db`, at a time, which takes some minutes. `error`: the run fails with it. */
export async function runOf(
  world: World,
  plan: string,
  run: {
    readonly operation?: 'shutdown' | 'wakeup';
    readonly at: string;
    readonly minutes: number;
    readonly error?: string;
  },
): Promise<void> {
  const { operation = 'shutdown', at, minutes, error } = run;
  const team = world.team();
  world.now = () => Date.parse(at);
  await team.begins(plan, { operation, cycle: `night-${at.slice(0, 10)}` });
  world.now = () => Date.parse(at) + 1_000;
  await team.sees(plan, { target: 'db', state: 'Running' });
  world.now = () => Date.parse(at) + 60_000 * minutes;
  if (error === undefined) await team.succeeds(plan);
  else await team.fails(plan, error);
}
