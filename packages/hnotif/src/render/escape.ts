/** Escaping for the receivers' markup, as templates call it. */

const HTML: Readonly<Record<string, string>> = { '<': '&lt;', '>': '&gt;', '&': '&amp;', '"': '&#34;' };

/** For `parse_mode: HTML`: exactly `<`, `>`, `&` and `"`. */
export function escapeHTML(text: string): string {
  return text.replace(/[<>&"]/g, (character) => HTML[character] ?? character);
}

/** For `parse_mode: MarkdownV2`: a backslash before each of eighteen characters. A backslash itself stays as it is. */
export function escapeMarkdown(text: string): string {
  return text.replace(/[_*[\]()~`>#+\-=|{}.!]/g, '\\$&');
}
