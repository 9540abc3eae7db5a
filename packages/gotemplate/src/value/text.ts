/**
 * Go's strings are bytes, which need not be UTF-8: `trunc` may cut a character in two. Here a Go string is a JavaScript
 * string in which a byte that is part of no UTF-8 sequence is a lone surrogate, U+DC80 to U+DCFF for 0x80 to 0xFF. What is
 * well-formed (all but everything) needs no work, and V8 knows it of any Latin-1 string without looking.
 *
 * Two rules keep this exact. Text from outside is made well-formed first (`fromOutside`). And the parts of a character may
 * meet again when strings are put together, so whoever joins strings that may be cut calls `join`; the engine does it for
 * every result of a function.
 */

/** Text from outside: lone surrogates, which no UTF-8 can say, become U+FFFD. */
export function fromOutside(text: string): string {
  return text.isWellFormed() ? text : text.toWellFormed();
}

/** Mends a string made by putting strings together: bytes that now make a character become one. */
export function join(text: string): string {
  return needsJoin(text) ? fromBytes(toBytes(text)) : text;
}

/** Whether the text may have bytes that make a character: one that begins some and one that continues it in a row. */
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
  // In units, put together at once: a string that grows by one would take a hundred times the memory.
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

/** Of a call: more could overflow the stack. */
const MOST_ARGUMENTS = 8_192;

/** The length of the UTF-8 sequence that begins at `i`; 0 when none does. */
function sequenceLength(bytes: Uint8Array, i: number): number {
  const first = bytes[i] ?? 0;
  if (first < 0x80) return 1;
  if (first < 0xc2 || first > 0xf4) return 0;
  const width = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  // The second byte's range keeps overlong forms, surrogates and what lies beyond U+10FFFF out.
  const low = first === 0xe0 ? 0xa0 : first === 0xf0 ? 0x90 : 0x80;
  const high = first === 0xed ? 0x9f : first === 0xf4 ? 0x8f : 0xbf;
  for (let k = 1; k < width; k++) {
    const byte = bytes[i + k] ?? 0;
    if (k === 1 ? byte < low || byte > high : byte < 0x80 || byte > 0xbf) return 0;
  }
  return width;
}

/** What a reader outside sees: bytes that are no UTF-8 become U+FFFD, as the WHATWG decoder does it. */
export function toOutside(text: string): string {
  return text.isWellFormed() ? text : lenient.decode(toBytes(text));
}

/** `len` of a Go string: its bytes. */
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

/** `s[from:to]`, in bytes; the bounds are the caller's to check. */
export function byteSlice(text: string, from: number, to: number): string {
  return isAscii(text) ? text.slice(from, to) : fromBytes(toBytes(text).subarray(from, to));
}

/** Go's `<` on strings, by bytes: below 0, 0, above 0. */
export function compareText(a: string, b: string): number {
  if (a === b) return 0;
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x === y) continue;
    // Below the surrogates UTF-16 orders as UTF-8 does.
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

/** A byte that is no part of a character, as `range` over a string in Go gives it. */
export const REPLACEMENT = 0xfffd;

/** `[]rune(s)`: the code points; a byte that is part of none is U+FFFD. */
export function toRunes(text: string): number[] {
  const runes: number[] = [];
  for (const character of text) {
    const point = character.codePointAt(0) ?? 0;
    runes.push(point >= 0xdc80 && point <= 0xdcff ? REPLACEMENT : point);
  }
  return runes;
}

/** `string(runes)`: what is no code point becomes U+FFFD. */
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
