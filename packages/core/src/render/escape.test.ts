import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from '@hnotif/gotemplate';
import { escapeHTML, escapeMarkdown, escapeMarkdownCode, escapeMarkdownV2, escapeSlack } from './escape.ts';
import { functions } from './functions.ts';

describe('escapeHTML', () => {
  it('escapes exactly four characters', () => {
    expect(escapeHTML(`<b>"R&D" isn't</b>`)).toBe(`&lt;b&gt;&#34;R&amp;D&#34; isn't&lt;/b&gt;`);
  });

  it('leaves no character that begins markup, and can be reversed', () => {
    const back: Record<string, string> = { '&lt;': '<', '&gt;': '>', '&amp;': '&', '&#34;': '"' };
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const escaped = escapeHTML(text);
        expect(escaped).not.toMatch(/[<>"]/);
        expect(escaped.replace(/&(lt|gt|amp|#34);/g, (entity) => back[entity] ?? '')).toBe(text);
      }),
      { seed: 1 },
    );
  });
});

// The reference is Go's strings.Replacer, which works on bytes when each old string is one byte.
it.each([
  ['escapeMarkdown', /[_*[\]()~`>#+\-=|{}.!]/g, (found: string) => `\\${found}`],
  ['escapeHTML', /[<>&"]/g, (found: string) => `&${{ '<': 'lt', '>': 'gt', '&': 'amp' }[found] ?? '#34'};`],
] as const)('%s reports the bytes of a cut character', (name, special, escaped) => {
  const template = parse('t', `{{ b64dec .text | ${name} }}`, { funcs: functions });
  const parts = ['_', '<', 'a', '\\', '"', '\xc3', '\xa9', '\xe2\x82\xac', '\xf0\x9f', '\x98\x80'];
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...parts)), (bytes) => {
      const text = bytes.join('');
      const given = template.executeBytes({ text: Buffer.from(text, 'latin1').toString('base64') });
      expect(Buffer.from(given).toString('latin1')).toBe(text.replace(special, escaped));
    }),
    { seed: 1 },
  );
});

describe('escapeMarkdown', () => {
  it('puts a backslash before each of the eighteen', () => {
    const special = '_*[]()~`>#+-=|{}.!';
    expect(escapeMarkdown(special)).toBe([...special].map((character) => `\\${character}`).join(''));
    expect(escapeMarkdown('plain text, "quotes" & <tags')).toBe('plain text, "quotes" & <tags');
  });
});

describe('escapeMarkdownV2', () => {
  it('also escapes the backslash, so that it can be reversed', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'\\_.`a ') }), (text) => {
        const escaped = escapeMarkdownV2(text);
        expect(escaped.replace(/\\(.)/g, '$1')).toBe(text);
        expect(escaped.replace(/\\./g, '')).not.toMatch(/[\\_.`]/);
      }),
      { seed: 1 },
    );
  });
});

describe('escapeMarkdownCode', () => {
  it('escapes only the backtick and the backslash', () => {
    expect(escapeMarkdownCode('a`b\\c_d.e')).toBe('a\\`b\\\\c_d.e');
  });
});

describe('escapeSlack', () => {
  it('escapes exactly three characters', () => {
    expect(escapeSlack('<!channel> & "*bold*" <https://a|b>')).toBe(
      '&lt;!channel&gt; &amp; "*bold*" &lt;https://a|b&gt;',
    );
  });
});

describe('the escapes of templates', () => {
  it.each(['escapeHTML', 'escapeMarkdown', 'escapeMarkdownV2', 'escapeMarkdownCode', 'escapeSlack'])(
    '%s counts its output against the limit',
    (name) => {
      const text = `{{ $s := repeat 400000 "." }}{{ range until 1000 }}{{ $x := ${name} $s }}{{ end }}`;
      const template = parse('t', text, { funcs: functions, limits: { time: 1e9, memory: 4 << 20 } });
      expect(() => template.execute()).toThrow(/exceeded the memory limit/);
    },
  );
});
