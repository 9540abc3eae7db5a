const SECONDS = /^\d+(?:\.\d+)?$/;
/** A longer wait would end at a time that cannot be written as a date. */
const MOST_SECONDS = 999_999_999;
/** The three forms of RFC 9110 section 5.6.7. All mean UTC; the last one does not say so. */
const HTTP_DATE = /^[A-Z][a-z]{2,8},? [\w: -]+?( GMT)?$/;

/**
 * How long a `Retry-After` header asks to wait, in milliseconds from `now` (milliseconds since the epoch):
 * seconds (31 years at most), or an HTTP date (0 if it is past). Undefined: there is none, or it is not valid.
 */
export function retryAfterMs(header: string | undefined, now: number): number | undefined {
  const text = header?.trim() ?? '';
  if (SECONDS.test(text)) return Math.ceil(Math.min(Number(text), MOST_SECONDS) * 1000);
  const match = HTTP_DATE.exec(text);
  if (match === null) return undefined;
  const at = Date.parse(match[1] === undefined ? `${text} GMT` : text);
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}
