import { descriptionOf, readText } from '@hnotif/judges/telegram';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { elementsOf, readHtml, textOf, textsOf, type HtmlElement } from '../../test/html.ts';
import type { BotchatMessage } from '../botchat/message.ts';
import type { TeamchatMessage } from '../teamchat/message.ts';
import { botchatHtml } from './botchat.ts';
import { msteamsHtml } from './msteams.ts';
import { botchatPage, msteamsPage, teamchatPage } from './page.ts';
import { teamchatHtml } from './teamchat.ts';

const now = Date.UTC(2026, 0, 6, 9);
const clock = { now, timezone: 'Europe/Berlin', locale: 'en-GB' };
const evening = Date.UTC(2026, 0, 5, 19, 3, 4);

function teamchat(more: Partial<TeamchatMessage>): TeamchatMessage {
  return {
    ts: `${evening / 1000}.000100`,
    channel: 'C1',
    author: 'B1',
    threadTs: undefined,
    metadata: undefined,
    entities: [],
    edits: [],
    editedTs: undefined,
    deleted: false,
    replies: [],
    text: '',
    blocks: [],
    attachments: [],
    mrkdwn: true,
    ...more,
  };
}

function botchat(text: string, parse_mode?: string, type: 'private' | 'group' = 'private'): BotchatMessage {
  const check = readText({ text, parse_mode });
  if (!check.ok) throw new Error(descriptionOf(check.fault));
  return {
    message_id: 1,
    chat: { id: 5, type, title: 'Nights' },
    date: evening / 1000,
    text: check.text,
    entities: check.entities,
    previewDisabled: true,
    source: { text, parse_mode },
  };
}

const plain = (text: string): object => ({ type: 'plain_text', text, emoji: false });
const escapedSlack = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const HOSTILE = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "' onmouseover='alert(1)",
  '</div></article></body>',
  '<!-- --> ]]> &amp;lt; &#60; &',
  '\0\r\n\u2028\ud83c',
  '${x} {{x}} `x`',
  'javascript:alert(1)',
];
const hostile = fc
  .array(fc.oneof(fc.constantFrom(...HOSTILE), fc.string({ unit: 'binary', maxLength: 12 })), {
    maxLength: 5,
  })
  .map((parts) => parts.join(''));

/** The text in the form of HTML. */
const shown = (text: string): string => text.toWellFormed().replaceAll('\0', '\ufffd');

/** Rules for every element, with any content. */
function expectHarmless(root: HtmlElement): void {
  for (const { tag, attributes } of elementsOf(root)) {
    expect(['script', 'style', 'img', 'iframe', 'object', 'form', 'svg']).not.toContain(tag);
    expect(['', 'class', 'href', 'title']).toEqual(expect.arrayContaining(Object.keys(attributes)));
    if (attributes.href !== undefined)
      expect(attributes.href).toMatch(/^(?:https?|mailto|tel|tg|slack|ftp):/i);
  }
}

it('shows attachments below the message, each beside its bar', () => {
  const attachments = [
    { color: '#ecb22e', blocks: [{ type: 'section', text: plain('late') }] },
    { color: 'danger', title: 'old', text: '*bold*' },
    { color: 'red; background: url(https://e.test/)', fallback: 'bare' },
  ];
  const page = readHtml(teamchatHtml(teamchat({ text: 'above', attachments }), clock));
  const found = elementsOf(page).filter(({ attributes }) => attributes.class === 'attachment');
  expect(found.map(({ attributes }) => attributes['data-color'])).toEqual(['#ecb22e', '#a30200', '#dddddd']);
  expect(found.map(textOf)).toEqual(['late', 'old\nbold', 'bare']);
  expect(textOf(page)).toContain('above');
  const whole = teamchatPage([teamchat({ attachments })], { ...clock, title: 'x' });
  expect(whole).toContain('[data-color="#a30200"] { border-left-color: #a30200; }');
  expect(whole).not.toContain(' style=');
});

