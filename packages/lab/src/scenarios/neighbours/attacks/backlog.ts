import type { Attack } from '../beside.ts';
import { inParallel } from '../../../wait.ts';
import { DEAD_URL, manySinks } from './many-sinks.ts';

/** Each error makes a Failure at once. A Failure is dropped last. */
const NO_RETRIES = { behavior: { retries: 0 } };
const LONG = 'no capacity '.repeat(341);

/** Row 1: messages for one dead address fill the backlog. */
export const BACKLOG: Attack = {
  row: '1',
  title: 'one dead URL, 10 notifications × 32 sinks, 6 plans, night after night with 4 kB errors',
  async prepare({ attacker }) {
    await attacker.secret('dead', { url: DEAD_URL });
    await manySinks(attacker, { notifications: 10, secret: 'dead' });
    await inParallel(6, (index) => attacker.plan(`p${index}`, ['db'], { spec: NO_RETRIES }));
  },
  async attack({ attacker }, signal) {
    await inParallel(6, async (index) => {
      for (let night = 0; !signal.aborted; night++) {
        await attacker.begins(`p${index}`, { cycle: `c${night}` });
        await attacker.fails(`p${index}`, LONG);
      }
    });
  },
};
