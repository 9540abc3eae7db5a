import { describe, expect, test } from 'vitest';
import { TemplateError } from '../errors.ts';
import { sprig } from '../sprig/sprig.ts';
import { parse } from '../template.ts';

const ALL = 'limits, now, random, zone, clock, funcs, delims, missingkey';
const LIMITS = 'time, steps, memory, output, depth, source';
const BOUND = 'wanted a number from 0, or Infinity for no limit';
const ZONE = 'wanted the IANA name of a time zone, such as Europe/Berlin';
const DELIMS = "wanted two strings, as in ['<<', '>>']";
const FUNCS = 'wanted an object of functions by name, as in { ...sprig(), own: fn(…) }';

test.each<[unknown, string]>([
  [null, `options is null; wanted an object of ${ALL}`],
  ['{{', `options is a string; wanted an object of ${ALL}`],
  [[], `options is an array; wanted an object of ${ALL}`],
  [{ missingKey: 'zero' }, `options: "missingKey" is not known; known are ${ALL}`],
  [{ missingkey: 1 }, "options.missingkey is a number; wanted one of 'default', 'zero', 'error'"],
  [{ limits: null }, `options.limits is null; wanted an object of ${LIMITS}`],
  [{ limits: 5 }, `options.limits is a number; wanted an object of ${LIMITS}`],
  [{ limits: { timeout: 5 } }, `options.limits: "timeout" is not known; known are ${LIMITS}`],
  [{ limits: { time: NaN } }, `options.limits.time is NaN; ${BOUND}`],
  [{ limits: { steps: -1 } }, `options.limits.steps is negative; ${BOUND}`],
  [{ limits: { memory: '64' } }, `options.limits.memory is a string; ${BOUND}`],
  [{ limits: { output: null } }, `options.limits.output is null; ${BOUND}`],
  [{ delims: '<<' }, `options.delims is a string; ${DELIMS}`],
  [{ delims: ['<<'] }, `options.delims has 1 elements; ${DELIMS}`],
  [{ delims: [1, 2] }, `options.delims[0] is a number; ${DELIMS}`],
  [{ funcs: [] }, `options.funcs is an array; ${FUNCS}`],
  [{ funcs: new Map() }, `options.funcs is a Map; ${FUNCS}`],
  [{ funcs: null }, `options.funcs is null; ${FUNCS}`],
  [{ funcs: sprig }, 'options.funcs is a function; wanted its result: call it, as in { funcs: sprig() }'],
  [{ zone: 'Mars/X' }, `options.zone: "Mars/X" is not known; ${ZONE}`],
  [{ zone: 3 }, `options.zone is a number; ${ZONE}`],
  [{ now: 5n }, 'options.now is a bigint; wanted a function that returns nanoseconds since 1970 as a bigint'],
])('options %o are refused', (options, message) => {
  expect(() => parse('t', '', options as never)).toThrow(new TypeError(message));
});

test.each<[unknown, string]>([
  [undefined, 'parse: text is undefined; wanted a string'],
  [5, 'parse: text is a number; wanted a string'],
  [Buffer.from('x'), "parse: text is a Uint8Array; wanted a string: decode it, as in text.toString('utf8')"],
])('the text %o is refused', (text, message) => {
  expect(() => parse('t', text as never)).toThrow(new TypeError(message));
});

test('a name that is not a string is refused', () => {
  expect(() => parse(5 as never, '')).toThrow(new TypeError('parse: name is a number; wanted a string'));
  expect(() => parse('t', '').executeTemplate({} as never)).toThrow(
    new TypeError('executeTemplate: name is an object; wanted a string'),
  );
});

test('options of parsing are refused at execution', () => {
  expect(() => parse('t', '').execute(null, { missingkey: 'zero' } as never)).toThrow(
    new TypeError('options: "missingkey" is not known; known are limits, now, random, zone, clock'),
  );
});

test('undefined counts as absent, and Infinity means no limit', () => {
  const options = { limits: { time: undefined, steps: Infinity }, zone: undefined, funcs: undefined };
  expect(parse('t', '{{ . }}', options as never).execute('x')).toBe('x');
});

describe('a wrong result of a function of the host', () => {
  const funcs = sprig();

  test.each<[string, object, string]>([
    [
      '{{ now }}',
      { now: () => 5 },
      'options.now returned a number; wanted nanoseconds as a bigint of 64 bits, as in BigInt(Date.now()) * 1_000_000n',
    ],
    [
      '{{ randAlpha 5 }}',
      { random: () => new Uint8Array(2) },
      'options.random returned 2 bytes; wanted a Uint8Array of 5 bytes',
    ],
    [
      '{{ randAlpha 5 }}',
      { random: () => [1, 2, 3, 4, 5] },
      'options.random returned an array; wanted a Uint8Array of 5 bytes',
    ],
    [
      '{{ range 5000 }}{{ end }}',
      { clock: () => 5n },
      'options.clock returned a bigint; wanted milliseconds as a number',
    ],
    [
      '{{ range 5000 }}{{ end }}',
      { clock: () => NaN },
      'options.clock returned NaN; wanted milliseconds as a number',
    ],
  ])('for %s: %o', (text, options, message) => {
    const template = parse('t', text, { funcs, ...options });
    expect(() => template.execute()).toThrow(new TypeError(message));
  });
});

describe('a text that is longer than its limit', () => {
  test('is refused as a TemplateError', () => {
    const run = () => parse('t', 'four', { limits: { source: 3 } });
    expect(run).toThrow(TemplateError);
    expect(run).toThrow(
      expect.objectContaining({
        stage: 'parse',
        limit: 'source',
        message: 'template: t: exceeded the source limit (3 characters)',
        description: 'exceeded the source limit (3 characters)',
      }),
    );
  });

  test('has by default more than 1 Mi UTF-16 units', () => {
    const text = ' '.repeat(1 << 20);
    expect(parse('t', text).execute()).toHaveLength(1 << 20);
    expect(() => parse('t', `${text} `)).toThrow('exceeded the source limit (1048576 characters)');
  });
});
