import { describe, expect, it } from 'vitest';
import { SMALL, limitOf } from '../testing/sprig.ts';

describe('limits', () => {
  it.each([
    ['{{$l := list}}{{range until 10000}}{{$l = append $l 1}}{{end}}', 'memory'],
    ['{{$l := list 1}}{{range until 60}}{{$l = concat $l $l}}{{end}}', 'memory'],
    ['{{$l := until 10000}}{{range until 100}}{{$_ := has -1 $l}}{{end}}', 'steps'],
    [
      '{{$l := list}}{{range until 200}}{{$l = append $l (list .)}}{{end}}{{range until 10}}{{$_ := uniq $l}}{{end}}',
      'steps',
    ],
    ['{{$l := until 10000}}{{range until 100}}{{$_ := reverse $l}}{{end}}', 'memory'],
    ['{{$l := until 10000}}{{range until 100}}{{$_ := chunk 1 $l}}{{end}}', 'memory'],
  ])('%s ends at %s', (template, limit) => {
    expect(limitOf(template, SMALL)).toBe(limit);
  });
});
