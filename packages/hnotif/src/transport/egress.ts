import { BlockList, isIP } from 'node:net';
import { formsOf } from './address.ts';
import type { Form } from './address.ts';

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

/** Names of metadata services: where only a proxy resolves names, their addresses are never seen. */
const METADATA_NAMES = ['metadata.google.internal', 'metadata.goog', 'instance-data.ec2.internal'];

/** Whether a host's name is that of a cloud's metadata service, which is never connected to. */
export const isMetadataName = (host: string): boolean =>
  METADATA_NAMES.includes(host.toLowerCase().replace(/\.$/, ''));

/**
 * Decides which addresses may be connected to. In this order: link-local and metadata addresses never; one in
 * `allow` may; one in `deny` may not; any other may. An IPv4 address inside an IPv6 one (mapped, compatible,
 * translated, NAT64, 6to4, Teredo, ISATAP) is judged as well: it is where the packets would end.
 */
export class EgressGuard {
  readonly #never = new Ranges(NEVER);
  readonly #deny: Ranges;
  readonly #allow: Ranges;

  /** Throws a TypeError that names the range which is none, or the rule that has no effect. */
  constructor({ deny = [], allow = [] }: EgressRules) {
    if (allow.length > 0 && deny.length === 0)
      throw new TypeError(
        'the egress rules allow ranges but deny none, so they refuse nothing: deny 0.0.0.0/0 and ::/0 to permit the allowed ranges alone',
      );
    this.#deny = new Ranges(deny);
    this.#allow = new Ranges(allow);
  }

  /** Why the IP address `address` may not be connected to; undefined when it may. */
  refusal(address: string): string | undefined {
    const forms = formsOf(address);
    if (forms.length === 0) return 'it is no IP address';
    for (const form of forms) {
      if (this.#never.has(form)) return 'it is a link-local or cloud metadata address';
      if (this.#deny.has(form) && !this.#allow.has(form))
        return 'it is in a range that the egress rules deny';
    }
    return undefined;
  }
}

/** Whether an IP address is this machine's own loopback. */
export const isLoopback = (address: string): boolean => LOOPBACK.has(formsOf(address)[0]);

/**
 * Address ranges. The families are kept apart: a `BlockList` finds an IPv4 address in an IPv6 range by its mapped
 * form, so that who allows `::/0` would allow all of IPv4.
 */
class Ranges {
  readonly #lists = { ipv4: new BlockList(), ipv6: new BlockList() };

  /** Throws a TypeError that names the range which is none. */
  constructor(ranges: readonly string[]) {
    for (const range of ranges) {
      const [address = '', length, ...more] = range.split('/');
      const version = isIP(address);
      const bits = version === 4 ? 32 : 128;
      const prefix = length === undefined ? bits : /^\d{1,3}$/.test(length) ? Number(length) : Infinity;
      if (version === 0 || prefix > bits || more.length > 0 || address.includes('%'))
        throw new TypeError(`"${range}" is no address range: write it like 10.0.0.0/8 or fd00::/8`);
      this.#add(address, prefix, version === 4 ? 'ipv4' : 'ipv6');
    }
  }

  has(form: Form | undefined): boolean {
    return form !== undefined && this.#lists[form.family].check(form.address, form.family);
  }

  #add(address: string, prefix: number, family: Form['family']): void {
    const [form] = formsOf(address);
    // A range of mapped addresses is one of IPv4 addresses, as they are.
    if (family === 'ipv6' && form?.family === 'ipv4' && prefix >= 96)
      this.#lists.ipv4.addSubnet(form.address, prefix - 96, 'ipv4');
    else this.#lists[family].addSubnet(address, prefix, family);
  }
}

const LOOPBACK = new Ranges(['127.0.0.0/8', '::1']);
