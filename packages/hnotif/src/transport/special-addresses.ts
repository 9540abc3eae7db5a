/**
 * No rule can allow these. A cloud's metadata service gives the machine's credentials to every client; receivers have no link-local
 * addresses.
 */
export const FORBIDDEN = [
  '0.0.0.0/8', // "this host": would bypass a rule against loopback
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
 * Names of metadata services: if only the proxy resolves names, hnotif does not see their addresses. Search domains complete the short
 * names; AWS has a domain for each region.
 */
export const METADATA_NAMES = [
  /^(?:metadata|instance-data)(?:\.(?:.+\.)?internal)?$/, // GCP, Azure; AWS
  /^metadata\.goog$/, // GCP
  /^api\.metadata\.cloud\.ibm\.com$/,
  /^metadata\.(?:tencentyun|exoscale|platformequinix)\.com$/,
  /^metadata\.packet\.net$/, // Equinix, before
];

export const LOOPBACK = ['127.0.0.0/8', '::1/128'];

/**
 * Not public: addresses that are not globally reachable by IANA's registries, multicast addresses, and IPv6 addresses that are not
 * allocated as global unicast.
 * https://www.iana.org/assignments/iana-ipv4-special-registry, https://www.iana.org/assignments/iana-ipv6-special-registry
 */
export const NOT_PUBLIC = [
  ...LOOPBACK,
  '0.0.0.0/8', // "this host"
  '10.0.0.0/8', // private
  '100.64.0.0/10', // shared, behind a carrier's NAT; pods and nodes of some clouds
  '169.254.0.0/16', // link-local
  '172.16.0.0/12', // private
  '192.0.0.0/24', // protocol assignments
  '192.0.2.0/24', // documentation
  '192.88.99.0/24', // 6to4 relays, deprecated
  '192.168.0.0/16', // private
  '198.18.0.0/15', // benchmarking
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, broadcast
  '::/3', // loopback, translated addresses, discard-only, and unallocated addresses
  '2001::/23', // protocol assignments, Teredo among them
  '2001:db8::/32', // documentation
  '3fff::/20', // documentation
  '4000::/2', // not allocated
  '8000::/1', // unique-local, link-local, multicast, and unallocated addresses
];

/** Within `::/3`, but as public as the embedded IPv4 address, which is checked, too (RFC 6052). */
export const NAT64 = ['64:ff9b::/96'];
