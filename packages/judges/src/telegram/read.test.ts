import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { descriptionOf } from './judge.ts';
import { finishText, readText, type Reading, type TelegramText } from './read.ts';

/** What is read, or Telegram's words. */
function check(message: TelegramText): { readonly description: string } | Extract<Reading, { ok: true }> {
  const reading = readText(message);
  return reading.ok ? reading : { description: descriptionOf(reading.fault) };
}
const html = (text: string): ReturnType<typeof check> => check({ text, parse_mode: 'HTML' });

/** The entities as `kind offset length`. */
function kinds(checked: ReturnType<typeof check>): string[] {
  if (!('ok' in checked)) return [checked.description];
  return checked.entities.map(({ type, offset, length }) => `${type} ${offset} ${length}`);
}

describe('a text', () => {
  it.each([
    ['of no characters', '', 'message text is empty'],
    ['of blanks', ' \n\t ', 'text must be non-empty'],
    ['of what has no width', '\u200b\u2060\u00a0\u3000'.replace('\u2060', ''), 'text must be non-empty'],
    ['of 4097 units', 'x'.repeat(4097), 'message is too long'],
    ['of 2049 emoji', '🌙'.repeat(2049), 'message is too long'],
    ['of half an emoji', 'a\ud83c', 'strings must be encoded in UTF-8'],
    ['of 32769 bytes', 'x'.repeat(32_769), 'text is too long'],
  ])('%s is refused', (_what, text, description) => {
    expect(check({ text })).toEqual({ description });
  });

  it.each([
    ['4096 units', 'x'.repeat(4096), 'x'.repeat(4096)],
    ['2048 emoji', '🌙'.repeat(2048), '🌙'.repeat(2048)],
    ['4096 units and blanks around', ` \n${'x'.repeat(4096)}\n `, 'x'.repeat(4096)],
  ])('of %s is taken', (_what, text, seen) => {
    expect(check({ text })).toEqual({ ok: true, text: seen, entities: [] });
  });

  it('with many blanks within takes no long time', () => {
    const text = `a${' '.repeat(300_000)}b`;
    expect(finishText({ text, entities: [] })).toMatchObject({ fault: { error: 'message is too long' } });
  });

  it('is measured without its markup', () => {
    expect(html(`<b>${'&amp;'.repeat(4096)}</b>`)).toMatchObject({ ok: true });
    expect(html(`<b>${'&amp;'.repeat(4097)}</b>`)).toEqual({ description: 'message is too long' });
    expect(html('<b></b>')).toEqual({ description: 'text must be non-empty' });
  });

  it('knows its mode in any case', () => {
    for (const mode of ['HTML', 'html', 'hTmL']) {
      expect(kinds(check({ text: '<b>a</b>', parse_mode: mode }))).toEqual(['bold 0 1']);
    }
    for (const mode of ['MarkdownV2', 'MARKDOWNV2']) {
      expect(kinds(check({ text: '*a*', parse_mode: mode }))).toEqual(['bold 0 1']);
    }
    for (const mode of ['', 'None', undefined]) {
      expect(check({ text: '<b>*a*', parse_mode: mode })).toMatchObject({ text: '<b>*a*' });
    }
    expect(check({ text: 'a', parse_mode: 'text' })).toMatchObject({
      description: 'unsupported parse_mode',
    });
  });

  it('tells why its markup cannot be read', () => {
    expect(html('<b>a')).toMatchObject({
      description: `can't parse entities: Can't find end tag corresponding to start tag "b"`,
    });
  });

  it('is tidied as Telegram does, its entities with it', () => {
    expect(html('a\tb\r\n\u2028<b>\r c \u0333</b>d')).toEqual({
      ok: true,
      text: 'a b\n c d',
      entities: [{ type: 'bold', offset: 5, length: 2 }],
    });
    expect(html('\u200e\u200f\u200ea')).toMatchObject({ text: '\u200c\u200c\u200ea' });
  });

  it('loses the blanks around it, but not before an entity that hides something', () => {
    expect(html('\n <b> a </b> \n')).toEqual({
      ok: true,
      text: 'a',
      entities: [{ type: 'bold', offset: 0, length: 1 }],
    });
    expect(html(' <code> a\n</code>\n')).toEqual({
      ok: true,
      text: ' a',
      entities: [{ type: 'code', offset: 0, length: 2 }],
    });
  });
});

