import type { Answer } from '../transport/reply.ts';
import { redact } from '../transport/secret.ts';

const LENGTH = 200;
/** Enough to fill an excerpt even from a page of HTML; the rest of the body is not worked on. */
const READ = 8 * 1024;

/** Where an answer may not be read by the tenant who named the address: a service of the operator's might stand there. */
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

/** The same for an answer that is a word of the receiver's own, with hints: `: not_in_channel`. */
export function quoteError(answer: Answer, secrets: readonly string[], words: string): string {
  if (answer.hidden) return HIDDEN;
  const excerpt = excerptOf(words, 'text/plain', secrets);
  return excerpt === '' ? '' : `: ${excerpt}`;
}

/**
 * The beginning of a receiver's error body, fit to be shown: at most 200 characters on one line, no credentials,
 * no control or invisible characters (an error text must not steer a terminal), no HTML tags.
 */
export function excerptOf(body: string, contentType: string, secrets: readonly string[]): string {
  // Before anything is cut: half a credential would not be known as one.
  const start = redact(body, secrets).slice(0, READ);
  const text = /html/i.test(contentType) ? start.replace(/<[^<>]*>/g, ' ') : start;
  const shown = redact(text.replace(/\p{C}+/gu, ' '), secrets)
    .replace(/\s+/g, ' ')
    .trim();
  const characters = [...shown];
  return characters.length > LENGTH ? `${characters.slice(0, LENGTH - 1).join('')}…` : shown;
}
