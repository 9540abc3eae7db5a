import { ipAddressesIn } from '../transport/address.ts';

/** The addresses of a CIDR, as numbers. */
interface Network {
  readonly family: 'ipv4' | 'ipv6';
  readonly first: bigint;
  readonly last: bigint;
  /** Whether the CIDR was written with the first address of the network. */
  readonly isExact: boolean;
  readonly bounds: readonly [first: string, last: string];
}

/** Reads a valid CIDR. An IPv4 address within IPv6 (`::ffff:10.0.0.0/104`) gives the IPv4 network. */
export function networkOf(cidr: string): Network | undefined {
  const [ip = '', length = ''] = cidr.split('/');
  const [form] = ipAddressesIn(ip);
  if (form === undefined) return undefined;
  const isFour = form.family === 'ipv4';
  const prefix = Number(length) - (isFour && ip.includes(':') ? 96 : 0);
  if (prefix < 0) return undefined;
  const [bits, base, separator, step] = isFour ? [32, 10, '.', 8] : [128, 16, ':', 16];
  const parts = form.address.split(separator).map((part) => BigInt(parseInt(part, base)));
  const number = parts.reduce((sum, part) => (sum << BigInt(step)) | part, 0n);
  const rest = (1n << BigInt(bits - prefix)) - 1n;
  const first = number & ~rest;
  const last = number | rest;
  const textOf = (value: bigint): string =>
    parts
      .map((_, index) => (value >> BigInt(bits - step * (index + 1))) & ((1n << BigInt(step)) - 1n))
      .map((part) => part.toString(base))
      .join(separator);
  return {
    family: form.family,
    first,
    last,
    isExact: first === number,
    bounds: [textOf(first), textOf(last)],
  };
}

/** Whether two networks have a common address. True if one of them cannot be read. */
export function overlap(one: string, other: string): boolean {
  const [a, b] = [networkOf(one), networkOf(other)];
  if (a === undefined || b === undefined) return true;
  return a.family === b.family && a.first <= b.last && b.first <= a.last;
}
