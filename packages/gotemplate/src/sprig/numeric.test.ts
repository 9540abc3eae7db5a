import { describe, expect, it } from 'vitest';
import { type Cases, limitOf, render, testAsGo, testErrorsAsGo, testValuesAsGo } from '../testing/sprig.ts';
import { powerOfTen } from './numeric/floats.ts';

const CASES: Cases = {
  'conversions to integers': [
    [
      '{{int "010"}} {{int "08"}} {{int "0b101"}} {{int "0o17"}} {{int "1_000"}} {{int "+7"}} {{int "-0x1f"}}',
      '8 0 5 15 1000 7 -31',
    ],
    [
      '{{int "1."}} {{int "1.0"}} {{int "1.00."}} {{int "3.75"}} {{int ".0"}} {{int "00.0"}} {{int "5.0 "}} {{int "1e3"}} {{int ""}}',
      '0 1 1 0 0 0 0 0 0',
    ],
    ['{{int 3.99}} {{int -3.99}} {{int true}} {{int nil}} {{int (list 1)}} {{int (dict)}}', '3 -3 1 0 0 0'],
    [
      '{{int 1e30}} {{int -1e30}} {{int (float64 "NaN")}} {{int (float64 "Inf")}} {{int 9223372036854775807.0}} {{int 9.2e18}}',
      '-9223372036854775808 -9223372036854775808 -9223372036854775808 -9223372036854775808 -9223372036854775808 9200000000000000000',
    ],
    [
      '{{int "9223372036854775807"}} {{int "9223372036854775808"}} {{int "-9223372036854775808"}} {{int "123456789012345"}} {{int "1234567890123456"}}',
      '9223372036854775807 0 -9223372036854775808 123456789012345 1234567890123456',
    ],
    [
      '{{int (semver "18446744073709551615.2.3").Major}} {{float64 (semver "18446744073709551615.2.3").Major}}',
      '-1 1.8446744073709552e+19',
    ],
    [
      '{{int (duration 5)}} {{int (toDate "2006-01-02" "2024-03-05").Month}} {{int (toDate "2006-01-02" "2024-03-05").Weekday}}',
      '0 3 2',
    ],
    [
      '{{atoi "12"}} {{atoi "-0012"}} {{atoi "+5"}} {{atoi "1_0"}} {{atoi "0x1"}} {{atoi " 1"}} {{atoi ""}} {{atoi "-"}}',
      '12 -12 5 0 0 0 0 0',
    ],
    [
      '{{atoi "9223372036854775807"}} {{atoi "9223372036854775808"}} {{atoi "-9223372036854775808"}} {{atoi "-9223372036854775809"}} {{atoi "99999999999999999999999"}} {{atoi "-99999999999999999999999"}} {{atoi "9999999999999999999999x"}} {{atoi "9999999999999999999x"}} {{atoi "18446744073709551615x"}} {{atoi "18446744073709551616x"}}',
      '9223372036854775807 9223372036854775807 -9223372036854775808 -9223372036854775808 9223372036854775807 -9223372036854775808 9223372036854775807 0 0 9223372036854775807',
    ],
    [
      '{{toDecimal "777"}} {{toDecimal 777}} {{toDecimal "9"}} {{toDecimal nil}} {{toDecimal 7.0}} {{toDecimal "-17"}} {{toDecimal "0o17"}} {{toDecimal "1_7"}} {{toDecimal "7777777777777777777777777777"}}',
      '511 511 0 0 7 -15 0 0 0',
    ],
  ],
  'conversions to floats': [
    [
      '{{float64 "0x1p-2"}} {{float64 "1e400"}} {{float64 "-inf"}} {{float64 "NaN"}} {{float64 " 1"}} {{float64 "x"}} {{float64 nil}} {{float64 true}} {{float64 7}} {{float64 (list)}}',
      '0.25 0 -Inf NaN 0 0 0 1 7 0',
    ],
    ['{{float64 9007199254740993}} {{float64 (int64 -5)}}', '9.007199254740992e+15 -5'],
  ],
  'arithmetic with integers': [
    [
      '{{add 9223372036854775807 1}} {{sub -9223372036854775808 1}} {{mul 4294967296 4294967296}} {{mul 9223372036854775807 2 3}} {{add1 9223372036854775807}}',
      '-9223372036854775808 9223372036854775807 0 -6 -9223372036854775808',
    ],
    [
      '{{div 7 2}} {{div -7 2}} {{div 7 -2}} {{mod -7 3}} {{mod 7 -3}} {{div -9223372036854775808 -1}} {{mod -9223372036854775808 -1}}',
      '3 -3 -3 -1 1 -9223372036854775808 0',
    ],
    ['{{max -1 -2}} {{biggest 1 5 2}} {{min "x" 3}}', '-1 5 0'],
    ['{{max}}', 'error: wrong number of args for max: want at least 1 got 0'],
  ],
  'arithmetic with floats': [
    [
      '{{addf}} {{addf 1e20 1}} {{addf 1e10 0.1}} {{addf -0.1 0.1}} {{addf 1e300 1e-300}} {{addf -0.0}} {{add1f "0.1"}} {{add1f 1e16}}',
      '0 1e+20 1.00000000001e+10 0 1e+300 0 1.1 1e+16',
    ],
    ['{{subf 0.3 0.1}} {{subf 5}} {{subf 10 1 2 3}} {{subf 1e-17 1}}', '0.2 5 4 -1'],
    [
      '{{mulf 1.1 1.1}} {{mulf 1e200 1e200}} {{mulf -1e-200 1e-200}} {{mulf -1e200 1e200}} {{mulf 5e-324 1}} {{mulf 1.7976931348623157e308 1}}',
      '1.21 +Inf -0 -Inf 5e-324 1.7976931348623157e+308',
    ],
    [
      '{{divf 1 3}} {{divf 2 3}} {{divf -1 3}} {{divf -2 3}} {{divf 2 -3}} {{divf 22 7}} {{divf 100 3}} {{divf 10 2 5}} {{divf 0 -5}}',
      '0.3333333333333333 0.6666666666666667 -0.3333333333333333 -0.6666666666666667 -0.6666666666666667 3.142857142857143 33.333333333333336 1 0',
    ],
    [
      '{{divf 1 1e20}} {{divf 5 1e17}} {{divf 4.9 1e17}} {{divf 1e-16 2}} {{divf 9e-17 2}} {{divf -1e-16 2}} {{divf 1e300 1e-300}} {{divf 1e300 7e-5}}',
      '0 1e-16 0 1e-16 0 -1e-16 +Inf 1.4285714285714285e+304',
    ],
    [
      '{{maxf (float64 "NaN") (float64 "Inf")}} {{minf (float64 "NaN") (float64 "-Inf")}} {{maxf 1 (float64 "NaN")}} {{maxf -0.0 0.0}} {{minf 0.0 -0.0}} {{minf (float64 "NaN") 1}}',
      '+Inf -Inf NaN 0 -0 NaN',
    ],
  ],
  rounding: [
    [
      '{{ceil 6.2}} {{ceil -0.5}} {{floor -1.2}} {{floor "1.8"}} {{ceil nil}} {{floor 1e300}}',
      '7 -0 -2 1 0 1e+300',
    ],
    [
      '{{round 1.5 0}} {{round 2.5 0}} {{round -1.5 0}} {{round -1.2 0}} {{round 123.555 2}} {{round 1.005 2}} {{round 2.675 2}} {{round 1234 -2}} {{round -2.567 1}}',
      '2 3 -2 -2 123.56 1 2.68 1200 -2.6',
    ],
    ['{{round 1.4 0 0.3}} {{round 1.6 0 0.7}} {{round 1.4 0 -1.0}} {{round 3 0 0.0}}', '2 1 2 3'],
    [
      '{{round 3.14159 20}} {{round 3.14159 300}} {{round 3.14159 400}} {{round 3.14159 -400}} {{round 0 400}} {{round 1e300 -299}} {{round 123456.789 -3}} {{round (float64 "Inf") 1}} {{round (float64 "NaN") 1}}',
      '3.14159 3.14159 NaN NaN NaN 1.0000000000000006e+300 123000 +Inf NaN',
    ],
    ['{{round 1.5 9223372036854775807}} {{round 1.5 -9223372036854775808}}', 'NaN NaN'],
  ],
  'ranges of integers': [
    [
      '{{until -3}} {{untilStep 0 10 3}} {{untilStep 6 0 -2}} {{untilStep 0 5 0}} {{untilStep 5 0 1}} {{untilStep 0 5 -1}} {{untilStep 2 2 1}} {{untilStep -3 4 3}}',
      '[0 -1 -2] [0 3 6 9] [6 4 2] [] [] [] [] [-3 0 3]',
    ],
    [
      '{{untilStep 9223372036854775806 9223372036854775807 1}} {{untilStep -9223372036854775807 -9223372036854775808 -1}}',
      '[9223372036854775806] [-9223372036854775807]',
    ],
    ['{{seq 5}}|{{seq -2}}|{{seq 0}}|{{seq 1}}|{{seq}}|{{seq 1 2 3 4}}', '1 2 3 4 5|1 0 -1 -2|1 0|1||'],
    ['{{seq 2 5}}|{{seq 5 2}}|{{seq 1 1}}|{{seq -2 2}}', '2 3 4 5|5 4 3 2|1|-2 -1 0 1 2'],
    [
      '{{seq 0 2 9}}|{{seq 10 -2 0}}|{{seq 5 1 0}}|{{seq 2 -1 2}}|{{seq 0 0 5}}|{{seq 3 1 3}}|{{seq 0 -2 -5}}|{{seq 3 -1 5}}',
      '0 2 4 6 8|10 8 6 4 2 0||||3|0 -2 -4|',
    ],
    [
      '{{seq 9223372036854775806 9223372036854775807}}|{{seq 9223372036854775807 9223372036854775806}}',
      '|9223372036854775807 9223372036854775806',
    ],
  ],
};

