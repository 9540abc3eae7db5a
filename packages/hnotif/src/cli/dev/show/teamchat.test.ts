import type { TeamchatMessage } from '@hnotif/receivers';
import { expect, it } from 'vitest';
import { plain } from '../../paint.ts';
import { teamchatLines, type ShownRecord } from './teamchat.ts';

const message = (more: Partial<TeamchatMessage>): TeamchatMessage => ({
  ts: '1.000001',
  channel: 'C1',
  author: 'B1',
  text: '',
  blocks: [],
  attachments: [],
  mrkdwn: true,
  threadTs: undefined,
  metadata: undefined,
  entities: [],
  edits: [],
  editedTs: undefined,
  deleted: false,
  replies: [],
  ...more,
});
const shown = (more: Partial<ShownRecord>): string[] =>
  teamchatLines(
    {
      call: 'chat.postMessage',
      error: undefined,
      errors: [],
      message: undefined,
      arrivedAt: Date.parse('2026-01-05T20:00:01Z'),
      ...more,
    },
    'ops',
    plain,
  );
const AT = '20:00:01         ';
const header = (text: string): object[] => [{ type: 'header', text: { type: 'plain_text', text } }];
const card = (bar: string): Pick<TeamchatMessage, 'text' | 'blocks' | 'attachments' | 'mrkdwn'> =>
  message({
    text: `In Progress: orders — ${bar}`,
    blocks: header(':hourglass_flowing_sand: In Progress') as never,
  });

it('a message in the channel is shown whole, under the chat and the channel', () => {
  expect(shown({ message: message({ text: ':x: *Failed*\n&gt; boom' }) })).toEqual([
    `${AT}teamchat #ops`,
    '    │ ❌ Failed',
    '    │ ▏ boom',
  ]);
});

it('of a message with blocks these are shown, and not the text that stands for them', () => {
  const blocks = header('Title') as never;
  expect(shown({ message: message({ text: 'for phones', blocks }) })).toEqual([
    `${AT}teamchat #ops`,
    '    │ Title',
  ]);
});

it('attachments are shown below', () => {
  const attachments = [{ color: 'red', text: 'more', fallback: 'less' }] as never;
  expect(shown({ message: message({ text: 'a', attachments }) }).slice(1)).toEqual([
    '    │ a',
    '    │ more',
    '    │ less',
  ]);
});

it('emphasis that is switched off is none', () => {
  expect(shown({ message: message({ text: '*a*', mrkdwn: false }) })[1]).toBe('    │ *a*');
});

it('a reply is one line, with the emoji that its blocks begin with', () => {
  const blocks = header(':white_check_mark: Completed') as never;
  const reply = message({ threadTs: '1.0', text: 'Completed: *orders*', blocks });
  expect(shown({ message: reply })).toEqual([`${AT}#ops   ↳ ✅ Completed: orders`]);
});

it('a reply of text is one line of its first lines', () => {
  const reply = message({ threadTs: '1.0', text: ':x: *Failed*\n*Plan:* a\n*Phase:* b\n*Error:* c' });
  expect(shown({ message: reply })).toEqual([`${AT}#ops   ↳ ❌ Failed · Plan: a · Phase: b`]);
});

it('a root that changes is one line, and none when what that line says is the same', () => {
  const [before, after] = [card('[░░░░░░░░░░] 0/3'), card('[███░░░░░░░] 1/3')];
  const update = (edits: (typeof before)[]): string[] =>
    shown({ call: 'chat.update', message: message({ ...after, edits }) });
  expect(update([before])).toEqual([`${AT}#ops ✎ ⏳ In Progress: orders — [███░░░░░░░] 1/3`]);
  expect(update([before, after])).toEqual([]);
});

it('what changes nothing is not shown; what is refused says why', () => {
  expect(shown({ call: 'conversations.history' })).toEqual([]);
  expect(shown({ error: 'invalid_blocks', errors: ['too long [json-pointer:/blocks/0]'] })).toEqual([
    'refused: teamchat chat.postMessage invalid_blocks; too long [json-pointer:/blocks/0]',
  ]);
});

it('no text makes lines that could be another delivery, or steers the terminal', () => {
  const text = `a\r\n${AT}teamchat #ops\u2028\u001b]0;title\u0007`;
  expect(shown({ message: message({ text }) }).slice(1)).toEqual([
    '    │ a',
    `    │ ${AT}teamchat #ops`,
    '    │ \ufffd]0;title\ufffd',
  ]);
  const reply = message({ threadTs: '1.0', text: 'a\nb', blocks: header('c') as never });
  expect(shown({ message: reply })).toHaveLength(1);
});
