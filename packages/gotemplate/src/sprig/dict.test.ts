import { describe, expect, it } from 'vitest';
import { SMALL, limitOf, render } from '../testing/sprig.ts';

describe('keys and values', () => {
  it('have the order of insertion', () => {
    expect(render('{{$d := dict "b" 1 "a" 2}}{{$_ := set $d "0" 3}}{{keys $d}} {{values $d}}')).toBe(
      '[b a 0] [1 2 3]',
    );
  });

  it('can have any name', () => {
    const template =
      '{{$d := dict "__proto__" 1 "constructor" 2}}{{get $d "__proto__"}}{{hasKey (dict) "toString"}}{{pick $d "constructor"}}{{dig "__proto__" "x" (dict)}}';
    expect(render(template)).toBe('1falsemap[constructor:2]x');
  });
});

const DOUBLED = '{{$d := dict "a" 1}}{{range until 60}}{{$d = dict "x" $d "y" $d}}{{end}}';

describe('limits', () => {
  it.each([
    ['{{$d := dict}}{{$_ := set $d "d" $d}}{{deepCopy $d}}', 'memory'],
    [`${DOUBLED}{{deepCopy $d}}`, 'memory'],
    [
      '{{$d := dict}}{{range until 5000}}{{$_ := set $d (toString .) .}}{{end}}{{range until 100}}{{$_ := keys $d}}{{end}}',
      'memory',
    ],
  ])('%s ends at %s', (template, limit) => {
    expect(limitOf(template, SMALL)).toBe(limit);
  });
});
