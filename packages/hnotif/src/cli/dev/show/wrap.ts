import { stripVTControlCharacters } from 'node:util';

const RESET = '\u001b[0m';
const PIECES = /\u001b\[[\d;]*m| +|[^\u001b ]+/g;
const GRAPHEMES = new Intl.Segmenter();
/** What terminals show two columns wide: emoji, and the letters of East Asia. */
const WIDE =
  /\p{Emoji_Presentation}|\p{Extended_Pictographic}\ufe0f|[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\uff01-\uff60]/u;

/** How many columns a text takes on a terminal; its colours take none. */
export function widthOf(text: string): number {
  const plain = stripVTControlCharacters(text);
  if (/^[\x20-\x7e]*$/.test(plain)) return plain.length;
  let width = 0;
  for (const { segment } of GRAPHEMES.segment(plain)) width += WIDE.test(segment) ? 2 : 1;
  return width;
}

/**
 * A line as lines of so many columns at most, broken between words; each but the first begins with `hang`. A colour goes on
 * behind the break. A word that is longer than a line (an address) stays whole, so that it can be copied.
 */
export function wrapped(line: string, columns: number, hang: string): string[] {
  if (widthOf(line) <= columns) return [line];
  const lines: string[] = [];
  let [current, width] = ['', 0];
  /** Blanks and colours since the last word, how many of them are blanks, and all colours so far. */
  let [gap, blanks, colours] = ['', 0, ''];
  /** Whether there is a word on the line, behind which it can be broken. */
  let begun = false;
  for (const [piece] of line.matchAll(PIECES)) {
    if (piece.startsWith('\u001b')) {
      gap += piece;
      colours += piece;
      continue;
    }
    if (piece.startsWith(' ')) {
      gap += piece;
      blanks += piece.length;
      continue;
    }
    const wide = widthOf(piece);
    if (begun && blanks > 0 && width + blanks + wide > columns) {
      lines.push(current + (colours === '' ? '' : RESET));
      current = hang + colours + piece;
      width = widthOf(hang) + wide;
    } else {
      current += gap + piece;
      width += blanks + wide;
    }
    [gap, blanks, begun] = ['', 0, true];
  }
  return [...lines, current + gap];
}
