import { describe, expect, it } from 'vitest';
import { unquote, unquoteChar } from './unquote.ts';

describe('unquote, as strconv.Unquote does', () => {
  it.each([
    ['"\\a\\b\\f\\n\\r\\t\\v\\\\\\""', '\x07\b\f\n\r\t\v\\"'],
    // Bytes that form a character become it; others stay bytes.
    ['"\\xe2\\x82\\xac"', '€'],
    ['"\\342\\202x\\xff"', '\udce2\udc82x\udcff'],
    ['`a\\n"\r\n\udcff`', 'a\\n"\n\udcff'],
    ["'a'", 'a'],
    ["'\\''", "'"],
    ["''", ''],
  ])('%j is %j', (text, expected) => {
    expect(unquote(text)).toBe(expected);
  });

  it.each(
    [
      ['', '"', 'a', '"a', 'a"', '"a`', '`a`b`', '"a"b"', '"a\nb"', "'ab'", "'\\''x'"],
      [
        '"\\"',
        '"\\q"',
        '"\\\'"',
        '"\\x4"',
        '"\\xgg"',
        '"\\u12"',
        '"\\ud800"',
        '"\\U00110000"',
        '"\\UFFFFFFFF"',
      ],
      ['"\\8"', '"\\18"', '"\\400"', '"\\\n"', '(a('],
    ].flat(),
  )('%j is not a literal', (text) => {
    expect(unquote(text)).toBeUndefined();
  });
});

describe('unquoteChar, as strconv.UnquoteChar does', () => {
  it.each([
    ['abc', '"', { value: 0x61, multibyte: false, end: 1 }],
    ['€', '"', { value: 0x20ac, multibyte: true, end: 1 }],
    ['😀x', '"', { value: 0x1f600, multibyte: true, end: 2 }],
    ['\udcff', '"', { value: 0xfffd, multibyte: true, end: 1 }],
    ['\\xe9x', '"', { value: 0xe9, multibyte: false, end: 4 }],
    ['\\u0041', '"', { value: 0x41, multibyte: true, end: 6 }],
    ['\\377', "'", { value: 255, multibyte: false, end: 4 }],
    ["\\'", "'", { value: 0x27, multibyte: false, end: 2 }],
    ['"', "'", { value: 0x22, multibyte: false, end: 1 }],
    ["'", '', { value: 0x27, multibyte: false, end: 1 }],
  ] as const)('%j between %s', (text, quote, expected) => {
    expect(unquoteChar(text, quote)).toEqual(expected);
  });

  it.each([
    ['', '"'],
    ['"', '"'],
    ['\\', ''],
    ['\\', '"'],
    ["\\'", '"'],
    ["\\'", ''],
  ] as const)('%j between %s is none', (text, quote) => {
    expect(unquoteChar(text, quote)).toBeUndefined();
  });
});
