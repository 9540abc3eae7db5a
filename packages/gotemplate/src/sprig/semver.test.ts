import { describe, expect, it } from 'vitest';
import { type Cases, limitOf, render, testAsGo, testErrorsAsGo } from '../testing/sprig.ts';

const CASES: Cases = {
  'parsing and printing': [
    [
      '{{semver "4.5.6"}} {{semver "v4"}} {{semver "04.05"}} {{semver "1.2.3-x-y-z.-+b.5"}} {{semver "1.2-beta"}} {{semver "18446744073709551615.0.0"}}',
      '4.5.6 4.0.0 4.5.0 1.2.3-x-y-z.-+b.5 1.2.0-beta 18446744073709551615.0.0',
    ],
    [
      '{{$v := semver "v1.2-rc.1+b"}}{{$v.Major}} {{$v.Minor}} {{$v.Patch}} {{$v.Prerelease}} {{$v.Metadata}} {{$v.Original}} {{$v.String}} {{$v.MarshalText}} {{$v.MarshalJSON}} {{$v.Value}}',
      '1 2 0 rc.1 b v1.2-rc.1+b 1.2.0-rc.1+b [49 46 50 46 48 45 114 99 46 49 43 98] [34 49 46 50 46 48 45 114 99 46 49 43 98 34] 1.2.0-rc.1+b',
    ],
    [
      '{{printf "%T %s %v %d" (semver "v1.2") (semver "v1.2") (semver "v1.2") (semver "v1.2-a")}} {{(semver "1.2.3").Major | printf "%T"}}',
      '*semver.Version 1.2.0 1.2.0 &{1 2 0 %!d(string=a) %!d(string=) %!d(string=v1.2-a)} uint64',
    ],
  ],
  'other versions': [
    [
      '{{$v := semver "v1.2.3-rc.1+b"}}{{$v.IncMajor}} {{$v.IncMinor}} {{$v.IncPatch}} {{(semver "1.2.3+b").IncPatch}} {{printf "%T" $v.IncMajor}}',
      '2.0.0 1.3.0 1.2.3 1.2.4 semver.Version',
    ],
    ['{{(semver "v18446744073709551615.1.1").IncMajor}}', '0.0.0'],
    [
      '{{$v := (semver "v1.2").SetPrerelease "beta.1"}}{{$v}} {{$v = $v.SetMetadata "m.1"}}{{$v}} {{$v = $v.SetPrerelease ""}}{{$v}} {{$v = $v.SetMetadata ""}}{{$v}}',
      '1.2.0-beta.1 1.2.0-beta.1+m.1 1.2.0+m.1 1.2.0',
    ],
    [
      '{{(semver "1").SetPrerelease "a..b"}}',
      'error: error calling SetPrerelease: invalid prerelease string',
    ],
    [
      '{{(semver "1").SetPrerelease "01"}}',
      'error: error calling SetPrerelease: version segment starts with 0',
    ],
    ['{{(semver "1").SetPrerelease "a$"}}', 'error: error calling SetPrerelease: invalid prerelease string'],
    ['{{(semver "1").SetMetadata "$"}}', 'error: error calling SetMetadata: invalid metadata string'],
    ['{{(semver "1").SetMetadata "01"}}', '1.0.0+01'],
    [
      '{{$v := semver "1.0.0"}}{{$v.Scan "2.0"}} {{$v}} {{$v.Scan "x"}} {{$v}} {{$v.UnmarshalText ((semver "3.4.5").MarshalText)}} {{$v}} {{$v.UnmarshalJSON ((semver "v5.4.5").MarshalJSON)}} {{$v.Original}}',
      '<nil> 2.0.0 invalid semantic version 2.0.0 <nil> 3.4.5 <nil> 5.4.5',
    ],
  ],
  order: [
    [
      '{{range list "1.0.0-alpha" "1.0.0-alpha.1" "1.0.0-alpha.beta" "1.0.0-beta" "1.0.0-beta.2" "1.0.0-beta.11" "1.0.0-rc.1" "1.0.0" "1.0.1" "1.1.0" "2.0.0" "1.0.0-10000000000000000000" "1.0.0-0a"}}{{$a := semver .}}{{range list "1.0.0-alpha.1" "1.0.0-beta.2" "1.0.0" "1.0.1-2" "1.0.0-99999999999999999999" "1.0.0-18446744073709551615"}}{{$a.Compare (semver .)}} {{end}}{{end}}',
      '-1 -1 -1 -1 1 1 0 -1 -1 -1 1 1 1 -1 -1 -1 1 1 1 -1 -1 -1 1 1 1 0 -1 -1 1 1 1 1 -1 -1 1 1 1 1 -1 -1 1 1 1 1 0 -1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 1 ',
    ],
    [
      '{{$a := semver "1.2.3+a"}}{{$b := semver "v1.2.3+b"}}{{$a.Equal $b}} {{$a.LessThan $b}} {{$a.LessThanEqual $b}} {{$a.GreaterThan $b}} {{$a.GreaterThanEqual $b}} {{$a.Equal nil}}',
      'true false true false true false',
    ],
    [
      '{{(semver "1").Compare nil}}',
      'error: error calling Compare: runtime error: invalid memory address or nil pointer dereference',
    ],
    [
      '{{(semver "1").LessThan nil}}',
      'error: error calling LessThan: runtime error: invalid memory address or nil pointer dereference',
    ],
  ],
};

