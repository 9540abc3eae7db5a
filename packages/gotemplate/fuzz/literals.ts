/** Constants, and expressions for types without constants. */
import type { Random } from './random.ts';
import { textOf } from './texts.ts';
import type { Vocabulary } from './vocabulary.ts';
import type { Want } from './wants.ts';

/** A Go string constant. Bytes that are not UTF-8 (U+DC80 to U+DCFF) are escaped. */
export function goString(text: string, random?: Random): string {
  // A raw string cannot contain these.
  if (random?.chance(0.15) === true && text.isWellFormed() && !/[`\0\ufeff]/.test(text)) return `\`${text}\``;
  return `"${text.replace(/["\\\x00-\x1f\x7f\ufeff\u2028\udc80-\udcff](?<![\ud800-\udbff].)/g, escape)}"`;
}

function escape(character: string): string {
  switch (character) {
    case '"':
    case '\\':
      return `\\${character}`;
    case '\n':
      return '\\n';
    case '\t':
      return '\\t';
  }
  const code = character.charCodeAt(0);
  const isByte = code < 0x80 || (code >= 0xdc80 && code <= 0xdcff);
  return isByte
    ? `\\x${(code & 0xff).toString(16).padStart(2, '0')}`
    : `\\u${code.toString(16).padStart(4, '0')}`;
}

function intLiteral(random: Random): string {
  if (random.chance(0.9)) return String(random.int(-3, 20));
  if (random.chance(0.8))
    return random.pick(["'a'", '0x1F', '0b101', '017', '1_000', '2.0', '100', '255', '65536', '-129']);
  return random.pick([
    "'a'",
    "'\\n'",
    "'世'",
    '0x1F',
    '0b101',
    '0o17',
    '017',
    '1_000',
    '1e3',
    '9223372036854775807',
    '-9223372036854775808',
    '9223372036854775808',
    '18446744073709551615',
    '2.0',
    '+5',
    '1e18',
    '100',
    '255',
    '65536',
    '-129',
  ]);
}

function floatLiteral(random: Random): string {
  if (random.chance(0.7)) return `${random.int(-9, 9)}.${random.int(0, 99)}`;
  return random.pick([
    '1e6',
    '1e21',
    '1e-7',
    '0.1',
    '2.5',
    '-0.5',
    '1e100',
    '.5',
    '5.',
    '0x1p4',
    '0x.8p1',
    '1_0.5',
    '1e400',
    '123456789.123',
    '3.0',
    '100000.0',
    '1e20',
    '-0.0',
    '0.000001',
  ]);
}

/** @param inside makes the elements of lists and dicts. */
export function literal(random: Random, vocabulary: Vocabulary, want: Want, inside: () => string): string {
  const has = (name: string): boolean => vocabulary.find(name) !== undefined;
  const numeral = (): string => goString(textOf(random, 'numeral'));
  switch (want) {
    case 'bool':
      return random.pick(['true', 'false']);
    case 'int':
      return intLiteral(random);
    case 'small':
      // Lengths, counts and indexes: large ones only cost time.
      return String(random.chance(0.05) ? random.pick([100, 1000, -100]) : random.int(-2, 8));
    case 'float':
      return floatLiteral(random);
    case 'number':
      return random.pick([intLiteral, floatLiteral, numeral])(random);
    case 'any':
    case 'sized':
      return random.pick([() => 'nil', () => '1i', () => goString(textOf(random, 'plain'), random)])();
    case 'list':
      return has('list') ? `(${['list', ...random.times(0, 4, inside)].join(' ')})` : '.';
    case 'dict': {
      const entry = (): string => `${goString(textOf(random, 'key'))} ${inside()}`;
      return has('dict') ? `(${['dict', ...random.times(0, 3, entry)].join(' ')})` : '.';
    }
    case 'time':
      return has('toDate')
        ? `(toDate "2006-01-02 15:04" "${random.int(1970, 2060)}-0${random.int(1, 9)}-15 0${random.int(0, 9)}:30")`
        : '.';
    default:
      return goString(textOf(random, want), random);
  }
}
