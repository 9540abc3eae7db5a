import type { SecureContext } from 'node:tls';
import { expect, test } from 'vitest';
import { ManualClock } from '../../../core/src/testing/clock.ts';
import { EndpointResolver } from './endpoints.ts';
import { lookupGivenAddresses } from './lookups.ts';
import { EgressGuard } from './egress.ts';
import { Lookups } from './lookups.ts';

const clock = new ManualClock();
const endpoints = new EndpointResolver({
  clock,
  guard: new EgressGuard({ deny: ['9.9.9.9', '127.0.0.9'], allow: ['10.0.0.0/8'] }),
  allowInsecureHttp: true,
  // No connection is opened.
  context: {} as SecureContext,
  ca: undefined,
  proxy: undefined,
  lookups: new Lookups({
    clock,
    resolve: () => {
      throw new Error('a literal address is not looked up');
    },
    limit: 1,
  }),
  timeoutMs: 1_000,
});
const find = (url: string) => endpoints.resolve(new URL(url), { owner: 'team-a' });

test.each([
  'https://169.254.169.254',
  'https://[fe80::1]',
  'https://9.9.9.9',
  'https://192.168.0.1',
  'https://[fd00::1]',
  'https://127.0.0.1',
  'http://127.0.0.9',
])('an endpoint cannot be made for %s, by the address alone', async (url) => {
  await expect(find(url)).rejects.toMatchObject({ reason: 'EgressRefused' });
});

test('the endpoint of a private address is not public', async () => {
  expect(await find('https://8.8.8.8')).toMatchObject({ isPublic: true });
  expect(await find('https://10.0.0.1')).toMatchObject({ isPublic: false });
  expect(await find('http://127.0.0.1')).toMatchObject({ isPublic: false });
});

test('a connection does no look-up: its host is a list of addresses', () => {
  const answers: unknown[] = [];
  for (const [host, options] of [
    ['192.0.2.1,2001:db8::1', { all: true }],
    ['192.0.2.1,2001:db8::1', {}],
    ['hooks.example', { all: true }],
  ] as const)
    lookupGivenAddresses(host, options, (error, ...rest) => answers.push(error ?? rest));
  expect(answers).toMatchObject([
    [
      [
        { address: '192.0.2.1', family: 4 },
        { address: '2001:db8::1', family: 6 },
      ],
    ],
    ['192.0.2.1', 4],
    { reason: 'NetworkError' },
  ]);
});
