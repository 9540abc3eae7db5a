/** Quoting as package time does it in its errors, which is plainer than strconv's. */

const SPECIAL = /["\\]|[^ -\x7f]/g;

/** Quotes a byte string: what is no ASCII or a control character becomes `\xNN`. */
export function quoteBytes(bytes: string): string {
  const inner = bytes.replace(SPECIAL, (character) =>
    character === '"' || character === '\\'
      ? `\\${character}`
      : `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`,
  );
  return `"${inner}"`;
}
