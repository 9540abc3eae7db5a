import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { GoError } from '../errors.ts';
import { Func, GoMap, Slice, type Value, list } from '../value/value.ts';
import { fromBytes, join as joinBytes } from '../value/text.ts';
import { contextOf } from '../testing/context.ts';
import { strings } from './strings.ts';

type Plain = string | bigint | number | boolean | null | readonly Plain[];

function call(name: string, args: readonly Plain[], within = contextOf()): Value {
  const func = strings[name];
  if (!(func instanceof Func)) throw new Error(`no function ${name}`);
  return func.call(within, args.map(toValue));
}

function toValue(plain: Plain): Value {
  return typeof plain === 'object' && plain !== null ? list(plain.map(toValue)) : plain;
}

/** Texts joined as the engine does it. */
function toPlain(value: Value): unknown {
  if (typeof value === 'string') return joinBytes(value);
  if (value instanceof Slice) return value.items.map(toPlain);
  return value instanceof GoMap ? Object.fromEntries(value.entries) : value;
}

test.each<[name: string, args: readonly Plain[], result: unknown]>([
  ['swapcase', ['Hello wORLD éÉ ǅ ǆ'], 'hELLO World Éé ǆ ǅ'],
  ['snakecase', ['HTTPServer20xOK'], 'http_server_20x_ok'],
  ['snakecase', ['HTTP2'], 'http2'],
  ['snakecase', ['GO PATH-x'], 'go_path_x'],
  ['snakecase', ['a.-_B'], 'a.-_b'],
  ['snakecase', ['Duration2m3s中文É'], 'duration_2m3s_中文_é'],
  ['snakecase', ['A\udcffB'], 'a\ufffdb'],
  ['trim', ['\t\u00a0\u2003 a \u0085\n'], 'a'],
  ['trim', ['\ufeffa'], '\ufeffa'],
  ['trimPrefix', ['\udcc3', 'é'], '\udca9'],
  ['trimSuffix', ['\udca9', 'é'], '\udcc3'],
  ['wrap', [0n, 'a  b'], 'a\nb'],
  ['contains', ['\udcc3', 'é'], true],
  ['hasPrefix', ['\udcc3', 'é'], true],
  ['replace', ['\udcc3', '\udcc4', 'é'], 'ĩ'],
  ['splitList', ['\udcc3', 'é'], ['', '\udca9']],
  ['b64dec', ['SGVs\nbMOpPw=\r=\n'], 'Hellé?'],
  ['b64dec', ['SGVsb==='], 'illegal base64 data at input byte 5'],
  ['b64dec', ['SGVsbA=x'], 'illegal base64 data at input byte 6'],
  ['b32dec', ['MZ==='], 'illegal base32 data at input byte 5'],
  ['b32dec', ['MZX====='], 'illegal base32 data at input byte 3'],
  ['b32dec', ['7A7==QUé'], 'illegal base32 data at input byte 4'],
  ['b32dec', ['MZXW6Y=='], 'illegal base32 data at input byte 6'],
])('%s %s, as Go prints it', (name, args, result) => {
  expect(toPlain(call(name, args))).toEqual(result);
});

test('an overflow is refused before the text is created', () => {
  expect(() => call('repeat', [2n ** 62n, 'ab'])).toThrow(
    new GoError('strings: Repeat output length overflow'),
  );
});

test('sortAlpha sorts a []string in place', () => {
  const texts = call('splitList', [',', 'b,a']);
  const func = strings.sortAlpha as Func;
  func.call(contextOf(), [texts]);
  expect(toPlain(texts)).toEqual(['a', 'b']);
});

describe('a result that is too large is not created', () => {
  const text = 'a\n'.repeat(1000);
  test.each<[string, Plain[]]>([
    ['repeat', [1_000_000_000n, 'ab']],
    ['indent', [1_000_000_000_000n, '']],
    ['nindent', [200_000n, text]],
    ['replace', ['', text.repeat(50), text]],
    ['replace', ['a', text.repeat(50), text]],
    ['wrapWith', [1n, text.repeat(50), text]],
    ['join', [text.repeat(50), Array.from(text)]],
    ['splitList', ['', text.repeat(5000)]],
  ])('%s', (name, args) => {
    expect(() => call(name, args)).toThrow(/exceeded the memory limit/);
  });

  test('a search that is too expensive does not begin', () => {
    const half = 'a'.repeat(20_000);
    const args = [`${half}b${half}`, 'a'.repeat(1_000_000)];
    expect(() => call('contains', args)).toThrow(/exceeded the step limit/);
    expect(() => call('replace', [args[0] ?? '', '', args[1] ?? ''])).toThrow(/exceeded the step limit/);
  });
});

describe('with any bytes', () => {
  const bytes = fc.uint8Array({ maxLength: 40 });
  const texts = bytes.map(fromBytes);
  const seeded = { seed: 20_260_707 };

  test.each(['b64', 'b32'])('%s decodes to the original', (name) => {
    fc.assert(
      fc.property(texts, (text) => {
        expect(call(`${name}dec`, [call(`${name}enc`, [text]) as string])).toBe(text);
      }),
      seeded,
    );
  });

  test('join reverses split', () => {
    fc.assert(
      fc.property(texts, fc.uint8Array({ minLength: 0, maxLength: 2 }).map(fromBytes), (text, separator) => {
        const parts = call('splitList', [separator, text]) as Slice;
        expect(joinBytes((parts.items as string[]).join(separator))).toBe(text);
      }),
      seeded,
    );
  });

  test('the two parts of a cut text give the text again', () => {
    fc.assert(
      fc.property(texts, fc.bigInt(0n, 40n), (text, at) => {
        const head = call('trunc', [at, text]) as string;
        expect(joinBytes(head + (call('trimPrefix', [head, text]) as string))).toBe(text);
      }),
      seeded,
    );
  });
});
