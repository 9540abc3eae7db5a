import { promise } from '../../stage.ts';

export const resets = promise(
  'resets',
  'a receiver that accepts connections and resets them, before or after it has read a message, loses none',
  async (stage) => {
    const { team, receiver } = stage;
    await team.plan('orders');
    // Of each message the first two requests, in different ways.
    receiver.faults.add({ match: { attempt: 1 }, fault: { kind: 'reset-before-accept' } });
    receiver.faults.add({ match: { attempt: 2 }, fault: { kind: 'reset-after-accept' } });
    await team.begins('orders');
    await team.succeeds('orders');
    await stage.asked(6);
    await stage.kill();
    await team.begins('orders', { operation: 'wakeup' });
    await team.succeeds('orders');
  },
);
