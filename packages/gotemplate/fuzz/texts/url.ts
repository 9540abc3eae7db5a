import type { Random } from '../random.ts';

const SCHEMES = [
  'http://',
  'https://',
  '',
  '//',
  'mailto:',
  'ftp://user:p%40ss@',
  'http://u@',
  'x:',
  ':',
  '1http://',
];
const HOSTS =
  'example.com localhost:8080 [::1]:80 é.com host:port EXAMPLE.com: [fe80::1%25en0] %41.com'.split(' ');
const PATHS = '/ /a/b /a%20b/c /../x /%zz /é /;p * /a%2Fb //'.split(' ');
const SEGMENTS = ['a', 'b.txt', '..', '.', '', 'c.tar.gz', '.hidden', 'd.', 'é'];

export const url = (random: Random): string =>
  random.pick(SCHEMES) +
  random.pick([...HOSTS, '', 'a b']) +
  random.pick([...PATHS, '', '/a b']) +
  random.pick(['', '?', '?x=1&y=a%26b', '?q=a b', '?é']) +
  random.pick(['', '#', '#frag', '#a%20b', '#a b', '#%']);

export const path = (random: Random): string =>
  random.pick(['', '/', '//', './', '../']) + random.times(0, 4, () => random.pick(SEGMENTS)).join('/');