describe('entities within each other', () => {
  it.each([
    ['styles in a style', '<b>a<i>b</i>c</b>', ['bold 0 1', 'bold 1 2', 'italic 1 1']],
    ['the same style', '<b>a<b>b</b></b>', ['bold 0 2']],
    ['styles that touch', '<b>a</b><b>b</b>', ['bold 0 2']],
    ['styles around code', '<b>a<code>b</code>c</b>', ['bold 0 1', 'code 1 1', 'bold 2 1']],
    ['styles in code', '<pre>a<b>b</b></pre>', ['pre 0 2']],
    ['code in code', '<pre>a<code>b</code></pre>', ['pre 0 2']],
    ['code in a link', '<a href="x.org">a<code>b</code></a>', ['text_link 0 2']],
    ['code beside code', '<code>a</code><code>b</code>', ['code 0 1', 'code 1 1']],
    [
      'blanks before code in a quote',
      '<blockquote><code> a</code></blockquote>',
      ['blockquote 0 2', 'code 0 2'],
    ],
    ['a style in a link', '<a href="x.org">a<b>b</b></a>', ['text_link 0 2', 'bold 1 1']],
    ['a quote in a quote', '<blockquote>a<blockquote>b</blockquote></blockquote>', ['blockquote 0 2']],
    ['code in a quote', '<blockquote>a<code>b</code></blockquote>', ['blockquote 0 2', 'code 1 1']],
    ['a quote in code', '<code>a<blockquote>b</blockquote></code>', ['blockquote 1 1']],
    ['found ones in plain text', 'x @user', ['mention 2 5']],
    ['found ones in a style', '<b>x @user</b>', ['bold 0 2', 'mention 2 5', 'bold 2 5']],
    ['found ones before blanks in a style', '<b>@user x</b>', ['mention 0 5', 'bold 0 5', 'bold 6 1']],
    ['none found across code', 'x.org/<code>a</code>', ['code 6 1']],
    ['none found in code', '<code>@user x.org</code> <pre>/cmd #tag</pre>', ['code 0 11', 'pre 12 9']],
    ['none found in a link', '<a href="x.org">@user</a>', ['text_link 0 5']],
    ['none found across a quote’s end', '<blockquote>x @us</blockquote>er', ['blockquote 0 5']],
  ])('%s', (_what, text, entities) => {
    expect(kinds(html(text))).toEqual(entities);
  });

  it('are a hundred at most, styles the last of them', () => {
    const many = html(`${'<b>a</b> '.repeat(60)}${'<code>b</code> '.repeat(60)}`);
    expect(kinds(many).filter((kind) => kind.startsWith('code'))).toHaveLength(60);
    expect(kinds(many).filter((kind) => kind.startsWith('bold'))).toHaveLength(40);
  });

  it('never cross, are sorted, and lie within the text', () => {
    const parts = fc.constantFrom(
      ...[
        '<b>',
        '</>',
        '<i>',
        '<code>',
        '<pre>',
        '<blockquote>',
        '<a href="x.org">',
        '@user',
        ' ',
        '\n',
        'x.org',
        '🌙',
        '\r',
      ],
    );
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 40 }), (source) => {
        const checked = html(source.join(''));
        if (!('ok' in checked)) return;
        const { text, entities } = checked;
        let before = { offset: 0, length: Infinity };
        for (const [index, entity] of entities.entries()) {
          const end = entity.offset + entity.length;
          expect(entity.length).toBeGreaterThan(0);
          expect(end).toBeLessThanOrEqual(text.length);
          expect(entity.offset).toBeGreaterThanOrEqual(before.offset);
          for (const later of entities.slice(index + 1)) {
            const inside = later.offset + later.length <= end;
            expect(later.offset >= end || inside).toBe(true);
            if (later.offset < end) expect(entity.type === 'code' || entity.type === 'pre').toBe(false);
          }
          before = entity;
        }
        expect(text).toBe(text.replace(/[ \n]+$/, ''));
      }),
      { seed: 20_260_105, numRuns: 1000 },
    );
  });

  it('are judged in good time though there are thousands', () => {
    for (const hostile of [
      '<b>a</b> <code>b</code>',
      '<b>',
      '<i>a</i><b>b</b>',
      '&',
      '<a href="',
      '<blockquote>a</>@user ',
    ]) {
      const source = hostile.repeat(Math.floor(32_000 / hostile.length));
      expect(html(source)).toBeDefined();
    }
    for (const hostile of ['*a*_b_', '[', '>', '```', '\\', '||', '>a||\n']) {
      const source = hostile.repeat(Math.floor(32_000 / hostile.length));
      expect(check({ text: source, parse_mode: 'MarkdownV2' })).toBeDefined();
    }
  });
});
