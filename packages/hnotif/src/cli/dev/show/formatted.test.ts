import { descriptionOf, readText } from '@hnotif/judges/telegram';
import type { BotchatMessage } from '@hnotif/receivers';
import { expect, it } from 'vitest';
import { formattedLines } from './formatted.ts';
import type { Paint } from '../../paint.ts';

const marked: Paint = (style, text) => `[${String(style)} ${text}]`;

/** As Telegram reads a text in HTML. */
function read(html: string): Pick<BotchatMessage, 'text' | 'entities'> {
  const check = readText({ text: html, parse_mode: 'HTML' });
  if (!check.ok) throw new Error(descriptionOf(check.fault));
  return check;
}

it.each([
  ['<b>Plan:</b> orders', ['[bold Plan:] orders']],
  ['<b>a <i>b</i> c</b>', ['[bold a ][italic [bold b]][bold  c]']],
  ['<code>db</code> <s>x</s> <u>y</u>', ['[cyan db] [strikethrough x] [underline y]']],
  ['🌙 <b>Night</b> ends', ['🌙 [bold Night] ends']],
  ['<b>two\nlines</b>\n\nend', ['[bold two]', '[bold lines]', '', 'end']],
  ['<pre>a\nb</pre>', ['[cyan a]', '[cyan b]']],
  [
    '<a href="https://a.example/">the <b>page</b></a>.',
    ['the [bold page] ([underline https://a.example/]).'],
  ],
  ['a\n<blockquote>b\nc</blockquote>\nd', ['a', '[gray ▏] b', '[gray ▏] c', 'd']],
  ['see https://a.example/x', ['see [underline https://a.example/x]']],
  ['@durov_x #night /start', ['[yellow @durov_x] [blue #night] [blue /start]']],
])('%s', (html, expected) => {
  expect(formattedLines(read(html), marked)).toEqual(expected);
});

it('no text or address steers the terminal', () => {
  const text = 'a\u001b[2J\u202eb';
  const entities = [{ type: 'text_link' as const, url: 'https://a/\u009b1m', offset: 0, length: 1 }];
  expect(formattedLines({ text, entities }, marked)).toEqual([
    'a ([underline https://a/\ufffd1m])\ufffd[2Jb',
  ]);
});
