import { nightOf } from '../../../nights.ts';
import { planObject } from '../../../objects.ts';
import type { Case } from '../case.ts';
import { NIGHT } from './nights.ts';
import type { Stage } from '../stage.ts';

async function begun(stage: Stage): Promise<void> {
  await stage.hook();
  await stage.notify();
  await stage.plan('orders');
}

export const receiverDown: Case = {
  name: 'receiver-down',
  about: 'A receiver that is down for a while loses no message.',
  run: async (stage) => {
    await begun(stage);
    await stage.controller();
    await stage.matched();
    stage.receiver.faults.add({ match: { path: '/hook' }, fault: { kind: 'status', status: 503 }, times: 2 });
    await nightOf(stage, 'orders');
    return [['messages', await stage.told(NIGHT)]];
  },
};

export const killed: Case = {
  name: 'killed',
  about: 'A kill loses no message: all wait in the journal, and the next process sends them.',
  run: async (stage) => {
    await begun(stage);
    const first = await stage.controller('--leader-elect=false');
    await stage.matched();
    const lift = stage.receiver.faults.add({
      match: { path: '/hook' },
      fault: { kind: 'status', status: 503 },
    });
    await nightOf(stage, 'orders');
    await stage.waiting(NIGHT.length);
    await first.end('SIGKILL');
    lift();
    await stage.controller('--leader-elect=false');
    return [['messages', await stage.told(NIGHT)]];
  },
};

export const restarted: Case = {
  name: 'api-server-restarted',
  about: 'A restart of the API server loses no message.',
  skipped: ({ plane }) => (plane.restart === undefined ? 'no --restart-command' : undefined),
  run: async (stage) => {
    await begun(stage);
    // A process that cannot renew its Lease ends. This is correct.
    await stage.controller('--leader-elect=false');
    await stage.matched();
    await stage.ground.plane.restart?.();
    // A server that has just started has no earlier versions, so hnotif lists again. Intermediate states are not reported.
    await stage.kube.post(stage.path('hibernateplans'), planObject('later', ['db']));
    await stage.matched(2);
    await nightOf(stage, 'orders');
    return [['messages', await stage.told(NIGHT)]];
  },
};
