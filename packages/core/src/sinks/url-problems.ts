import { decoded } from './address-notes.ts';
import { valueWrapping } from './wrapping.ts';

/** What servers and proxies should accept (RFC 9110 section 4.1: 8000 octets). */
const LONGEST_URL = 8_000;

/** Of a webhook sink. */
const INSTEAD =
  ': the body names plan, namespace and event, and notifications with other selectors can have other addresses';

/** What is wrong with a URL. `refuses` (the transport's) says why nothing may be sent there, or undefined. */
export function urlProblems(
  field: string,
  text: string,
  refuses: (url: URL) => string | undefined,
): string[] {
  if (text.length > LONGEST_URL)
    return [`${field}: is longer than ${LONGEST_URL} characters; give a shorter one`];
  // URL would remove them silently.
  if (/[\t\r\n]/.test(text.trim())) return [`${field}: holds a line break or a tab; remove it`];
  // Not `}}`: JSON in a query ends so.
  if (decoded(text).includes('{{'))
    return [
      `${field}: holds a template ({{ … }}), which is not replaced in an address; write the address without it${field === 'url' ? INSTEAD : ''}`,
    ];
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const wrapped = url === undefined ? valueWrapping(text, (inner) => /^https?:\/\//i.test(inner)) : undefined;
  if (wrapped !== undefined) return [`${field}: ${wrapped}`];
  if (url === undefined && /^\s*https?:\/\//i.test(text))
    return [`${field}: is not a valid URL; check its host (no spaces, no zone) and its port (65535 at most)`];
  if (url === undefined)
    return [`${field}: is not an absolute URL; write it like https://hooks.example.com/path`];
  if (url.username !== '' || url.password !== '')
    return [
      `${field}: holds a user name or password; remove them (a webhook takes them as Authorization in headers)`,
    ];
  const refusal = refuses(url);
  return refusal === undefined ? [] : [`${field}: ${refusal}`];
}