describe('a message of teamchat', () => {
  it('shows its blocks', () => {
    const html = teamchatHtml(
      teamchat({
        text: 'not this',
        blocks: [
          { type: 'header', text: { type: 'plain_text', text: ':white_check_mark: Completed', emoji: true } },
          {
            type: 'section',
            text: { type: 'mrkdwn', text: '*Plan* <b>' },
            fields: [
              { type: 'mrkdwn', text: '*Phase:* Hibernated' },
              { type: 'plain_text', text: '*Targets:* 2 :x:', emoji: false },
              { type: 'mrkdwn', text: 'https://x.org', verbatim: true },
            ],
            accessory: { type: 'button', text: { type: 'plain_text', text: 'Look' } },
          },
          { type: 'divider' },
          {
            type: 'image',
            title: { type: 'plain_text', text: 'Graph' },
            image_url: 'https://x.org/a.png',
            alt_text: 'a graph',
          },
          {
            type: 'rich_text',
            elements: [
              {
                type: 'rich_text_list',
                style: 'bullet',
                elements: [
                  {
                    type: 'rich_text_section',
                    elements: [
                      { type: 'text', text: 'one', style: { bold: true } },
                      { type: 'link', url: 'javascript:x', text: 'two' },
                    ],
                  },
                ],
              },
            ],
          },
          {
            type: 'context',
            elements: [
              { type: 'image', image_url: 'https://x.org', alt_text: 'logo' },
              { type: 'mrkdwn', text: '<!date^0^{date_num}|x>' },
            ],
          },
          { type: 'something_new', text: { type: 'plain_text', text: 'new' } },
        ],
      }),
      clock,
    );
    expectHarmless(readHtml(html));
    expect(textsOf(html, 'h3')).toEqual(['✅ Completed']);
    expect(textsOf(html, 'b')).toEqual(['Plan', 'Phase:', 'Graph', 'one']);
    expect(textsOf(html, 'time')).toEqual(['20:03', '1970-01-01']);
    expect(textsOf(html, 'li')).toEqual(['onetwo']);
    expect(textsOf(html, 'a')).toEqual([]);
    const text = textOf(readHtml(html));
    for (const part of ['<b>', '*Targets:* 2 :x:', 'https://x.org', 'Look', 'a graph', 'logo', 'new'])
      expect(text).toContain(part);
    expect(text).not.toContain('not this');
    expect(html).not.toContain('a.png');
  });

  it('shows its text with or without markup', () => {
    expect(textsOf(teamchatHtml(teamchat({ text: '*a*' }), clock), 'b')).toEqual(['a']);
    expect(textOf(readHtml(teamchatHtml(teamchat({ text: '*a*', mrkdwn: false }), clock)))).toContain('*a*');
  });

  it('shows its thread below it, and that it was edited or deleted', () => {
    const replies = [teamchat({ text: 'one' }), teamchat({ text: 'two' })];
    const html = teamchatHtml(teamchat({ text: 'root', replies, editedTs: '1767643300.000000' }), clock);
    expect(textOf(readHtml(html))).toMatch(/root\(edited\)2 replies.*one.*two/s);
    expect(textsOf(html, 'article')).toHaveLength(3);
    const gone = textOf(readHtml(teamchatHtml(teamchat({ text: 'root', deleted: true }), clock)));
    expect(gone).toContain('This message was deleted.');
    expect(gone).not.toContain('root');
  });

  it('shows every text of every block as it is', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const fields = {
          blocks: [
            { type: 'header', text: plain(text) },
            {
              type: 'section',
              text: plain(text),
              fields: [plain(text)],
              accessory: { type: 'button', text: plain(text) },
            },
            { type: 'context', elements: [plain(text), { type: 'image', alt_text: text }] },
            { type: 'image', title: plain(text), alt_text: text },
            { type: 'actions', elements: [{ type: 'static_select', placeholder: plain(text) }] },
            {
              type: 'rich_text',
              elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text }] }],
            },
            { type: text, text: plain(text) },
          ],
        };
        const root = readHtml(teamchatHtml(teamchat(fields), clock));
        expectHarmless(root);
        expect(textOf(root).split(shown(text)).length).toBeGreaterThanOrEqual(text === '' ? 1 : 11);
      }),
      { seed: 20_260_105, numRuns: 100 },
    );
  });

  it('shows what was escaped as it was, and is never broken by what was not', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const raw = { type: 'mrkdwn', text };
        const link = { type: 'mrkdwn', text: `<https://x.org/${text}|${text}>` };
        const root = readHtml(
          teamchatHtml(
            teamchat({
              blocks: [
                { type: 'section', text: raw, fields: [link] },
                { type: 'context', elements: [raw] },
              ],
            }),
            clock,
          ),
        );
        expectHarmless(root);
        const calm = text.replace(/[*_~`:>]/g, ' ');
        const safe = teamchat({ text: `x ${escapedSlack(calm)}` });
        expect(textOf(readHtml(teamchatHtml(safe, clock)))).toContain(shown(calm));
      }),
      { seed: 20_260_105, numRuns: 100 },
    );
  });
});

describe('a message of botchat', () => {
  it('shows its entities', () => {
    const html = botchatHtml(
      botchat(
        '<b>Done <i>well</i></b> <u>u</u><s>s</s> <code>a&lt;b</code> <a href="https://x.org">there</a> y.org me@x.org @night /start #tag $USD\n' +
          '<pre><code class="language-go">x := 1</code></pre><blockquote expandable>q</blockquote><tg-spoiler>secret</tg-spoiler>',
        'HTML',
      ),
      clock,
    );
    expectHarmless(readHtml(html));
    expect(textsOf(html, 'b')).toEqual(['Done ', 'well']);
    expect(textsOf(html, 'code')).toEqual(['a<b']);
    expect(textsOf(html, 'pre')).toEqual(['x := 1']);
    expect(textsOf(html, 'a')).toEqual(['there', 'y.org', 'me@x.org']);
    expect(textsOf(html, 'time')).toEqual(['20:03']);
    const elements = elementsOf(readHtml(html));
    expect(elements.filter(({ tag }) => tag === 'a').map(({ attributes }) => attributes.href)).toEqual([
      'https://x.org/',
      'http://y.org',
      'mailto:me@x.org',
    ]);
    expect(elements.filter(({ attributes }) => attributes.class === 'link').map(textOf)).toEqual([
      '@night',
      '/start',
      '#tag',
      '$USD',
    ]);
  });

  it('shows what lies within each other once', () => {
    const html = botchatHtml(botchat('<blockquote>ab<b>c</b></blockquote><u><i>d</i></u>', 'HTML'), clock);
    expect(textOf(readHtml(html))).toBe('abcd20:03');
  });

  it('says in a group who wrote it', () => {
    expect(textOf(readHtml(botchatHtml(botchat('a', undefined, 'group'), clock)))).toBe('🌙hnotifa20:03');
    expect(textOf(readHtml(botchatHtml(botchat('a'), clock)))).toBe('a20:03');
  });

  it('shows every text as it is', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        for (const [source, mode] of [
          [`x${text}x`.toWellFormed(), undefined],
          [
            `<b>x${escapedSlack(text)}</b><a href="https://x.org/${escapedSlack(text).replace(/["\0]/g, '')}">x</a>x`.toWellFormed(),
            'HTML',
          ],
        ] as const) {
          const message = botchat(source, mode);
          const root = readHtml(botchatHtml(message, clock));
          expectHarmless(root);
          expect(textOf(root)).toContain(shown(message.text));
        }
      }),
      { seed: 20_260_105, numRuns: 100 },
    );
  });
});

