import { BlockList, isIP } from 'node:net';
import { ipAddressesIn } from './address.ts';
import type { IpAddress } from './address.ts';
import { LOOPBACK, METADATA_NAMES, NAT64, FORBIDDEN, NOT_PUBLIC } from './special-addresses.ts';

export interface EgressRules {
  /** Addresses or CIDR ranges that may not be connected to, besides those that are not public. Default: none. */
  readonly deny?: readonly string[];
  /**
   * Ranges that may be connected to, public or not. They win over `deny`. Default: none. To permit a few ranges only, deny
   * `0.0.0.0/0` and `::/0`.
   */
  readonly allow?: readonly string[];
}

/** Whether a host is a cloud's metadata service by its name. hnotif never connects to those. */
export const isMetadataName = (host: string): boolean => {
  const name = host.toLowerCase().replace(/\.$/, '');
  return METADATA_NAMES.some((pattern) => pattern.test(name));
};

/**
 * Decides which addresses may be connected to. The first rule that applies decides: link-local and metadata addresses never; `allow`
 * yes; `deny` no; addresses that are not public no; all others yes. An IPv4 address embedded in an IPv6 address (mapped, compatible,
 * translated, NAT64, 6to4, Teredo, ISATAP) is checked, too: packets may go there.
 */
export class EgressGuard {
  readonly #deny: Ranges;
  readonly #allow: Ranges;

  /** Throws a TypeError that names an invalid range. */
  constructor({ deny = [], allow = [] }: EgressRules) {
    this.#deny = new Ranges(deny);
    this.#allow = new Ranges(allow);
  }

  /** Why the IP address `address` may not be connected to; undefined when it may. */
  refusal(address: string): string | undefined {
    return (
      this.denial(address) ??
      (ipAddressesIn(address).every((form) => isPublicIp(form) || this.#allow.has(form))
        ? undefined
        : 'it has no public address; the operator of hnotif can permit its network with --egress-allow')
    );
  }

  /** The same for an address that may be private. */
  denial(address: string): string | undefined {
    const forms = ipAddressesIn(address);
    if (forms.length === 0) return 'it is not an IP address';
    for (const form of forms) {
      if (never.has(form)) return 'it is a link-local or cloud metadata address';
      if (this.#deny.has(form) && !this.#allow.has(form))
        return 'it is in a range that the egress rules deny';
    }
    return undefined;
  }
}

/** Whether an IP address and all IPv4 addresses embedded in it are public. */
export const isPublic = (address: string): boolean => {
  const forms = ipAddressesIn(address);
  return forms.length > 0 && forms.every(isPublicIp);
};

const isPublicIp = (form: IpAddress): boolean => !notPublic.has(form) || nat64.has(form);

/** Whether a host's name means loopback (RFC 6761 section 6.3). */
export const isLocalName = (host: string): boolean => /^(?:.+\.)?localhost\.?$/i.test(host);

export const isLoopback = (address: string): boolean => loopback.has(ipAddressesIn(address)[0]);

/** The most addresses in the cache. */
const MOST_CACHED = 1_024;

/**
 * Address ranges. Each family has its own list: a `BlockList` finds IPv4 addresses in IPv6 ranges by their mapped form, so `::/0`
 * would contain all of IPv4.
 */
class Ranges {
  /** Connections check the same few addresses again and again. Ranges never change. */
  readonly #cache = new Map<string, boolean>();
  readonly #lists = { ipv4: new BlockList(), ipv6: new BlockList() };

  /** Throws a TypeError that names an invalid range. */
  constructor(ranges: readonly string[]) {
    for (const range of ranges) {
      const [address = '', length, ...more] = range.split('/');
      const version = isIP(address);
      const bits = version === 4 ? 32 : 128;
      const prefix = length === undefined ? bits : /^\d{1,3}$/.test(length) ? Number(length) : Infinity;
      if (version === 0 || prefix > bits || more.length > 0 || address.includes('%'))
        throw new TypeError(`"${range}" is not an address range: write it like 10.0.0.0/8 or fd00::/8`);
      this.#add(address, prefix, version === 4 ? 'ipv4' : 'ipv6');
    }
  }

  has(form: IpAddress | undefined): boolean {
    if (form === undefined) return false;
    const { address, family } = form;
    const known = this.#cache.get(address);
    if (known !== undefined) return known;
    const has = this.#lists[family].check(address, family);
    if (this.#cache.size >= MOST_CACHED) this.#cache.clear();
    this.#cache.set(address, has);
    return has;
  }

  #add(address: string, prefix: number, family: IpAddress['family']): void {
    const [form] = ipAddressesIn(address);
    // A range of mapped addresses is a range of IPv4 addresses.
    if (family === 'ipv6' && form?.family === 'ipv4' && prefix >= 96)
      this.#lists.ipv4.addSubnet(form.address, prefix - 96, 'ipv4');
    else this.#lists[family].addSubnet(address, prefix, family);
  }
}

const never = new Ranges(FORBIDDEN);
const loopback = new Ranges(LOOPBACK);
const notPublic = new Ranges(NOT_PUBLIC);
const nat64 = new Ranges(NAT64);
