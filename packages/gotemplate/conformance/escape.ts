/** The two functions that cases use in addition to sprig's. Each escapes text for a markup language. */
import { type FuncMap, fn } from '../src/value/func.ts';

const ENTITIES: Readonly<Record<string, string>> = { '<': '&lt;', '>': '&gt;', '&': '&amp;', '"': '&#34;' };

export const escapes: FuncMap = {
  escapeHTML: fn('func(string) string', (text: string) =>
    text.replace(/[<>&"]/g, (character) => ENTITIES[character] ?? character),
  ),
  escapeMarkdown: fn('func(string) string', (text: string) =>
    text.replace(/[_*[\]()~`>#+\-=|{}.!]/g, '\\$&'),
  ),
};
