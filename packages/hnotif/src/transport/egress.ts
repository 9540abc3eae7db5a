import { BlockList, isIP } from 'node:net';

export interface EgressRules {
  /** Addresses or CIDR ranges that may not be connected to. Default: none. */
  readonly deny?: readonly string[];
  /** Exceptions from `deny`. To permit nothing but a few ranges: deny `0.0.0.0/0` and `::/0`, allow those. */
  readonly allow?: readonly string[];
}

/**
 * Never connected to, whatever the rules allow: a cloud's metadata service gives whoever asks the machine's own
 * credentials, and link-local addresses are no receivers'.
 */
const NEVER = [
  '0.0.0.0/8', // "this host": a way round a rule against loopback
  '::/128', // the same
  '169.254.0.0/16', // link-local; metadata of AWS, GCP, Azure, OpenStack and others
  'fe80::/10', // link-local
  'fec0::/10', // site-local, deprecated by RFC 3879
  'fd00:ec2::/32', // AWS: instance metadata, DNS, pod identity
  'fd20:ce::254/128', // GCP
  'fd00:42::42/128', // Scaleway
  '100.100.100.200/32', // Alibaba Cloud
  '168.63.129.16/32', // Azure's wire server
  '192.0.0.192/32', // Oracle Cloud
];

/**
 * Decides which addresses may be connected to. In this order: link-local and metadata addresses never; one in
 * `allow` may; one in `deny` may not; any other may. An IPv4 address inside an IPv6 one (mapped, compatible,
 * translated, NAT64, 6to4) is judged as well: it is where the packets would end.
 */
export class EgressGuard {
  readonly #never = listOf(NEVER);
  readonly #deny: BlockList;
  readonly #allow: BlockList;

  /** Throws a TypeError that names the range which is none, or the rule that has no effect. */
  constructor({ deny = [], allow = [] }: EgressRules) {
    if (allow.length > 0 && deny.length === 0)
      throw new TypeError(
        'the egress rules allow ranges but deny none, so they refuse nothing: deny 0.0.0.0/0 and ::/0 to permit the allowed ranges alone',
      );
    this.#deny = listOf(deny);
    this.#allow = listOf(allow);
  }

  /** Why the IP address `address` may not be connected to; undefined when it may. */
  refusal(address: string): string | undefined {
    for (const form of formsOf(address)) {
      const family = isIP(form) === 4 ? 'ipv4' : 'ipv6';
      if (this.#never.check(form, family)) return 'it is a link-local or cloud metadata address';
      if (this.#deny.check(form, family) && !this.#allow.check(form, family))
        return 'it is in a range that the egress rules deny';
    }
    return undefined;
  }
}

/** Whether an IP address is this machine's own loopback. */
export const isLoopback = (address: string): boolean => {
  const [form = ''] = formsOf(address);
  return form === '::1' || (isIP(form) === 4 && form.startsWith('127.'));
};

function listOf(ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [address = '', length, ...more] = range.split('/');
    const version = isIP(address);
    const bits = version === 4 ? 32 : 128;
    const prefix = length === undefined ? bits : /^\d{1,3}$/.test(length) ? Number(length) : Infinity;
    if (version === 0 || prefix > bits || more.length > 0 || address.includes('%'))
      throw new TypeError(`"${range}" is no address range: write it like 10.0.0.0/8 or fd00::/8`);
    list.addSubnet(address, prefix, version === 4 ? 'ipv4' : 'ipv6');
  }
  return list;
}

/** The address in its plain form, and the IPv4 address it carries. A mapped one is nothing but IPv4. */
function formsOf(address: string): string[] {
  const bare = address.replace(/%.*$/, '');
  if (isIP(bare) !== 6) return [bare];
  const words = wordsOf(bare);
  const v4 = (high = 0, low = 0): string => [high >> 8, high & 255, low >> 8, low & 255].join('.');
  const starts = (...prefix: number[]): boolean => prefix.every((word, index) => words[index] === word);
  const plain = words.map((word) => word.toString(16)).join(':');
  if (starts(0, 0, 0, 0, 0, 0xffff)) return [v4(words[6], words[7])];
  if (starts(0, 0, 0, 0, 0, 0, 0) && (words[7] ?? 0) < 2) return [words[7] === 1 ? '::1' : '::'];
  const translated = starts(0, 0, 0, 0, 0xffff, 0) || starts(0x64, 0xff9b);
  if (translated || starts(0, 0, 0, 0, 0, 0)) return [plain, v4(words[6], words[7])];
  if (starts(0x2002)) return [plain, v4(words[1], words[2])];
  return [plain];
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
