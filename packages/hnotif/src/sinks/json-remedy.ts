import { faultIn, isTextAt } from './json.ts';

/** What to do about a usual mistake in JSON; `''`: it is none. Nothing of the text is shown: it may be a secret. */
export function remedyOf(text: string): string {
  const at = faultIn(text);
  const next = text[at];
  const before = text.slice(0, at).trimEnd().at(-1);
  if (next === undefined) return '; it ends too early: a } or ] is missing';
  if (before === ',' && (next === '}' || next === ']')) return `; remove the comma before the ${next}`;
  if (before === ',' && next === ',') return '; remove one of the two commas';
  if (/['\u2018\u2019\u201c\u201d]/.test(next)) return '; write texts in double quotes (")';
  if (/^(?:true|false|null|none)\b/i.test(text.slice(at, at + 6)))
    return '; write true, false and null in small letters';
  if (/[a-z_$]/i.test(next)) return '; write texts and the names of fields in double quotes (")';
  if (next !== '"') return '';
  return isTextAt(text, at)
    ? '; a comma or a colon is missing before it'
    : '; the text that begins there has no end, or holds a line break or a wrong \\';
}