describe('a message of msteams', () => {
  const shown = (body: readonly object[], actions: readonly object[] = []) =>
    readHtml(msteamsHtml({ at: evening, cards: [{ body, actions }] }, clock));

  it.each(HOSTILE)('shows %j as it is', (text) => {
    const runs = shown([{ type: 'RichTextBlock', inlines: [{ type: 'TextRun', text, weight: 'Bolder' }] }]);
    expectHarmless(runs);
    expect(textOf(runs)).toContain(text.replace('\0', '\ufffd').toWellFormed());
    expectHarmless(shown([{ type: 'TextBlock', text: `**${text}** [${text}](javascript:${text})` }]));
  });

  it('shows the Markdown of a text, and only addresses that are safe', () => {
    const page = shown([
      { type: 'TextBlock', text: '**bold** \\*no\\* [a](https://e.test/) [b](javascript:x)' },
    ]);
    expect(textOf(page)).toContain('bold *no* a b');
    const links = elementsOf(page).filter(({ tag }) => tag === 'a');
    expect(links.map(({ attributes }) => attributes.href)).toEqual(['https://e.test/', undefined]);
  });

  it('shows its buttons', () => {
    const page = shown([], [{ type: 'Action.OpenUrl', title: 'Runbook', url: 'https://e.test/' }]);
    expect(textOf(page)).toContain('Runbook');
  });
});

describe('a page', () => {
  const settings = { ...clock, title: '<night> "shift"' };
  const team = [
    teamchat({ text: 'one' }),
    teamchat({ text: 'then' }),
    teamchat({ text: 'two', ts: `${now / 1000}.000000` }),
  ];
  const bot = [botchat('one'), botchat('then'), { ...botchat('two'), date: now / 1000 }];

  const at = (text: string, ms: number) => ({ at: ms, cards: [{ body: [{ type: 'TextBlock', text }] }] });
  const cards = [at('one', evening), at('then', evening), at('two', now)];

  it.each([
    ['teamchat', teamchatPage(team, settings)],
    ['botchat', botchatPage(bot, settings)],
    ['msteams', msteamsPage(cards, settings)],
  ])('of %s is whole, and shows the days', (_, html) => {
    expect(html).toMatch(/^<!doctype html>\n<html lang="en">/);
    expect(html).toContain('&lt;night&gt; &quot;shift&quot;');
    expect(html).not.toMatch(/<script|<link|<img|url\(|@import/);
    const body = readHtml(html.slice(html.indexOf('<body>'), html.indexOf('</html>')).trim());
    expectHarmless(body);
    expect(textOf(body)).toMatch(/Yesterday.*one.*then.*Today.*two/s);
    expect(elementsOf(body).filter(({ attributes }) => attributes.class === 'day')).toHaveLength(2);
  });

  it('may be empty', () => {
    for (const page of [teamchatPage, botchatPage, msteamsPage])
      expect(page([], settings)).toContain('</html>');
  });
});
