import { escapeSlack } from '../../../render/escape.ts';
import { oneLine } from '../../../render/one-line.ts';

/** What stands at a word and is none of it: quotes, code's frames, brackets, and at its end what ends a sentence. */
const BEFORE = `"'“‘\`ˋ([{`;
const AFTER = `"'”’\`ˋ)]},;.:!?`;

/** Not by a regular expression, which would go through a long row of dots once for each of them. */
function bare(word: string): string {
  let [start, end] = [0, word.length];
  while (start < end && BEFORE.includes(word.charAt(start))) start++;
  while (start < end && AFTER.includes(word.charAt(end - 1))) end--;
  return word.slice(start, end);
}

/** The words with a space at each end, so that a phrase is found in another by whole words: `exit 1` is not in `exit 137`. */
function phraseOf(mrkdwn: string): string {
  const words = mrkdwn.split(/\s+/).map(bare);
  return ` ${words.filter((word) => word !== '').join(' ')} `;
}

/**
 * Whether a text says what a reader does not see already. `shown`: mrkdwn as it is sent, code or not, so that what was cut
 * off there is news.
 */
export function newsBeside(shown: string): (text: string) => boolean {
  const told = phraseOf(shown);
  return (text) => {
    if (text.length > shown.length) return true;
    const phrase = phraseOf(escapeSlack(oneLine(text)));
    return phrase.trim() === '' || !told.includes(phrase);
  };
}
