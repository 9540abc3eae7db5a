import fc from 'fast-check';
import { expect, test } from 'vitest';
import { codeBlock, name, sentence } from './mrkdwn.ts';

test.each([
  ['storefront', 'storefront'],
  ['a < b & c > d', 'a &lt; b &amp; c &gt; d'],
  ['<!channel> <@U1> <https://x|y>', '&lt;!channel&gt; &lt;@U1&gt; &lt;https://x|y&gt;'],
  ['team_a_b at 20:03:05: done', 'team_a_b at 20:03:05: done'],
  ['5 (of 6), ä/ö', '5 (of 6), ä/ö'],
  ['two\nlines\tand\u2028more', 'two lines and more'],
  ['  blanks  ', 'blanks'],
  ['', ''],
  [' \n ', ''],
])('%j is shown as %j', (text, shown) => {
  expect(name(text)).toBe(shown);
  expect(sentence(text, 100)).toBe(shown);
});

test.each([
  [':smile:', '`:smile:`'],
  ['arn:aws:rds', '`arn:aws:rds`'],
  ['*bold*', '`*bold*`'],
  ['_it_', '`_it_`'],
  ['~no~', '`~no~`'],
  ['a `b` c', '`a ˋbˋ c`'],
  ['> said', '`&gt; said`'],
  ['• item', '`• item`'],
  [':+1: <b>', '`:+1: &lt;b&gt;`'],
])('%j would be markup, so it is code', (text, shown) => {
  expect(name(text)).toBe(shown);
  expect(sentence(text, 100)).toBe(shown);
});

test('of a very long text only the beginning is read, and what is cut off is counted', () => {
  const lines = 'ab\n'.repeat(300_000);
  expect(sentence(lines, 40)).toMatch(/^(ab )+(ab?)?… \(\d{6} more characters\)$/);
  expect(sentence(`a${'\n'.repeat(100_000)}z`, 40)).not.toContain('z');
  expect(sentence('x'.repeat(1_000_000), 40)).toBe(`${'x'.repeat(13)}… (999987 more characters)`);
  expect(codeBlock('x'.repeat(1_000_000), 100)).toBe(
    `\`\`\`\n${'x'.repeat(65)}… (999935 more characters)\n\`\`\``,
  );
  expect(codeBlock(lines, 100)).toMatch(/\n… \(at least \d{4} more lines\)\n```$/);
});

test('a name that is too long ends in an ellipsis, a sentence says how much is missing', () => {
  expect(name('abcdefghij', 6)).toBe('abcde…');
  expect(name('&&&&', 16)).toBe('&amp;&amp;&amp;…');
  expect(name('*abcdefghij', 8)).toBe('`*abcd…`');
  expect(sentence('x'.repeat(100), 40)).toBe(`${'x'.repeat(17)}… (83 more characters)`);
});

test('a block of code keeps lines, drops empty ones and cannot be ended by its text', () => {
  expect(codeBlock('a\r\n\n  b <c>\n', 100)).toBe('```\na\n  b &lt;c&gt;\n```');
  expect(codeBlock('a ``` b `x`', 100)).toBe('```\na ˋˋˋ b `x`\n```');
  expect(codeBlock(' \n\n', 100)).toBe('');
});

test('of a long trace the beginning is shown', () => {
  const lines = Array.from({ length: 20 }, (_, i) => `line ${i + 1}`);
  const code = codeBlock(lines.join('\n'), 1000);
  expect(code).toContain('line 12\n… (8 more lines)\n```');
  expect(code).not.toContain('line 13');
  expect(codeBlock(lines.slice(0, 13).join('\n'), 1000)).toContain('… (1 more line)\n');
});

const texts = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc
    .array(fc.constantFrom('<!channel>', '&', '*', '`', '```', ':x:', '\n', 'é', '👩‍👩‍👧', 'word ', '\ud800'), {
      maxLength: 60,
    })
    .map((parts) => parts.join('')),
);

test('any text is within the limit, has no markup of its own, and no cut entity', () => {
  fc.assert(
    fc.property(texts, fc.integer({ min: 60, max: 200 }), (text, limit) => {
      for (const shown of [name(text, limit), sentence(text, limit), codeBlock(text, limit)]) {
        expect(shown.length).toBeLessThanOrEqual(limit);
        expect(shown).not.toMatch(/[<>]/);
        expect(shown.replaceAll(/&(amp|lt|gt);/g, '')).not.toContain('&');
        expect(shown.isWellFormed()).toBe(true);
      }
      for (const line of [name(text, limit), sentence(text, limit)]) {
        expect(line).not.toContain('\n');
        const ticks = [...line].filter((character) => character === '`').length;
        expect(ticks === 0 || (ticks === 2 && line.startsWith('`') && line.endsWith('`'))).toBe(true);
      }
      const code = codeBlock(text, limit);
      expect(code === '' || code.slice(3, -3).includes('```')).toBe(code === '');
    }),
    { seed: 20260105, numRuns: 500 },
  );
});
