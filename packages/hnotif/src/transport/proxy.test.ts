import { expect, test } from 'vitest';
import { noProxyMatcher } from './proxy.ts';

const passes = noProxyMatcher(
  'example.com, .internal *.corp.example,10.0.0.0/8 fd00::/8,192.0.2.5,ported.example:8443,2001:db8:0::7,dotted.example.,[2001:db8::9]:8443',
);

test.each([
  ['example.com', 443],
  ['EXAMPLE.com', 443],
  ['hooks.example.com', 443],
  ['a.internal', 443],
  ['a.corp.example', 443],
  ['10.1.2.3', 443],
  ['[fd00::1]', 443],
  ['192.0.2.5', 443],
  ['2001:db8::7', 443],
  ['ported.example', 8443],
  ['example.com.', 443],
  ['dotted.example', 443],
  ['a.dotted.example.', 443],
  ['[::ffff:a01:203]', 443],
  ['[2001:db8::9]', 8443],
  ['localhost', 443],
  ['localhost.', 443],
  ['a.localhost', 443],
  ['[::ffff:7f00:1]', 443],
  ['127.0.0.1', 443],
  ['[::1]', 443],
])('%s:%i bypasses the proxy', (host, port) => {
  expect(passes(host, port)).toBe(true);
});

test.each([
  ['notexample.com', 443],
  ['example.com.evil', 443],
  ['11.0.0.1', 443],
  ['192.0.2.50', 443],
  ['ported.example', 443],
  ['2001:db8::8', 443],
  ['[2001:db8::9]', 443],
  ['notlocalhost', 443],
  ['localhost.example', 443],
  ['com', 443],
])('%s:%i goes through the proxy', (host, port) => {
  expect(passes(host, port)).toBe(false);
});

test('with a star every host bypasses the proxy, with an empty list only loopback', () => {
  expect(noProxyMatcher('*')('example.com', 443)).toBe(true);
  expect(noProxyMatcher('')('example.com', 443)).toBe(false);
  expect(noProxyMatcher('')('127.0.0.1', 443)).toBe(true);
});
