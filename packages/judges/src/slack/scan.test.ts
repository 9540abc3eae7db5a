import { describe, expect, it } from 'vitest';
import { readMessage } from './message.ts';
import type { Entity } from './mrkdwn.ts';
import { entitiesOfMessage } from './scan.ts';

const entities = (message: object): readonly Entity[] => entitiesOfMessage(readMessage(message).fields);
const of = (text: string): readonly Entity[] => entities({ text });
const brief = (found: readonly Entity[]): unknown[] =>
  found.map((each) => {
    switch (each.kind) {
      case 'mention':
        return each.who;
      case 'link':
        return `${each.label}${each.auto ? ' ~> ' : ' -> '}${each.url}`;
      case 'channel':
        return each.id;
      case 'date':
        return [each.unix, each.format, each.fallback, each.url];
      case 'emoji':
        return each.name;
      case 'broken':
        return each.text;
    }
  });

describe('a text', () => {
  it.each([
    ['<!channel> <!here> <!everyone>', ['!channel', '!here', '!everyone']],
    ['<!here|nobody> at <@U123|me> and <@W9>', ['!here', '@U123', '@W9']],
    ['<!subteam^S42|@ops>', ['!subteam^S42']],
    ['`<!channel>` and ```<@U1>```', ['!channel', '@U1']],
    ['&lt;!channel&gt; &lt;@U1&gt;', []],
    ['@channel @here', []],
    ['see <#C012AB3CD> and <#C012AB3CD|general>', ['C012AB3CD', 'C012AB3CD']],
  ])('%s pings whom it names', (text, found) => {
    expect(brief(of(text))).toEqual(found);
  });

  it.each([
    ['<https://evil.example/a|https://bank.example>', ['https://bank.example -> https://evil.example/a']],
    ['<https://a.example/?x=1&amp;y=2>', ['https://a.example/?x=1&y=2 -> https://a.example/?x=1&y=2']],
    ['<mailto:a@b.example|write>', ['write -> mailto:a@b.example']],
    ['<javascript:alert(1)|go>', ['go -> javascript:alert(1)']],
    ['<evil.example|go>', ['go -> evil.example']],
    [
      'see https://a.example/b?c=d#e, or (http://f.example).',
      ['https://a.example/b?c=d#e ~> https://a.example/b?c=d#e', 'http://f.example ~> http://f.example'],
    ],
    [
      'api.example.com/x or me@example.com',
      ['me@example.com ~> mailto:me@example.com', 'api.example.com/x ~> http://api.example.com/x'],
    ],
    ['https://a.example.com is one link', ['https://a.example.com ~> https://a.example.com']],
    ['file.txt, v1.2.3, a.b, plan.yaml and e.g. 10.0.0.1', []],
  ])('%s links to what it says, or elsewhere', (text, found) => {
    expect(brief(of(text))).toEqual(found);
  });

  it.each([
    [
      '<!date^1767643200^{date_short_pretty} {time_secs}|5 Jan 2026 20:00:00 UTC>',
      [[1767643200, '{date_short_pretty} {time_secs}', '5 Jan 2026 20:00:00 UTC', undefined]],
    ],
    ['<!date^1^{date}^https://a.example/|x>', [[1, '{date}', 'x', 'https://a.example/']]],
    ['<!date^1767643200^{date}>', ['<!date^1767643200^{date}>']],
    ['<!date^1767643200^{date}|>', ['<!date^1767643200^{date}|>']],
    ['<!date^now^{date}|x>', ['<!date^now^{date}|x>']],
    ['<!unknown> and <one two>', ['<!unknown>', '<one two>']],
  ])('%s is a date only with its fallback', (text, found) => {
    expect(brief(of(text))).toEqual(found);
  });

  it('shows emoji for shortcodes, but not for times', () => {
    expect(brief(of(':moon: done :white_check_mark: :+1:'))).toEqual(['moon', 'white_check_mark', '+1']);
    expect(of('20:03:05 and 1:2:3')).toEqual([]);
  });

  it('pings by bare names when the sender asks for it', () => {
    expect(brief(entities({ text: 'a @here b@channel', parse: 'full' }))).toEqual(['!here']);
    expect(brief(entities({ text: '@channel', link_names: true }))).toEqual(['!channel']);
  });

  it('links no bare addresses when the sender forbids it', () => {
    expect(entities({ text: 'https://a.example', parse: 'none' })).toEqual([]);
  });
});

