/** Mutates texts like typing mistakes. */
import type { Random } from './random.ts';

/** The pieces that mutations insert, separated by spaces. */
const PIECES = [
  ...String.raw`{{ }} {{- -}} {{/* */}} {{/**/}} {{- -}} ( ) | := = $ $x . .. .x , " ' 'a' \ ! # @ % & * + / ; < ~ ^ [ ] ? - _ 9 a`.split(
    ' ',
  ),
  ...'if else end range with define template block break continue nil true false and or print nope'.split(
    ' ',
  ),
  ...String.raw`"t" 0 1 -1 1.5 0x 1i 1_ 08 '' '\ "\x é 世 é.x .é ._ $é 1.2.3 0b12 0o8 1e 0x1p 0x1p1 1e+ .5. -.5 +-1 1+2i 1+2 0i`.split(
    ' ',
  ),
  ...String.raw`'\u00e9' 'ab' "\400" "\ud800" {{end}} {{else}} {{break}} $x=2`.split(' '),
  ...[
    '{{- ',
    ' -}}',
    '{{define "t"}}',
    '{{template "t"}}',
    '{{block "b" .}}',
    '{{$x := 1}}',
    '$, $y := ',
    'else if',
    'else with',
  ],
  ...[...'\0\n \t\r\ufeff\u00a0\u2028', '"a\nb"', '`a\nb`', '`'],
];

export function mutate(random: Random, text: string): string {
  let characters = [...text];
  for (let i = random.int(1, random.chance(0.3) ? 6 : 2); i > 0; i--) {
    const at = random.int(0, characters.length);
    const length = random.int(1, random.chance(0.2) ? 12 : 2);
    switch (random.weighted({ insert: 5, remove: 4, replace: 3, repeat: 1, move: 1, cut: 0.3 })) {
      case 'insert':
        characters.splice(at, 0, ...random.pick(PIECES));
        break;
      case 'remove':
        characters.splice(at, length);
        break;
      case 'replace':
        characters.splice(at, length, ...random.pick(PIECES));
        break;
      case 'repeat':
        characters.splice(at, 0, ...characters.slice(at, at + length * 4));
        break;
      case 'move':
        characters.splice(random.int(0, characters.length), 0, ...characters.splice(at, length * 3));
        break;
      case 'cut':
        characters = characters.slice(0, at);
        break;
    }
  }
  return characters.join('');
}
