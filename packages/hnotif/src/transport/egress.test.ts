import { expect, test } from 'vitest';
import { EgressGuard, isLoopback, isPublic } from './egress.ts';

const open = new EgressGuard({});

test.each([
  '169.254.169.254',
  '169.254.170.2',
  'fe80::1',
  'fe80::1%eth0',
  'febf:ffff::1',
  'fd00:ec2::254',
  'fd00:ec2::23',
  'fd20:ce::254',
  '100.100.100.200',
  '168.63.129.16',
  '0.0.0.0',
  '::',
  '::ffff:169.254.169.254',
  '::ffff:a9fe:a9fe',
  '::ffff:169.254.169.254%eth0',
  '0:0:0:0:0:ffff:a9fe:a9fe',
  '::169.254.169.254',
  '64:ff9b::169.254.169.254',
  '64:ff9b:1::a9fe:a9fe',
  '::ffff:0:169.254.169.254',
  '2002:a9fe:a9fe::1',
  '2001:0:a9fe:a9fe::1', // Teredo, the server's
  '2001:0:4136:e378:8000:63bf:5601:5601', // Teredo, the client's
  'fd12::5efe:169.254.169.254', // ISATAP
  '2001:db8::200:5efe:a9fe:a9fe', // ISATAP, global
  '64:ff9b:1:a9fe:a9:fe00::', // NAT64 behind 48 bits
  '64:ff9b:1:a9:fe:a9fe::', // …56
  '64:ff9b:1:0:a9:fea9:fe00::', // …64
  'no address',
])('%s is refused whatever the rules allow', (address) => {
  expect(open.refusal(address)).toBeDefined();
  expect(
    new EgressGuard({ deny: ['0.0.0.0/0', '::/0'], allow: ['0.0.0.0/0', '::/0'] }).refusal(address),
  ).toBeDefined();
});

test.each([
  '8.8.8.8',
  '169.253.255.255',
  '100.63.255.255',
  '100.128.0.0',
  '172.32.0.1',
  '192.0.1.1',
  '198.20.0.1',
  '223.255.255.255',
  '::ffff:8.8.8.8',
  '64:ff9b::808:808',
  '2002:808:808::1',
  '2606:4700::1111',
  '2001:4860:4860::8888',
])('%s is public and permitted where no rule denies it', (address) => {
  expect(open.refusal(address)).toBeUndefined();
  expect(isPublic(address)).toBe(true);
});

test.each([
  '127.0.0.1',
  '10.1.2.3',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.1.1',
  '100.64.0.1',
  '100.127.255.255',
  '192.0.0.1',
  '192.0.2.7',
  '192.88.99.1',
  '198.18.0.1',
  '198.19.255.255',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
  '::1',
  '::ffff:10.0.0.1',
  '::8.8.8.8', // compatible: no network carries it any more
  '64:ff9b::10.0.0.1',
  '64:ff9b:1::808:808',
  '100::1',
  '2001:0:808:808::1',
  '2001:db8::1',
  '2002:a00:1::1',
  '3fff::1',
  '5f00::1',
  'fc00::1',
  'fd00:ec3::254',
  'ff02::1',
])('%s is not public, and permitted only where it is allowed', (address) => {
  expect(open.refusal(address)).toContain('--egress-allow');
  expect(isPublic(address)).toBe(false);
  expect(new EgressGuard({ allow: ['0.0.0.0/0', '::/0'] }).refusal(address)).toBeUndefined();
  expect(new EgressGuard({ deny: ['8.8.4.4'] }).refusal(address)).toBeDefined();
});

