/**
 * Binary strings: one character for each byte. Go searches, counts and cuts some texts by bytes; a binary string makes
 * bytes out of characters for that.
 */
import { fromBytes, isAscii, toBytes } from './text.ts';

const PIECE = 8192;

export function toBinary(text: string): string {
  if (isAscii(text)) return text;
  const bytes = toBytes(text);
  let binary = '';
  for (let from = 0; from < bytes.length; from += PIECE)
    binary += String.fromCharCode(...bytes.subarray(from, from + PIECE));
  return binary;
}

export function fromBinary(binary: string): string {
  if (isAscii(binary)) return binary;
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = binary.charCodeAt(i);
  return fromBytes(bytes);
}
