import { cutAtGrapheme } from '../render/cut.ts';
import { oneLine } from '../render/one-line.ts';
import { faultIn, isTextAt, type JsonReading, parseJson } from './json.ts';
import { fieldAt, type FieldPlace, type Origin } from './value-at.ts';

/** Characters of an output that are shown before and after a place. */
const AROUND = 24;

/** Where the output of a template is not JSON, and what to do. `origin`: undefined if the template is not known. */
export function jsonProblem(
  output: string,
  { line, column }: Extract<JsonReading, { ok: false }>,
  origin: Origin | undefined,
): string {
  const at = faultIn(output);
  const before = oneLine(output.slice(0, at).slice(-AROUND));
  const after = oneLine(cutAtGrapheme(output.slice(at), AROUND));
  const around =
    after === '' ? `after ${before}` : before === '' ? `at ${after}` : `between ${before} and ${after}`;
  // A wrong character of a text counts from where the text begins.
  const wrong = output.startsWith('"', at)
    ? output.slice(at).search(/[\u0000-\u001f]|\\(?!["\\/bfnrtu])/)
    : 0;
  const found = origin && fieldAt(output, at + Math.max(0, wrong), origin, /["\\\u0000-\u001f]/);
  const remedy = found === undefined ? remedyOf(output) : `; ${escaped(found)}`;
  return `the output is not JSON: see line ${line}, column ${column} (${around})${remedy}`;
}

const escaped = ({ field, isWholeText }: FieldPlace): string =>
  `the text comes from ${field}: ${
    isWholeText
      ? `write {{ ${field} | toJson }} without quotes around it`
      : `make the whole text with printf, and write it without quotes around it, such as {{ printf "%s %s" $.Event ${field} | toJson }}`
  }`;

/** What to do about a usual mistake in JSON; `''`: it is none. Nothing of the text is shown: it may be a secret. */
export function remedyOf(text: string): string {
  const at = faultIn(text);
  const next = text[at];
  const before = text.slice(0, at).trimEnd().at(-1);
  if (next === undefined) return '; it ends too early: a } or ] is missing';
  if (text.startsWith('//', at) || text.startsWith('/*', at)) return '; JSON has no comments: remove it';
  if (before === ',' && (next === '}' || next === ']')) return `; remove the comma before the ${next}`;
  if (before === ',' && next === ',') return '; remove one of the two commas';
  if (parseJson(text.slice(0, at)).ok)
    return '; the JSON has ended before it: remove the rest, or write a list around all';
  if (/['\u2018\u2019\u201c\u201d]/.test(next)) return '; write texts in double quotes (")';
  if (before === '"' && /[^\s"{[]/.test(next) && !/[-\d]/.test(next))
    return '; write \\" instead of " within a text';
  if (/^(?:true|false|null|none)\b/i.test(text.slice(at, at + 6)))
    return '; write true, false and null in small letters';
  if (/[a-z_$]/i.test(next)) return '; write texts and the names of fields in double quotes (")';
  if (/[{[\-\d]/.test(next) && /[}\]"\w]/.test(before ?? '')) return '; a comma is missing before it';
  if (next !== '"') return '';
  return isTextAt(text, at)
    ? '; a comma or a colon is missing before it'
    : '; the text that begins there has no end, or holds a line break or a wrong \\';
}
