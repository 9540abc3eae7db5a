/** Data of many kinds, and the outcome of templates. */
import { decodeTyped } from '../../conformance/typed.ts';
import type { TemplateOptions } from '../options.ts';
import { parse } from '../template.ts';
import type { Value } from '../value/value.ts';

/** Data as Go's json.Unmarshal creates it. */
export const JSON_DATA = {
  a: { b: { c: 1.5, n: null }, s: 'str', l: [1, 'x', null, { k: 'v' }] },
  s: 'héllo',
  n: 3,
  zero: 0,
  e: '',
  t: true,
  f: false,
  null: null,
  l: ['a', 'b', 'c'],
  el: [],
  em: {},
  m: { z: 1, a: 'é', b: null },
  mixed: [1, null, 'x', { k: 1 }],
};

const box = (Name: string, more = {}) => ({ Name, ...more });

/** A map of values of many types. */
export function typedData(): Value {
  return decodeTyped({
    type: 'map[string]interface {}',
    value: [
      [
        'b',
        {
          type: 'sample.Box',
          value: box('b1', {
            Next: box('b2'),
            Any: { type: 'sample.Box', value: box('in') },
            Words: ['w'],
            Attributes: [['k', 'v']],
            Took: '1500000000',
            Level: '3',
          }),
        },
      ],
      ['p', { type: '*sample.Box', value: box('p1') }],
      ['np', { type: '*sample.Box', value: null }],
      ['pp', { type: '**sample.Box', value: box('p2') }],
      ['bs', { type: '[]sample.Box', value: [box('x'), box('y')] }],
      ['ps', { type: '[]*sample.Box', value: [box('x'), null] }],
      [
        'mi',
        {
          type: 'map[int]string',
          value: [
            ['10', 'ten'],
            ['-1', 'minus'],
            ['2', 'two'],
          ],
        },
      ],
      [
        'mb',
        {
          type: 'map[bool]int',
          value: [
            [true, '1'],
            [false, '0'],
          ],
        },
      ],
      [
        'mf',
        {
          type: 'map[float64]string',
          value: [
            ['1.5', 'b'],
            ['NaN', 'n'],
            ['-Inf', 'a'],
          ],
        },
      ],
      ['ss', { type: 'map[string]string', value: [['k', 'v']] }],
      ['nm', { type: 'map[string]int', value: null }],
      ['arr', { type: '[2]string', value: ['q', 'w'] }],
      ['i8', { type: 'int8', value: '3' }],
      ['u', { type: 'uint64', value: '2' }],
      ['d', { type: 'time.Duration', value: '2' }],
      ['tm', { type: 'time.Time', value: '2024-03-05T06:07:08Z' }],
    ],
  });
}

/** The output of a template with the name `t`, or its error message. */
export function outcome(text: string, data: unknown, options?: TemplateOptions): string {
  try {
    return parse('t', text, options).execute(data);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
