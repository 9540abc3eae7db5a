import type { Answer } from '../requests/reply.ts';
import { redact } from '../redaction/redact.ts';

const LENGTH = 200;
/** Only this much of a body is processed: enough for an excerpt of an HTML page. */
const READ = 8 * 1024;

/** For answers that the tenant may not read: the address may be a service of the operator. */
const HIDDEN =
  ' (what else it says is not shown, since its address is not public; see --show-private-answers)';

/**
 * What an answer says, as the part of a sentence: `, saying "…"`, or empty. Bodies come into messages by this and `wordsOf` alone.
 * `text`: of the body what is worth saying, as plain text. Default: all of it.
 */
export function quoteBody(answer: Answer, secrets: readonly string[], text?: string): string {
  if (answer.hidden) return answer.body === '' ? '' : HIDDEN;
  const excerpt =
    text === undefined
      ? excerptOf(answer.body, answer.headers['content-type'] ?? '', secrets)
      : excerptOf(text, 'text/plain', secrets);
  return excerpt === '' ? '' : `, saying "${excerpt}"`;
}

/** The same for a receiver's error code, with hints: `: not_in_channel`. */
export function quoteError(answer: Answer, secrets: readonly string[], words: string): string {
  if (answer.hidden) return HIDDEN;
  const excerpt = excerptOf(words, 'text/plain', secrets);
  return excerpt === '' ? '' : `: ${excerpt}`;
}

/**
 * The beginning of an error body: at most 200 characters on one line, without credentials, control and invisible characters (they could
 * control a terminal) and HTML tags.
 */
export function excerptOf(body: string, contentType: string, secrets: readonly string[]): string {
  // Redacted before the cut: a part of a credential might not be recognized. The cost is bounded: twice as much is enough.
  const start = redact(body.slice(0, 2 * READ), secrets).slice(0, READ);
  const text = /html/i.test(contentType) ? start.replace(/<[^<>]*>/g, ' ') : start;
  const shown = redact(text.replace(/\p{C}+/gu, ' '), secrets)
    .replace(/\s+/g, ' ')
    .trim();
  const characters = [...shown];
  return characters.length > LENGTH ? `${characters.slice(0, LENGTH - 1).join('')}…` : shown;
}
