import { describe, expect, it } from 'vitest';
import { doubtOf, type Reading } from './doubtful-output.ts';

describe('an output that nobody can read', () => {
  it.each<[Reading, output: string, line: number, begins: string]>([
    ['slack', 'Owner:\n<no value>', 2, '<no value> stands for a value that is missing'],
    ['HTML', 'Owner: &lt;no value&gt;', 1, '&lt;no value&gt; stands for'],
    ['json', '{"a":"\\u003cno value\\u003e"}', 1, '\\u003cno value\\u003e stands for'],
    ['plain', 'a\n\n<nil>', 3, '<nil> stands for'],
    ['slack', 'retry %!s(int=3) of 5', 1, '%!s(int=3) is an error of printf'],
    ['plain', '%!(EXTRA string=a)', 1, '%!(EXTRA string=a) is an error of printf'],
    ['MarkdownV2', 'retry %\\!d\\(string\\=a\\)', 1, '%!d(string=a) is an error of printf'],
    ['HTML', 'labels map[env:prod]', 1, 'map[ is a map printed whole'],
    ['MarkdownV2', 'labels map\\[env:prod\\]', 1, 'map[ is a map printed whole'],
    ['slack', 'Plan a\\nPhase b', 1, '\\n is shown as it is'],
    ['HTML', 'a\\tb', 1, '\\t is shown as it is'],
    ['slack', 'it&#39;s', 1, '&#39; is HTML, and Slack shows it as it is'],
    ['MarkdownV2', 'a &lt; b', 1, '&lt; is HTML, and MarkdownV2'],
    ['HTML', 'a &amp;lt; b', 1, '&amp;lt; is escaped twice'],
  ])('%s: %j', (reading, output, line, begins) => {
    const doubt = doubtOf(output, reading);
    expect(doubt?.line).toBe(line);
    expect(doubt?.what.startsWith(begins), doubt?.what).toBe(true);
  });

  it.each<[Reading, output: string]>([
    ['slack', 'a &lt; b &amp; c &gt; d'],
    ['HTML', 'it&#39;s &lt;b&gt; &quot;x&quot;'],
    ['json', '{"text":"a\\nb\\tc"}'],
    ['plain', '<p>a &lt; b</p>\\n'],
    ['MarkdownV2', 'a\\.b \\- c\\! 100%\\!'],
    ['slack', 'C:\\new\\temp and 100%! no values, nil, roadmap [1]'],
  ])('%s takes %j without a doubt', (reading, output) => {
    expect(doubtOf(output, reading)).toBeUndefined();
  });
});
