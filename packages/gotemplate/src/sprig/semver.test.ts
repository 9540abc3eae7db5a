import { describe, expect, it } from 'vitest';
import { SMALL, limitOf } from '../testing/sprig.ts';

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