describe('the entities of a message', () => {
  const mrkdwn = (text: string, verbatim?: boolean): object => ({
    type: 'mrkdwn',
    text,
    ...(verbatim !== undefined && { verbatim }),
  });
  const plain = (text: string, emoji?: boolean): object => ({
    type: 'plain_text',
    text,
    ...(emoji !== undefined && { emoji }),
  });

  it('come from every text in every block, with their place', () => {
    const text = '<@U1>';
    const button = {
      type: 'button',
      text: plain('Go'),
      confirm: { title: plain('a'), text: mrkdwn(text), confirm: plain('b'), deny: plain('c') },
    };
    const blocks = [
      { type: 'section', text: mrkdwn(text), fields: [plain(text), mrkdwn(text)], accessory: button },
      { type: 'context', elements: [mrkdwn(text)] },
      { type: 'actions', elements: [button] },
      { type: 'markdown', text },
      {
        type: 'table',
        rows: [
          [
            { type: 'raw_text', text },
            {
              type: 'rich_text',
              elements: [{ type: 'rich_text_section', elements: [{ type: 'user', user_id: 'U1' }] }],
            },
          ],
        ],
      },
    ];
    const message = {
      text,
      blocks,
      attachments: [{ text, fields: [{ title: text, value: text }], blocks: [blocks[1]] }],
    };
    const found = entities(message);
    expect(readMessage(message).faults).toEqual([]);
    expect(found.every((each) => each.kind === 'mention' && each.who === '@U1')).toBe(true);
    expect(found.map((each) => each.at)).toEqual([
      '/text',
      '/blocks/0/text/text',
      '/blocks/0/fields/1/text',
      '/blocks/0/accessory/confirm/text/text',
      '/blocks/1/elements/0/text',
      '/blocks/2/elements/0/confirm/text/text',
      '/blocks/3/text',
      '/blocks/4/rows/0/1/elements/0/elements/0',
      '/attachments/0/text',
      '/attachments/0/fields/0/title',
      '/attachments/0/fields/0/value',
      '/attachments/0/blocks/0/elements/0/text',
    ]);
  });

  it('hold bare addresses where a text is not verbatim', () => {
    const bare = 'https://a.example';
    const section = (verbatim?: boolean): object => ({
      blocks: [{ type: 'section', text: mrkdwn(bare, verbatim) }],
    });
    expect(brief(entities(section()))).toEqual([`${bare} ~> ${bare}`]);
    expect(entities(section(true))).toEqual([]);
    expect(entities({ blocks: [{ type: 'section', text: plain(bare) }] })).toEqual([]);
  });

  it('hold emoji of plain texts unless they are told not to', () => {
    const header = (emoji?: boolean): object => ({
      blocks: [{ type: 'header', text: plain(':smile:', emoji) }],
    });
    expect(entities(header())).toEqual([{ kind: 'emoji', name: 'smile', at: '/blocks/0/text/text' }]);
    expect(brief(entities(header(true)))).toEqual(['smile']);
    expect(entities(header(false))).toEqual([]);
  });

  it('are those of rich text', () => {
    const elements = [
      { type: 'user', user_id: 'U1' },
      { type: 'usergroup', usergroup_id: 'S1' },
      { type: 'broadcast', range: 'here' },
      { type: 'channel', channel_id: 'C1' },
      { type: 'emoji', name: 'moon' },
      { type: 'link', url: 'https://a.example', text: 'b' },
      { type: 'link', url: 'https://a.example' },
      { type: 'date', timestamp: 1, format: '{date}', fallback: 'x' },
      { type: 'text', text: '<!here> https://a.example' },
    ];
    const message = {
      blocks: [{ type: 'rich_text', elements: [{ type: 'rich_text_quote', elements }] }],
    };
    const found = entities(message);
    expect(readMessage(message).faults).toEqual([]);
    expect(brief(found)).toEqual([
      '@U1',
      '!subteam^S1',
      '!here',
      'C1',
      'moon',
      'b -> https://a.example',
      'https://a.example -> https://a.example',
      [1, '{date}', 'x', undefined],
    ]);
  });

  it('are Markdown’s own links, too, where that is what a block holds', () => {
    const found = entities({
      blocks: [{ type: 'markdown', text: '[bank](https://evil.example "t") <!here>' }],
    });
    expect(brief(found).slice(0, 2)).toEqual(['bank -> https://evil.example', '!here']);
  });
});
