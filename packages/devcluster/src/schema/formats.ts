import { isIPv4, isIPv6 } from 'node:net';

/**
 * The string formats that the server enforces. It ignores others. Dashes in a format's name do not count, as in kube-openapi's `strfmt`.
 * The server also has `bsonobjectid`, `isbn`, `isbn10`, `isbn13`, `creditcard`, `ssn`, `hexcolor` and `rgbcolor`. A CRD that uses them is
 * refused here, see `unsupportedFormats`.
 */
const checks = new Map<string, (text: string) => boolean>([
  ['byte', isBase64],
  ['cidr', isCidr],
  ['date', (text) => isDate(text)],
  ['datetime', isDateTime],
  ['duration', (text) => parseDuration(text) !== undefined],
  ['email', isEmail],
  ['hostname', isHostname],
  ['ipv4', isIPv4],
  ['ipv6', (text) => isIPv6(text) && !text.includes('%')],
  ['mac', isMac],
  ['password', () => true],
  ['uri', isUri],
  ['uuid', uuid('[0-9a-f]', '[0-9a-f]')],
  ['uuid3', uuid('3', '[0-9a-f]')],
  ['uuid4', uuid('4', '[89ab]')],
  ['uuid5', uuid('5', '[89ab]')],
]);

/** Formats that only the real server checks. */
export const unsupportedFormats: ReadonlySet<string> = new Set([
  'bsonobjectid',
  'isbn',
  'isbn10',
  'isbn13',
  'creditcard',
  'ssn',
  'hexcolor',
  'rgbcolor',
]);

/** The check of a format; undefined if the server ignores it. */
export function formatCheck(format: string): ((text: string) => boolean) | undefined {
  return checks.get(format.replaceAll('-', ''));
}

function isBase64(text: string): boolean {
  return /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})$/.test(text);
}

function isCidr(text: string): boolean {
  const [, address, bits] = /^([^/]+)\/(\d{1,3})$/.exec(text) ?? [];
  if (address === undefined || bits === undefined || String(Number(bits)) !== bits) return false;
  if (isIPv4(address)) return Number(bits) <= 32;
  return isIPv6(address) && !address.includes('%') && Number(bits) <= 128;
}

function isDate(text: string): boolean {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text) ?? [];
  if (year === undefined) return false;
  const date = new Date(`${text}T00:00:00Z`);
  return date.getUTCMonth() + 1 === Number(month) && date.getUTCDate() === Number(day);
}

/** RFC 3339. The server also accepts `t` and `z` in lower case. */
function isDateTime(text: string): boolean {
  const [, date, hour, minute, second, , zoneHour, zoneMinute] =
    /^(\d{4}-\d\d-\d\d)t(\d\d):(\d\d):(\d\d)(?:\.\d+)?(z|[+-](\d\d):(\d\d))$/i.exec(text) ?? [];
  return (
    date !== undefined &&
    isDate(date) &&
    Number(hour) < 24 &&
    Number(minute) < 60 &&
    Number(second) < 60 &&
    Number(zoneHour ?? 0) < 24 &&
    Number(zoneMinute ?? 0) < 60
  );
}

const unitNanoseconds = new Map<string, bigint>([
  ['ns', 1n],
  ['us', 1_000n],
  ['µs', 1_000n],
  ['μs', 1_000n],
  ['ms', 1_000_000n],
  ['s', 1_000_000_000n],
  ['m', 60_000_000_000n],
  ['h', 3_600_000_000_000n],
]);
const maxDuration = 2n ** 63n - 1n;

/** The units that the server has besides Go's. The last name of each may have any ending: `days`, `weeks`. */
const wordUnits: readonly (readonly [readonly string[], bigint])[] = [
  [['ns', 'nano'], 1n],
  [['us', 'µs', 'micro'], 1_000n],
  [['ms', 'milli'], 1_000_000n],
  [['s', 'sec'], 1_000_000_000n],
  [['m', 'min'], 60_000_000_000n],
  [['h', 'hr', 'hour'], 3_600_000_000_000n],
  [['d', 'day'], 86_400_000_000_000n],
  [['w', 'wk', 'week'], 604_800_000_000_000n],
];

/** A duration in nanoseconds: Go's form (`1h30m`, `-1.5s`) or a number and a word (`2 days`); undefined for others. */
export function parseDuration(text: string): bigint | undefined {
  return parseGoDuration(text) ?? parseWordDuration(text);
}