const VALUES: [call: string, value: string][] = [
  ['int64 "0x1F"', 'int64 31'],
  ['int 1.5', 'int 1'],
  ['toDecimal "10"', 'int64 8'],
  ['float64 "1.5"', 'float64 1.5'],
  ['add 1 "2" 3.9 true nil', 'int64 7'],
  ['add', 'int64 0'],
  ['max 1 "7" 3.9', 'int64 7'],
  ['min 4 nil -2.9', 'int64 -2'],
  ['addf 0.1 0.2', 'float64 0.3'],
  ['maxf 1 "2.5" nil', 'float64 2.5'],
  ['floor 5', 'float64 5'],
  ['until 3', '[]int []int{0, 1, 2}'],
  ['until 0', '[]int []int{}'],
];

const ERRORS: [call: string, error: string][] = [
  ['div 1 0', 'runtime error: integer divide by zero'],
  ['mod 1 "x"', 'runtime error: integer divide by zero'],
  ['divf 1 0', 'decimal division by 0'],
  ['addf (float64 "Inf") 1', 'Cannot create a Decimal from +Inf'],
  ['mulf 1 (float64 "NaN")', 'Cannot create a Decimal from NaN'],
  ['subf (float64 "-Inf")', 'Cannot create a Decimal from -Inf'],
];

