import { describe, expect, test } from 'vitest';
import { GoError } from '../errors.ts';
import { type Func, type GoMap, type Value, dict, list } from '../value/value.ts';
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
  ['1:2:3:4:5:6:7:8:9', 'trailing garbage after address (at "9")'],
  ['1:2:3:4:5:6:7', 'address string too short'],
  ['::1.2.3.', 'IPv4 field must have at least one digit (at ".")'],
  ['::1.2.x.4', 'unexpected character (at "x.4")'],
  ['1.2.3.4::', 'unexpected character (at "::")'],
];

describe('urlParse, as Go does it', () => {
  test.each(BAD_HOSTS)('refuses the address %s: %s', (host, problem) => {
    const text = `http://[${host}]/`;
    expect(() => call('urlParse', text)).toThrow(
      new GoError(`unable to parse url: parse "${text}": invalid host: ParseAddr("${host}"): ${problem}`),
    );
  });

  test.each<[text: string, result: string | Readonly<Record<string, string>>]>([
    ['', {}],
    ['*', { path: '*' }],
    [
      'http://u:p%40@h.com:8080/a%20b?x=1#f%20g',
      {
        fragment: 'f g',
        host: 'h.com:8080',
        hostname: 'h.com',
        path: '/a b',
        query: 'x=1',
        scheme: 'http',
        userinfo: 'u:p%40',
      },
    ],
    ['mailto:a@b', { opaque: 'a@b', scheme: 'mailto' }],
    ['HTTP://H/p', { host: 'H', hostname: 'H', path: '/p', scheme: 'http' }],
    ['//h/p', { host: 'h', hostname: 'h', path: '/p' }],
    ['///p', { path: '///p' }],
    ['/a:b', { path: '/a:b' }],
    ['a:b', { opaque: 'b', scheme: 'a' }],
    ['1a:b', 'parse "1a:b": first path segment in URL cannot contain colon'],
    ['a/b:c', { path: 'a/b:c' }],
    ['?q', { query: 'q' }],
    ['#f', { fragment: 'f' }],
    ['http://h?', { host: 'h', hostname: 'h', scheme: 'http' }],
    ['http://h:1:2/', 'parse "http://h:1:2/": invalid port ":1:2" after host'],
    ['ftp://h:1:2/', { host: 'h:1:2', hostname: 'h:1', path: '/', scheme: 'ftp' }],
    ['ftp://::1', { host: '::1', hostname: ':', scheme: 'ftp' }],
    ['http://[::1]:80/', { host: '[::1]:80', hostname: '::1', path: '/', scheme: 'http' }],
    [
      'http://[fe80::1%25en%20]/',
      { host: '[fe80::1%en ]', hostname: 'fe80::1%en ', path: '/', scheme: 'http' },
    ],
    ['http://[1.2.3.4]/', 'parse "http://[1.2.3.4]/": invalid IP-literal'],
    ['http://[::1/', 'parse "http://[::1/": missing \']\' in host'],
    ['http://x[::1]/', 'parse "http://x[::1]/": invalid IP-literal'],
    ['http://[::1]x', 'parse "http://[::1]x": invalid port "x" after host'],
    ['http://h:x/', 'parse "http://h:x/": invalid port ":x" after host'],
    ['http://h%41/', 'parse "http://h%41/": invalid URL escape "%41"'],
    ['http://h%e9/', { host: 'h\udce9', hostname: 'h\udce9', path: '/', scheme: 'http' }],
    ['http://a b/', 'parse "http://a b/": invalid character " " in host name'],
    ['http://h/%zz', 'parse "http://h/%zz": invalid URL escape "%zz"'],
    ['http://h/%4', 'parse "http://h/%4": invalid URL escape "%4"'],
    ['http://h/#%', 'parse "http://h/#%": invalid URL escape "%"'],
    ['http://a@b@h/', { host: 'h', hostname: 'h', path: '/', scheme: 'http', userinfo: 'a%40b' }],
    ['http://u ser@h/', 'parse "http://u ser@h/": net/url: invalid userinfo'],
    [':x', 'parse ":x": missing protocol scheme'],
    ['a\x7f', 'parse "a\\x7f": net/url: invalid control character in URL'],
    [
      'http://[1:2:3:4:5:6:1.2.3.4]/',
      { host: '[1:2:3:4:5:6:1.2.3.4]', hostname: '1:2:3:4:5:6:1.2.3.4', path: '/', scheme: 'http' },
    ],
    ['http://[%2541]/', 'parse "http://[%2541]/": invalid host: ParseAddr("%41"): missing IPv6 address'],
    [
      'http://[::1%25]/',
      'parse "http://[::1%25]/": invalid host: ParseAddr("::1%"): zone must be a non-empty string',
    ],
    ['http://h/é?ü', { host: 'h', hostname: 'h', path: '/é', query: 'ü', scheme: 'http' }],
  ])('%s', (text, result) => {
    if (typeof result === 'string')
      expect(() => call('urlParse', text)).toThrow(new GoError(`unable to parse url: ${result}`));
    else {
      const { entries } = call('urlParse', text) as GoMap;
      expect(entries).toEqual(new Map(Object.entries({ ...NONE, ...result })));
    }
  });
});

describe('urlJoin, as Go does it', () => {
  test.each<[parts: Readonly<Record<string, string>>, text: string]>([
    [{}, ''],
    [
      { scheme: 'http', host: 'h:80', path: '/p q', query: 'a b', fragment: 'f g', userinfo: 'u:p@ss' },
      'http://u:p%40ss@h:80/p%20q?a b#f%20g',
    ],
    [{ scheme: 'mailto', opaque: 'a@b', query: 'q' }, 'mailto:a@b?q'],
    [{ path: 'a:b' }, './a:b'],
    [{ path: '*' }, '*'],
    [{ scheme: 'http', path: '/p' }, 'http:///p'],
    [{ scheme: 'http' }, 'http:'],
    [{ host: 'h', path: 'p' }, '//h/p'],
    [{ scheme: 'http', host: 'h', path: '/a?b#c%d[é]' }, 'http://h/a%3Fb%23c%25d%5B%C3%A9%5D'],
    [{ scheme: 'http', host: '[::1]"<é' }, 'http://[::1]"<%C3%A9'],
    [{ host: 'h', userinfo: 'a/b' }, '//h'],
    [{ userinfo: 'u' }, '//u@'],
    [{ fragment: "!'()*%" }, '#!%27()*%25'],
  ])('%j', (parts, text) => {
    expect(call('urlJoin', dict(Object.entries(parts)))).toBe(text);
  });

  test.each<[key: string, value: Value, error: string]>([
    ['host', 5n, 'unable to parse host key, must be of type string, but int found'],
    ['path', list([]), 'unable to parse path key, must be of type string, but slice found'],
    ['query', null, 'runtime error: invalid memory address or nil pointer dereference'],
    [
      'userinfo',
      'a b',
      'unable to parse userinfo in dict: parse "proto://a b@host": net/url: invalid userinfo',
    ],
  ])('refuses %s: %s', (key, value, error) => {
    expect(() => call('urlJoin', dict([[key, value]]))).toThrow(new GoError(error));
  });
});
