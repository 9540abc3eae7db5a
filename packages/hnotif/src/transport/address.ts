import { isIP } from 'node:net';

/** An IP address in one way of writing, without a zone. */
export interface Form {
  readonly address: string;
  readonly family: 'ipv4' | 'ipv6';
}

/**
 * The address itself and every IPv4 address that it carries, for that is where the packets may end: translated
 * (NAT64, SIIT) or unwrapped (6to4, Teredo, ISATAP). One that is mapped is nothing but IPv4. Which prefix a network of
 * one's own has given to NAT64 cannot be known here. Empty for a text that is no address.
 */
export function formsOf(text: string): Form[] {
  const address = text.replace(/%.*$/, '');
  const version = isIP(address);
  if (version === 0) return [];
  if (version === 4) return [ipv4(address)];
  const words = wordsOf(address);
  if (startsWith(words, [0, 0, 0, 0, 0, 0xffff])) return [ipv4(quad(words, 12))];
  const form: Form = { address: words.map((word) => word.toString(16)).join(':'), family: 'ipv6' };
  return [form, ...carried(words).map(ipv4)];
}

const ipv4 = (address: string): Form => ({ address, family: 'ipv4' });

function carried(words: readonly number[]): string[] {
  // `::` and `::1` have meanings of their own.
  if (startsWith(words, [0, 0, 0, 0, 0, 0, 0]) && (words[7] ?? 0) < 2) return [];
  const last = quad(words, 12);
  // Compatible (RFC 4291), translated (RFC 2765), NAT64's well-known prefix (RFC 6052).
  if (
    startsWith(words, [0, 0, 0, 0, 0, 0]) ||
    startsWith(words, [0, 0, 0, 0, 0xffff, 0]) ||
    startsWith(words, [0x64, 0xff9b, 0])
  )
    return [last];
  // NAT64's prefix for local use (RFC 8215) may be 48, 56, 64 or 96 bits long: all readings count, but for those that
  // begin with 0, which are made of another length's zeros.
  if (startsWith(words, [0x64, 0xff9b, 1])) {
    const readings = [quad(words, 6), quad(words, 7), quad(words, 9), last];
    const plausible = readings.filter((reading) => !reading.startsWith('0.'));
    return plausible.length > 0 ? plausible : [last];
  }
  // 6to4 (RFC 3056).
  if (startsWith(words, [0x2002])) return [quad(words, 2)];
  // Teredo (RFC 4380): the server's, and the client's with all bits turned.
  if (startsWith(words, [0x2001, 0]))
    return [
      quad(words, 4),
      quad(
        words.map((word) => word ^ 0xffff),
        12,
      ),
    ];
  // ISATAP (RFC 5214), behind any prefix; the second bit of the fifth word says whether the address is global.
  if (((words[4] ?? 0) & 0xfdff) === 0 && words[5] === 0x5efe) return [last];
  return [];
}

const startsWith = (words: readonly number[], prefix: readonly number[]): boolean =>
  prefix.every((word, index) => words[index] === word);

/** The four octets from octet `from` on, without octet 8, which RFC 6052 keeps free. */
function quad(words: readonly number[], from: number): string {
  const octets = words.flatMap((word) => [word >> 8, word & 255]);
  const skips = from < 8 && from + 4 > 8;
  return (skips ? octets.toSpliced(8, 1) : octets).slice(from, from + 4).join('.');
}

/** The eight 16-bit words of a valid IPv6 address. */
function wordsOf(address: string): number[] {
  const hex = address.replace(
    /(\d+)\.(\d+)\.(\d+)\.(\d+)$/,
    (_, a: string, b: string, c: string, d: string) =>
      [Number(a) * 256 + Number(b), Number(c) * 256 + Number(d)].map((word) => word.toString(16)).join(':'),
  );
  const [head = '', tail] = hex.split('::');
  const read = (part: string): number[] =>
    part === '' ? [] : part.split(':').map((word) => parseInt(word, 16));
  const left = read(head);
  if (tail === undefined) return left;
  const right = read(tail);
  return [...left, ...Array<number>(8 - left.length - right.length).fill(0), ...right];
}