testAsGo(CASES);
testErrorsAsGo(ERRORS);
testValuesAsGo(VALUES);

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

/** Small limits, so that long work ends soon. */
const SMALL = { time: Infinity, steps: 200_000, memory: 1 << 20 };

describe('limits', () => {
  it.each([
    ['{{until 1000000000}}', 'memory'],
    ['{{until 9223372036854775807}}', 'memory'],
    // Go would wrap and never end.
    ['{{untilStep 0 9223372036854775807 4611686018427387904}}', 'memory'],
    ['{{seq 1 2000000000}}', 'memory'],
    [`{{mulf ${'1.2345678901234567 '.repeat(300)}}}`, 'steps'],
    [`{{divf 1e308 ${'1e-308 '.repeat(300)}}}`, 'steps'],
    ['{{$s := repeat 100000 "1"}}{{range until 10000}}{{$x := atoi $s}}{{end}}', 'steps'],
  ])('limit %#', (template, limit) => {
    expect(limitOf(template, SMALL)).toBe(limit);
  });

  it('is fast for long texts that are not numbers', () => {
    const template = '{{$s := repeat 100000 "7"}}{{range until 3000}}{{$x := %s $s}}{{end}}{{%s $s}}';
    expect(['int', 'float64', 'toDecimal'].map((name) => render(template.replaceAll('%s', name)))).toEqual([
      '0',
      '0',
      '0',
    ]);
  });
});
