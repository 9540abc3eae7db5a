import { describe, expect, it } from 'vitest';
import { render } from '../testing/sprig.ts';
import { powerOfTen } from './numeric/floats.ts';

describe('powerOfTen', () => {
  it('has the same last digits as math.Pow in Go', () => {
    const powers = [0, 1, 22, 23, 49, 100, 308, 309, -1, -3, -9, -22, -308, -320, -323, -324].map(powerOfTen);
    expect(powers).toEqual([
      1,
      10,
      1e22,
      1e23,
      1.0000000000000001e49,
      1.0000000000000002e100,
      1.0000000000000006e308,
      Infinity,
      0.1,
      0.001,
      1e-9,
      1e-22,
      9.999999999999994e-309,
      1e-320,
      1e-323,
      0,
    ]);
  });
});

it('is fast for long texts that are not numbers', () => {
  const template = '{{$s := repeat 100000 "7"}}{{range until 3000}}{{$x := %s $s}}{{end}}{{%s $s}}';
  expect(['int', 'float64', 'toDecimal'].map((name) => render(template.replaceAll('%s', name)))).toEqual([
    '0',
    '0',
    '0',
  ]);
});
