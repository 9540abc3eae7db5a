import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { at, expectKeepsItsPlace } from '../testing/markup.ts';
import { parseMarkdownV2 } from './markdown.ts';

describe('MarkdownV2 that is in order', () => {
  it.each<[source: string, text: string, ...entities: object[]]>([
    ['', ''],
    ['a\\.b\\\\ \\a \\🌙\\', 'a.b\\ a \\🌙\\'],
    ['🌙*🌙a*', '🌙🌙a', at('bold', 2, 3)],
    ['**', ''],
    ['_a_', 'a', at('italic', 0, 1)],
    ['__a__', 'a', at('underline', 0, 1)],
    ['~a~', 'a', at('strikethrough', 0, 1)],
    ['||a||', 'a', at('spoiler', 0, 1)],
    ['___a_**__', 'a', at('italic', 0, 1), at('underline', 0, 1)],
    ['`a_*\\`.b`', 'a_*`.b', at('code', 0, 6)],
    ['```\na.\n```', 'a.\n', at('pre', 0, 3)],
    ['```go\r\na\n```', 'a\n', at('pre', 0, 2, { language: 'go' })],
    ['```go```', 'go', at('pre', 0, 2)],
    ['[a\\.b](x.org/\\)\\\\)', 'a.b', at('text_link', 0, 3, { url: 'http://x.org/)\\' })],
    ['[x\\.org]', 'x.org', at('text_link', 0, 5, { url: 'http://x.org/' })],
    ['[a](nowhere)', 'a'],
    ['[](x.org)', ''],
    [
      '[a](tg://user?id=7)',
      'a',
      at('text_mention', 0, 1, { user: { id: 7, is_bot: false, first_name: '' } }),
    ],
    ['![👍](TG:emoji?id=25#x)', '👍', at('custom_emoji', 0, 2, { custom_emoji_id: '25' })],
    [
      '![a](tg://time?unix=25&format=td)',
      'a',
      at('date_time', 0, 1, { unix_time: 25, date_time_format: 'dt' }),
    ],
    ['>a', 'a', at('blockquote', 0, 1)],
    ['>', ''],
    ['\r>a', '\ra', at('blockquote', 1, 1)],
    ['\\\r>a', '\ra', at('blockquote', 1, 1)],
    ['```\n\na```', '\na', at('pre', 0, 2)],
    ['x\n>a\n>b\ny', 'x\na\nb\ny', at('blockquote', 2, 4)],
    ['>a||', 'a', at('expandable_blockquote', 0, 1)],
    ['>a\n**>b||\r\nx', 'a\nb\r\nx', at('blockquote', 0, 2), at('expandable_blockquote', 2, 3)],
    ['>*a\n>b*', 'a\nb', at('blockquote', 0, 3), at('bold', 0, 3)],
    ['>`a\nb`\n>c', 'a\nb\nc', at('blockquote', 0, 5), at('code', 0, 3)],
  ])('%s', (source, text, ...entities) => {
    expect(parseMarkdownV2(source)).toEqual({ text, entities });
  });
});

describe('MarkdownV2 that is refused', () => {
  it.each([...'])(#+-=|{}.!'])('for an unescaped %s', (character) => {
    const message = `Character '${character}' is reserved and must be escaped with the preceding '\\'`;
    expect(() => parseMarkdownV2(`a${character}`)).toThrow(message);
    expect(parseMarkdownV2(`a\\${character}`).text).toBe(`a${character}`);
  });

  // Two times 🌙 and a blank are 9 bytes.
  it.each<[string, string]>([
    ['a>', "Character '>' is reserved and must be escaped with the preceding '\\'"],
    ['>a>', "Character '>' is reserved and must be escaped with the preceding '\\'"],
    ['🌙 🌙*a', "Can't find end of Bold entity at byte offset 9"],
    ['_a *b _', "Can't find end of Italic entity at byte offset 6"],
    ['_a__', "Can't find end of Underline entity at byte offset 2"],
    ['__a _b___', "Can't find end of Italic entity at byte offset 8"],
    ['~', "Can't find end of Strikethrough entity at byte offset 0"],
    ['||a|', "Character '|' is reserved"],
    ['||a\\||', "Character '|' is reserved"],
    ['`', "Can't find end of Code entity at byte offset 0"],
    ['```', "Can't find end of Pre entity at byte offset 0"],
    ['```go', "Can't find end of Pre entity at byte offset 0"],
    ['```go ', "Can't find end of PreCode entity at byte offset 0"],
    ['```a\n`', "Can't find end of Code entity at byte offset 5"],
    ['[a', "Can't find end of TextUrl entity at byte offset 0"],
    ['[a](b', "Can't find end of a URL at byte offset 4"],
    ['[a](b\\)', "Can't find end of a URL at byte offset 4"],
    ['![a', "Can't find end of CustomEmoji entity at byte offset 0"],
    ['![a]', 'The entity must contain a tg://emoji or tg://time URL'],
    ['![a](tg://emoji?id=025)', 'Invalid tg://emoji or tg://time URL specified'],
    ['![a](https://emoji?id=25)', 'Invalid tg://emoji or tg://time URL specified'],
    ['>*a\n>b\nc*', "Can't find end of Bold entity at byte offset 1"],
    ['>a||b\n||c', "Can't find end of Spoiler entity at byte offset 2"],
  ])('%s', (source, message) => {
    expect(() => parseMarkdownV2(source)).toThrow(message);
  });
});

describe('MarkdownV2 of any text', () => {
  it('is that text again, where what is reserved is escaped', () => {
    const escape = (text: string): string => text.replace(/[_*[\]()~`>#+\-=|{}.!\\]/g, '\\$&');
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), (text) => {
        expect(parseMarkdownV2(`*${escape(text)}*`).text).toBe(text);
      }),
      { seed: 20_260_105 },
    );
  });

  it('ends in a result or a refusal, and never loses its place', () => {
    expectKeepsItsPlace(
      parseMarkdownV2,
      '*',
      '_',
      '__',
      '`',
      '```',
      '||',
      '>',
      '\n',
      '\\',
      '[',
      ']',
      '(x.org)',
      '![',
      'a',
      '🌙',
    );
  });
});
