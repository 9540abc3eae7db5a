import { expect, it } from 'vitest';
import type { Limits } from '../budget.ts';
import { limitOf } from '../testing/sprig.ts';

const STEPS: Partial<Limits> = { steps: 100_000, memory: Infinity, time: Infinity };
const MEMORY: Partial<Limits> = { steps: Infinity, memory: 1_000_000, time: Infinity };
const SMALL: Partial<Limits> = { steps: 200_000, memory: 1 << 20, time: Infinity };

const CYCLE = '{{$d := dict}}{{$_ := set $d "d" $d}}';
const DOUBLED = '{{$d := dict "a" 1}}{{range until 60}}{{$d = dict "x" $d "y" $d}}{{end}}';

it.each<[string, Partial<Limits>, string]>([
  ['toJson (repeat 110000 "<")', STEPS, 'steps'],
  ['toJson (repeat 200000 "<")', MEMORY, 'memory'],
  ['toJson (dict (repeat 110000 "<") 1)', STEPS, 'steps'],
  ['toJson (dict (repeat 200000 "<") 1)', MEMORY, 'memory'],
  ['toPrettyJson (repeat 200000 "<")', MEMORY, 'memory'],
  ['toRawJson (repeat 200000 "\u2028")', MEMORY, 'memory'],
  ['fromJson (print "[" (repeat 20000 "{},") "1]")', STEPS, 'steps'],
  ['fromJson (print "[" (repeat 6000 "{},") "1]")', MEMORY, 'memory'],
  ['fromJson (print "[" (repeat 20000 "[],") "1]")', MEMORY, 'memory'],
  ['fromJson (repeat 500000 " ")', STEPS, 'steps'],
  ['html (repeat 110000 "<")', STEPS, 'steps'],
  ['html (repeat 300000 "<")', MEMORY, 'memory'],
  ['js (repeat 150000 "<")', MEMORY, 'memory'],
  ['urlquery (repeat 300000 "<")', MEMORY, 'memory'],
  ['regexQuoteMeta (repeat 110000 ".")', STEPS, 'steps'],
  ['regexQuoteMeta (repeat 400000 ".")', MEMORY, 'memory'],
  ['date (repeat 2000 "2006-01-02") now', STEPS, 'steps'],
  ['date (repeat 2000 "2006-01-02") now', MEMORY, 'memory'],
  ['now.Format (repeat 2000 "2006-01-02")', STEPS, 'steps'],
  ['toDate (repeat 5000 "2006") ""', STEPS, 'steps'],
  ['title (repeat 20000 "a ")', STEPS, 'steps'],
  ['untitle (repeat 20000 "A ")', STEPS, 'steps'],
  ['swapcase (repeat 20000 "A ")', STEPS, 'steps'],
  ['nospace (repeat 20000 "A ")', STEPS, 'steps'],
  ['initials (repeat 50000 "A ")', MEMORY, 'memory'],
  ['indent 1 (repeat 40000 "\\n")', STEPS, 'steps'],
  ['indent 1 (repeat 60000 "\\n")', MEMORY, 'memory'],
  ['split "," (repeat 15000 "a,")', STEPS, 'steps'],
  ['split "," (repeat 10000 "a,")', MEMORY, 'memory'],
  ['splitList (trunc 1 "é") (repeat 2000 "é")', STEPS, 'steps'],
  ['sha256sum (repeat 500000 "a")', STEPS, 'steps'],
  ['sha256sum (repeat 600000 "a")', MEMORY, 'memory'],
  ['b64dec (repeat 5000 "gICA")', STEPS, 'steps'],
  ['semverCompare (print "1" (repeat 2000 "||1")) "2"', STEPS, 'steps'],
])('the budget ends {{$r := %s}}', (call, limits, limit) => {
  expect(limitOf(`{{$r := ${call}}}`, limits)).toBe(limit);
});

it.each([
  [`${CYCLE}{{deepCopy $d}}`, 'memory'],
  [`${DOUBLED}{{deepCopy $d}}`, 'memory'],
  [
    '{{$d := dict}}{{range until 5000}}{{$_ := set $d (toString .) .}}{{end}}{{range until 100}}{{$_ := keys $d}}{{end}}',
    'memory',
  ],
  ['{{$l := list}}{{range until 10000}}{{$l = append $l 1}}{{end}}', 'memory'],
  ['{{$l := list 1}}{{range until 60}}{{$l = concat $l $l}}{{end}}', 'memory'],
  ['{{$l := until 10000}}{{range until 100}}{{$_ := has -1 $l}}{{end}}', 'steps'],
  [
    '{{$l := list}}{{range until 200}}{{$l = append $l (list .)}}{{end}}{{range until 10}}{{$_ := uniq $l}}{{end}}',
    'steps',
  ],
  ['{{$l := until 10000}}{{range until 100}}{{$_ := reverse $l}}{{end}}', 'memory'],
  ['{{$l := until 10000}}{{range until 100}}{{$_ := chunk 1 $l}}{{end}}', 'memory'],
  [`${CYCLE}{{merge $d $d}}`, 'depth'],
  [`${CYCLE}{{$e := dict}}{{$_ := set $e "d" $e}}{{mergeOverwrite $e $d}}`, 'depth'],
  [`${DOUBLED}{{merge $d $d}}`, 'steps'],
  ['{{until 1000000000}}', 'memory'],
  ['{{until 9223372036854775807}}', 'memory'],
  // Go would wrap and never end.
  ['{{untilStep 0 9223372036854775807 4611686018427387904}}', 'memory'],
  ['{{seq 1 2000000000}}', 'memory'],
  [`{{mulf ${'1.2345678901234567 '.repeat(300)}}}`, 'steps'],
  [`{{divf 1e308 ${'1e-308 '.repeat(300)}}}`, 'steps'],
  ['{{$s := repeat 100000 "1"}}{{range until 10000}}{{$x := atoi $s}}{{end}}', 'steps'],
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
])('limit %# of a template with several calls', (template, limit) => {
  expect(limitOf(template, SMALL)).toBe(limit);
});

it('the deadline stops a running escape', () => {
  let now = 0;
  const clock = () => now++;
  for (const call of ['toJson', 'html', 'js', 'urlquery'])
    expect(limitOf(`{{$r := ${call} (repeat 400000 "<")}}`, { time: 50 }, clock)).toBe('time');
});

it('escaping in chunks gives the same result', () => {
  const text = (count: number) => `(repeat ${count} "<😀é\\n\\\\")`;
  for (const call of ['toJson', 'toRawJson', 'html', 'js', 'urlquery', 'regexQuoteMeta'])
    expect(
      limitOf(`{{$long := ${call} ${text(3000)}}}{{$part := ${call} ${text(1)} | trimAll "\\""}}
      {{if ne (trimAll "\\"" $long) (repeat 3000 $part)}}{{fail "${call}"}}{{end}}`),
    ).toBeUndefined();
});
