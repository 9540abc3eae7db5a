import { kindOf } from '../config.ts';
import { holdsPlaceholder } from '../placeholder.ts';

/** RFC 9110 section 5.6.2. */
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/** RFC 9110 section 5.5, without the characters that only obsolete line folding needs. */
const BAD_CHARACTER = /[^\t\x20-\x7e\x80-\xff]/;

const CONNECTION = 'it belongs to the connection, which hnotif manages';
const OURS = 'hnotif sets it for every delivery';

/** Servers refuse requests with more than 8 to 16 KiB of headers. */
const MOST_HEADERS = 50;
const LONGEST_VALUE = 8 * 1024;

/** Headers that a configuration may not set, and why. */
const RESERVED: Readonly<Record<string, string>> = {
  connection: CONNECTION,
  'content-encoding': 'the body is not encoded',
  'content-length': 'it is computed from the body',
  expect: CONNECTION,
  host: 'it follows from url',
  'keep-alive': CONNECTION,
  'proxy-authenticate': CONNECTION,
  'proxy-authorization': 'the proxy and its credentials are a setting of hnotif',
  'proxy-connection': CONNECTION,
  te: CONNECTION,
  trailer: CONNECTION,
  'transfer-encoding': CONNECTION,
  upgrade: CONNECTION,
  'webhook-id': OURS,
  'webhook-signature': 'hnotif computes it with signing_secret',
  'webhook-timestamp': OURS,
};

/**
 * Problems of a webhook's `headers`, one text each. Values and invalid names are never shown: they may be credentials.
 */
export function headerProblems(headers: Readonly<Record<string, unknown>>): string[] {
  const problems: string[] = [];
  const seen = new Map<string, string>();
  if (Object.keys(headers).length > MOST_HEADERS)
    return [`headers: at most ${MOST_HEADERS} may be given; remove those that the receiver does not need`];
  Object.entries(headers).forEach(([name, value], index) => {
    if (!TOKEN.test(name) || name.length > 100) {
      problems.push(
        `headers: the name of entry ${index + 1} is not a header name; use letters, digits and hyphens, as in X-Api-Key`,
      );
      return;
    }
    const lower = name.toLowerCase();
    const before = seen.get(lower);
    if (before !== undefined)
      problems.push(`headers: ${before} and ${name} are the same header; keep one of them`);
    else seen.set(lower, name);
    const reserved = Object.hasOwn(RESERVED, lower) ? RESERVED[lower] : undefined;
    if (reserved !== undefined) problems.push(`headers.${name}: may not be set, ${reserved}; remove it`);
    else problems.push(...valueProblems(name, value));
  });
  return problems;
}

/** A note for each header that still holds a placeholder. */
export const headerNotes = (headers: Readonly<Record<string, unknown>>): string[] =>
  Object.entries(headers)
    .filter(([, value]) => holdsPlaceholder(String(value), 'header'))
    .map(
      ([name]) =>
        `headers.${name}: holds a placeholder such as \${…} or {{ … }}, which hnotif sends as it is; write the value itself`,
    );

function valueProblems(name: string, value: unknown): string[] {
  if (typeof value !== 'string')
    return [`headers.${name}: must be a string, found ${kindOf(value)}; write the value in quotes`];
  if (value.length > LONGEST_VALUE)
    return [`headers.${name}: is longer than ${LONGEST_VALUE} characters; no receiver takes such a header`];
  if (/[\r\n]/.test(value))
    return [`headers.${name}: holds a line break; remove it, also at the end (\`echo -n\` writes none)`];
  if (BAD_CHARACTER.test(value))
    return [`headers.${name}: holds a character that headers cannot carry; use printable ASCII`];
  return [];
}
