/** The quoting of package time in errors. It is simpler than strconv's. */

const SPECIAL = /["\\]|[^ -\x7f]/g;

/** Quotes a binary string. Control characters and bytes that are not ASCII become `\xNN`. */
export function quoteBytes(bytes: string): string {
  const inner = bytes.replace(SPECIAL, (character) =>
    character === '"' || character === '\\'
      ? `\\${character}`
      : `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`,
  );
  return `"${inner}"`;
}
