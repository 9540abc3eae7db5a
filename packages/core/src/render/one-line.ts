import { readPart } from './cut.ts';

/**
 * Line breaks, other control characters, and characters that change the text direction: with them a value could add lines to a
 * message, or reverse the text after it.
 */
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/;

/** The text on one line: white space with such a character becomes one space, or nothing at the ends. A very long text is cut. */
export function oneLine(text: string): string {
  const read = readPart(text);
  if (!CONTROL.test(read)) return read;
  return read
    .replace(/[\s\p{Cc}\u202a-\u202e\u2066-\u2069]+/gu, (run) => (CONTROL.test(run) ? ' ' : run))
    .trim();
}

/** The text on one line, without blanks at its ends and halves of surrogate pairs: those of a text that was cut, too. */
export const cleanLine = (text: string): string => oneLine(text).toWellFormed().trim();
