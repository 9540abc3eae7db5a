import { BlockList, isIP } from 'node:net';
import { formsOf } from './address.ts';
import type { Form } from './address.ts';
import { LOOPBACK, METADATA_NAMES, NAT64, NEVER, NOT_PUBLIC } from './special.ts';

export interface EgressRules {
  /** Addresses or CIDR ranges that may not be connected to, besides those that are not public. Default: none. */
  readonly deny?: readonly string[];
  /**
   * Ranges that may be connected to, public or not, whatever `deny` says. Default: none. To permit nothing but a few ranges: deny
   * `0.0.0.0/0` and `::/0`, allow those.
   */
  readonly allow?: readonly string[];
}

/** Whether a host's name is that of a cloud's metadata service, which is never connected to. */
export const isMetadataName = (host: string): boolean =>
  METADATA_NAMES.includes(host.toLowerCase().replace(/\.$/, ''));

/**
 * Decides which addresses may be connected to. In this order: link-local and metadata addresses never; one in
 * `allow` may; one in `deny` may not; one that is not public may not; any other may. An IPv4 address inside an IPv6 one (mapped,
 * compatible, translated, NAT64, 6to4, Teredo, ISATAP) is judged as well: it is where the packets would end.
 */
export class EgressGuard {
  readonly #deny: Ranges;
  readonly #allow: Ranges;

  /** Throws a TypeError that names the range which is none. */
  constructor({ deny = [], allow = [] }: EgressRules) {
    this.#deny = new Ranges(deny);
    this.#allow = new Ranges(allow);
  }

  /** Why the IP address `address` may not be connected to; undefined when it may. */
  refusal(address: string): string | undefined {
    return (
      this.denial(address) ??
      (formsOf(address).every((form) => isPublicForm(form) || this.#allow.has(form))
        ? undefined
        : 'it has no public address; the operator of hnotif can permit its network with --egress-allow')
    );
  }

  /** The same for an address that need not be public. */
  denial(address: string): string | undefined {
    const forms = formsOf(address);
    if (forms.length === 0) return 'it is no IP address';
    for (const form of forms) {
      if (never.has(form)) return 'it is a link-local or cloud metadata address';
      if (this.#deny.has(form) && !this.#allow.has(form))
        return 'it is in a range that the egress rules deny';
    }
    return undefined;
  }
}

/** Whether an IP address belongs to the public internet, and so does every IPv4 address that it carries. */
export const isPublic = (address: string): boolean => {
  const forms = formsOf(address);
  return forms.length > 0 && forms.every(isPublicForm);
};

const isPublicForm = (form: Form): boolean => !notPublic.has(form) || nat64.has(form);

/** Whether a host's name is one of loopback's own (RFC 6761 section 6.3). */
export const isLocalName = (host: string): boolean => /^(?:.+\.)?localhost\.?$/i.test(host);

/** Whether an IP address is this machine's own loopback. */
export const isLoopback = (address: string): boolean => loopback.has(formsOf(address)[0]);

/** Addresses of which it is remembered whether a range has them. */
const MOST_KNOWN = 1_024;

/**
 * Address ranges. The families are kept apart: a `BlockList` finds an IPv4 address in an IPv6 range by its mapped
 * form, so that who allows `::/0` would allow all of IPv4.
 */
class Ranges {
  /** Each connection asks several times about an address that is the same most of the time. Ranges never change. */
  readonly #known = new Map<string, boolean>();
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
    if (form === undefined) return false;
    const { address, family } = form;
    const known = this.#known.get(address);
    if (known !== undefined) return known;
    const has = this.#lists[family].check(address, family);
    if (this.#known.size >= MOST_KNOWN) this.#known.clear();
    this.#known.set(address, has);
    return has;
  }

  #add(address: string, prefix: number, family: Form['family']): void {
    const [form] = formsOf(address);
    // A range of mapped addresses is one of IPv4 addresses, as they are.
    if (family === 'ipv6' && form?.family === 'ipv4' && prefix >= 96)
      this.#lists.ipv4.addSubnet(form.address, prefix - 96, 'ipv4');
    else this.#lists[family].addSubnet(address, prefix, family);
  }
}

const never = new Ranges(NEVER);
const loopback = new Ranges(LOOPBACK);
const notPublic = new Ranges(NOT_PUBLIC);
const nat64 = new Ranges(NAT64);
