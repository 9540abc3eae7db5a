import type { Random } from '../random.ts';

export const WORDS = 'a b foo bar hello World x1 orders-db fooBar FOO_BAR the Web'.split(' ');
const FOREIGN = 'é ß 世界 İstanbul ǅ ﬁ Ωmega 😀 e\u0301 ñ \u00a0 \u2028 \ufeff Ｗ'.split(' ');
const ODD = [...'\t\n\0"\'`\\%/.-_,&\x7f', '', ' ', '  ', '\r\n', '<b>', '%d', '$1', '{{', '}}'];
/** Bytes that are not UTF-8, as in the engine's strings. */
const BROKEN = ['\udcff', '\udc80', '\udcc3', '\udce4\udcb8'];
const NUMERALS =
  `0 1 -1 42 3.75 010 08 0x1F 0b11 1e3 1_000 +5 .5 5. NaN Inf -0 9223372036854775807 9223372036854775808
  99999999999999999999.5 -99999999999999999999x 1e400 3.00 true 0x 1.`.split(/\s+/);

export const several = (random: Random, low: number, high: number, make: () => string): string =>
  random.times(low, high, make).join('');

export function plain(random: Random): string {
  return several(random, 0, 5, () => {
    switch (random.weighted({ word: 8, space: 4, foreign: 2, odd: 2, broken: 0.3 })) {
      case 'word':
        return random.pick(WORDS);
      case 'space':
        return ' ';
      case 'foreign':
        return random.pick(FOREIGN);
      case 'odd':
        return random.pick(ODD);
      case 'broken':
        return random.pick(BROKEN);
    }
  });
}

export const numeral = (random: Random): string =>
  random.chance(0.06) ? random.pick(['', ' 7 ', '7 ']) : random.pick(NUMERALS);
