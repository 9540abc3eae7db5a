import { expect, test } from 'vitest';
import { parseHtml } from './html.ts';
import { printHtml } from './print-html.ts';
import type { Node } from './node.ts';

const text = (value: string): Node => ({ kind: 'text', text: value });

test.each<[string, string, Node[]]>([
  ['text', 'a &lt;b&gt; &amp; &quot;c&quot;', [text('a <b> & "c"')]],
  ['numeric entities', '&#34;&#x1F634;&#128164;', [text('"😴💤')]],
  ['an entity without its semicolon', '&lt b', [text('< b')]],
  [
    'what is no entity',
    '&nbsp; &ltx &; &#; &#0; &#x110000; &#99999999;',
    [text('&nbsp; &ltx &; &#; &#0; &#x110000; &#99999999;')],
  ],
  [
    'bold',
    '<b>a</b><strong>b</strong>',
    [
      { kind: 'bold', children: [text('a')] },
      { kind: 'bold', children: [text('b')] },
    ],
  ],
  [
    'italic',
    '<i>a</i><EM>b</EM >',
    [
      { kind: 'italic', children: [text('a')] },
      { kind: 'italic', children: [text('b')] },
    ],
  ],
  ['underline', '<u>a</u>', [{ kind: 'underline', children: [text('a')] }]],
  ['ins', '<ins>a</ins>', [{ kind: 'underline', children: [text('a')] }]],
  ['strike', '<s>a</s>', [{ kind: 'strike', children: [text('a')] }]],
  ['strike in full', '<strike>a</strike>', [{ kind: 'strike', children: [text('a')] }]],
  ['del', '<del>a</del>', [{ kind: 'strike', children: [text('a')] }]],
  ['spoilers', '<tg-spoiler>a</tg-spoiler>', [{ kind: 'spoiler', children: [text('a')] }]],
  ['spoilers as span', '<span class="tg-spoiler">a</span>', [{ kind: 'spoiler', children: [text('a')] }]],
  [
    'links',
    `<a href='https://x/?a=1&amp;b="2"'>a</a>`,
    [{ kind: 'link', url: 'https://x/?a=1&b="2"', children: [text('a')] }],
  ],
  [
    'links without address',
    '<a>https://x</a>',
    [{ kind: 'link', url: 'https://x', children: [text('https://x')] }],
  ],
  ['a > within quotes', '<a href="x>y">a</a>', [{ kind: 'link', url: 'x>y', children: [text('a')] }]],
  ['code', '<code>&lt;a&gt;</code>', [{ kind: 'code', text: '<a>' }]],
  ['pre', '<pre>a\nb</pre>', [{ kind: 'pre', language: '', text: 'a\nb' }]],
  [
    'pre with a language',
    '<pre><code class="language-go">a</code></pre>',
    [{ kind: 'pre', language: 'go', text: 'a' }],
  ],
  ['markup within code', '<code>a<b>b</b></code>', [{ kind: 'code', text: 'ab' }]],
  ['quotes', '<blockquote>a</blockquote>', [{ kind: 'quote', expandable: false, children: [text('a')] }]],
  [
    'expandable quotes',
    '<blockquote expandable>a</blockquote>',
    [{ kind: 'quote', expandable: true, children: [text('a')] }],
  ],
  [
    'custom emoji',
    '<tg-emoji emoji-id="5368">👍</tg-emoji>',
    [{ kind: 'emoji', id: '5368', children: [text('👍')] }],
  ],
  [
    'moments',
    '<tg-time unix="1647531900" format="wDT">then</tg-time>',
    [{ kind: 'time', unix: '1647531900', format: 'wDT', children: [text('then')] }],
  ],
  [
    'nesting',
    '<b>a<i>b</i></b>',
    [{ kind: 'bold', children: [text('a'), { kind: 'italic', children: [text('b')] }] }],
  ],
  [
    'bold within bold',
    '<b>a<i><strong>b</strong></i></b>',
    [{ kind: 'bold', children: [text('a'), { kind: 'italic', children: [text('b')] }] }],
  ],
  ['what is empty', 'a<b></b><pre></pre>b', [text('ab')]],
  ['an end tag without a name', '<b>a</>', [{ kind: 'bold', children: [text('a')] }]],
  ['carriage returns', 'a\r\nb', [text('a\nb')]],
])('%s', (_what, source, nodes) => {
  expect(parseHtml(source)).toEqual(nodes);
  expect(parseHtml(printHtml(nodes))).toEqual(nodes);
});

test.each([
  '<',
  'a < b',
  '<>',
  '</',
  '</b>',
  '<b>',
  '<b',
  '<b>a</i>',
  '<b><i>a</b></i>',
  '<h1>a</h1>',
  '<br/>',
  '<br>',
  '<span>a</span>',
  '<span class="x">a</span>',
  '<tg-emoji emoji-id="x">a</tg-emoji>',
  '<tg-time>a</tg-time>',
  '<a href="x>a</a>',
  '<!-- a -->',
  '&#xd83d;',
  '<constructor>a</constructor>',
  '<b>'.repeat(65) + '</b>'.repeat(65),
])('Telegram would refuse %j', (source) => {
  expect(parseHtml(source)).toBeUndefined();
});
