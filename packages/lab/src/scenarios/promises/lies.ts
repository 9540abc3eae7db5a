import type { OperatorStatus } from '@hnotif/core/lifecycle';
import { promise } from '../../stage.ts';
import type { Step } from '../../team.ts';

const phase =
  (name: string): Step =>
  (status: OperatorStatus) => ({ ...status, phase: name });

export const lies = promise(
  'lies',
  'statuses that lie (phases that go back, are skipped or written twice) are reported as they were written, each once and in order',
  async ({ team }) => {
    await team.plan('orders');
    await team.begins('orders');
    for (const each of ['Active', 'Active', 'WakingUp', 'Hibernating', 'Hibernating'])
      await team.write('orders', phase(each));
    await team.succeeds('orders');
    // Asleep, and then awake without a morning.
    await team.write('orders', phase('Active'));
    await team.begins('orders', { cycle: 'c1' });
    await team.succeeds('orders');
  },
);
