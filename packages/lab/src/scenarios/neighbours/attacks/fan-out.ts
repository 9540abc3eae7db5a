import { pause } from '../../../wait.ts';
import type { TargetChange } from '@hnotif/core/lifecycle';
import type { Attack } from '../beside.ts';
import { DEAD_URL, manySinks } from './many-sinks.ts';

const PACE_MS = 2_500;
const STATES: readonly TargetChange['state'][] = ['Running', 'Completed', 'Pending'];

/** A plan with very many targets, which all change with each write, and very many sinks for these events. */
function fanOut(options: Pick<Attack, 'row' | 'aims'> & { targets: number; notifications: number }): Attack {
  const { row, aims, targets: count, notifications } = options;
  const targets = Array.from({ length: count }, (_, index) => `t${index}`);
  return {
    ...{ row, ...(aims && { aims }) },
    title: `a plan of ${count} targets × ${notifications * 32} sinks, a status write every ${PACE_MS / 1000} s`,
    async prepare({ attacker }) {
      await attacker.plan('large', targets);
    },
    // A plan of this size also slows the embedded control plane, which has one thread.
    async meanwhile({ attacker }, signal) {
      await attacker.begins('large', { targets });
      for (let writes = 0; !signal.aborted; writes++) {
        const state = STATES[writes % STATES.length] ?? 'Running';
        const changes = targets.map((target): TargetChange => ({ target, state }));
        await attacker.sees('large', ...changes);
        await pause(PACE_MS, signal);
      }
    },
    async begin({ attacker }) {
      await attacker.secret('dead', { url: DEAD_URL });
      await manySinks(attacker, { notifications, secret: 'dead' });
    },
  };
}

/** Row 2. */
export const FAN_OUT = fanOut({ row: '2', targets: 3_000, notifications: 5 });

/** Row 2b: the largest plan for which a memory limit is guaranteed. */
export const LARGEST_FAN_OUT = fanOut({
  ...{ row: '2b', targets: 5_000, notifications: 12 },
  aims: { memoryMb: 300, stallMs: 50 },
});
