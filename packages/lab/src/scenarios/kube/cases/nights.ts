import { nightOf } from '../../../nights.ts';
import { planObject } from '../../../objects.ts';
import type { Case, Seen } from '../case.ts';
import type { Stage } from '../stage.ts';
import { startBotchatReceiver, startTeamchatReceiver } from '@hnotif/receivers';

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

interface LeaseSpec {
  readonly holderIdentity?: string;
  readonly leaseTransitions?: number;
}

export const election: Case = {
  name: 'election',
  about:
    'Two processes: the leader is killed, and the other one takes over. Then it stops and releases the Lease.',
  run: async (stage) => {
    const lease = async (): Promise<LeaseSpec> =>
      (await stage.kube.get(`${stage.ground.leases}/hnotif`)).spec as LeaseSpec;
    await stage.hook();
    await stage.notify();
    await stage.plan('orders');
    const first = await stage.controller();
    await stage.matched();
    const before = await lease();
    const second = await stage.controller();
    const stoodBy = second.servedAt === undefined;
    await nightOf(stage, 'orders');
    await stage.told(NIGHT);
    await first.end('SIGKILL');
    await second.serving;
    const after = await lease();
    await stage.begins('orders', { cycle: 'c2' });
    const told = await stage.told([...NIGHT, 'Start', 'PhaseChange Active Hibernating']);
    await second.end('SIGTERM');
    const seen: Seen[] = [
      ['the second process stood by', String(stoodBy)],
      ['another process holds the Lease', String(before.holderIdentity !== after.holderIdentity)],
      ['leaseTransitions', `+${(after.leaseTransitions ?? 0) - (before.leaseTransitions ?? 0)}`],
      ['told', told],
      ['holder after the stop', JSON.stringify((await lease()).holderIdentity)],
    ];
    return seen;
  },
};

/** The messages of `nightOf`. */
const NIGHT = [
  ...['Start', 'PhaseChange Active Hibernating', 'ExecutionProgress db Running'],
  ...['ExecutionProgress db Completed', 'ExecutionProgress vm Running', 'ExecutionProgress vm Failed'],
  ...['PhaseChange Hibernating Error', 'Recovery', 'ExecutionProgress vm Pending'],
  ...['PhaseChange Error Hibernating', 'ExecutionProgress vm Completed', 'Success'],
  ...['PhaseChange Hibernating Hibernated', 'Start', 'PhaseChange Hibernated WakingUp'],
  ...['ExecutionProgress db Completed', 'ExecutionProgress vm Completed', 'Success'],
  'PhaseChange WakingUp Active',
];

export const nights: Case = {
  name: 'nights',
  about: 'A night that fails once, and its morning, at a sink of each type.',
  run: async (stage) => {
    const teamchat = stage.uses(await startTeamchatReceiver());
    const botchat = stage.uses(await startBotchatReceiver());
    const rate_limit = { rate: 1000, unit: 'second', burst: 1000 };
    await stage.hook();
    await stage.secret('team', { webhook_url: teamchat.webhookUrl(), rate_limit });
    await stage.secret('bot', {
      ...{ token: '123456:bot-token-of-thirty-five-characters', chat_id: -1001234567890, rate_limit },
    });
    await stage.notify({
      sinks: ['hook', { name: 'team', type: 'teamchat' }, { name: 'bot', type: 'botchat' }],
    });
    await stage.plan('orders');
    await stage.controller(`--bot-api-url=${botchat.origin}`);
    await stage.matched();
    await nightOf(stage, 'orders');
    const told = await stage.told(NIGHT);
    const accepted = (records: readonly { readonly answered: { readonly accepted: boolean } }[]): number =>
      records.filter(({ answered }) => answered.accepted).length;
    await teamchat.waitFor((records) => accepted(records) >= NIGHT.length);
    await botchat.waitFor((records) => accepted(records) >= NIGHT.length);
    return [
      ['webhook', told],
      ['teamchat', String(accepted(teamchat.records))],
      ['botchat', String(accepted(botchat.records))],
    ];
  },
};
