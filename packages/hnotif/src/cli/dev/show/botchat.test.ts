import type { BotchatMessage } from '@hnotif/receivers';
import { expect, it } from 'vitest';
import { botchatLines } from './botchat.ts';
import { plain } from '../../paint.ts';

const arrivedAt = Date.parse('2026-01-05T20:00:01Z');
const message = (chat: BotchatMessage['chat'], text: string): BotchatMessage => ({
  message_id: 1,
  chat,
  date: arrivedAt / 1000,
  text,
  entities: [],
  previewDisabled: true,
  source: { text },
});
const shown = (sent: BotchatMessage | undefined): string[] =>
  botchatLines({ call: 'sendMessage', refusal: undefined, message: sent, arrivedAt }, plain);

it('a message is shown whole, under the chat, whatever its members', () => {
  expect(shown(message({ id: -5, type: 'group', title: 'ops' }, 'a\nb'))).toEqual([
    '20:00:01         botchat  ops',
    '    │ a',
    '    │ b',
  ]);
  expect(shown(message({ id: 5, type: 'private', first_name: 'lead' }, 'a'))[0]).toMatch(/botchat {2}lead$/);
});

it('a message that was changed is one line', () => {
  const now = message({ id: -5, type: 'group', title: 'ops' }, '🌙 3 Plans\n[███] 1 of 3\n\n⏳ orders');
  expect(shown({ ...now, edits: [now] })).toEqual(['20:00:01         ops ✎ 🌙 3 Plans · [███] 1 of 3']);
});

it('a call that sends nothing is not shown, a refused one says why', () => {
  expect(shown(undefined)).toEqual([]);
  const refusal = { code: 401, description: 'Unauthorized' };
  expect(botchatLines({ call: 'sendMessage', refusal, message: undefined, arrivedAt }, plain)).toEqual([
    'refused: botchat sendMessage Unauthorized',
  ]);
});
