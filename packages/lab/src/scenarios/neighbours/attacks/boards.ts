import { startTeamchatReceiver } from '@hnotif/receivers';
import { PLENTY } from '../../../objects.ts';
import type { Attack, Means } from '../beside.ts';
import { inParallel } from '../../../wait.ts';
import { MOST_SINKS } from './many-sinks.ts';

const CHANNEL = 'C0BOARDS';
const TOKEN = 'xoxb-000000000000-neighbour';

/** A chat that takes updates as Slack does. */
async function chat(): Promise<Means> {
  const receiver = await startTeamchatReceiver({
    ...{ channels: [{ id: CHANNEL }], tokens: { [TOKEN]: {} }, keep: 10 },
    rates: { callsPerMinute: { 'chat.update': 50 } },
  });
  return { flags: [`--chat-api-url=${receiver.apiUrl}`], undo: () => void receiver.close() };
}

/** Row 11: so many boards of one token that their events wait for updates all the time. */
export const BOARDS: Attack = {
  row: '11',
  title: '32 boards of one token, 60 plans whose events wait for their updates',
  means: chat,
  async prepare({ attacker }) {
    const names = Array.from({ length: MOST_SINKS }, (_, index) => `b${index}`);
    const config = {
      ...{ delivery_mode: 'board', bot_token: TOKEN, channel_id: CHANNEL },
      rate_limit: PLENTY,
    };
    await attacker.secret('boards', config);
    await attacker.notification('boards', {
      sinks: names.map((name) => ({ name, type: 'teamchat', secret: 'boards' })),
    });
    await inParallel(60, (index) => attacker.plan(`p${index}`));
  },
  async begin({ attacker }) {
    await inParallel(60, (index) => attacker.begins(`p${index}`));
  },
};
