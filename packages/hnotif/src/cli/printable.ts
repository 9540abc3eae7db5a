/**
 * A text that cannot control the terminal. Control characters, which begin escape sequences, become `�`. Characters that change the
 * direction of writing or show nothing are left out. Lines end with `\n`.
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
