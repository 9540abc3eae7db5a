import { describe, expect, it, test } from 'vitest';
import { exampleSource } from './example.ts';
import { missingKey } from './missing-key.ts';
import { doubtOf, textsOf, type Reading } from './doubtful-output.ts';

it('is no mistake of the template if it stands in the texts of the event', () => {
  const { event, ...rest } = exampleSource('Failure', 'teamchat', 'shutdown');
  const of = (errorMessage: string) => ({
    data: () => textsOf({ ...rest, event: { ...event, errorMessage } }),
  });
  const cases: readonly (readonly [Reading, output: string, errorMessage: string])[] = [
    ['HTML', 'a &amp;lt; b', 'a &lt; b'],
    ['slack', 'an error %!d(string)', 'an error %!d(string)'],
    ['slack', 'labels map[a:b]', 'labels map[a:b]'],
  ];
  for (const [reading, output, errorMessage] of cases) {
    expect(doubtOf(output, reading, of(errorMessage))).toBeUndefined();
    expect(doubtOf(output, reading, of('another error'))).toBeDefined();
  }
});

test('long outputs and templates take no long time', () => {
  const path = `C:\\${'\\n'.repeat(200_000)}`;
  expect(doubtOf(path, 'slack')?.what).toMatch(/^\\n is shown as it is/);
  expect(doubtOf(`${' '.repeat(65_536)}\\n`, 'slack')).toBeUndefined();
  const guarded = '{{ if .Labels.a }}'.repeat(200_000);
  expect(missingKey(guarded, exampleSource('Start', 'teamchat', 'shutdown'))).toBeUndefined();
});

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
    ['slack', '[{orders-db rds Completed stopped  {}}]', 1, '{orders-db rds Completed is a target printed'],
    ['slack', 'Plan a\\nPhase b', 1, '\\n is shown as it is'],
    ['HTML', 'a\\tb', 1, '\\t is shown as it is'],
    ['slack', 'it&#39;s', 1, '&#39; is HTML, and Slack shows it as it is'],
    ['MarkdownV2', 'a &lt; b', 1, '&lt; is HTML, and MarkdownV2'],
    ['slack', 'a&nbsp;b &copy;', 1, '&nbsp; is HTML, and Slack'],
    ['MarkdownV2', 'a&copy;', 1, '&copy; is HTML, and MarkdownV2'],
    [
      'HTML',
      'a\n&nbsp;b',
      2,
      '&nbsp; is shown as it is: Telegram knows &lt;, &gt;, &amp;, &quot; and numbers',
    ],
    ['HTML', '&hellip;', 1, '&hellip; is shown as it is'],
    ['slack', 'Night of YYYY-MM-DD', 1, 'YYYY-MM-DD is a layout of another language'],
    ['json', '{"text":"DD.MM.YYYY"}', 1, 'DD.MM.YYYY is a layout of another language'],
    ['MarkdownV2', 'at yyyy\\-MM\\-dd', 1, 'yyyy-MM-dd is a layout'],
    ['HTML', 'at HH:mm', 1, 'HH:mm is a layout'],
    ['plain', '%Y-%m-%d %H:%M', 1, '%Y-%m-%d is a layout'],
    ['HTML', 'a &amp;lt; b', 1, '&amp;lt; is escaped twice'],
    ['plain', 'a %!!(MISSING) b', 1, '%!!(MISSING) is an error of printf'],
    ['slack', 'a **bold word** b', 1, '**bold word** is shown with its stars; write one star'],
    ['HTML', '**x**', 1, '**x** is shown with its stars; write <b>'],
    ['slack', 'see\n[runbook](https://wiki.example/x)', 2, '[runbook](https://wiki.example/x) is a link of'],
    ['HTML', '[r](https://a.example)', 1, '[r](https://a.example) is a link of Markdown, and shown as'],
    ['slack', '<b>x</b>', 1, '<b> is HTML, which Slack does not read'],
    ['slack', 'x<br/>y', 1, '<br/> is HTML'],
  ])('%s: %j', (reading, output, line, begins) => {
    const doubt = doubtOf(output, reading);
    expect(doubt?.line).toBe(line);
    expect(doubt?.what.startsWith(begins), doubt?.what).toBe(true);
  });

  it.each<[Reading, output: string]>([
    ['slack', 'a &lt; b &amp; c &gt; d'],
    ['json', '{"state":"Completed"} {a is Completed}'],
    ['HTML', 'it&#39;s &lt;b&gt; &quot;x&quot;'],
    ['json', '{"text":"a\\nb\\tc"}'],
    ['plain', '<p>a &lt; b</p>\\n'],
    ['MarkdownV2', 'a\\.b \\- c\\! 100%\\!'],
    ['HTML', '&lt;&gt;&amp;&quot;&#160;&#xa0; AT&T; ?a=1&copy=2'],
    ['plain', 'DAYYYY MMM HH, 20% done, yyyy'],
    [
      'slack',
      '*x* ***; 2 ** 3 ** 4 `**a**` <https://a.example|b> <!date^1^{date}|x> a[1](b) <@U0> &lt;b&gt;',
    ],
    ['HTML', '<b>x</b> <a href="https://a.example">[1](2)</a>'],
    ['MarkdownV2', '[r](https://a.example) **x**'],
    ['json', '{"type":"markdown","text":"**x** [r](https://a.example) <b>"}'],
    ['slack', 'C:\\new\\temp and 100%! no values, nil, roadmap [1]'],
  ])('%s takes %j without a doubt', (reading, output) => {
    expect(doubtOf(output, reading)).toBeUndefined();
  });
});

it.each([
  [
    '{{ .Plan.Annotations.Owner }}',
    '<no value> stands for .Plan.Annotations.Owner, which is missing; did you mean .Plan.Annotations.owner? If not, write {{ with .Plan.Annotations.Owner }}{{ . }}{{ end }}, or {{ .Plan.Annotations.Owner | default "none" }}',
  ],
  [
    '{{ .Plan.Annotations.owner }}{{ with .Plan.Labels.x }}{{ . }}{{ end }}{{ $.Plan.Labels.tier | upper }}',
    '<no value> stands for $.Plan.Labels.tier, which is missing; write {{ with $.Plan.Labels.tier }}{{ . }}{{ end }}, or {{ $.Plan.Labels.tier | default "none" }}',
  ],
  [
    '{{ default "x" .Labels.a }}{{ .Labels.b | default "x" }}{{ .Labels.c }}',
    '<no value> stands for .Labels.c, which',
  ],
  [
    '{{ $all := .Plan.Labels }}{{ $all.x }}',
    '<no value> stands for a value that is missing; write {{ with … }}{{ . }}{{ end }} around it',
  ],
])('in %s it names the missing key', (template, words) => {
  const source = exampleSource('Start', 'teamchat', 'shutdown');
  const doubt = doubtOf('<no value>', 'slack', { missing: () => missingKey(template, source) });
  expect(doubt?.what).toContain(words);
});
