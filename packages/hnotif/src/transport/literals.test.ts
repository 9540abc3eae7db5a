import { expect, test } from 'vitest';
import { transport } from './testing/server.ts';

const METADATA = [
  '169.254.169.254',
  '169.254.169.254.',
  '2852039166',
  '0xa9fea9fe',
  '0xA9.0xFE.0xA9.0xFE',
  '0251.0376.0251.0376',
  '169.16689662',
  '169.254.43518',
  '１６９.254.169.254',
  '169。254。169。254',
  '%31%36%39.254.169.254',
  '[::ffff:169.254.169.254]',
  '[::ffff:a9fe:a9fe]',
  '[0:0:0:0:0:ffff:a9fe:a9fe]',
  '[::169.254.169.254]',
  '[64:ff9b::169.254.169.254]',
  '[2002:a9fe:a9fe::]',
  '[fe80::1]',
  '[fd00:ec2::254]',
  '0',
  '0.0.0.0',
  '[::]',
];

test.each(METADATA)('https://%s is refused by the first check, and by the connection', async (host) => {
  const client = transport();
  const url = new URL(`https://${host}/`);
  expect(client.problem(url)).toContain('metadata');
  expect(await client.post({ url, owner: 'team-a', headers: {}, body: '' })).toMatchObject({
    reason: 'EgressRefused',
    sent: false,
  });
});

test.each(['2130706433', '0x7f.1', '0177.0.0.1', '127.1', '[::ffff:127.0.0.1]', '[::1]'])(
  'https://%s is loopback, which a rule may deny',
  async (host) => {
    const client = transport({ egress: { deny: ['127.0.0.0/8', '::1'] } });
    const url = new URL(`https://${host}/`);
    expect(client.problem(url)).toContain('egress rules deny');
    expect(await client.post({ url, owner: 'team-a', headers: {}, body: '' })).toMatchObject({
      reason: 'EgressRefused',
    });
  },
);

test.each([
  '[fe80::1%25eth0]',
  '[fe80::1%eth0]',
  '256.0.0.1',
  '1.2.3.4.5',
  '0x1ffffffff',
  'a b',
  'a\0b',
  'a%00b',
])('https://%s is not a URL', (host) => {
  expect(URL.canParse(`https://${host}/`)).toBe(false);
});

test.each(['http://10.0.0.1/', 'http://[2001:db8::1]/', 'http://[::ffff:10.0.0.1]/', 'http://134744072/'])(
  'plain %s is refused although plain http is allowed, because it is not loopback',
  async (text) => {
    const client = transport();
    expect(client.problem(new URL(text))).toContain('loopback only');
    expect(await client.post({ url: new URL(text), owner: 'team-a', headers: {}, body: '' })).toMatchObject({
      reason: 'InsecureUrl',
      sent: false,
    });
  },
);

test.each([
  'ftp://127.0.0.1/',
  'ws://127.0.0.1/',
  'file:///etc/passwd',
  'data:,x',
  'blob:https://127.0.0.1/x',
])('%s is refused', async (text) => {
  const url = new URL(text);
  expect(transport().problem(url)).toBeDefined();
  expect(await transport().post({ url, owner: 'team-a', headers: {}, body: '' })).toMatchObject({
    reason: 'InsecureUrl',
  });
});
