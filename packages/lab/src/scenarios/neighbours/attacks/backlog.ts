import { begin, fail, poll, recordFailure } from '../../../../../hnotif/src/lifecycle/operator.ts';
import type { Attack } from '../beside.ts';
import { inParallel } from '../in-parallel.ts';
import { DEAD_URL, manySinks } from './many-sinks.ts';

const TARGETS = [{ name: 'db', type: 'rds' }];
/** Each error makes a Failure at once. A Failure is dropped last. */
const NO_RETRIES = { behavior: { retries: 0 } };
const LONG = 'no capacity '.repeat(341);

/** Row 1: messages for one dead address fill the backlog. */
export const BACKLOG: Attack = {
  row: '1',
  title: 'one dead URL, 10 notifications × 32 sinks, 6 plans, night after night with 4 kB errors',
  async prepare({ attacker }, size) {
    await attacker.webhook('dead', DEAD_URL);
    await manySinks(attacker, { notifications: size === 'full' ? 10 : 2, secret: 'dead' });
    await inParallel(6, (index) => attacker.plan(`p${index}`, ['db'], { spec: NO_RETRIES }));
  },
  async attack({ attacker }, size, signal) {
    const nights = size === 'full' ? Infinity : 2;
    await inParallel(6, async (index) => {
      const plan = `p${index}`;
      for (let night = 0; night < nights && !signal.aborted; night++) {
        await attacker.write(plan, (status, at) => begin(status, 'shutdown', `c${night}`, TARGETS, at));
        await attacker.write(plan, (status, at) =>
          poll(status, [{ target: 'db', state: 'Failed', message: LONG }], at),
        );
        await attacker.write(plan, recordFailure);
        await attacker.write(plan, (status, at) => fail(status, LONG, at));
      }
    });
  },
};