/** Ranges, and the versions in them. */
const VERSIONS =
  '"0.0.0" "0.0.5" "0.2.3" "0.3.0" "1.0.0" "1.2.3" "1.2.9" "1.3.0" "2.0.0" "1.2.3-rc.1" "2.0.0-0"';
const RANGES: [range: string, matching: string][] = [
  ['*', '0.0.0 0.0.5 0.2.3 0.3.0 1.0.0 1.2.3 1.2.9 1.3.0 2.0.0'],
  ['x', '0.0.0 0.0.5 0.2.3 0.3.0 1.0.0 1.2.3 1.2.9 1.3.0 2.0.0'],
  ['*-0', '0.0.0 0.0.5 0.2.3 0.3.0 1.0.0 1.2.3 1.2.9 1.3.0 2.0.0 1.2.3-rc.1 2.0.0-0'],
  ['1', '1.0.0 1.2.3 1.2.9 1.3.0'],
  ['1.x', '1.0.0 1.2.3 1.2.9 1.3.0'],
  ['1.2', '1.2.3 1.2.9'],
  ['1.2.x', '1.2.3 1.2.9'],
  ['1.2.3', '1.2.3'],
  ['=1.2.3', '1.2.3'],
  ['!=1.2.3', '0.0.0 0.0.5 0.2.3 0.3.0 1.0.0 1.2.9 1.3.0 2.0.0'],
  ['!=1.2', '0.0.0 0.0.5 0.2.3 0.3.0 1.0.0 1.3.0 2.0.0'],
  ['!=1', '0.0.0 0.0.5 0.2.3 0.3.0 2.0.0'],
  ['!=*', '0.0.5 0.2.3 0.3.0 1.0.0 1.2.3 1.2.9 1.3.0 2.0.0'],
  ['!=1.2.x-0', '0.0.0 0.0.5 0.2.3 0.3.0 1.0.0 1.2.3 1.2.9 1.3.0 2.0.0 1.2.3-rc.1 2.0.0-0'],
  ['>1.2.3', '1.2.9 1.3.0 2.0.0'],
  ['>1.2', '1.3.0 2.0.0'],
  ['>1', '2.0.0'],
  ['>*', '0.0.5 0.2.3 0.3.0 1.0.0 1.2.3 1.2.9 1.3.0 2.0.0'],
  ['<1.2.3', '0.0.0 0.0.5 0.2.3 0.3.0 1.0.0'],
  ['<1.2', '0.0.0 0.0.5 0.2.3 0.3.0 1.0.0'],
  ['<2', '0.0.0 0.0.5 0.2.3 0.3.0 1.0.0 1.2.3 1.2.9 1.3.0'],
  ['>=1.2', '1.2.3 1.2.9 1.3.0 2.0.0'],
  ['=>1.2.3', '1.2.3 1.2.9 1.3.0 2.0.0'],
  ['<=1.2.3', '0.0.0 0.0.5 0.2.3 0.3.0 1.0.0 1.2.3'],
  ['=<1.2', '0.0.0 0.0.5 0.2.3 0.3.0 1.0.0 1.2.3 1.2.9'],
  ['<=1', '0.0.0 0.0.5 0.2.3 0.3.0 1.0.0 1.2.3 1.2.9 1.3.0'],
  ['<=*', '0.0.0 0.0.5'],
  ['~1.2.3', '1.2.3 1.2.9'],
  ['~1.2', '1.2.3 1.2.9'],
  ['~1', '1.0.0 1.2.3 1.2.9 1.3.0'],
  ['~>1.2', '1.2.3 1.2.9'],
  ['~0.0.0', '0.0.0 0.0.5 0.2.3 0.3.0 1.0.0 1.2.3 1.2.9 1.3.0 2.0.0'],
  ['~0.0', '0.0.0 0.0.5'],
  ['~0', '0.0.0 0.0.5 0.2.3 0.3.0'],
  ['~*', '0.0.0 0.0.5 0.2.3 0.3.0 1.0.0 1.2.3 1.2.9 1.3.0 2.0.0'],
  ['~1.2.3-0', '1.2.3 1.2.9 1.2.3-rc.1'],
  ['^1.2.3', '1.2.3 1.2.9 1.3.0'],
  ['^1.2', '1.2.3 1.2.9 1.3.0'],
  ['^0.2.3', '0.2.3'],
  ['^0.2', '0.2.3'],
  ['^0.0.5', '0.0.5'],
  ['^0.0', '0.0.0 0.0.5'],
  ['^0', '0.0.0 0.0.5 0.2.3 0.3.0'],
  ['^*', '0.0.0'],
  ['^1.2.3-0', '1.2.3 1.2.9 1.3.0 1.2.3-rc.1'],
  ['>=1.0.0, <2.0.0', '1.0.0 1.2.3 1.2.9 1.3.0'],
  ['>=1 <1.3', '1.0.0 1.2.3 1.2.9'],
  ['>= 1.0 , != 1.2.3', '1.0.0 1.2.9 1.3.0 2.0.0'],
  ['<0.1 || >=1.3', '0.0.0 0.0.5 1.3.0 2.0.0'],
  ['1.2 - 1.3.0', '1.2.3 1.2.9 1.3.0'],
  ['0 - 0.2 || 2 - 3', '0.0.0 0.0.5 0.2.3 2.0.0'],
  ['1.2.3-rc.1 - 2.0.0', '1.2.3 1.2.9 1.3.0 2.0.0 1.2.3-rc.1 2.0.0-0'],
  ['>=1.2.3-0 <2', '1.2.3 1.2.9 1.3.0 1.2.3-rc.1 2.0.0-0'],
  ['v1.2.3', '1.2.3'],
  ['^v1', '1.0.0 1.2.3 1.2.9 1.3.0'],
  ['1.2.3+b1', '1.2.3'],
];

