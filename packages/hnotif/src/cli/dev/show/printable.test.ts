import fc from 'fast-check';
import { expect, it } from 'vitest';
import { blockLines } from './blocks.ts';
import { formattedLines } from './formatted.ts';
import { mrkdwnLines } from './mrkdwn.ts';
import { plain } from '../../paint.ts';
import { printable, printableLine } from '../../printable.ts';

it('lines stay lines, tabs become blanks, and all else that steers is to be seen or gone', () => {
  expect(printable('a\r\nb\rc\u2028d\te')).toBe('a\nb\nc\nd  e');
  expect(printable('\u001b[31m\u0000\u007f\u009b')).toBe('\ufffd[31m\ufffd\ufffd\ufffd');
  expect(printable('\u202eabc\u2069\u200b\ufeff')).toBe('abc');
  expect(printable('👩\u200d🚀 ⚠️ é \ud800')).toBe('👩\u200d🚀 ⚠️ é \ufffd');
  expect(printableLine(' a \n\n b ')).toBe(' a b ');
});

const STEERING = /(?!\u200d)[\p{Cc}\p{Cf}\u2028\u2029]|\p{Cs}/u;
/** Texts full of what terminals, mrkdwn and lines are made of. */
const hostile = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '\u001b[2J',
        '\u009b',
        '\r',
        '\n',
        '\u202e',
        '<',
        '>',
        '|',
        '*',
        '_',
        '`',
        '```',
        ':x:',
        '&lt;',
        '!date^1^',
      ),
      fc.string({ unit: 'binary', maxLength: 4 }),
    ),
    { maxLength: 30 },
  )
  .map((parts) => parts.join(''));

it('nothing that is shown of a hostile text steers the terminal', () => {
  const object = fc.record({ type: fc.constantFrom('mrkdwn', 'plain_text'), text: hostile });
  const block = fc.record({
    type: fc.constantFrom('header', 'section', 'context', 'image', 'actions', 'other'),
    text: fc.oneof(object, hostile),
    title: object,
    fields: fc.array(object, { maxLength: 3 }),
    elements: fc.array(object, { maxLength: 3 }),
    alt_text: hostile,
  });
  const entity = fc.record({
    type: fc.constantFrom('bold' as const, 'blockquote' as const, 'url' as const),
    offset: fc.nat(40),
    length: fc.integer({ min: 1, max: 40 }),
  });
  fc.assert(
    fc.property(
      hostile,
      fc.array(block, { maxLength: 4 }),
      fc.array(entity, { maxLength: 4 }),
      (text, blocks, entities) => {
        const lines = [
          ...mrkdwnLines(text, plain),
          ...mrkdwnLines(text, plain, { emphasis: false }),
          ...blockLines(blocks, plain),
          ...formattedLines({ text, entities }, plain),
        ];
        for (const line of lines) expect(line).not.toMatch(STEERING);
      },
    ),
    { seed: 1, numRuns: 500 },
  );
});
