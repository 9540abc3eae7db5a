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

type Case = readonly [name: string, args: readonly Plain[], result: unknown];

function check(cases: readonly Case[]): void {
  test.each(cases)('%s %s', (name, args, result) => {
    if (isFailure(result)) expect(() => call(name, args)).toThrow(new GoError(result.error));
    else expect(toPlain(call(name, args))).toEqual(result);
  });
}

function isFailure(result: unknown): result is { readonly error: string } {
  return typeof result === 'object' && result !== null && 'error' in result;
}

describe('case, as Go prints it', () => {
  check([
    ['upper', ['straße ǆ ᾳ é'], 'STRAßE Ǆ ᾼ É'],
    ['lower', ['İSTANBUL ΑΣ ǅ'], 'istanbul ασ ǆ'],
    ['title', ["hello wOrld-foo_bar it's ǆ ა é3x"], "Hello WOrld-Foo_bar It'S ǅ ა É3x"],
    ['title', ['a·b — c'], 'A·b — C'],
    ['untitle', ['Hello World-Foo ÉA'], 'hello world-Foo éA'],
    ['swapcase', ['Hello wORLD éÉ ǅ ǆ'], 'hELLO World Éé ǆ ǅ'],
    ['swapcase', ['a\udcffB'], 'A\ufffdb'],
    ['camelcase', ['some_words'], 'SomeWords'],
    ['camelcase', ['_complex__case_'], '_Complex_Case_'],
    ['camelcase', ['HTTP_SERVER-name'], 'HttpServerName'],
    ['camelcase', ['--'], '---'],
    ['camelcase', ['aBC'], 'ABC'],
    ['snakecase', ['FirstName'], 'first_name'],
    ['snakecase', ['HTTPServer20xOK'], 'http_server_20x_ok'],
    ['snakecase', ['HTTP2'], 'http2'],
    ['snakecase', ['http2xx'], 'http_2xx'],
    ['snakecase', ['Bld4Floor3rd'], 'bld4_floor_3rd'],
    ['snakecase', ['GO PATH-x'], 'go_path_x'],
    ['snakecase', ['a.-_B'], 'a.-_b'],
    ['snakecase', ['Duration2m3s中文É'], 'duration_2m3s_中文_é'],
    ['snakecase', ['A\udcffB'], 'a\ufffdb'],
    ['kebabcase', ['NoHTTPSHere1'], 'no-https-here1'],
    ['initials', ['John  Döe éa'], 'JDÃ'],
    ['nospace', [' a b\t\u00a0c'], 'abÂc'],
    ['nospace', ['é b'], 'Ã©b'],
  ]);
});

describe('trimming, as Go prints it', () => {
  check([
    ['trim', ['\t\u00a0\u2003 a \u0085\n'], 'a'],
    ['trim', ['\ufeffa'], '\ufeffa'],
    ['trimAll', ['$é', 'é$5$é'], '5'],
    ['trimall', ['\udcff', '\udc80a\udcc3'], 'a'],
    ['trimPrefix', ['é', 'éa'], 'a'],
    ['trimPrefix', ['\udcc3', 'é'], '\udca9'],
    ['trimSuffix', ['\udca9', 'é'], '\udcc3'],
  ]);
});

describe('shortening and wrapping, by bytes, as Go prints it', () => {
  check([
    ['abbrev', [5n, 'hello world'], 'he...'],
    ['abbrev', [3n, 'hello'], 'hello'],
    ['abbrev', [4n, 'ééé'], '\udcc3...'],
    ['abbrevboth', [5n, 10n, '1234 5678 9123'], '...5678...'],
    ['abbrevboth', [4n, 10n, '1234 5678 9123'], '1234 56...'],
    ['abbrevboth', [99n, 8n, '1234 5678 9123'], '... 9123'],
    ['abbrevboth', [5n, 6n, '1234 5678'], '1234 5678'],
    ['abbrevboth', [-5n, 5n, '1234567'], '12...'],
    ['trunc', [3n, 'éé'], 'é\udcc3'],
    ['trunc', [-3n, 'éé'], '\udca9é'],
    ['trunc', [-9n, 'ab'], 'ab'],
    ['substr', [1n, 3n, 'hello'], 'el'],
    ['substr', [-1n, 2n, 'hello'], 'he'],
    ['substr', [2n, -1n, 'hello'], 'llo'],
    ['substr', [-1n, 9n, 'hello'], { error: 'runtime error: slice bounds out of range [:9] with length 5' }],
    ['substr', [-1n, -1n, 'hello'], { error: 'runtime error: slice bounds out of range [:-1]' }],
    ['substr', [9n, -1n, 'hello'], { error: 'runtime error: slice bounds out of range [9:5]' }],
    ['substr', [0n, 1n, 'é'], '\udcc3'],
    ['wrap', [5n, 'hello wide world'], 'hello\nwide\nworld'],
    ['wrap', [0n, 'a  b'], 'a\nb'],
    ['wrap', [4n, 'longword a'], 'longword\na'],
    ['wrapWith', [0n, '|', 'abc'], 'a|b|c'],
    ['wrapWith', [3n, '|', 'longword a'], 'lon|gwo|rd|a'],
    ['wrapWith', [3n, '', 'ééé é'], 'é\udcc3\n\udca9é\né'],
  ]);
});

