import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Entity } from './entity.ts';
import { parseMarkdownV2 } from './markdown.ts';

describe('MarkdownV2 that is in order', () => {
  it.each<[string, string, readonly Entity[]]>([
    ['', '', []],
    ['a\\.b\\\\ \\a \\🌙\\', 'a.b\\ a \\🌙\\', []],
    ['🌙*🌙a*', '🌙🌙a', [{ type: 'bold', offset: 2, length: 3 }]],
    ['**', '', []],
    ['_a_', 'a', [{ type: 'italic', offset: 0, length: 1 }]],
    ['__a__', 'a', [{ type: 'underline', offset: 0, length: 1 }]],
    ['~a~', 'a', [{ type: 'strikethrough', offset: 0, length: 1 }]],
    ['||a||', 'a', [{ type: 'spoiler', offset: 0, length: 1 }]],
    [
      '___a_**__',
      'a',
      [
        { type: 'italic', offset: 0, length: 1 },
        { type: 'underline', offset: 0, length: 1 },
      ],
    ],
    ['`a_*\\`.b`', 'a_*`.b', [{ type: 'code', offset: 0, length: 6 }]],
    ['```\na.\n```', 'a.\n', [{ type: 'pre', offset: 0, length: 3 }]],
    ['```go\r\na\n```', 'a\n', [{ type: 'pre', offset: 0, length: 2, language: 'go' }]],
    ['```go```', 'go', [{ type: 'pre', offset: 0, length: 2 }]],
    ['[a\\.b](x.org/\\)\\\\)', 'a.b', [{ type: 'text_link', offset: 0, length: 3, url: 'http://x.org/)\\' }]],
    ['[x\\.org]', 'x.org', [{ type: 'text_link', offset: 0, length: 5, url: 'http://x.org/' }]],
    ['[a](nowhere)', 'a', []],
    ['[](x.org)', '', []],
    [
      '[a](tg://user?id=7)',
      'a',
      [{ type: 'text_mention', offset: 0, length: 1, user: { id: 7, is_bot: false, first_name: '' } }],
    ],
    [
      '![👍](TG:emoji?id=25#x)',
      '👍',
      [{ type: 'custom_emoji', offset: 0, length: 2, custom_emoji_id: '25' }],
    ],
    [
      '![a](tg://time?unix=25&format=td)',
      'a',
      [{ type: 'date_time', offset: 0, length: 1, unix_time: 25, date_time_format: 'dt' }],
    ],
    ['>a', 'a', [{ type: 'blockquote', offset: 0, length: 1 }]],
    ['>', '', []],
    ['\r>a', '\ra', [{ type: 'blockquote', offset: 1, length: 1 }]],
    ['\\\r>a', '\ra', [{ type: 'blockquote', offset: 1, length: 1 }]],
    ['```\n\na```', '\na', [{ type: 'pre', offset: 0, length: 2 }]],
    ['x\n>a\n>b\ny', 'x\na\nb\ny', [{ type: 'blockquote', offset: 2, length: 4 }]],
    ['>a||', 'a', [{ type: 'expandable_blockquote', offset: 0, length: 1 }]],
    [
      '>a\n**>b||\r\nx',
      'a\nb\r\nx',
      [
        { type: 'blockquote', offset: 0, length: 2 },
        { type: 'expandable_blockquote', offset: 2, length: 3 },
      ],
    ],
    [
      '>*a\n>b*',
      'a\nb',
      [
        { type: 'blockquote', offset: 0, length: 3 },
        { type: 'bold', offset: 0, length: 3 },
      ],
    ],
    [
      '>`a\nb`\n>c',
      'a\nb\nc',
      [
        { type: 'blockquote', offset: 0, length: 5 },
        { type: 'code', offset: 0, length: 3 },
      ],
    ],
  ])('%s', (source, text, entities) => {
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
    const parts = fc.constantFrom(
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
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 30 }), (source) => {
        try {
          const { text, entities } = parseMarkdownV2(source.join(''));
          for (const { offset, length } of entities) expect(offset + length).toBeLessThanOrEqual(text.length);
        } catch (error) {
          expect(error).toHaveProperty('name', 'MarkupError');
        }
      }),
      { seed: 20_260_105, numRuns: 500 },
    );
  });
});
