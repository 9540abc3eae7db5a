import { isIP } from 'node:net';

/** An IP address in canonical form, without a zone. */
export interface IpAddress {
  readonly address: string;
  readonly family: 'ipv4' | 'ipv6';
}

/**
 * The address and every IPv4 address embedded in it, because packets may go there: by translation (NAT64, SIIT) or by a tunnel (6to4,
 * Teredo, ISATAP). A mapped address is IPv4 only. A network's own NAT64 prefix is not known here. Empty: the text is not an address.
 */
export function ipAddressesIn(text: string): IpAddress[] {
  const address = text.replace(/%.*$/, '');
  const version = isIP(address);
  if (version === 0) return [];
  if (version === 4) return [ipv4(address)];
  const words = wordsOf(address);
  if (startsWith(words, [0, 0, 0, 0, 0, 0xffff])) return [ipv4(quad(words, 12))];
  const form: IpAddress = { address: words.map((word) => word.toString(16)).join(':'), family: 'ipv6' };
  return [form, ...embeddedIpv4(words).map(ipv4)];
}

const ipv4 = (address: string): IpAddress => ({ address, family: 'ipv4' });

function embeddedIpv4(words: readonly number[]): string[] {
  // `::` and `::1` embed no address.
  if (startsWith(words, [0, 0, 0, 0, 0, 0, 0]) && (words[7] ?? 0) < 2) return [];
  const last = quad(words, 12);
  // Compatible (RFC 4291), translated (RFC 2765), NAT64's well-known prefix (RFC 6052).
  if (
    startsWith(words, [0, 0, 0, 0, 0, 0]) ||
    startsWith(words, [0, 0, 0, 0, 0xffff, 0]) ||
    startsWith(words, [0x64, 0xff9b, 0])
  )
    return [last];
  // NAT64's prefix for local use (RFC 8215) has 48, 56, 64 or 96 bits: all four readings count. A reading that begins with 0 contains
  // the zeros of another length.
  if (startsWith(words, [0x64, 0xff9b, 1])) {
    const readings = [quad(words, 6), quad(words, 7), quad(words, 9), last];
    const plausible = readings.filter((reading) => !reading.startsWith('0.'));
    return plausible.length > 0 ? plausible : [last];
  }
  // 6to4 (RFC 3056).
  if (startsWith(words, [0x2002])) return [quad(words, 2)];
  // Teredo (RFC 4380): the server's address, and the client's with all bits inverted.
  if (startsWith(words, [0x2001, 0]))
    return [
      quad(words, 4),
      quad(
        words.map((word) => word ^ 0xffff),
        12,
      ),
    ];
  // ISATAP (RFC 5214), with any prefix. A bit of the fifth word says whether the address is global.
  if (((words[4] ?? 0) & 0xfdff) === 0 && words[5] === 0x5efe) return [last];
  return [];
}

const startsWith = (words: readonly number[], prefix: readonly number[]): boolean =>
  prefix.every((word, index) => words[index] === word);

/** Four octets from octet `from`, without octet 8, which RFC 6052 reserves. */
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
