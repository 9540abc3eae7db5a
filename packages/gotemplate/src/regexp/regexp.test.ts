import { describe, expect, test } from 'vitest';
import { GoError } from '../errors.ts';
import { join } from '../value/text.ts';
import { budgetOf } from '../testing/context.ts';
import { compile } from './compile.ts';

const re = (pattern: string) => compile(budgetOf(), pattern);

describe('errors, with the texts of Go', () => {
  test.each([
    ['[', 'missing closing ]: `[`'],
    ['a[\\pl', 'missing closing ]: `[\\pl`'],
    ['(?P<n>a)[\\p{letter}b', 'missing closing ]: `[\\p{letter}b`'],
    ['(', 'missing closing ): `(`'],
    ['(?P<n>a)(', 'missing closing ): `(?P<n>a)(`'],
    ['a)', 'unexpected ): `a)`'],
    ['a\\', 'trailing backslash at end of expression: ``'],
    ['*', 'missing argument to repetition operator: `*`'],
    ['a**', 'invalid nested repetition operator: `**`'],
    ['a{1001}', 'invalid repeat count: `{1001}`'],
    ['((a{10}){10}){11}', 'invalid repeat count: `{11}`'],
    ['[b-a]', 'invalid character class range: `b-a`'],
    ['[[:foo:]]', 'invalid character class range: `[:foo:]`'],
    ['\\p{Foo}', 'invalid character class range: `\\p{Foo}`'],
    ['\\pé', 'invalid character class range: `\\pé`'],
    ['\\p^L', 'invalid character class range: `\\p^`'],
    ['\\p{Old_Italic}', 'invalid character class range: `\\p{Old_Italic}`'],
    ['\\p{Garay}', 'invalid character class range: `\\p{Garay}`'],
    ['\\8', 'invalid escape sequence: `\\8`'],
    ['\\C', 'invalid escape sequence: `\\C`'],
    ['(?=a)', 'invalid or unsupported Perl syntax: `(?=`'],
    ['(?<=a)', 'invalid named capture: `(?<=a)`'],
    ['(?P<', 'invalid or unsupported Perl syntax: `(?P`'],
    ['(?P<n', 'invalid named capture: `(?P<n`'],
    ['(?P<é>a)', 'invalid named capture: `(?P<é>`'],
    [
      '('.repeat(1000) + ')'.repeat(1000),
      `expression nests too deeply: \`${'('.repeat(1000) + ')'.repeat(1000)}\``,
    ],
    ['a\udcffb', 'invalid UTF-8: `\udcffb`'],
  ])('%s', (pattern, message) => {
    expect(() => re(pattern)).toThrow(new GoError(`error parsing regexp: ${message}`));
  });
});

describe('matching, as Go does it', () => {
  test.each<[pattern: string, text: string, found: string[] | undefined]>([
    ['a*', 'baac', ['', 'aa', '']],
    ['a|ab', 'ab', ['a']],
    ['', 'é😀', ['', '', '']],
    ['.', '\udc80é', ['\udc80', 'é']],
    ['\\x{FFFD}', 'a\udc80', ['\udc80']],
    ['x', 'abc', undefined],
    ['(?i)k', 'kK\u212a', ['k', 'K', '\u212a']],
    ['\\pL', 'a\u{1c89}', ['a']],
    ['\\p{uppercase_letter}', 'aB', ['B']],
    ['\\p{Assigned}', '\u{1fae9}a', ['a']],
    ['\u{1c89}|\\pL', '\u{1c89}', ['\u{1c89}']],
    ['\\d|\\w|\\s', '٣é\u00a0', undefined],
    ['a$', 'a\n', undefined],
    ['(?m)a$', 'a\n', ['a']],
    ['\\Q.*\\E+', '.**a', ['.**']],
    ['(|a)*', 'aa', ['', '', '']],
  ])('%s in %j', (pattern, text, found) => {
    expect(re(pattern).findAll(budgetOf(), text, -1n)).toEqual(found);
    expect(re(pattern).match(budgetOf(), text)).toBe(found !== undefined);
    expect(re(pattern).find(budgetOf(), text)).toBe(found?.[0] ?? '');
  });

  test('at most the given number', () => {
    expect(re('a').findAll(budgetOf(), 'aaa', 2n)).toEqual(['a', 'a']);
    expect(re('a').findAll(budgetOf(), 'aaa', 0n)).toBeUndefined();
  });
});

