import { escapeSlack } from '../../../render/escape.ts';
import { oneLine } from '../../../render/one-line.ts';

/** What stands at a word and is none of it: quotes, code's frames, brackets, and at its end what ends a sentence. */
const AROUND = /^["'“‘`ˋ([{]+|["'”’`ˋ)\]},;.:!?]+$/gu;

/** The words with a space at each end, so that a phrase is found in another by whole words: `exit 1` is not in `exit 137`. */
function phraseOf(mrkdwn: string): string {
  const words = mrkdwn.split(/\s+/).map((word) => word.replace(AROUND, ''));
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
