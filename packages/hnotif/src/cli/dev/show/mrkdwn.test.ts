import { expect, it } from 'vitest';
import { mrkdwnLines } from './mrkdwn.ts';
import { plain, type Paint } from '../../paint.ts';

/** Shows where a style begins and ends. */
const marked: Paint = (style, text) => `[${String(style)} ${text}]`;

it.each([
  ['*bold* and _italic_ and ~gone~', '[bold bold] and [italic italic] and [strikethrough gone]'],
  ['*_both_*', '[bold [italic both]]'],
  ['`a *b* <c>`', '[cyan a *b* <c>]'],
  ['snake_case_name, 2*3*4, a ~ b ~ c', 'snake_case_name, 2*3*4, a ~ b ~ c'],
  ['* no * bold', '* no * bold'],
  ['(*bold*)', '([bold bold])'],
  [':x: *failed* :unknown: 20:03:05', '❌ [bold failed] :unknown: 20:03:05'],
  ['`:x:`', '[cyan :x:]'],
  ['&lt;b&gt; &amp;amp; &amp;lt;', '<b> &amp; &lt;'],
  ['&gt; quoted *so*', '[gray ▏] quoted [bold so]'],
  ['> quoted', '[gray ▏] quoted'],
  ['a &gt; b', 'a > b'],
  ['<https://a.example/?x=1&amp;y=2>', '[underline https://a.example/?x=1&y=2]'],
  ['*<https://a.example|the page>*', '[bold the page ([underline https://a.example])]'],
  ['<https://a.example|https://a.example>', '[underline https://a.example]'],
  [
    '<!channel> <@U123> <#C1|ops> <!subteam^S1|@team>',
    '[yellow @channel] [yellow @U123] [yellow ops] [yellow @team]',
  ],
  ['<!date^1767643200^{date_short_pretty} {time_secs}|5 Jan, 20:00 UTC>', '5 Jan, 20:00 UTC'],
])('%s', (text, expected) => {
  expect(mrkdwnLines(text, marked)).toEqual([expected]);
});

it('a fence stands on lines of its own, and nothing in it is markup', () => {
  expect(mrkdwnLines('*Error*\n```\na *b*\n\n&lt;c&gt;\n```\nafter', marked)).toEqual([
    '[bold Error]',
    '[cyan a *b*]',
    '[cyan ]',
    '[cyan <c>]',
    'after',
  ]);
  expect(mrkdwnLines('one ```two``` three', marked)).toEqual(['one ', '[cyan two]', ' three']);
  expect(mrkdwnLines('```a``` ```', plain)).toEqual(['a', ' ```']);
  expect(mrkdwnLines('```', plain)).toEqual(['```']);
});

it('without emphasis only what stands in angle brackets is read', () => {
  expect(mrkdwnLines('*a* `b` ```c``` > :x: <https://a.example|d>', marked, { emphasis: false })).toEqual([
    '*a* `b` ```c``` > ❌ d ([underline https://a.example])',
  ]);
});

it('an empty text is an empty line', () => {
  expect(mrkdwnLines('', plain)).toEqual(['']);
});

it.each(['<', '*', '`', '_a', '~ ', '<!', ':x', '<a|'])(
  'takes %s by the thousands without delay',
  (piece) => {
    const text = piece.repeat(20_000);
    expect(mrkdwnLines(text, plain).join('').length).toBeGreaterThan(0);
  },
);
