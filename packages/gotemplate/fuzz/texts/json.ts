import type { Random } from '../random.ts';
import { WORDS, plain } from './plain.ts';

const NUMBERS = '0 -1 42 1.5 1e3 1e21 1e-7 123456789 1E400 -0 01 1. .5 9007199254740993'.split(' ');
const ODD = String.raw`[ { {"a"} [1,] "\x" "\ud800" "\u00e9" 'a' {a:1} " \ NaN {"a":1,} "\uD83D\uDE00"`.split(
  ' ',
);

/** Mostly valid. */
export function json(random: Random, depth = 0): string {
  const tail = depth === 0 && random.chance(0.03) ? random.pick([' x', ',', '1', ']']) : '';
  return random.pick(['', '', '', ' ', '\n']) + value(random, depth) + tail;
}

function value(random: Random, depth: number): string {
  const deeper = depth < 3 ? 2 : 0;
  switch (random.weighted({ number: 4, string: 4, word: 2, list: deeper, object: deeper, odd: 0.3 })) {
    case 'number':
      return random.pick(NUMBERS);
    case 'string':
      return JSON.stringify(plain(random).toWellFormed());
    case 'word':
      return random.pick(['true', 'false', 'null', 'nul', 'True']);
    case 'list':
      return `[${random.times(0, 3, () => json(random, depth + 1)).join(random.pick([',', ', ', ' ,']))}]`;
    case 'object':
      return `{${random.times(0, 3, () => `"${random.pick(WORDS)}":${json(random, depth + 1)}`).join(',')}}`;
    case 'odd':
      return random.pick([...ODD, '', '[1 2]', '"\t"']);
  }
}
