const SECONDS = /^\d{1,9}(?:\.\d+)?$/;
/** The three forms of RFC 9110 section 5.6.7; all of them mean UTC, the last one without saying so. */
const HTTP_DATE = /^[A-Z][a-z]{2,8},? [\w: -]+?( GMT)?$/;

/**
 * How long a `Retry-After` header asks to wait, in milliseconds from `now` (milliseconds since the epoch):
 * seconds, or an HTTP date (0 when it is past). Undefined when there is none or it cannot be read.
 */
export function retryAfterMs(header: string | undefined, now: number): number | undefined {
  const text = header?.trim() ?? '';
  if (SECONDS.test(text)) return Math.ceil(Number(text) * 1000);
  const match = HTTP_DATE.exec(text);
  if (match === null) return undefined;
  const at = Date.parse(match[1] === undefined ? `${text} GMT` : text);
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}
