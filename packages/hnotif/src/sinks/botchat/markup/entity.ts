const NAMED: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"' };

/** The semicolon may be missing. A number with more than seven digits is not a character. */
const ENTITY = /&(?:#x([0-9a-f]{1,6})(?![0-9a-f])|#(\d{1,7})(?!\d)|(lt|gt|amp|quot)(?![a-z]));?/gi;

/**
 * Replaces the entities that Telegram knows: four names and all numbers. Other text is unchanged.
 * https://core.telegram.org/bots/api#html-style
 */
export function decodeEntities(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(ENTITY, (whole, hex?: string, decimal?: string, name?: string) => {
    if (name !== undefined) return NAMED[name] ?? whole;
    const code = hex === undefined ? parseInt(decimal ?? '', 10) : parseInt(hex, 16);
    return code === 0 || code >= 0x10ffff ? whole : String.fromCodePoint(code);
  });
}
