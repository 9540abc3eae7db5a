import { describe, expect, test } from 'vitest';
import { GoError } from '../errors.ts';
import { type Func, type GoMap, type Value, dict } from '../value/value.ts';
import { contextOf } from '../testing/context.ts';
import { url } from './url.ts';

function call(name: 'urlParse' | 'urlJoin', arg: Value): Value {
  return (url[name] as Func).call(contextOf(), [arg]);
}

const NONE = Object.fromEntries(
  ['scheme', 'host', 'hostname', 'path', 'query', 'opaque', 'fragment', 'userinfo'].map((part) => [part, '']),
);

/** What stands between brackets as a host, and what Go says of it. */
const BAD_HOSTS: [host: string, problem: string][] = [
  ['1:2', 'address string too short'],
  ['1::2::3', 'multiple :: in address (at ":3")'],
  ['::1.2.3', 'IPv4 address too short'],
  [
    '1:2:3:4:5:6:7:1.2.3.4',
    'embedded IPv4 address must replace the final 2 fields of the address (at "1.2.3.4")',
  ],
  ['12345::', 'each group must have 4 or less digits (at "12345::")'],
  ['1:2:3:4:5:6:7:8::', 'the :: must expand to at least one field of zeros'],
  ['::g', 'each colon-separated field must have at least one digit (at "g")'],
  ['1:', 'colon must be followed by more characters (at ":")'],
  ['1.2.3.4.5', 'IPv4 address too long'],
  ['::1.2.3.256', 'IPv4 field has value >255'],
  ['::01.2.3.4', 'IPv4 field has octet with leading zero'],
  [
    '::1:2:3:4:5:6:7:1.2.3.4',
    'too many hex fields to fit an embedded IPv4 at the end of the address (at "1.2.3.4")',
  ],
  ['x', 'unable to parse IP'],
  ['1.2.3.4::', 'unexpected character (at "::")'],
  ['1:2:3:4:5:6:7:8:9', 'trailing garbage after address (at "9")'],
  ['1:2:3:4:5:6:7', 'address string too short'],
  ['::1.2.3.', 'IPv4 field must have at least one digit (at ".")'],
];

describe('urlParse, as Go does it', () => {
  test.each(BAD_HOSTS)('refuses the address %s: %s', (host, problem) => {
    const text = `http://[${host}]/`;
    expect(() => call('urlParse', text)).toThrow(
      new GoError(`unable to parse url: parse "${text}": invalid host: ParseAddr("${host}"): ${problem}`),
    );
  });

  test.each<[text: string, result: string | Readonly<Record<string, string>>]>([
    ['///p', { path: '///p' }],
    ['http://h:1:2/', 'parse "http://h:1:2/": invalid port ":1:2" after host'],
    ['ftp://h:1:2/', { host: 'h:1:2', hostname: 'h:1', path: '/', scheme: 'ftp' }],
    ['ftp://::1', { host: '::1', hostname: ':', scheme: 'ftp' }],
    [
      'http://[fe80::1%25en%20]/',
      { host: '[fe80::1%en ]', hostname: 'fe80::1%en ', path: '/', scheme: 'http' },
    ],
    ['*', { path: '*' }],
    ['mailto:a@b', { opaque: 'a@b', scheme: 'mailto' }],
    ['http://x[::1]/', 'parse "http://x[::1]/": invalid IP-literal'],
    ['http://[::1]x', 'parse "http://[::1]x": invalid port "x" after host'],
    ['http://[1.2.3.4]/', 'parse "http://[1.2.3.4]/": invalid IP-literal'],
    ['http://h%41/', 'parse "http://h%41/": invalid URL escape "%41"'],
    ['http://h%e9/', { host: 'h\udce9', hostname: 'h\udce9', path: '/', scheme: 'http' }],
    [
      'http://[1:2:3:4:5:6:1.2.3.4]/',
      { host: '[1:2:3:4:5:6:1.2.3.4]', hostname: '1:2:3:4:5:6:1.2.3.4', path: '/', scheme: 'http' },
    ],
    ['http://[%2541]/', 'parse "http://[%2541]/": invalid host: ParseAddr("%41"): missing IPv6 address'],
    [
      'http://[::1%25]/',
      'parse "http://[::1%25]/": invalid host: ParseAddr("::1%"): zone must be a non-empty string',
    ],
  ])('%s', (text, result) => {
    if (typeof result === 'string')
      expect(() => call('urlParse', text)).toThrow(new GoError(`unable to parse url: ${result}`));
    else {
      const { entries } = call('urlParse', text) as GoMap;
      expect(entries).toEqual(new Map(Object.entries({ ...NONE, ...result })));
    }
  });
});

test.each<[parts: Readonly<Record<string, string>>, text: string]>([
  [{ path: '*' }, '*'],
  [{ scheme: 'http' }, 'http:'],
])('urlJoin of %j, as Go does it', (parts, text) => {
  expect(call('urlJoin', dict(Object.entries(parts)))).toBe(text);
});
