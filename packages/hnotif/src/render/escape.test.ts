import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { escapeHTML, escapeMarkdown } from './escape.ts';

describe('escapeHTML', () => {
  it('escapes exactly four characters', () => {
    expect(escapeHTML(`<b>"R&D" isn't</b>`)).toBe(`&lt;b&gt;&#34;R&amp;D&#34; isn't&lt;/b&gt;`);
  });

  it('leaves nothing that opens markup, and can be undone', () => {
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

describe('escapeMarkdown', () => {
  it('puts a backslash before each of the eighteen', () => {
    const special = '_*[]()~`>#+-=|{}.!';
    expect(escapeMarkdown(special)).toBe([...special].map((character) => `\\${character}`).join(''));
    expect(escapeMarkdown('plain text, "quotes" & <tags')).toBe('plain text, "quotes" & <tags');
  });
});
