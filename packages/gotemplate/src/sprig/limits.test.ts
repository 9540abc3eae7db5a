import { expect, it } from 'vitest';
import type { Limits } from '../budget.ts';
import { limitOf } from '../testing/sprig.ts';

const STEPS: Partial<Limits> = { steps: 100_000, memory: Infinity, time: Infinity };
const MEMORY: Partial<Limits> = { steps: Infinity, memory: 1_000_000, time: Infinity };

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
