import { describe, expect, it } from 'vitest';
import { Time } from '../time/time.ts';
import { DURATION } from '../time/types.ts';
import { Typed, type Value, dict, list } from '../value/value.ts';
import { contextOf } from '../testing/context.ts';
import { NAME, c, f32, i32, name, point, toPoint, u8 } from '../testing/values.ts';
import { display, sprint, sprintln } from './print.ts';

const minute = new Typed(DURATION, 90_000_000_000n);
const noon = Time.unix(1709208000, 500);

describe('print and println, as Go prints them', () => {
  it.each<[Value[], string, string]>([
    [[], '', '\n'],
    [[1n], '1', '1\n'],
    [[1n, 2n, 3n], '1 2 3', '1 2 3\n'],
    [['a', 'b'], 'ab', 'a b\n'],
    [['a', 1n, 2n, 'b', 3n, 'c', 'd'], 'a1 2b3cd', 'a 1 2 b 3 c d\n'],
    [[null, undefined], '<nil> <nil>', '<nil> <nil>\n'],
    [['a', null, 'b'], 'a<nil>b', 'a <nil> b\n'],
    [[1.5, true, list([1n])], '1.5 true [1]', '1.5 true [1]\n'],
    [[name, 1n, new Typed(NAME, 'm')], 'n1m', 'n 1 m\n'],
    [[list(['a', null]), dict([['a', null]])], '[a <nil>] map[a:<nil>]', '[a <nil>] map[a:<nil>]\n'],
    [[toPoint, point], '&{1 a <nil>} {1 a <nil>}', '&{1 a <nil>} {1 a <nil>}\n'],
    [
      [minute, noon],
      '1m30s 2024-02-29 12:00:00.0000005 +0000 UTC',
      '1m30s 2024-02-29 12:00:00.0000005 +0000 UTC\n',
    ],
    [['\udce6\udc97', '\udca5'], '日', '\udce6\udc97 \udca5\n'],
    [['', 1n, ''], '1', ' 1 \n'],
    [[u8, i32, f32(0.1), c(1, 2)], '7 7 0.1 (1+2i)', '7 7 0.1 (1+2i)\n'],
  ])('case %#', (operands, text, line) => {
    expect(sprint(contextOf(), operands)).toBe(text);
    expect(sprintln(contextOf(), operands)).toBe(line);
  });
});

describe('display', () => {
  it.each<[Value, string]>([
    [undefined, '<nil>'],
    [null, '<nil>'],
    ['text', 'text'],
    [-5n, '-5'],
    [1e6, '1e+06'],
    [-0, '-0'],
    [false, 'false'],
    [i32, '7'],
    [list([1n, 'a']), '[1 a]'],
    [minute, '1m30s'],
  ])('case %# prints like %%v', (value, text) => {
    expect(display(contextOf(), value)).toBe(text);
  });
});
