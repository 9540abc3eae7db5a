import type { Attack } from '../beside.ts';
import { inParallel } from '../../../wait.ts';
import { manySinks } from './many-sinks.ts';

/** Row 10: a path that never answers uses all requests in flight to its origin. */
export const SHARED_ORIGIN: Attack = {
  row: '10',
  title: 'a hanging path on an origin that the other uses, 32 sinks, 20 plans',
  async prepare({ attacker, victim }) {
    await attacker.secret('hanging', { url: `http://127.0.0.1:${victim.receiver.port}/hang` });
    await manySinks(attacker, { notifications: 1, secret: 'hanging' });
    await inParallel(20, (index) => attacker.plan(`p${index}`));
  },
  async attack({ attacker }) {
    await inParallel(20, (index) => attacker.begins(`p${index}`));
  },
};
