import { systemClock, type Clock } from '@hnotif/core/clock';
import { begin, fail, poll, recordFailure, succeed } from '@hnotif/core/lifecycle';
import { World } from './world.ts';

/** When the morning of these tests is. */
export const MORNING = Date.parse('2026-01-06T08:00:00Z');

const began = Date.now();
const now = (): number => MORNING + Date.now() - began;

/** The clock of a controller in that morning. */
export const morningClock: Clock = { ...systemClock, ...clockOf(systemClock), now };

/** The methods of a clock may be those of its class. */
function clockOf(clock: Clock): Pick<Clock, 'monotonic' | 'random' | 'after'> {
  return {
    monotonic: () => clock.monotonic(),
    random: () => clock.random(),
    after: (ms, run) => clock.after(ms, run),
  };
}

/** A world in that morning. Its operator writes the times that a test sets. */
export const morningWorld = (): Promise<World> => World.start({ now });

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
  const db = [{ name: 'db', type: 'rds' }];
  world.now = () => Date.parse(at);
  await world.write(plan, (status, time) => begin(status, operation, `night-${at.slice(0, 10)}`, db, time));
  world.now = () => Date.parse(at) + 1_000;
  await world.write(plan, (status, time) => poll(status, [{ target: 'db', state: 'Running' }], time));
  world.now = () => Date.parse(at) + 60_000 * minutes;
  const change =
    error === undefined
      ? ({ target: 'db', state: 'Completed' } as const)
      : ({ target: 'db', state: 'Failed', message: error } as const);
  await world.write(plan, (status, time) => poll(status, [change], time));
  if (error === undefined) await world.write(plan, succeed);
  else {
    await world.write(plan, recordFailure);
    await world.write(plan, (status, time) => fail(status, `target db: ${error}`, time));
  }
}
