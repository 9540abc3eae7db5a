import { describe, expect, test } from 'vitest';
import { type Limit, TemplateError } from '../errors.ts';
import { sprig } from '../sprig/sprig.ts';
import type { TemplateOptions } from '../options.ts';
import { parse } from '../template.ts';
import { contextual } from '../value/func.ts';

/** The output of a template with the name `t`, or its error message. Time does not pass. */
function outcome(text: string, data: unknown, options?: TemplateOptions): string {
  try {
    return parse('t', text, { clock: () => 0, ...options }).execute(data);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

describe('a template has no side effects on others', () => {
  test('shared locations do not change', () => {
    const change =
      '{{$a := now.UTC.Location}}{{$b := (toDate "Z07:00" "+05:30").Location}}' +
      '{{$_ := mergeOverwrite (dict "a" $a) (dict "a" $b)}}';
    const look = parse('look', '{{printf "%#v" now.UTC.Location}}', { funcs: sprig() });
    const before = look.execute();
    parse('change', change, { funcs: sprig() }).execute();
    expect(look.execute()).toBe(before);
  });
});

describe('invalid UTF-8 is charged by its length', () => {
  test.each([
    ['{{$s := repeat 60000000 "\\xff"}}ok', 'ok'],
    ['{{$s := repeat 30000000 "\\xe2\\x82"}}ok', 'steps'],
    ['{{$s := repeat 3000000 "\\xff"}}{{range until 1000}}{{$x := default "" $s}}{{end}}', 'steps'],
  ])('%s', (text, expected) => {
    const template = parse('t', text, { funcs: sprig(), limits: { time: 1e9 } });
    let result: string | undefined;
    try {
      result = template.execute();
    } catch (error) {
      result = error instanceof TemplateError ? error.limit : String(error);
    }
    expect(result).toBe(expected);
  });

  test('too many variables in a definition are a TemplateError', () => {
    const variables = Array.from({ length: 9 }, (_, i) => `{{$v${i} := 1}}`).join('');
    const template = parse('t', variables, { limits: { memory: 10 } });
    expect(() => template.execute()).toThrow(TemplateError);
  });
});

describe('a template cannot reach its host', () => {
  const names = [
    'constructor',
    '__proto__',
    'prototype',
    'toString',
    'hasOwnProperty',
    'valueOf',
    '__defineGetter__',
    'length',
  ];

  test.each(names)('%s is not a key of data without it', (name) => {
    expect(outcome(`{{.${name}}}`, {})).toBe('<no value>');
    expect(outcome(`{{.a.${name}.x}}`, { a: {} })).toBe('<no value>');
    expect(outcome(`{{index . "${name}"}}`, {})).toBe('<no value>');
    expect(outcome(`{{$x := .}}{{$x.${name}}}`, {})).toBe('<no value>');
  });

  test.each(names)('%s is not a field of other values', (name) => {
    for (const data of ['text', 1, true, [1], 1n])
      expect(outcome(`{{.${name}}}`, data)).toMatch(new RegExp(`: can't evaluate field ${name} in type `));
  });

  test.each(names)('%s is a normal key if data has it', (name) => {
    const data: unknown = JSON.parse(`{"${name}": "mine"}`);
    expect(outcome(`{{.${name}}}`, data)).toBe('mine');
  });

  test.each(names)('%s is not a template', (name) => {
    expect(outcome(`{{template "${name}"}}`, {})).toMatch(/not defined$/);
  });

  test('getters do not run', () => {
    let ran = 0;
    const data = {
      own: 1,
      get got() {
        return ++ran;
      },
    };
    expect(outcome('{{.own}}{{.got}}{{range $k, $v := .}}{{$k}}{{end}}', data)).toBe('1<no value>own');
    expect(ran).toBe(0);
  });

  test('the get trap of a proxy does not run for its properties', () => {
    const asked: string[] = [];
    const target = { a: 1 };
    const proxy = new Proxy(target, {
      get: (_, key) => {
        asked.push(String(key));
        return 'trapped';
      },
    });
    expect(outcome('{{.a}}{{.b}}', proxy)).toBe('1<no value>');
    expect(asked.filter((key) => key in target)).toEqual([]);
  });
});

describe('limits', () => {
  /** Without a given clock, time does not pass. */
  function limitOf(text: string, data: unknown, limits: object, clock = () => 0): Limit | undefined {
    try {
      parse('t', text, { limits, clock, funcs: { work } }).execute(data);
    } catch (error) {
      if (error instanceof TemplateError) return error.limit;
      throw error;
    }
    return undefined;
  }

  const work = contextual('func(int) string', ({ budget }, n: bigint) => {
    budget.spend(Number(n));
    return '';
  });

  /** A clock that advances by a millisecond with each call. */
  const ticking = () => {
    let now = 0;
    return () => now++;
  };

  test('steps', () => {
    expect(limitOf('{{range 1000000000}}{{end}}', null, { steps: 100_000, time: 1e9 })).toBe('steps');
    expect(
      limitOf('{{range 1000}}{{range 1000}}{{range 1000}}{{end}}{{end}}{{end}}', null, { steps: 100_000 }),
    ).toBe('steps');
    expect(limitOf('{{range 1000}}{{end}}', null, { steps: 100_000 })).toBe(undefined);
  });

  test('an action costs steps each time it is executed', () => {
    const arguments_ = ' 1'.repeat(1000);
    expect(limitOf(`{{range 1000}}{{and${arguments_}}}{{end}}`, null, { steps: 500_000 })).toBe('steps');
    expect(limitOf(`{{range 100}}{{and${arguments_}}}{{end}}`, null, { steps: 500_000 })).toBe(undefined);
  });

  test('time, by the given clock', () => {
    expect(limitOf('{{range 1000000000}}{{end}}', null, { time: 50 }, ticking())).toBe('time');
    expect(limitOf('{{range 10}}{{end}}', null, { time: 50 }, ticking())).toBe(undefined);
    expect(limitOf('{{range 100}}{{work 5000}}{{end}}', null, { time: 50 }, ticking())).toBe('time');
  });

  test('output', () => {
    expect(limitOf('{{range 1000000}}0123456789{{end}}', null, { output: 5000 })).toBe('output');
    expect(limitOf('{{range 1000000}}{{.}}{{end}}', null, { output: 5000 })).toBe('output');
    expect(limitOf('{{.}}', 'x'.repeat(5001), { output: 5000 })).toBe('output');
    expect(limitOf('{{.}}', 'x'.repeat(5000), { output: 5000 })).toBe(undefined);
    expect(limitOf('x'.repeat(5001), null, { output: 5000 })).toBe('output');
  });

  test('an output that is too long for the host', () => {
    const double = '{{$x = print $x $x}}'.repeat(18);
    expect(limitOf(`{{$x := "0123456789"}}${double}{{range 1000}}{{$x}}{{end}}`, null, {})).toBe('output');
  });

  test('depth', () => {
    const text =
      '{{define "a"}}{{template "b" .}}{{end}}{{define "b"}}{{with .}}{{template "a" .}}{{end}}{{end}}{{template "a" 1}}';
    expect(limitOf(text, null, {})).toBe('depth');
    expect(outcome(text, null, { limits: { depth: 5 } })).toMatch(/: exceeded maximum template depth \(5\)$/);
    const down = '{{define "a"}}{{if .}}{{template "a" slice . 1}}{{end}}{{len .}}{{end}}{{template "a" .}}';
    expect(outcome(down, '1234', { limits: { depth: 5 } })).toBe('01234');
    expect(limitOf(down, '1234', { depth: 4 })).toBe('depth');
  });

  test('variables of nested calls cost memory', () => {
    const variables = Array.from({ length: 1000 }, (_, i) => `{{$v${i} := ${i}}}`).join('');
    expect(
      limitOf(`{{define "a"}}${variables}{{template "a"}}{{end}}{{template "a"}}`, null, { time: 1e9 }),
    ).toBe('memory');
  });

  test('sorting the keys of a map costs steps and memory', () => {
    const data = Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`k${i}`, i]));
    const text = '{{range 1000}}{{range $}}{{break}}{{end}}{{end}}';
    expect(limitOf(text, data, { time: 1e9, steps: 1e12 })).toBe('memory');
    expect(limitOf(text, data, { time: 1e9, memory: 1e12 })).toBe('steps');
  });

  test('the error of a reached limit has the position', () => {
    expect(outcome('a\n {{range 100000}}{{end}}', null, { limits: { steps: 10_000 } })).toBe(
      'template: t:2:9: executing "t" at <{{range 100000}}{{end}}>: exceeded the step limit (10000)',
    );
  });

  test('nesting that Go allows, but the stack does not, is a TemplateError', () => {
    const deep = (depth: number) => `{{${'print ('.repeat(depth)}1${')'.repeat(depth)}}}`;
    expect(outcome(deep(100), null)).toBe('1');
    expect(limitOf(deep(9990), null, {})).toBe('depth');
  });

  test.each([
    ['parentheses', `{{${'('.repeat(9990)}.${')'.repeat(9990)}}}`, '1'],
    ['else if', `{{if 0}}${'{{else if 0}}'.repeat(20_000)}{{else}}e{{end}}`, 'e'],
    ['fields', `{{(.).x${'.x'.repeat(20_000)}}}`, /can't evaluate field x in type float64$/],
    ['variables', `${'{{$x := 1}}'.repeat(20_000)}{{$x}}`, '1'],
    ['arguments', `{{and${' 1'.repeat(20_000)}}}`, '1'],
  ])('many %s work', (_, text, expected) => {
    expect(outcome(text, 1)).toEqual(
      typeof expected === 'string' ? expected : expect.stringMatching(expected),
    );
  });

  test('a long pipeline works or reaches a limit', () => {
    expect(outcome(`{{1${' | print'.repeat(500)}}}`, null)).toBe('1');
    expect(limitOf(`{{1${' | print'.repeat(50_000)}}}`, null, { time: 1e9 })).toBe('memory');
  });
});
