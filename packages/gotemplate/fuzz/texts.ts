/** Texts in the formats that functions expect: mostly valid, sometimes not. */
import type { Random } from './random.ts';
import { format } from './texts/format.ts';
import { json } from './texts/json.ts';
import { numeral, plain } from './texts/plain.ts';
import { regex, replacement } from './texts/regex.ts';
import { date, duration, layout, zone } from './texts/time.ts';
import { path, url } from './texts/url.ts';
import { constraint, version } from './texts/version.ts';

const KEYS = [
  'a',
  'b',
  'c',
  's',
  'n',
  'l',
  'm',
  'name',
  'nope',
  '',
  'é',
  '__proto__',
  'constructor',
  'toString',
];
const BASE64 = 'aGVsbG8= aGVsbG8 w4k= /w== ==== NBSWY3DP NBSWY3DPEB3W64TMMQ====== MY aGVsbG8h é'.split(' ');
const TYPES = [
  ...'string int float64 map slice struct ptr bool invalid int64 interface func time.Time sample.Box'.split(
    ' ',
  ),
  ...['*sample.Box', '[]interface {}', 'map[string]interface {}', '*semver.Version'],
];

const FLAVOURS = {
  plain,
  numeral,
  regex: (random: Random) => regex(random),
  replacement,
  layout,
  zone,
  date,
  duration,
  version,
  constraint,
  json: (random: Random) => json(random),
  url,
  path,
  format,
  base64: (random: Random) => random.pick([...BASE64, '', 'aGVs\nbG8=']),
  key: (random: Random) => random.pick(KEYS),
  typename: (random: Random) => random.pick(TYPES),
  separator: (random: Random) => random.pick([',', '', ' ', '-', '/', 'o', 'é', '\n', ', ', '.']),
};

/** The intended format of a string argument. */
export type Flavour = keyof typeof FLAVOURS;

/** Bytes that are not UTF-8 are U+DC80 to U+DCFF, as in the engine's strings. */
export function textOf(random: Random, flavour: Flavour): string {
  return FLAVOURS[flavour](random);
}
