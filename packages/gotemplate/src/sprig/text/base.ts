/** Base64 and Base32, with the errors of Go's packages. */
import { GoError } from '../../errors.ts';
import { fromBytes } from '../../value/text.ts';

interface Base {
  readonly name: string;
  readonly digits: string;
  /** The bits of a digit. */
  readonly bits: number;
  /** The digits of a group, which is a whole number of bytes. */
  readonly group: number;
  /** The value of each character code; -1 if it is not a digit. */
  readonly values: Int8Array;
}

const PAD = 0x3d;

const UPPER = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const BASE64 = base('base64', `${UPPER}${UPPER.toLowerCase()}0123456789+/`, 6, 4);
const BASE32 = base('base32', `${UPPER}234567`, 5, 8);

function base(name: string, digits: string, bits: number, group: number): Base {
  const values = new Int8Array(256).fill(-1);
  for (let i = 0; i < digits.length; i++) values[digits.charCodeAt(i)] = i;
  return { name, digits, bits, group, values };
}

export const encode64 = (bytes: Uint8Array): string => encode(bytes, BASE64);
export const encode32 = (bytes: Uint8Array): string => encode(bytes, BASE32);

function encode(bytes: Uint8Array, { digits, bits, group }: Base): string {
  const mask = 2 ** bits - 1;
  const groups = Math.ceil((bytes.length * 8) / (bits * group));
  const codes = new Uint8Array(groups * group).fill(PAD);
  let length = 0;
  let value = 0;
  let have = 0;
  for (const byte of bytes) {
    value = ((value << 8) | byte) & 0xfff;
    for (have += 8; have >= bits; have -= bits)
      codes[length++] = digits.charCodeAt((value >> (have - bits)) & mask);
  }
  if (have > 0) codes[length] = digits.charCodeAt((value << (bits - have)) & mask);
  return fromBytes(codes);
}

const isLineBreak = (byte: number | undefined): boolean => byte === 0x0a || byte === 0x0d;

/** Ignores line breaks. Throws a GoError: `illegal base64 data at input byte 3`. */
export function decode64(bytes: Uint8Array): Uint8Array {
  const output = new Output(BASE64, bytes.length);
  let digits = 0;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i] ?? 0;
    if (isLineBreak(byte)) continue;
    if (output.take(byte)) digits++;
    else if (byte === PAD && digits % 4 >= 2) {
      refusePadding(bytes, i, digits % 4);
      return output.bytes();
    } else throw corrupt(BASE64, i);
  }
  if (digits % 4 !== 0) throw corrupt(BASE64, bytes.length - (digits % 4));
  return output.bytes();
}

/** Throws if the padding at `i`, after two or three digits, is invalid. */
function refusePadding(bytes: Uint8Array, i: number, digits: number): void {
  const skip = (from: number): number => {
    while (isLineBreak(bytes[from])) from++;
    return from;
  };
  let end = i + 1;
  if (digits === 2) {
    end = skip(end);
    if (end === bytes.length) throw corrupt(BASE64, end);
    if (bytes[end++] !== PAD) throw corrupt(BASE64, end - 2);
  }
  end = skip(end);
  if (end < bytes.length) throw corrupt(BASE64, end);
}

/** The same for Base32. Positions in errors do not count line breaks. Text after the padding may be ignored. */
export function decode32(text: Uint8Array): Uint8Array {
  const bytes = text.filter((byte) => !isLineBreak(byte));
  const output = new Output(BASE32, bytes.length);
  for (let i = 0; i < bytes.length; i++) {
    const digits = i % 8;
    const rest = bytes.length - i - 1;
    if (bytes[i] === PAD && digits >= 2 && rest < 8) {
      if (rest + digits < 7) throw corrupt(BASE32, bytes.length);
      for (let k = i + 1; k < i + 8 - digits; k++)
        if (k < bytes.length && bytes[k] !== PAD) throw corrupt(BASE32, k - 1);
      if (digits === 3 || digits === 6) throw corrupt(BASE32, i);
      return output.bytes();
    }
    if (!output.take(bytes[i] ?? 0)) throw corrupt(BASE32, i);
  }
  if (bytes.length % 8 !== 0) throw corrupt(BASE32, bytes.length - (bytes.length % 8));
  return output.bytes();
}

function corrupt({ name }: Base, at: number): GoError {
  return new GoError(`illegal ${name} data at input byte ${at}`);
}

/** Collects the bytes of the digits. */
class Output {
  readonly #base: Base;
  readonly #bytes: Uint8Array;
  #length = 0;
  #value = 0;
  #have = 0;

  constructor(base: Base, digits: number) {
    this.#base = base;
    this.#bytes = new Uint8Array(Math.ceil((digits * base.bits) / 8));
  }

  /** Returns false if it is not a digit. */
  take(digit: number): boolean {
    const value = this.#base.values[digit] ?? -1;
    if (value < 0) return false;
    this.#value = ((this.#value << this.#base.bits) | value) & 0xffff;
    this.#have += this.#base.bits;
    if (this.#have >= 8) {
      this.#have -= 8;
      this.#bytes[this.#length++] = this.#value >> this.#have;
    }
    return true;
  }

  bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }
}
