import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { at, expectKeepsItsPlace } from '../testing/markup.ts';
import { parseHtml } from './html.ts';

describe('HTML that is in order', () => {
  it.each<[source: string, text: string, ...entities: object[]]>([
    ['', ''],
    ['a > b', 'a > b'],
    ['&lt;&gt;&amp;&quot;', '<>&"'],
    ['&lt b', '< b'],
    ['&nbsp;&LT;&toString;&', '&nbsp;&LT;&toString;&'],
    ['&#127963;&#x1F3DB;&#38', '🏛🏛&'],
    ['&#0;&#1114111;&#X41;&#00000065;', '&#0;&#1114111;&#X41;&#00000065;'],
    ['🌙<b>🌙a</b>', '🌙🌙a', at('bold', 2, 3)],
    ['<STRONG>a</strong>', 'a', at('bold', 0, 1)],
    ['<em>a</em >', 'a', at('italic', 0, 1)],
    ['<u>a</u>', 'a', at('underline', 0, 1)],
    ['<ins>a</>', 'a', at('underline', 0, 1)],
    ['<s>a</s>', 'a', at('strikethrough', 0, 1)],
    ['<del>a</del>', 'a', at('strikethrough', 0, 1)],
    ['<strike x="&quot;" y=\'"\' z=a.b-1>a</strike>', 'a', at('strikethrough', 0, 1)],
    ['<span class="tg-spoiler">a</span>', 'a', at('spoiler', 0, 1)],
    ['<tg-spoiler>a</tg-spoiler>', 'a', at('spoiler', 0, 1)],
    ['<b></b>', ''],
    ['<i>a<b>b</b></i>', 'ab', at('italic', 0, 2), at('bold', 1, 1)],
    ['<pre>a\nb</pre>', 'a\nb', at('pre', 0, 3)],
    ['<code class="language-go">a</code>', 'a', at('code', 0, 1)],
    ['<pre><code class="language-go">a</code></pre>', 'a', at('pre', 0, 1, { language: 'go' })],
    ['<code class="language-go"><pre>a</pre></code>', 'a', at('pre', 0, 1, { language: 'go' })],
    ['<pre> <code class="language-go">a</code></pre>', ' a', at('pre', 0, 2), at('code', 1, 1)],
    ['<blockquote cite="">a</blockquote>', 'a', at('blockquote', 0, 1)],
    ['<blockquote expandable>a</blockquote>', 'a', at('expandable_blockquote', 0, 1)],
    ['<a href="https://X.org?a&amp;b">a</a>', 'a', at('text_link', 0, 1, { url: 'https://x.org/?a&b' })],
    ['<a href=x.org>a</a>', 'a', at('text_link', 0, 1, { url: 'http://x.org/' })],
    ['<a>x.org</a>', 'x.org', at('text_link', 0, 5, { url: 'http://x.org/' })],
    ['<a href="nowhere">a</a>', 'a'],
    ['<a href="x.org:65536">a</a>', 'a'],
    ['<a href="x.org:65535">a</a>', 'a', at('text_link', 0, 1, { url: 'http://x.org:65535/' })],
    ['<a href="javascript:alert(1)">a</a>', 'a'],
    ['<a href="http://">a</a>', 'a'],
    [
      '<a href="tg://user?id=42">a</a>',
      'a',
      at('text_mention', 0, 1, { user: { id: 42, is_bot: false, first_name: '' } }),
    ],
    [
      '<tg-emoji emoji-id="5368324170671202286">👍</tg-emoji>',
      '👍',
      at('custom_emoji', 0, 2, { custom_emoji_id: '5368324170671202286' }),
    ],
    [
      '<tg-time unix="1647531900" format="DtW">a</tg-time>',
      'a',
      at('date_time', 0, 1, { unix_time: 1647531900, date_time_format: 'wDt' }),
    ],
  ])('%s', (source, text, ...entities) => {
    expect(parseHtml(source)).toEqual({ text, entities });
  });
});

describe('HTML that is refused', () => {
  // Two times 🌙 and a blank are 9 bytes.
  it.each<[string, string]>([
    ['🌙 🌙<b', 'Unclosed start tag at byte offset 9'],
    ['🌙 🌙<', 'Unclosed start tag at byte offset 9'],
    ['a < b > c', 'Unsupported start tag "" at byte offset 2'],
    ['1<2 3>', 'Unsupported start tag "2" at byte offset 1'],
    ['&lt;<H1>a</H1>', 'Unsupported start tag "h1" at byte offset 4'],
    ['<br/>', 'Unsupported start tag "br/" at byte offset 0'],
    ['<!-- a -->', 'Unsupported start tag "!--" at byte offset 0'],
    ['<b =a>', 'Empty attribute name in the tag "b" at byte offset 0'],
    ['<b />', 'Empty attribute name in the tag "b" at byte offset 0'],
    ['<b c', 'Unclosed start tag "b" at byte offset 0'],
    ['<b c = ', 'Unclosed start tag "b" at byte offset 0'],
    ['<b c=d,>', 'Unexpected end of name token at byte offset 5'],
    ['<b c="d>', 'Unclosed start tag at byte offset 0'],
    ['<b c="d"', 'Unclosed start tag at byte offset 0'],
    ['<span>a</span>', 'Tag "span" must have class "tg-spoiler" at byte offset 0'],
    ['</b>', 'Unexpected end tag at byte offset 0'],
    ['<b>a</b', 'Unclosed end tag at byte offset 4'],
    ['<b>a</b c>', 'Unclosed end tag at byte offset 4'],
    ['<b><i>a</b></i>', 'Unmatched end tag at byte offset 7, expected "</i>", found "</b>"'],
    ['<b>a', `Can't find end tag corresponding to start tag "b"`],
    ['<tg-emoji emoji-id="x">a</tg-emoji>', 'Invalid custom emoji identifier specified'],
    ['<tg-time unix="1" format="rt">a</tg-time>', 'Invalid date format used'],
    [
      '&#xD83C;',
      'Text contains invalid Unicode characters after decoding HTML entities, check for unmatched surrogate code units',
    ],
  ])('%s', (source, message) => {
    expect(() => parseHtml(source)).toThrow(message);
  });
});

describe('HTML of any text', () => {
  it('is that text again, where the three characters are escaped', () => {
    const escape = (text: string): string =>
      text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), (text) => {
        expect(parseHtml(`<b>${escape(text)}</b>`).text).toBe(text);
      }),
      { seed: 20_260_105 },
    );
  });

  it('ends in a result or a refusal, and never loses its place', () => {
    expectKeepsItsPlace(
      parseHtml,
      '<b>',
      '</b>',
      '<a href=x.org>',
      '</',
      '>',
      '<pre>',
      '</pre>',
      '<code class="',
      '"',
      '&',
      'a',
      '🌙',
      ' ',
    );
  });
});