test('an address in deny is refused unless it is in allow too', () => {
  const guard = new EgressGuard({ deny: ['11.0.0.0/8', '2a00::/16', '9.9.9.1'], allow: ['11.9.0.0/16'] });
  expect(guard.refusal('11.1.0.1')).toBeDefined();
  expect(guard.refusal('2a00::1')).toBeDefined();
  expect(guard.refusal('9.9.9.1')).toBeDefined();
  expect(guard.refusal('9.9.9.2')).toBeUndefined();
  expect(guard.refusal('11.9.0.1')).toBeUndefined();
  expect(guard.refusal('12.0.0.1')).toBeUndefined();
});

test('an IPv4 rule holds for the IPv4 address inside an IPv6 one', () => {
  const guard = new EgressGuard({ deny: ['11.0.0.0/8'] });
  for (const address of ['::ffff:11.0.0.1', '64:ff9b::b00:1', '2002:b00:1::'])
    expect(guard.refusal(address)).toBeDefined();
  expect(guard.refusal('::ffff:12.0.0.1')).toBeUndefined();
});

test('a rule for one family does not apply to the other', () => {
  const denied = ['0.0.0.0/0', '::/0'];
  const only6 = new EgressGuard({ deny: denied, allow: ['::/0'] });
  expect(only6.refusal('2001:db8::1')).toBeUndefined();
  for (const address of ['10.0.0.1', '::ffff:10.0.0.1']) expect(only6.refusal(address)).toBeDefined();
  const no6 = new EgressGuard({ deny: ['::/0'] });
  expect(no6.refusal('2001:db8::1')).toBeDefined();
  expect(no6.refusal('8.8.8.8')).toBeUndefined();
});

test('a range of mapped addresses is a range of IPv4 addresses', () => {
  const guard = new EgressGuard({ deny: ['::ffff:11.0.0.0/104', '::ffff:9.9.9.1'] });
  for (const address of ['11.9.9.9', '::ffff:11.9.9.9', '9.9.9.1'])
    expect(guard.refusal(address)).toBeDefined();
  for (const address of ['12.0.0.1', '9.9.9.2', '2a00::1']) expect(guard.refusal(address)).toBeUndefined();
});

test('NAT64 for local use is judged by the address that it translates to', () => {
  const guard = new EgressGuard({
    deny: ['0.0.0.0/0', '::/0'],
    allow: ['64:ff9b:1::/48', '198.51.100.0/24'],
  });
  expect(guard.refusal('64:ff9b:1::198.51.100.7')).toBeUndefined();
  for (const address of ['64:ff9b:1::198.51.101.7', '64:ff9b:1:c633:65:700::'])
    expect(guard.refusal(address)).toBeDefined();
});

test('with everything denied, only the allowed ranges are permitted', () => {
  const guard = new EgressGuard({ deny: ['0.0.0.0/0', '::/0'], allow: ['198.51.100.0/24', '2001:db8::/32'] });
  expect(guard.refusal('198.51.100.7')).toBeUndefined();
  expect(guard.refusal('::ffff:198.51.100.7')).toBeUndefined();
  expect(guard.refusal('2001:db8:1::')).toBeUndefined();
  expect(guard.refusal('8.8.8.8')).toBeDefined();
  expect(guard.refusal('2001:db9::')).toBeDefined();
});

test.each([
  '10.0.0.0/33',
  'fd00::/129',
  'example.com',
  '10.0.0.0/',
  '10.0.0.0/8/8',
  '',
  '10.0.0/8',
  'fe80::1%1/64',
])('the error of the range "%s" names it', (range) => {
  expect(() => new EgressGuard({ deny: [range] })).toThrow(`"${range}" is not an address range`);
});

test('loopback is 127.0.0.0/8 and ::1, in every notation', () => {
  for (const address of ['127.0.0.1', '127.9.9.9', '::1', '0:0:0:0:0:0:0:1', '::ffff:127.0.0.1'])
    expect(isLoopback(address)).toBe(true);
  for (const address of ['no address', '128.0.0.1', '::', '::2', '0.0.0.0', '10.0.0.1', '::ffff:10.0.0.1'])
    expect(isLoopback(address)).toBe(false);
});
