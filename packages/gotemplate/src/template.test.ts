import { describe, expect, test } from 'vitest';
import { GoError, TemplateError } from './errors.ts';
import { parse, parseAll } from './template.ts';
import { contextual, fn, Unavailable } from './value/func.ts';
import { INT, STRING, mapOf, namedType, pointerTo, structType } from './value/type.ts';
import { GoMap, Pointer, Struct, dict, nilPointer } from './value/value.ts';

function thrown(run: () => unknown): TemplateError {
  try {
    run();
  } catch (error) {
    if (error instanceof TemplateError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

describe('a template', () => {
  const text = '{{define "a"}}A{{.}}{{end}}{{block "b" .}}B{{.}}{{end}}';

  test('has its own name and those of its definitions', () => {
    const template = parse('own', text);
    expect(template.name).toBe('own');
    expect([...template.names].sort()).toEqual(['a', 'b', 'own']);
  });

  test('executes any of its definitions', () => {
    const template = parse('own', text);
    expect(template.execute(1)).toBe('B1');
    expect(template.executeTemplate('a', 'x')).toBe('Ax');
  });

  test('reports a missing definition like Go', () => {
    const error = thrown(() => parse('own', text).executeTemplate('constructor'));
    expect(error.message).toBe('template: no template "constructor" associated with template "own"');
    expect(error.stage).toBe('exec');
  });

  test('returns the exact bytes of a cut character, or U+FFFD as text', () => {
    const template = parse('t', '{{slice . 0 1}}|{{slice . 0 1}}{{slice . 1}}');
    expect([...template.executeBytes('é')]).toEqual([0xc3, 0x7c, 0xc3, 0xa9]);
    expect(template.execute('é')).toBe('\ufffd|é');
  });

  test('writes long outputs completely', () => {
    const template = parse('t', '{{range $i := 20000}}{{$i}},{{end}}.');
    expect(template.execute()).toBe(Array.from({ length: 20_000 }, (_, i) => `${i},`).join('') + '.');
  });

  test('can be executed while it is executing', () => {
    const again = contextual('func(any) string', (_, depth: unknown): string =>
      depth === 0 ? '.' : template.execute({ depth: Number(depth) - 1 }),
    );
    const template = parse('t', '{{range $i := 2}}{{$i}}{{again $.depth}}{{end}}', { funcs: { again } });
    expect(template.execute({ depth: 1 })).toBe('00.1.10.1.');
  });

  test('does not change plain data, but changes a given GoMap', () => {
    const put = fn('func(map[string]interface {}) string', (map: ReturnType<typeof dict>) => {
      map.entries.set('new', 1n);
      return '';
    });
    const template = parse('t', '{{put .}}{{.new}}', { funcs: { put } });
    const data = { old: 1 };
    expect(template.execute(data)).toBe('1');
    expect(data).toEqual({ old: 1 });
    const value = dict();
    template.execute(value);
    expect(value.entries.get('new')).toBe(1n);
  });

  test('replaces a lone surrogate in the text by U+FFFD', () => {
    expect([...parse('t', '\udc80').executeBytes()]).toEqual([0xef, 0xbf, 0xbd]);
  });

  test('null and undefined are nil', () => {
    expect(parse('t', '{{.}}{{.a.b}}').execute(null)).toBe('<no value><no value>');
    expect(parse('t', '{{.}}{{.a.b}}').execute()).toBe('<no value><no value>');
  });
});

describe('texts that are parsed together', () => {
  const parseTexts = (...texts: readonly string[]) =>
    parseAll(texts.map((text, i) => ({ name: `t${i}`, text })));

  test('share all definitions, in any order', () => {
    const template = parseTexts(
      '{{ template "b" . }}',
      '{{ define "b" }}<{{ template "c" . }}>{{ end }}',
      '{{ define "c" }}{{ . }}{{ end }}',
    );
    expect(template.execute('x')).toBe('<x>');
    expect([...template.names].sort()).toEqual(['b', 'c', 't0', 't1', 't2']);
    expect(parseTexts('a', '{{ template "t0" }}b').executeTemplate('t1')).toBe('ab');
  });

  test.each([
    ['the later of two definitions wins', '{{ define "d" }}1{{ end }}', '{{ define "d" }}2{{ end }}', '2'],
    [
      'an empty one does not replace another',
      '{{ define "d" }}1{{ end }}',
      '{{ define "d" }} {{/* none */}}{{ end }}',
      '1',
    ],
    ['an empty one is replaced', '{{ define "d" }}{{ end }}', '{{ define "d" }}2{{ end }}', '2'],
  ])('%s', (_, first, second, expected) => {
    expect(parseTexts('{{ template "d" }}', first, second).execute()).toBe(expected);
  });

  test('name the right text in errors', () => {
    const template = parseTexts('{{ template "d" . }}', '\n{{ define "d" }}{{ .a.b }}{{ end }}');
    expect(() => template.execute({ a: 1 })).toThrow(
      'template: t1:2:21: executing "d" at <.a.b>: can\'t evaluate field b in type interface {}',
    );
    expect(() => parseTexts('', '{{ if }}')).toThrow('template: t1:1: missing value for if');
  });

  test('are at least one', () => {
    expect(() => parseAll([])).toThrow(new TypeError('parseAll: no text was given; wanted at least one'));
  });
});

test('a named type has the given shape and name, and its own methods', () => {
  const files = namedType('engine.files', mapOf(STRING, STRING));
  files.methods.set(
    'Get',
    fn(
      'func(engine.files, string) string',
      (map: GoMap, key: string) => `${map.entries.get(key) as string}!`,
      {
        'engine.files': files,
      },
    ),
  );
  const value = new GoMap(files, new Map([['a', '1']]));
  expect(
    parse(
      't',
      '{{ range $k, $v := . }}{{ $k }}={{ $v }}{{ end }} {{ .Get "a" }} {{ printf "%T" . }}',
    ).execute(value),
  ).toBe('a=1 1! engine.files');
});

describe('options', () => {
  test('delimiters', () => {
    expect(parse('t', '<<.>>{{.}}', { delims: ['<<', '>>'] }).execute('x')).toBe('x{{.}}');
  });

  test.each(['foo', '', 'constructor'])('missingkey=%s is unknown', (missingkey) => {
    const error = thrown(() => parse('t', '', { missingkey }));
    expect(error.message).toBe(`unrecognized option: missingkey=${missingkey}`);
    expect(error.stage).toBe('option');
  });

  test('functions replace those of Go, without special treatment', () => {
    const and = fn('func(...interface {}) string', (...args: unknown[]) => args.join('&'));
    expect(parse('t', '{{and 0 1}}', { funcs: { and } }).execute()).toBe('0&1');
  });

  test('an unavailable function is not defined, and the hint says why', () => {
    const error = thrown(() => parse('t', '{{env "HOME"}}', { funcs: { env: new Unavailable('it leaks') } }));
    expect(error.message).toBe('template: t:1: function "env" not defined');
    expect(error.hint).toBe('it leaks');
  });

  test('an unavailable function can replace one of Go’s own', () => {
    expect(() => parse('t', '{{len .}}', { funcs: { len: new Unavailable('') } })).toThrow(
      '"len" not defined',
    );
  });

  test('a limit that is undefined is the default', () => {
    expect(parse('t', '{{.}}', { limits: { output: undefined } }).execute('x')).toBe('x');
  });

  test('properties inherited from Object are not functions', () => {
    for (const name of ['constructor', 'toString', '__proto__', 'hasOwnProperty'])
      expect(thrown(() => parse('t', `{{${name}}}`)).message).toBe(
        `template: t:1: function "${name}" not defined`,
      );
  });

  test.each([
    [{ 'a-b': fn('func() int', () => 1n) }, 'function name "a-b" is not a valid identifier'],
    [{ a: fn('func()', () => null) }, 'function a has 0 return values; should be 1 or 2'],
    [
      { a: fn('func() (int, int)', () => 1n) },
      'invalid function signature for a: second return value should be error; is int',
    ],
  ])('functions that no template could call are refused: %#', (funcs, message) => {
    expect(() => parse('t', '', { funcs })).toThrow(new TypeError(message));
  });

  test('options of the execution replace those of the template', () => {
    const now = contextual('func() int', (context) => context.now());
    const zone = contextual('func() string', (context) => context.zone);
    const chance = contextual('func() int', (context) => BigInt(context.random(1)[0] ?? 0));
    const template = parse('t', '{{now}} {{zone}} {{chance}}', {
      funcs: { now, zone, chance },
      now: () => 5n,
      random: (n) => new Uint8Array(n).fill(7),
    });
    expect(template.execute()).toBe('5 UTC 7');
    expect(template.execute(null, { zone: 'Asia/Tokyo', now: () => 6n })).toBe('6 Asia/Tokyo 7');
  });

  test('by default, randomness and clock come from the host', () => {
    const now = contextual('func() bool', (context) => context.now() > 1_700_000_000_000_000_000n);
    const chance = contextual('func() int', (context) => BigInt(new Set(context.random(200_000)).size));
    expect(parse('t', '{{now}} {{chance}}', { funcs: { now, chance } }).execute()).toBe('true 256');
  });
});

describe('declared types', () => {
  const POINT = structType('x.Point', [{ name: 'X', type: INT }]);
  const types = { 'x.Point': POINT };
  POINT.methods.set(
    'Any',
    fn('func(x.Point) interface {}', ({ fields: [x] }: Struct) => x ?? null, types),
  );
  POINT.methods.set(
    'Glue',
    fn('func(x.Point, string, string) string', (_, a: string, b: string) => a + b, types),
  );
  POINT.pointerMethods.set(
    'String',
    fn('func(*x.Point) string', () => 'by pointer', types),
  );
  const point = new Struct(POINT, [1n]);
  const data = dict([
    ['value', point],
    ['pointer', new Pointer(pointerTo(POINT), point)],
    ['nil', nilPointer(POINT)],
  ]);
  const funcs = {
    take: fn('func(x.Point) int', ({ fields: [x] }: Struct) => x ?? null, types),
    point: fn('func(*x.Point) bool', ({ target }: Pointer) => target === undefined, types),
    any: fn('func() interface {}', () => 1n),
  };
  const run = (text: string): string => {
    try {
      return parse('t', text, { funcs }).execute(data);
    } catch (error) {
      return error instanceof TemplateError ? `${error.node}: ${error.description}` : String(error);
    }
  };

  test.each([
    ['{{take .value}}{{take .pointer}}', '11'],
    ['{{point .pointer}}{{point .nil}}{{point nil}}', 'falsetruetrue'],
    ['{{take .nil}}', '.nil: dereference of nil pointer of type x.Point'],
    ['{{take nil}}', 'nil: cannot assign nil to x.Point'],
    ['{{take .nope}}', '.nope: invalid value; expected x.Point'],
    ['{{take 1}}', "1: can't handle 1 for arg of type x.Point"],
    ['{{take "a" | print}}', `"a": can't handle "a" for arg of type x.Point`],
    ['{{.pointer}} {{.value}} {{.nil}}', 'by pointer {1} by pointer'],
    ['{{.value.Any}}{{.value.Any.x}}', ".value.Any.x: can't evaluate field x in type interface {}"],
    ['{{(.value.Any).x}}', ".value.Any: can't evaluate field x in type int"],
    ['{{any.x}}', "any: can't evaluate field x in type interface {}"],
    ['{{(any).x}}', "any: can't evaluate field x in type int"],
    ['{{len (.value.Glue (slice "é" 0 1) (slice "é" 1))}}', '2'],
    ['{{eq (.value.Glue (slice "é" 0 1) (slice "é" 1)) "é"}}', 'true'],
    ['{{.value.Glue "a" (index . "nope")}}', '"nope": invalid value; expected string'],
    ['{{.value.Glue "a" .nope}}', '.nope: invalid value; expected string'],
    ['{{printf (.nope.Glue "a" "b")}}', '.nope.Glue: invalid value; expected string'],
    ['{{printf (.value.Any | .value.Glue "a")}}', '"a": wrong type for value; expected string; got int'],
  ])('%s gives %s, as in Go', (text, expected) => {
    expect(run(text)).toBe(expected);
  });

  test('each value counts as addressable for pointer methods, unlike in Go', () => {
    expect(run('{{point .value}} {{.value.String}}')).toBe('false by pointer');
  });
});

describe('errors', () => {
  test('have the parts of their text as data', () => {
    const error = thrown(() =>
      parse('my t', 'é\n{{define "d"}}ü {{ index .l   9 }}{{end}}{{template "d" .}}').execute({ l: [] }),
    );
    expect({ ...error }).toMatchObject({
      stage: 'exec',
      description: 'error calling index: index out of range: 9',
      template: 'my t',
      line: 2,
      column: 20,
      definition: 'd',
      node: 'index .l 9',
      limit: undefined,
    });
    expect(error.message).toBe(`template: my t:2:20: executing "d" at <index .l 9>: ${error.description}`);
  });

  test('of functions keep their cause', () => {
    const cause = new GoError('boom');
    const fail = fn('func() (string, error)', () => {
      throw cause;
    });
    const error = thrown(() => parse('t', '{{fail}}', { funcs: { fail } }).execute());
    expect(error.message).toBe('template: t:1:2: executing "t" at <fail>: error calling fail: boom');
    expect(error.cause).toBe(cause);
  });

  test.each([
    [new TypeError('a bug'), undefined],
    [new RangeError('Invalid string length'), 'memory'],
    [new Error('another'), undefined],
  ])('a function that throws %s is an error of the template', (cause, limit) => {
    const fail = fn('func(...interface {}) string', () => {
      throw cause;
    });
    for (const text of [
      '{{fail}}',
      '{{1 | fail}}',
      '{{fail 1 2 3 4}}',
      '{{1 | fail 1 2 3}}',
      '{{print (fail 1)}}',
    ]) {
      const error = thrown(() => parse('t', text, { funcs: { fail } }).execute());
      expect(error.description).toBe(`error calling fail: ${cause.message}`);
      expect(error.cause).toBe(cause);
      expect(error.limit).toBe(limit);
    }
  });

  test('a constant that does not fit is an error only if it is reached', () => {
    const want = fn('func(uint8, float32, complex128) string', () => 'ok');
    const run = (text: string) => parse('t', text, { funcs: { want } }).execute();
    expect(run('{{want 1 2 3i}}{{if false}}{{want -1 2 3i}}{{end}}')).toBe('ok');
    expect(() => run('{{want -1 2 3i}}')).toThrow('at <-1>: expected unsigned integer; found -1');
    expect(() => run('{{want 1 "2" 3i}}')).toThrow('at <"2">: expected float; found "2"');
    expect(() => run('{{want 1 2 3}}')).toThrow('at <3>: expected complex; found 3');
  });

  test('a constant cannot be a list', () => {
    const want = fn('func([]string) string', () => 'ok');
    expect(() => parse('t', '{{want 1}}', { funcs: { want } }).execute()).toThrow(
      "at <1>: can't handle 1 for arg of type []string",
    );
    expect(parse('t', '{{want nil}}', { funcs: { want } }).execute()).toBe('ok');
  });

  test('functions in data are not printed, and only call calls them', () => {
    const data = dict([['f', fn('func(int) int', (n: bigint) => n + 1n)]]);
    expect(parse('t', '{{call .f 1}}').execute(data)).toBe('2');
    expect(() => parse('t', 'x{{.f}}').execute(data)).toThrow(
      `template: t:1:3: executing "t" at <{{.f}}>: can't print {{.f}} of type func(int) int`,
    );
  });

  test('parts of characters that functions concatenate are joined', () => {
    const glue = fn('func(string, string) string', (a: string, b: string) => a + b);
    const template = parse('t', '{{$x := glue (slice . 0 1) (slice . 1)}}{{len $x}}{{eq $x .}}', {
      funcs: { glue },
    });
    expect(template.execute('é')).toBe('2true');
  });

  test('the value in an interface counts, not the result type of the function', () => {
    const give = fn('func(any) any', (value: never) => value);
    expect(parse('t', '{{give nil}} {{len (give "ab")}}', { funcs: { give } }).execute()).toBe(
      '<no value> 2',
    );
  });
});
