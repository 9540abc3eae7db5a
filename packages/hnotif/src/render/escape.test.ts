import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from '@hnotif/gotemplate';
import { escapeHTML, escapeMarkdown } from './escape.ts';
import { functions } from './functions.ts';

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

describe('the escapes of templates', () => {
  it.each(['escapeHTML', 'escapeMarkdown'])('%s pays for what it makes', (name) => {
    const text = `{{ $s := repeat 4000000 "." }}{{ range until 100 }}{{ $x := ${name} $s }}{{ end }}`;
    const template = parse('t', text, { funcs: functions, limits: { time: 1e9 } });
    expect(() => template.execute()).toThrow(/exceeded the (memory|step) limit/);
  });
});
