const PLAIN = /^[^"\\\0-\x1f<>&\u2028\u2029\ud800-\udfff]*$/;
const RAW = /[<>&\u2028\u2029]/;
/** What JSON.stringify left, and its own escapes, lest a backslash and a letter be taken for one. */
const REST = /\\u[\da-f]{4}|\\.|[<>&\u2028\u2029]/g;
const REST_BUT_HTML = /\\u[\da-f]{4}|\\.|[\u2028\u2029]/g;

/** A string in JSON as Go writes it: line separators escaped, and HTML's characters too if asked for; U+FFFD for broken bytes. */
export function encodeString(text: string, escapeHTML: boolean): string {
  if (PLAIN.test(text)) return `"${text}"`;
  const quoted = JSON.stringify(text);
  if (text.isWellFormed() && !RAW.test(text)) return quoted;
  return quoted.replace(escapeHTML ? REST : REST_BUT_HTML, escapeRest);
}

function escapeRest(found: string): string {
  // The one escape of a character beyond U+00FF that JSON.stringify makes is that of a lone surrogate.
  if (found.startsWith('\\')) return found.startsWith('\\ud') ? '\\ufffd' : found;
  return `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
