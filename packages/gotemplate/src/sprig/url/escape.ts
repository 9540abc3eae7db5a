/** Percent encoding like Go's `net/url`, for binary strings. */
import { GoError } from '../../errors.ts';
import { quote } from '../../strconv/quote.ts';
import { fromBinary } from '../../value/binary.ts';

/** A part of a URL. The characters without escape differ for each part. */
type Part = 'path' | 'host' | 'zone' | 'user' | 'fragment';

const HOST = /[\w\-.~!$&'()*+,;=:[\]<>"]/;

const PLAIN: Readonly<Record<Part, RegExp>> = {
  path: /[\w\-.~$&+,/:;=@]/,
  host: HOST,
  zone: HOST,
  user: /[\w\-.~$&+,;=]/,
  fragment: /[\w\-.~!$&()*+,/:;=?@]/,
};

export function escape(text: string, part: Part): string {
  return text.replace(/[^]/g, (byte) =>
    PLAIN[part].test(byte) ? byte : `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  );
}

/** Throws a GoError for an invalid escape, and for a character that is invalid in a host, escaped or not. */
export function unescape(text: string, part: Part): string {
  const isHost = part === 'host' || part === 'zone';
  return text.replace(/%[^]{0,2}|[^]/g, (token) => {
    if (!token.startsWith('%')) {
      if (isHost && token < '\x80' && !PLAIN[part].test(token))
        throw new GoError(`invalid character ${quote(token)} in host name`);
      return token;
    }
    const byte = /^%[\da-f]{2}$/i.test(token) ? String.fromCharCode(parseInt(token.slice(1), 16)) : undefined;
    if (byte === undefined || !mayBeEscaped(byte, part))
      throw new GoError(`invalid URL escape ${quote(fromBinary(token))}`);
    return byte;
  });
}

/** In a host, only non-ASCII bytes may be escaped. In a zone, only spaces and characters that need no escape. */
function mayBeEscaped(byte: string, part: Part): boolean {
  if (byte === '%' || (part !== 'host' && part !== 'zone')) return true;
  return part === 'host' ? byte >= '\x80' : byte === ' ' || HOST.test(byte);
}
