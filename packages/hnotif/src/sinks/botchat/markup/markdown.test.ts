import { expect, test } from 'vitest';
import { parseMarkdown } from './markdown.ts';
import type { Node } from './node.ts';
import { printMarkdown } from './print-markdown.ts';

const text = (value: string): Node => ({ kind: 'text', text: value });
const bold = (...children: Node[]): Node => ({ kind: 'bold', children });
const italic = (...children: Node[]): Node => ({ kind: 'italic', children });
const underline = (...children: Node[]): Node => ({ kind: 'underline', children });
const strike = (...children: Node[]): Node => ({ kind: 'strike', children });
const spoiler = (...children: Node[]): Node => ({ kind: 'spoiler', children });
const quote = (...children: Node[]): Node => ({ kind: 'quote', expandable: false, children });
const expandable = (...children: Node[]): Node => ({ kind: 'quote', expandable: true, children });
const link = (url: string, ...children: Node[]): Node => ({ kind: 'link', url, children });
const code = (value: string): Node => ({ kind: 'code', text: value });
const pre = (language: string, value: string): Node => ({ kind: 'pre', language, text: value });

test.each<[string, string, Node[]]>([
  ['text', 'a b', [text('a b')]],
  [
    'escapes',
    '\\_\\*\\[\\]\\(\\)\\~\\`\\>\\#\\+\\-\\=\\|\\{\\}\\.\\!\\\\\\a',
    [text('_*[]()~`>#+-=|{}.!\\a')],
  ],
  ['a backslash before what cannot be escaped', '\\é', [text('\\é')]],
  ['spans', '*b*_i_~s~||p||', [bold(text('b')), italic(text('i')), strike(text('s')), spoiler(text('p'))]],
  ['underline', '__u__', [underline(text('u'))]],
  ['spans over lines', '*a\nb*', [bold(text('a\nb'))]],
  [
    'the nesting on the vendor’s page',
    '*b _i ~s ||p||~ __u___ b*',
    [
      bold(
        text('b '),
        italic(text('i '), strike(text('s '), spoiler(text('p'))), text(' '), underline(text('u'))),
        text(' b'),
      ),
    ],
  ],
  ['an italic in an underline', '___a_**__', [underline(italic(text('a')))]],
  ['an underline in an italic', '_**__a__**_', [italic(underline(text('a')))]],
  ['the same in bold', '*_``__a__``_*', [bold(italic(underline(text('a'))))]],
  ['italics beside each other', '_a_**_b_', [italic(text('a')), italic(text('b'))]],
  ['bold beside bold', '*a**b*', [bold(text('a')), bold(text('b'))]],
  ['links', '[a *b*](https://x/\\)?y=\\\\)', [link('https://x/)?y=\\', text('a '), bold(text('b')))]],
  ['links without address', '[https://x/y\\.z]', [link('https://x/y.z', text('https://x/y.z'))]],
  ['custom emoji', '![👍](tg://emoji?id=5368)', [{ kind: 'emoji', id: '5368', children: [text('👍')] }]],
  [
    'moments',
    '![then](tg://time?unix=1647531900&format=wDT)![now](tg://time?unix=-1)',
    [
      { kind: 'time', unix: '1647531900', format: 'wDT', children: [text('then')] },
      { kind: 'time', unix: '-1', format: '', children: [text('now')] },
    ],
  ],
  ['code', '`a*b_\\`\\\\c`', [code('a*b_`\\c')]],
  ['code beside code', '`a``b`', [code('a'), code('b')]],
  ['pre', '```\na\nb```', [pre('', 'a\nb')]],
  ['pre on a line', '```a``````b c```', [pre('', 'a'), pre('b', ' c')]],
  ['pre with a language', '```go\nx := 1\n```', [pre('go', 'x := 1\n')]],
  ['pre with a language before NUL', '```go\0x```', [pre('go', '\0x')]],
  ['pre with a form feed in its language', '```g\fo x```', [pre('g\fo', ' x')]],
  ['pre that begins with an empty line', '```\n\na```', [pre('', '\na')]],
  ['code in pre', '```\na`b`c```', [pre('', 'abc')]],
  ['a quote at the end', 'a\n>b\n>c', [text('a\n'), quote(text('b\nc'))]],
  ['a quote and text', '>a\n>b\nc', [quote(text('a\nb\n')), text('c')]],
  ['an expandable quote', '>a\n>b||', [expandable(text('a\nb'))]],
  ['an expandable quote and text', '>a\n>b||\nc', [expandable(text('a\nb\n')), text('c')]],
  ['a quote after a quote', '>a\n**>b\n', [quote(text('a\n')), quote(text('b\n'))]],
  ['a quote that ends with a spoiler', '>||a||\nb', [quote(spoiler(text('a')), text('\n')), text('b')]],
  ['markup in a quote', '>*a\n>b*\nc', [quote(bold(text('a\nb')), text('\n')), text('c')]],
  ['a quote in markup', '*>a\nb*', [bold(quote(text('a\n')), text('b'))]],
  ['code with a line break in a quote', '>`a\nb`\nc', [quote(code('a\nb'), text('\n')), text('c')]],
  ['what is empty', 'a**~~``||||____[](x)b', [text('ab')]],
  ['a link to nowhere', '[a]()', [text('a')]],
  ['carriage returns', '>a\r\n>b||\r\nc', [expandable(text('a\nb\n')), text('c')]],
])('%s', (_what, source, nodes) => {
  expect(parseMarkdown(source)).toEqual(nodes);
  expect(parseMarkdown(printMarkdown(nodes))).toEqual(nodes);
});

test.each([
  '*a',
  '_a',
  '__a_',
  '~a',
  '||a',
  '|a',
  '`a',
  '```a',
  '```a``',
  '[a',
  '[a](b',
  '[a](b\\)',
  'a]',
  'a.b',
  'a-b',
  '(a)',
  'a!',
  '{',
  '}',
  '#a',
  '+',
  '=',
  'a>b',
  '*a_b*_',
  '![a]',
  '![a](https://x)',
  '![a](tg://time?unix=x)',
  '>*a\nb*',
  '>a\nb>',
  `${'['.repeat(65)}a${']'.repeat(65)}`,
])('Telegram would refuse %j', (source) => {
  expect(parseMarkdown(source)).toBeUndefined();
});
