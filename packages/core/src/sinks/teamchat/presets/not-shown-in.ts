import { escapeSlack } from '../../../render/escape.ts';
import { oneLine } from '../../../render/one-line.ts';

/** Characters around a word that are not part of it: quotes, backticks, brackets; after it also punctuation. */
const BEFORE = `"'“‘\`ˋ([{`;
const AFTER = `"'”’\`ˋ)]},;.:!?`;

/** Without a regular expression: that would take quadratic time on a long row of dots. */
function bare(word: string): string {
  let [start, end] = [0, word.length];
  while (start < end && BEFORE.includes(word.charAt(start))) start++;
  while (start < end && AFTER.includes(word.charAt(end - 1))) end--;
  return word.slice(start, end);
}

/** The words with a space at each end: phrases are compared by whole words, so `exit 1` is not in `exit 137`. */
function phraseOf(mrkdwn: string): string {
  const words = mrkdwn.split(/\s+/).map(bare);
  return ` ${words.filter((word) => word !== '').join(' ')} `;
}

/** Whether a text says more than `shown`, which is mrkdwn as it is sent: parts that were cut off count as not shown. */
export function notShownIn(shown: string): (text: string) => boolean {
  const shownPhrase = phraseOf(shown);
  return (text) => {
    if (text.length > shown.length) return true;
    const phrase = phraseOf(escapeSlack(oneLine(text)));
    return phrase.trim() === '' || !shownPhrase.includes(phrase);
  };
}
