import { succeed } from '@hnotif/core/lifecycle';
import { promise } from '../../stage.ts';
import { inParallel } from '../../wait.ts';

const HEAP_MB = 64;
const PLANS = 150;
const TARGETS = Array.from({ length: 20 }, (_, at) => `target-${at}`);

const all = (state: 'Running' | 'Completed') => TARGETS.map((target) => ({ target, state }));

export const smallHeap = promise(
  'small-heap',
  `a heap of ${HEAP_MB} MB is enough for ${PLANS} plans of ${TARGETS.length} targets that all change at once while their receiver hangs: nothing is lost`,
  async (stage) => {
    const { team, receiver, hnotif } = stage;
    const each = (act: (plan: string) => Promise<unknown>): Promise<void> =>
      inParallel(PLANS, (index) => act(`plan-${index}`));
    await each((plan) => team.plan(plan, TARGETS));
    receiver.faults.add({ fault: { kind: 'hang' } });
    await each((plan) => team.begins(plan, { targets: TARGETS }));
    for (const state of ['Running', 'Completed'] as const)
      await each((plan) => team.sees(plan, ...all(state)));
    await each((plan) => team.write(plan, succeed));
    receiver.faults.clear();
    receiver.release();
    await stage.settled();
    if (hnotif?.hasEnded === true) throw new Error(`hnotif has ended: ${hnotif.stderr.at(-1)}`);
  },
  () => ({ node: [`--max-old-space-size=${HEAP_MB}`] }),
);
