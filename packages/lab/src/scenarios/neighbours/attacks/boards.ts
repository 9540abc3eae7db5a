import { startTeamchatReceiver } from '@hnotif/receivers';
import { begin } from '../../../../../hnotif/src/lifecycle/operator.ts';
import { secretObject } from '../../../objects.ts';
import type { Attack, Means } from '../beside.ts';
import { inParallel } from '../in-parallel.ts';
import { ALL, MOST_SINKS } from './many-sinks.ts';

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

/** Row 14: so many boards of one token that their events wait for updates all the time. */
export const BOARDS: Attack = {
  row: '14',
  title: '32 boards of one token, 60 plans whose events wait for their updates',
  means: chat,
  async prepare({ attacker }, size) {
    const names = Array.from({ length: size === 'full' ? MOST_SINKS : 8 }, (_, index) => `b${index}`);
    const config = {
      ...{ delivery_mode: 'board', bot_token: TOKEN, channel_id: CHANNEL },
      rate_limit: { rate: 1_000, unit: 'second', burst: 1_000 },
    };
    await attacker.create('secrets', secretObject('boards', JSON.stringify(config)));
    await attacker.notification('boards', {
      onEvents: ALL,
      sinks: names.map((name) => ({ name, type: 'teamchat', secret: 'boards' })),
    });
    await inParallel(size === 'full' ? 60 : 10, (index) => attacker.plan(`p${index}`));
  },
  async begin({ attacker }, size) {
    const targets = [{ name: 'db', type: 'rds' }];
    await inParallel(size === 'full' ? 60 : 10, (index) =>
      attacker.write(`p${index}`, (status, at) => begin(status, 'shutdown', 'c0', targets, at)),
    );
  },
};
