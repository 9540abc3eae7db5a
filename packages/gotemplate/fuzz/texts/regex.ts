import type { Random } from '../random.ts';
import { several } from './plain.ts';

const ATOMS =
  String.raw`a b o l+ . \d \w \s \b \B \D \W \S [a-z] [^a-z] [A-Z0-9_] [[:alpha:]] [^[:space:]] \pL \p{Greek} \PN
  ^ $ \A \z \. \n \x41 \x{e9} \Qa.b\E [\d-] []a] é 世 \pN [é-ü] \/ -`.split(/\s+/);
const REPEATS = '* + ? *? +? ?? {2} {1,3} {0} {2,}? {0,2}'.split(' ');
const MISTAKES =
  String.raw`[ ( ) * a** a{1001} x{2,1} (?=a) (?P<n (?P<n>a)(?P<n>b) [b-a] \8 \pX (?z) a{,2} a{2 \ [[:x:]] (?i \Z
  \C (?<n>a) \1 {1} ?? a{2}{3}`.split(/\s+/);

export function regex(random: Random, depth = 0): string {
  if (depth === 0 && random.chance(0.05)) return regex(random, 1) + random.pick(MISTAKES);
  return several(random, 1, 4, () => {
    const repeat = random.chance(0.35) ? random.pick(REPEATS) : '';
    return atom(random, depth) + repeat + (random.chance(0.08) ? '|' : '');
  });
}

function atom(random: Random, depth: number): string {
  if (depth > 2 || random.chance(0.6)) return random.pick(ATOMS);
  const inner = regex(random, depth + 1);
  // Two groups with the same name are an error.
  const name = `n${random.int(1, 9)}x${random.int(0, 999)}`;
  const flags = random.pick(['i', 's', 'm', 'U']);
  const groups = [
    `(${inner})`,
    `(?:${inner})`,
    `(?P<${name}>${inner})`,
    `(?${flags}:${inner})`,
    `(?${flags})${inner}`,
  ];
  return random.pick([...groups, `(${inner}|${regex(random, depth + 1)})`]);
}

const PIECES = String.raw`$1 \${1} $1x \${1}x $0 $$ $ \${ $name \${n} - x <b> \1 $9 \${1 $- $é`
  .replaceAll('\\$', '$')
  .split(' ');

export const replacement = (random: Random): string => several(random, 0, 3, () => random.pick(PIECES));
