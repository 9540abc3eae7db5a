import { startBotchatReceiver, startTeamchatReceiver } from '@hnotif/receivers';
import { nightOf } from '../../../nights.ts';
import type { Case } from '../case.ts';

/** The messages of `nightOf`. */
export const NIGHT = [
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
