/**
 * What a text without control characters takes of a card, in bytes. Teams stores a card as a text within JSON: a quote or a backslash is
 * escaped twice, and a character beyond ASCII is stored as `\\uffff`. The judge of Teams counts the same of a whole card.
 */
export function storedBytes(text: string): number {
  let bytes = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    bytes += code > 0x7e ? 7 : code === 0x22 || code === 0x5c ? 4 : 1;
  }
  return bytes;
}
