/**
 * A text that cannot steer the terminal it is written to: control characters (of which escape sequences are made) become
 * `�`, what turns the direction of writing or shows nothing is left out. Its lines stay lines, each ended by `\n`.
 */
export function printable(text: string): string {
  return text
    .toWellFormed()
    .replace(/\r\n?|[\v\f\u0085\u2028\u2029]/g, '\n')
    .replaceAll('\t', '  ')
    .replace(/(?!\n)\p{Cc}/gu, '\ufffd')
    .replace(/(?!\u200d)\p{Cf}/gu, ''); // Zero width joiners hold emoji together.
}

/** The same on one line. */
export const printableLine = (text: string): string => printable(text).replace(/\s*\n\s*/g, ' ');