function parseGoDuration(text: string): bigint | undefined {
  const [, sign, rest] = /^([+-]?)(.+)$/s.exec(text) ?? [];
  if (rest === undefined) return undefined;
  if (rest === '0') return 0n;
  let total = 0n;
  let end = 0;
  for (const match of rest.matchAll(/(\d+(?:\.\d*)?|\.\d+)(ns|us|µs|μs|ms|s|m|h)/gy)) {
    const [whole, number, unit] = match;
    total += scaled(number ?? '', unitNanoseconds.get(unit ?? '') ?? 0n);
    end += whole.length;
  }
  if (end !== rest.length || total > maxDuration) return undefined;
  return sign === '-' ? -total : total;
}

function parseWordDuration(text: string): bigint | undefined {
  if (!/^\s*(?:\d+\s*[A-Za-zµ]+\s*)+$/.test(text)) return undefined;
  let total: bigint | undefined;
  for (const [, number, word] of text.matchAll(/(\d+)\s*([A-Za-zµ]+)/g)) {
    const unit = wordUnit((word ?? '').toLowerCase());
    if (unit !== undefined) total = (total ?? 0n) + BigInt(number ?? '0') * unit;
  }
  return total;
}

function wordUnit(word: string): bigint | undefined {
  return wordUnits.find(([names]) => names.includes(word) || word.startsWith(names.at(-1) ?? ' '))?.[1];
}

/** A decimal number of units in nanoseconds, without digits below a nanosecond. */
function scaled(number: string, unit: bigint): bigint {
  const [whole = '', fraction = ''] = number.split('.');
  const part = fraction === '' ? 0n : (BigInt(fraction) * unit) / 10n ** BigInt(fraction.length);
  return BigInt(whole === '' ? '0' : whole) * unit + part;
}

/** One address by RFC 5322, also with a name and angle brackets. */
function isEmail(text: string): boolean {
  const address = /^[^<>]*<([^<>]+)>\s*$/.exec(text)?.[1] ?? text.trim();
  const at = address.lastIndexOf('@');
  const local = address.slice(0, Math.max(at, 0));
  const atoms = /^[\p{L}\p{N}!#$%&'*+/=?^_`{|}~-]+(?:\.[\p{L}\p{N}!#$%&'*+/=?^_`{|}~-]+)*$/u;
  const domain = address.slice(at + 1);
  const literal = /^\[[^[\]\\]*\]$/.test(domain);
  return (atoms.test(local) || /^"(?:[^"\\]|\\.)*"$/.test(local)) && (literal || atoms.test(domain));
}

function isHostname(text: string): boolean {
  const parts = text.split('.');
  const label = /^[\p{L}\p{N}\p{S}](?:[\p{L}\p{N}\p{S}-]*[\p{L}\p{N}\p{S}])?$/u;
  return (
    Buffer.byteLength(text) <= 255 &&
    parts.every((part) => label.test(part) && Buffer.byteLength(part) <= 63) &&
    (parts.length === 1 || (parts.at(-1) ?? '').length >= 2)
  );
}

function isMac(text: string): boolean {
  const groups = [/^(?:[\da-f]{2}([:-]))(?:[\da-f]{2}\1){4}[\da-f]{2}$/i, /^(?:[\da-f]{4}\.){2}[\da-f]{4}$/i];
  const longer = [/^(?:[\da-f]{2}([:-]))(?:[\da-f]{2}\1){6}[\da-f]{2}$/i, /^(?:[\da-f]{4}\.){3}[\da-f]{4}$/i];
  return [...groups, ...longer].some((group) => group.test(text));
}

/** Like Go's `url.ParseRequestURI`: an absolute URI or an absolute path, without spaces and invalid escapes. */
function isUri(text: string): boolean {
  if (/[\u0000-\u0020\u007f]/.test(text) || /%(?![\da-f]{2})/i.test(text)) return false;
  if (text.startsWith('/')) return true;
  return /^[a-z][a-z\d+.-]*:/i.test(text) && (!/^https?:/i.test(text) || URL.canParse(text));
}

function uuid(version: string, variant: string): (text: string) => boolean {
  const hex = '[0-9a-f]';
  const pattern = `^${hex}{8}-?${hex}{4}-?${version}${hex}{3}-?${variant}${hex}{3}-?${hex}{12}$`;
  const compiled = new RegExp(pattern, 'i');
  return (text) => compiled.test(text);
}
