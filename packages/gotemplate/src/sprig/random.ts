import type { Context } from '../context.ts';
import { GoError } from '../errors.ts';
import { contextual, type FuncMap } from '../value/func.ts';
import { fromRunes, toRunes } from '../value/text.ts';
import { encode64 } from './text/base.ts';
import { Dice, randomBelow, randomText } from './text/chance.ts';
import { pay } from './text/paid.ts';

const LOWER = 'abcdefghijklmnopqrstuvwxyz';
const LETTERS = LOWER + LOWER.toUpperCase();
const DIGITS = '0123456789';
const ASCII = String.fromCharCode(...Array.from({ length: 95 }, (_, i) => 32 + i));

/** Random characters of the alphabet; none if the count is negative. */
function characters(alphabet: string) {
  return (context: Context, count: bigint): string =>
    count > 0n ? randomText(context, alphabet, Number(count)) : '';
}

/** A random integer from `min` to below `max`. */
function randInt(context: Context, min: bigint, max: bigint): bigint {
  const width = BigInt.asIntN(64, max - min);
  if (width <= 0n) throw new GoError('invalid argument to Intn');
  return BigInt.asIntN(64, min + randomBelow(context, width));
}

/** More bytes than any memory has. */
const TOO_MANY = 2n ** 48n;

/** Random bytes, in Base64. */
function randBytes({ budget, random }: Context, count: bigint): string {
  if (count < 0n || count >= TOO_MANY) throw new GoError('runtime error: makeslice: len out of range');
  budget.grow(4 * Number(count));
  budget.spend(Number(count));
  return encode64(random(Number(count)));
}

function shuffle(context: Context, text: string): string {
  pay(context.budget, text, { steps: 4, bytes: 32 });
  const runes = toRunes(text);
  const dice = new Dice(context);
  for (let i = runes.length - 1; i > 0; i--) {
    const other = dice.below(i + 1);
    [runes[i], runes[other]] = [runes[other] ?? 0, runes[i] ?? 0];
  }
  return fromRunes(runes);
}

function uuidv4({ random }: Context): string {
  const bytes = Uint8Array.from(random(16));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const digits = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

export const random: FuncMap = {
  randAlpha: contextual('func(int) string', characters(LETTERS)),
  randAlphaNum: contextual('func(int) string', characters(LETTERS + DIGITS)),
  randNumeric: contextual('func(int) string', characters(DIGITS)),
  randAscii: contextual('func(int) string', characters(ASCII)),
  randInt: contextual('func(int, int) int', randInt),
  randBytes: contextual('func(int) (string, error)', randBytes),
  shuffle: contextual('func(string) string', shuffle),
  uuidv4: contextual('func() string', uuidv4),
};
