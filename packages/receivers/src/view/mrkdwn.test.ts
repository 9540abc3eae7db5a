import { describe, expect, it } from 'vitest';
import { element } from './markup.ts';
import { mrkdwn } from './mrkdwn.ts';

const clock = { now: Date.UTC(2026, 0, 5, 20, 30), timezone: 'Europe/Berlin' };
const show = (text: string, verbatim = false): string =>
  element('div', {}, mrkdwn(text, { clock, verbatim })).toString().slice(5, -6);

describe('mrkdwn as it is shown', () => {
  it.each([
    ['plain &amp; &lt;simple&gt;', 'plain &amp; &lt;simple&gt;'],
    ['*bold* _italic_ ~gone~', '<b>bold</b> <i>italic</i> <s>gone</s>'],
    ['*bold _both_*', '<b>bold <i>both</i></b>'],
    ['a*b* *c*d 2 * 3 * 4 _ x_ snake_case_name', 'a*b* *c*d 2 * 3 * 4 _ x_ snake_case_name'],
    ['(*a*), *b*.', '(<b>a</b>), <b>b</b>.'],
    ['*a\nb*', '*a\nb*'],
    ['`*a* &lt;b&gt; :x:`', '<code>*a* &lt;b&gt; :x:</code>'],
    ['a\n```\n*b*\n&gt; c\n```\nd', 'a\n<pre>*b*\n&gt; c\n</pre>d'],
    ['&gt; a\n&gt; *b*\nc', '<blockquote>a\n<b>b</b></blockquote>c'],
    ['> a\nb', '<blockquote>a</blockquote>b'],
    ['a\n&gt;&gt;&gt; b\n\nc', 'a<blockquote>b\n\nc</blockquote>'],
    ['a &gt; b', 'a &gt; b'],
    [':white_check_mark: :x: :no_such: 20:03:05', '✅ ❌ <span class="unknown">:no_such:</span> 20:03:05'],
    ['<https://x.org?a=1&amp;b|la*b*el>', '<a href="https://x.org?a=1&amp;b">la*b*el</a>'],
    ['<https://x.org>', '<a href="https://x.org">https://x.org</a>'],
    ['<mailto:a@x.org|a>', '<a href="mailto:a@x.org">a</a>'],
    ['<javascript:alert(1)|x>', 'x'],
    ['see https://x.org/a_b.', 'see <a href="https://x.org/a_b">https://x.org/a_b</a>.'],
    [
      '<@U1> <#C1|ops> <!subteam^S1|@on-call>',
      '<span class="mention">@U1</span> <span class="mention">#ops</span> <span class="mention">@on-call</span>',
    ],
    [
      '<!channel> <!here>',
      '<span class="mention everyone">@channel</span> <span class="mention everyone">@here</span>',
    ],
    ['<!nothing else>', '&lt;!nothing else&gt;'],
    ['• a\n• b', '• a\n• b'],
  ])('%s', (text, html) => {
    expect(show(text)).toBe(html);
  });

  it('leaves bare addresses alone where it is told to', () => {
    expect(show('https://x.org *a*', true)).toBe('https://x.org <b>a</b>');
  });

  const unix = Date.UTC(2026, 0, 5, 19, 3, 4) / 1000;
  it.each([
    ['{date_short_pretty} {time_secs}', unix, 'Today 8:03:04 PM'],
    ['on {date_pretty} at {time}', unix - 86_400, 'on yesterday at 8:03 PM'],
    ['{date_long_pretty}', unix + 86_400, 'Tomorrow'],
    ['{date_short_pretty}', unix - 10 * 86_400, 'Dec 26, 2025'],
    ['{date_num} {date_slash}', unix, '2026-01-05 01/05/2026'],
    ['{date} {date_long}', unix, 'January 5, 2026 Monday, January 5, 2026'],
    ['{ago} {unknown}', unix, '1 hour ago {unknown}'],
  ])('shows a date as %s', (format, at, shown) => {
    expect(show(`<!date^${at}^${format}|then>`)).toBe(`<time title="then">${shown}</time>`);
  });

  it('shows a date that cannot be as its fallback, and one without a fallback as it is written', () => {
    expect(show('<!date^99999999999999^{date}|then>')).toBe('<time title="then">then</time>');
    expect(show('<!date^1^{date}>')).toBe('&lt;!date^1^{date}&gt;');
    expect(show('<!date^0^{time}^https://x.org|then>')).toContain('<a href="https://x.org"><time');
  });

  it('takes no longer for what is made to take long', () => {
    for (const hostile of ['*a', '*a*', '_', '`', '```', '<', '<a', ':a', '>', '&gt;\n', 'https://']) {
      expect(show(hostile.repeat(5000)).length).toBeGreaterThan(0);
    }
  });
});