describe('searching, splitting and joining, as Go prints it', () => {
  check([
    ['contains', ['\udcc3', 'é'], true],
    ['contains', ['', 'a'], true],
    ['contains', ['\udc80', '💀'], true],
    ['hasPrefix', ['\udcc3', 'é'], true],
    ['hasSuffix', ['\udca9', 'é'], true],
    ['replace', ['', '-', 'aé'], '-a-é-'],
    ['replace', ['\udcc3', '\udcc4', 'é'], 'ĩ'],
    ['split', ['$', 'a$b'], { _0: 'a', _1: 'b' }],
    ['splitn', [',', 0n, 'a'], {}],
    ['splitList', ['', 'aé\udc80'], ['a', 'é', '\udc80']],
    ['splitList', ['', ''], []],
    ['splitList', ['\udcc3', 'é'], ['', '\udca9']],
    ['join', [', ', ['a', null, 1n, 1.5]], 'a, 1, 1.5'],
    ['join', ['-', 'x'], 'x'],
    ['join', ['-', null], ''],
    ['sortAlpha', [['b', 'a', 'é', 'B', 2n]], ['2', 'B', 'a', 'b', 'é']],
    ['sortAlpha', [['😀', 'ﾮ']], ['ﾮ', '😀']],
    ['sortAlpha', ['x'], ['x']],
    ['sortAlpha', [null], ['<nil>']],
    ['toStrings', [['a', null, true]], ['a', 'true']],
    ['toStrings', [null], []],
  ]);
});

describe('repeating and indenting, as Go prints it', () => {
  check([
    ['repeat', [-1n, 'ab'], { error: 'strings: negative Repeat count' }],
    ['indent', [2n, 'a\nb\n'], '  a\n  b\n  '],
    ['indent', [-1n, ''], { error: 'strings: negative Repeat count' }],
    ['nindent', [1n, 'a\nb'], '\n a\n b'],
    ['plural', ['one', 'many', 1n], 'one'],
    ['plural', ['one', 'many', 0n], 'many'],
    ['quote', ['a"é\udcff\n', null, 1n, 1000000, ['x']], '"a\\"é\\xff\\n" "1" "1e+06" "[x]"'],
    ['squote', ["a'b", null, true], "'a'b' 'true'"],
    ['cat', ['a', null, 1n, 1.5, '%d'], 'a 1 1.5 %d'],
    ['toString', [null], '<nil>'],
    ['toString', [1000000], '1e+06'],
  ]);
});

describe('Base64 and Base32, as Go prints it', () => {
  check([
    ['b64enc', ['Hellé?'], 'SGVsbMOpPw=='],
    ['b64dec', ['SGVsbMOpPw=='], 'Hellé?'],
    ['b64dec', ['SGVs\nbMOpPw=\r=\n'], 'Hellé?'],
    ['b64dec', ['SGVs bA=='], 'illegal base64 data at input byte 4'],
    ['b64dec', ['SGVsb'], 'illegal base64 data at input byte 4'],
    ['b64dec', ['SGVsbA='], 'illegal base64 data at input byte 7'],
    ['b64dec', ['SGVsbA=x'], 'illegal base64 data at input byte 6'],
    ['b64dec', ['SGVsbA==x'], 'illegal base64 data at input byte 8'],
    ['b64dec', ['SGVsb==='], 'illegal base64 data at input byte 5'],
    ['b64dec', ['=A'], 'illegal base64 data at input byte 0'],
    ['b64dec', ['/w=='], '\udcff'],
    ['b32enc', ['foob'], 'MZXW6YQ='],
    ['b32dec', ['MZXW\n6YQ='], 'foob'],
    ['b32dec', ['mzxw6yq='], 'illegal base32 data at input byte 0'],
    ['b32dec', ['MZ==='], 'illegal base32 data at input byte 5'],
    ['b32dec', ['MZX====='], 'illegal base32 data at input byte 3'],
    ['b32dec', ['7A7==QUé'], 'illegal base32 data at input byte 4'],
    ['b32dec', ['MZXW6Y=='], 'illegal base32 data at input byte 6'],
  ]);
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