describe('replacing, as Go does it', () => {
  test.each([
    ['a(x*)b', '-ab-axxb-', '${1}', '--xx-'],
    ['a(x*)b', '-ab-axxb-', '$1W', '---'],
    ['a(x*)b', '-ab-', '$', '-$-'],
    ['a(x*)b', '-ab-', '$$1${', '-$1${-'],
    ['a(x*)b', '-axb-', '$01${0}$2$é', '-axb-'],
    ['a*', 'baac', 'X', 'XbXcX'],
    ['(?P<n>a)|(?P<n>b)', 'ab', '<$n>', '<a><b>'],
    ['', 'é😀', '-', '-é-😀-'],
    ['a', '\udcc3a\udca9', '', 'é'],
  ])('%s in %j by %s', (pattern, text, replacement, result) => {
    expect(join(re(pattern).replaceAll(budgetOf(), text, replacement))).toBe(result);
  });

  test('literally', () => {
    expect(re('a(x*)b').replaceAllLiteral(budgetOf(), '-ab-', '$1')).toBe('-$1-');
  });
});

test.each<[pattern: string, text: string, limit: bigint, parts: string[] | undefined]>([
  ['a', 'banana', -1n, ['b', 'n', 'n', '']],
  ['a', 'banana', 2n, ['b', 'nana']],
  ['a', 'banana', 0n, undefined],
  ['a', '', -1n, ['']],
  ['', '', -1n, []],
  ['', 'é😀', -1n, ['é', '😀']],
  ['z*', 'azb', -1n, ['a', 'b']],
])('splitting at %s in %j, %s, as Go does it', (pattern, text, limit, parts) => {
  expect(re(pattern).split(budgetOf(), text, limit)?.parts).toEqual(parts);
});

test('small patterns are cached, up to a limit', () => {
  const kept = re('kept');
  expect(re('kept')).toBe(kept);
  expect(re('a{1000}'.repeat(3))).not.toBe(re('a{1000}'.repeat(3)));
  for (let i = 0; i < 100; i++) re(`a{300}${i}`);
  expect(re('kept')).not.toBe(kept);
});

describe('limits', () => {
  test.each([
    '(a{1000})'.repeat(400),
    '(?:a{0,1000})'.repeat(400),
    '(?:(abcdefgh)){1000}'.repeat(40),
    `(?i)${'\\pL'.repeat(1000)}`,
    '\\pL'.repeat(3000),
    '(?i)' + '[B-\u{10ffff}]'.repeat(200),
    '[:'.repeat(1e5),
  ])('a pattern that is too large is not compiled (%#)', (pattern) => {
    expect(() => compile(budgetOf(), pattern)).toThrow(/exceeded the step limit/);
  });

  test('a search that could take too long does not begin', () => {
    expect(() => re('(?:x?){200}[yz]').match(budgetOf(), 'x'.repeat(200_000))).toThrow(
      /exceeded the step limit/,
    );
  });

  test('the deadline stops a running search', () => {
    let now = 0;
    const clock = budgetOf({}, () => now++);
    expect(() => re('a').findAll(clock, 'a'.repeat(2000), -1n)).toThrow(/exceeded the time limit/);
  });

  test('a replacement that grows is stopped', () => {
    expect(() => re('').replaceAll(budgetOf({ memory: 1000 }), 'a'.repeat(100), '0123456789')).toThrow(
      /exceeded the memory limit/,
    );
    expect(() => re('(.)').replaceAll(budgetOf({ memory: 1000 }), 'a'.repeat(100), '$1'.repeat(100))).toThrow(
      /exceeded the memory limit/,
    );
  });
});