/** Ranges that are refused, and why. */
const INVALID: [range: string, problem: string][] = [
  ['> = 1', 'improper constraint: > = 1'],
  ['1.2,', 'improper constraint: 1.2,'],
  ['1,,2', 'improper constraint: 1,,2'],
  ['1.2.3-01', 'constraint parser error'],
  ['1|2', 'constraint parser error'],
  ['1.2.3.4 - 2.0', 'improper constraint: 1.>= 2.3.4, <= 2.0 '],
  ['1 -2', 'improper constraint: 1 -2'],
  ['!1', 'improper constraint: !1'],
  ['99999999999999999999', 'constraint parser error'],
  ['1.2.3<2', 'improper constraint: 1.2.3<2'],
  ['-1', 'improper constraint: -1'],
  ['', 'improper constraint: '],
];

const ERRORS: [call: string, error: string][] = [
  ['semver "1.2.3-"', 'invalid semantic version'],
  ['semver "V1"', 'invalid semantic version'],
  ['semver "1.2.3+a..b"', 'invalid semantic version'],
  [
    'semver "18446744073709551616.0.0"',
    'error parsing version segment: strconv.ParseUint: parsing "18446744073709551616": value out of range',
  ],
  [
    'semver "1.99999999999999999999"',
    'error parsing version segment: strconv.ParseUint: parsing "99999999999999999999": value out of range',
  ],
  ['semverCompare "^1" "x"', 'invalid semantic version'],
  ['semverCompare "^" "x"', 'improper constraint: ^'],
];

testAsGo(CASES);
testErrorsAsGo(ERRORS);

describe('ranges, as Go reads them', () => {
  it.each(RANGES)('%j', (range, matching) => {
    const template = `{{range list ${VERSIONS}}}{{if semverCompare "${range}" .}}{{.}} {{end}}{{end}}`;
    expect(render(template).trimEnd()).toBe(matching);
  });

  it.each(INVALID)('%j is refused: %s', (range, problem) => {
    expect(render(`{{semverCompare "${range}" "1.2.3"}}`)).toBe(
      `error: error calling semverCompare: ${problem}`,
    );
  });
});

/** Small limits, so that long work ends soon. */
const SMALL = { time: Infinity, steps: 200_000, memory: 1 << 20 };

describe('limits', () => {
  it.each([
    ['{{$s := repeat 1000 "1 - "}}{{semverCompare $s "1"}}', 'steps'],
    [
      '{{$p := repeat 10000 "a."}}{{$v := semver (print "1-" $p "a")}}{{range until 1000}}{{$_ := $v.Compare $v}}{{end}}',
      'memory',
    ],
    [
      '{{$p := repeat 10000 "a."}}{{$v := semver (print "1-" $p "a")}}{{range until 10000}}{{$v = $v.IncMajor}}{{end}}',
      undefined,
    ],
    ['{{$s := repeat 1000 "1 "}}{{range until 100}}{{$_ := semverCompare $s "1"}}{{end}}', 'steps'],
  ])('%s ends at %s', (template, limit) => {
    expect(limitOf(template, SMALL)).toBe(limit);
  });
});
