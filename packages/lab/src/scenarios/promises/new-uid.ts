import { promise } from '../../stage.ts';

export const newUid = promise(
  'new-uid',
  'a plan that is deleted in the middle of its night, and another one with its name: each has its own messages, in order',
  async (stage) => {
    const { team } = stage;
    await team.plan('orders');
    await team.begins('orders');
    await stage.told('Start');
    await team.remove('orders');
    await team.plan('orders');
    await team.begins('orders');
    // A plan that is new to the process that follows has no past.
    await stage.told('Start', '1');
    await team.succeeds('orders');
    await stage.kill();
    // A plan that is deleted before hnotif has read its last status leaves nothing to tell.
    await stage.told('Success', '1');
    await team.remove('orders');
    await team.plan('orders');
    await team.begins('orders', { cycle: 'c1' });
    await team.succeeds('orders');
  },
);
