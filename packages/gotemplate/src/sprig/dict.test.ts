import { describe, expect, it } from 'vitest';
import { render } from '../testing/sprig.ts';

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
