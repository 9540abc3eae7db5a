import { InvalidArgumentError } from 'commander';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { duration, formatDuration } from './durations.ts';
import {
  address,
  apiGroup,
  baseUrl,
  cidrs,
  connectorPolicy,
  countUpTo,
  formatAddress,
  namespace,
  namespaces,
  objectName,
  planResource,
  port,
  positive,
  speed,
  yesOrNo,
} from './values.ts';

describe('durations', () => {
  it.each([
    ['500ms', 500],
    ['30s', 30_000],
    ['35m', 2_100_000],
    ['1h30m', 5_400_000],
    ['1.5s', 1_500],
  ])('%s is %d ms', (text, ms) => {
    expect(duration(text)).toBe(ms);
  });

  it.each(['', '5', 's', '5 s', '-5s', '5d', '5s!', 'x5s'])('%j is refused', (text) => {
    expect(() => duration(text)).toThrow(InvalidArgumentError);
  });

  it.each([`${'9'.repeat(400)}h`, '99999999999h', '1000001h'])(
    '%s, with which no date can be reckoned, is refused',
    (text) => {
      expect(() => duration(text)).toThrow('at most 1000000h');
      expect(duration('1000000h')).toBe(3_600_000_000_000);
    },
  );

  it('are written so that they read back', () => {
    fc.assert(
      fc.property(fc.nat(100_000_000), (ms) => {
        expect(duration(formatDuration(ms))).toBe(ms);
      }),
      { seed: 3 },
    );
  });
});

describe('numbers with an upper bound', () => {
  it.each(['1', '10000'])('%s is in it', (text) => {
    expect(countUpTo(10_000)(text)).toBe(Number(text));
  });

  it.each(['0', '10001', '100000000', '1.5', '-1', 'x', '9'.repeat(400)])('%s is refused', (text) => {
    expect(() => countUpTo(10_000)(text)).toThrow('Give a whole number from 1 to 10000.');
  });

  it.each(['0', '1001', '1e300', 'x', 'Infinity'])('the speed %s is refused', (text) => {
    expect(() => speed(text)).toThrow('Give a number above 0, at most 1000.');
    expect(speed('0.5')).toBe(0.5);
  });
});

describe('addresses', () => {
  it.each([':8080', '127.0.0.1:0', '[::1]:65535', 'localhost:80'])('%s reads and writes back', (text) => {
    expect(formatAddress(address(text))).toBe(text);
  });

  it.each(['8080', ':65536', '::1:80', 'a:b', ''])('%j is refused', (text) => {
    expect(() => address(text)).toThrow(InvalidArgumentError);
  });
});

describe('networks', () => {
  it('come separated by commas, or in several flags', () => {
    expect(cidrs('fd00::/8, 192.168.0.0/16', cidrs('10.0.0.0/8'))).toEqual([
      '10.0.0.0/8',
      'fd00::/8',
      '192.168.0.0/16',
    ]);
  });

  it.each(['10.1.2.3/32', '0.0.0.0/0', '::/0', 'fd00::1/128', '10.128.0.0/9', '::ffff:10.0.0.0/104'])(
    '%s is one',
    (text) => {
      expect(cidrs(text)).toEqual([text]);
    },
  );

  it.each([
    '10.0.0.0',
    '10.0.0.0/33',
    '10.0.0.1/8',
    'fd00::1/8',
    '::ffff:10.0.0.1/104',
    '::/129',
    'example.com/8',
    '10.0.0.0/8/8',
    '10.0.0.0/',
    'fe80::1%eth0/64',
    '',
  ])('%j is refused', (text) => {
    expect(() => cidrs(text)).toThrow(InvalidArgumentError);
  });
});

describe('names', () => {
  it('an API group has a dot', () => {
    expect(apiGroup('hibernation.dev')).toBe('hibernation.dev');
    for (const text of ['hibernation', 'Hibernation.dev', 'a..b', '-a.b', ''])
      expect(() => apiGroup(text)).toThrow(InvalidArgumentError);
  });

  it('a plan resource is PLURAL.VERSION.GROUP', () => {
    expect(planResource('hibernateplans.v1alpha1.hibernator.example.com')).toEqual({
      plural: 'hibernateplans',
      version: 'v1alpha1',
      group: 'hibernator.example.com',
    });
    for (const text of ['hibernateplans', 'hibernateplans.hibernation.dev', 'a.v1.b', 'a.v1beta.b.c'])
      expect(() => planResource(text)).toThrow(InvalidArgumentError);
  });
});

it('numbers and ports have their ranges', () => {
  expect([positive('0.5'), port('0'), port('65535')]).toEqual([0.5, 0, 65_535]);
  for (const text of ['0', '-1', 'x', 'Infinity', ''])
    expect(() => positive(text)).toThrow(InvalidArgumentError);
  for (const text of ['65536', '-1', '1.5', '']) expect(() => port(text)).toThrow(InvalidArgumentError);
});

it('the address of an API is bare, and loses the slash at its end', () => {
  expect(baseUrl('https://slack.com/api')).toBe('https://slack.com/api');
  expect(baseUrl('HTTP://127.0.0.1:8081/')).toBe('http://127.0.0.1:8081');
  for (const text of ['', 'slack.com/api', 'ftp://x/', 'https://u:p@x/', 'https://x/?a=1', 'https://x/#a'])
    expect(() => baseUrl(text)).toThrow(InvalidArgumentError);
});

describe('lists of namespaces', () => {
  const many = (count: number): string => Array.from({ length: count }, (_, at) => `team-${at}`).join();

  it('are read, and a repeated flag adds to them', () => {
    expect(namespaces('b, c', namespaces('a'))).toEqual(['a', 'b', 'c']);
    expect(namespaces(many(100))).toHaveLength(100);
  });

  it.each(['', 'a,', 'A', 'a.b', 'all,*', 'a,b,a', 'x'.repeat(64), many(101)])('%j is refused', (text) => {
    expect(() => namespaces(text)).toThrow(InvalidArgumentError);
  });
});

describe('names of objects', () => {
  it('are DNS names; those of namespaces have no dots', () => {
    expect([objectName('a.b-c'), namespace('team-1')]).toEqual(['a.b-c', 'team-1']);
    for (const wrong of ['', 'A', 'a_b', '-a', 'a.', 'a..b', `${'a'.repeat(63)}.`.repeat(4)])
      expect(() => objectName(wrong)).toThrow(InvalidArgumentError);
    for (const wrong of ['', 'a.b', 'a'.repeat(64)])
      expect(() => namespace(wrong)).toThrow(InvalidArgumentError);
  });
});

it('a switch is true or false, and nothing else', () => {
  expect(['true', '1', 'false', '0'].map(yesOrNo)).toEqual([true, true, false, false]);
  for (const wrong of ['', 'yes', 'TRUE?']) expect(() => yesOrNo(wrong)).toThrow(InvalidArgumentError);
});

describe('a policy of connectors', () => {
  it.each([
    ['all', 'all'],
    ['none', 'none'],
    ['platform', ['platform']],
    ['platform, shared-1', ['platform', 'shared-1']],
  ])('reads %s', (text, policy) => {
    expect(connectorPolicy(text)).toEqual(policy);
  });

  it.each(['', ',', 'a,', 'All', 'a b', 'all,a', 'a,none', 'a/b'])('refuses "%s"', (text) => {
    expect(() => connectorPolicy(text)).toThrow(InvalidArgumentError);
  });
});
