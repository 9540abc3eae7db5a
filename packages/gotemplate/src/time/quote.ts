/** Quoting as package time does it in its errors, which is plainer than strconv's. */
import { isAscii, toBytes } from '../value/text.ts';

/** A string with one unit for each byte, for code that counts and cuts in bytes. ASCII is its own byte string. */
export function byteString(text: string): string {
  if (isAscii(text)) return text;
  let bytes = '';
  for (const byte of toBytes(text)) bytes += String.fromCharCode(byte);
  return bytes;
}

const SPECIAL = /["\\]|[^ -\x7f]/g;

/** Quotes a byte string: what is no ASCII or a control character becomes `\xNN`. */
export function quoteBytes(bytes: string): string {
  const inner = bytes.replace(SPECIAL, (character) =>
    character === '"' || character === '\\'
      ? `\\${character}`
      : `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`,
  );
  return `"${inner}"`;
}
