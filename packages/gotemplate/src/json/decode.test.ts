import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { GoError } from '../errors.ts';
import { fromJS } from '../value/from-js.ts';
import { fromBytes } from '../value/text.ts';
import { type Value, dict, decodedList } from '../value/value.ts';
import { contextOf } from '../testing/context.ts';
import { decode, parse } from './decode.ts';

function failure(text: string): string {
  try {
    decode(contextOf(), text);
  } catch (error) {
    if (error instanceof GoError) return error.message;
    throw error;
  }
  return 'none';
}

describe('values, as Go decodes them', () => {
  test.each<[string, Value]>([
    ['false', false],
    ['12345678901234567890', 12345678901234567000],
    ['"\\ud800x\\udc00\\ud83d"', '\ufffdx\ufffd\ufffd'],
    ['{"__proto__":1,"constructor":2}', dict([['__proto__', 1], ['constructor', 2]])], // oxfmt-ignore
  ])('%j', (text, value) => {
    expect(decode(contextOf(), text)).toStrictEqual(value);
  });

  test('bytes that are not a character become U+FFFD, and form no pair with an escape', () => {
    const text = fromBytes(Uint8Array.of(0x22, 0x61, 0xff, 0xf0, 0x9f, 0x22));
    expect(decode(contextOf(), text)).toBe('a\ufffd\ufffd\ufffd');
    expect(decode(contextOf(), '"\\ud83d\udcff"')).toBe('\ufffd\ufffd');
  });
});

describe('errors, with the texts of Go', () => {
  test.each([
    ['[1,', 'unexpected end of JSON input'],
    ['fals!', "invalid character '!' in literal false (expecting 'e')"],
    ['-', "invalid character ' ' in numeric literal"],
    ['-a', "invalid character 'a' in numeric literal"],
    ['1.', "invalid character ' ' after decimal point in numeric literal"],
    ['1.x', "invalid character 'x' after decimal point in numeric literal"],
    ['1e', "invalid character ' ' in exponent of numeric literal"],
    ['1e+', "invalid character ' ' in exponent of numeric literal"],
    ['1.5ex', "invalid character 'x' in exponent of numeric literal"],
    ['1e5.', "invalid character '.' after top-level value"],
    ['1e5e', "invalid character 'e' after top-level value"],
    ['"\\', "invalid character ' ' in string escape code"],
    ['"\\x', "invalid character 'x' in string escape code"],
    ['"\\u12', "invalid character ' ' in \\u hexadecimal character escape"],
    ['"\\u12g', "invalid character 'g' in \\u hexadecimal character escape"],
    ['{"a" 1}', "invalid character '1' after object key"],
    ['+1', "invalid character '+' looking for beginning of value"],
    ['[1 2]', "invalid character '2' after array element"],
    ['[1}', "invalid character '}' after array element"],
    ['{"a":1 "b"}', "invalid character '\"' after object key:value pair"],
  ])('%j', (text, message) => {
    expect(failure(text)).toBe(message);
  });

  test('if numbers are too large, the rest stays', () => {
    const { value, error } = parse(contextOf(), '[1,1e400,{"a":-1e999}]');
    expect(value).toStrictEqual(decodedList([1, null, dict([['a', null]])]));
    expect(error?.message).toContain('1e400');
  });

  test('depth', () => {
    expect(failure('['.repeat(10_000) + ']'.repeat(10_000))).toBe('none');
    expect(failure('['.repeat(10_001))).toBe("invalid character '[' exceeded max depth");
    expect(failure('{"a":'.repeat(10_001))).toBe("invalid character '{' exceeded max depth");
  });
});

test('each value costs steps and memory', () => {
  const text = `[${'[],'.repeat(10_000)}0]`;
  expect(() => decode(contextOf({ memory: 100_000 }), text)).toThrow('exceeded the memory limit');
  expect(() => decode(contextOf({ steps: 5000 }), text)).toThrow('exceeded the step limit');
});

test('accepts the same texts as JSON.parse, with the same values', () => {
  const token = fc.constantFrom(
    ...['{', '}', '[', ']', ',', ':', ' ', '"a"', '"a":', '"\\u00e9"', '"\\ud800"', '"', '\\', '\n'],
    ...['null', 'true', '0', '-1', '1.5', '1e5', '01', '1.', '-', 'x', '\u2028', '"\u2028"', '\t'],
  );
  const broken = fc.array(token, { maxLength: 12 }).map((tokens) => tokens.join(''));
  fc.assert(
    fc.property(fc.oneof(fc.json(), broken), (text) => {
      let plain: unknown;
      try {
        plain = JSON.parse(text);
      } catch {
        expect(failure(text)).not.toBe('none');
        return;
      }
      plain = JSON.parse(text.replaceAll('\\ud800', '\\ufffd'));
      expect(decode(contextOf(), text.toWellFormed())).toStrictEqual(fromJS(plain));
    }),
    { seed: 1, numRuns: 3000 },
  );
});
