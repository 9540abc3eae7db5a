import * as tls from 'node:tls';
import { expect, test } from 'vitest';
import { connectorOf } from './connect.ts';
import { EgressGuard } from './egress.ts';

const connect = connectorOf({
  guard: new EgressGuard({ deny: ['192.0.2.0/24', '127.0.0.9'] }),
  context: tls.createSecureContext(),
  proxy: undefined,
  resolve: () => {
    throw new Error('a literal address is not looked up');
  },
  timeoutMs: 1_000,
  signal: new AbortController().signal,
});

test.each([
  ['https:', '169.254.169.254'],
  ['https:', 'fe80::1'],
  ['https:', '192.0.2.1'],
  ['http:', '127.0.0.9'],
  ['http:', '198.51.100.1'],
  ['http:', '2001:db8::1'],
])('a connection to %s %s is refused by the address alone', (protocol, hostname) => {
  const errors: unknown[] = [];
  connect({ protocol, hostname, port: '' }, (...[error]) => {
    errors.push(error);
  });
  expect(errors).toMatchObject([{ reason: 'EgressRefused' }]);
});
