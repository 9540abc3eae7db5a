/**
 * Go's strings are bytes, which may be invalid UTF-8: `trunc` can cut a character in two. Here a Go string is a JavaScript
 * string. Each byte that is not part of a UTF-8 sequence is a lone surrogate: U+DC80 to U+DCFF stand for 0x80 to 0xFF.
 * Well-formed strings (almost all) need no work. For a Latin-1 string, V8 knows without a scan that it is well-formed.
 *
 * Two rules keep this exact. `fromOutside` makes text from outside well-formed. Code that concatenates strings which may
 * be cut calls `join`, because the parts of a character may meet again. The engine calls it for each result of a function.
 */

/** Text from outside: lone surrogates, which UTF-8 cannot encode, become U+FFFD. */
export function fromOutside(text: string): string {
  return text.isWellFormed() ? text : text.toWellFormed();
}

/** Repairs a concatenated string: adjacent bytes that form a character become that character. */
export function join(text: string): string {
  return needsJoin(text) ? fromBytes(toBytes(text)) : text;
}

/** Whether the text has a lead byte and a continuation byte in a row, which may form a character. */
export function needsJoin(text: string): boolean {
  if (text.isWellFormed()) return false;
  for (let i = 0; i + 1 < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit >= 0xd800 && unit < 0xdc00) i++;
    else if (unit >= 0xdcc2 && unit <= 0xdcf4) {
      const next = text.charCodeAt(i + 1);
      if (next >= 0xdc80 && next <= 0xdcbf) return true;
    }
  }
  return false;
}

const encoder = new TextEncoder();
const fatal = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const lenient = new TextDecoder('utf-8', { ignoreBOM: true });

/** The bytes of a Go string. */
export function toBytes(text: string): Uint8Array {
  if (text.isWellFormed()) return encoder.encode(text);
  const bytes = new Uint8Array(text.length * 3);
  let length = 0;
  let from = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit >= 0xd800 && unit < 0xdc00) i++;
    else if (unit >= 0xdc80 && unit <= 0xdcff) {
      if (from < i) length += encoder.encodeInto(text.slice(from, i), bytes.subarray(length)).written;
      bytes[length++] = unit & 0xff;
      from = i + 1;
    }
  }
  length += encoder.encodeInto(text.slice(from), bytes.subarray(length)).written;
  return bytes.subarray(0, length);
}

/** The Go string of these bytes. */
export function fromBytes(bytes: Uint8Array): string {
  try {
    return fatal.decode(bytes);
  } catch {
    return fromBrokenBytes(bytes);
  }
}

function fromBrokenBytes(bytes: Uint8Array): string {
  // Collects code units: a string that grows by one unit at a time takes a hundred times the memory.
  const units = new Uint16Array(bytes.length);
  let length = 0;
  for (let i = 0; i < bytes.length;) {
    const first = bytes[i] ?? 0;
    const width = sequenceLength(bytes, i);
    if (width < 2) {
      units[length++] = width === 0 ? 0xdc00 | first : first;
      i++;
      continue;
    }
    let point = first & (0xff >> (width + 1));
    for (let k = 1; k < width; k++) point = (point << 6) | ((bytes[i + k] ?? 0) & 0x3f);
    i += width;
    if (point > 0xffff) {
      point -= 0x10000;
      units[length++] = 0xd800 | (point >> 10);
      units[length++] = 0xdc00 | (point & 0x3ff);
    } else units[length++] = point;
  }
  // A TextDecoder would replace the lone surrogates.
  const parts: string[] = [];
  for (let at = 0; at < length; at += MOST_ARGUMENTS)
    parts.push(String.fromCharCode(...units.subarray(at, Math.min(length, at + MOST_ARGUMENTS))));
  return parts.join('');
}

/** The most arguments of one call: more could overflow the stack. */
const MOST_ARGUMENTS = 8_192;

/** The length of the UTF-8 sequence that begins at `i`, or 0. */
function sequenceLength(bytes: Uint8Array, i: number): number {
  const first = bytes[i] ?? 0;
  if (first < 0x80) return 1;
  if (first < 0xc2 || first > 0xf4) return 0;
  const width = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  // The range of the second byte excludes overlong forms, surrogates and values above U+10FFFF.
  const low = first === 0xe0 ? 0xa0 : first === 0xf0 ? 0x90 : 0x80;
  const high = first === 0xed ? 0x9f : first === 0xf4 ? 0x8f : 0xbf;
  for (let k = 1; k < width; k++) {
    const byte = bytes[i + k] ?? 0;
    if (k === 1 ? byte < low || byte > high : byte < 0x80 || byte > 0xbf) return 0;
  }
  return width;
}

/** Text for the outside: bytes that are not UTF-8 become U+FFFD, as in the WHATWG decoder. */
export function toOutside(text: string): string {
  return text.isWellFormed() ? text : lenient.decode(toBytes(text));
}

/** Go's `len` of a string: the number of bytes. */
export function byteLength(text: string): number {
  let length = text.length;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) continue;
    if (unit < 0x800) length++;
    else if (unit >= 0xd800 && unit < 0xdc00) {
      // A pair: four bytes for two units.
      length += 2;
      i++;
    } else if (unit < 0xdc80 || unit > 0xdcff) length += 2;
  }
  return length;
}

const NOT_ASCII = /[^\x00-\x7f]/;

export function isAscii(text: string): boolean {
  return !NOT_ASCII.test(text);
}

/** `s[from:to]`, in bytes. The caller checks the bounds. */
export function byteSlice(text: string, from: number, to: number): string {
  return isAscii(text) ? text.slice(from, to) : fromBytes(toBytes(text).subarray(from, to));
}

/** Compares strings by bytes, as Go's `<`: below 0, 0, above 0. */
export function compareText(a: string, b: string): number {
  if (a === b) return 0;
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x === y) continue;
    // Below the surrogates, UTF-16 and UTF-8 have the same order.
    if (x < 0xd800 && y < 0xd800) return x - y;
    return compareBytes(toBytes(a), toBytes(b));
  }
  return a.length - b.length;
}

function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const difference = (a[i] ?? 0) - (b[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

/** The rune that `range` over a string in Go gives for a byte that is not part of a character. */
export const REPLACEMENT = 0xfffd;

/** `[]rune(s)`: the code points. A byte that is not part of a character becomes U+FFFD. */
export function toRunes(text: string): number[] {
  const runes: number[] = [];
  for (const character of text) {
    const point = character.codePointAt(0) ?? 0;
    runes.push(point >= 0xdc80 && point <= 0xdcff ? REPLACEMENT : point);
  }
  return runes;
}

/** `string(runes)`: an invalid code point becomes U+FFFD. */
export function fromRunes(runes: readonly number[]): string {
  let text = '';
  for (const rune of runes)
    text +=
      rune < 0 || rune > 0x10ffff || (rune >= 0xd800 && rune <= 0xdfff)
        ? '\ufffd'
        : String.fromCodePoint(rune);
  return text;
}

/** `utf8.RuneCountInString`. */
export function runeCount(text: string): number {
  let count = text.length;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit >= 0xd800 && unit < 0xdc00) {
      count--;
      i++;
    }
  }
  return count;
}
