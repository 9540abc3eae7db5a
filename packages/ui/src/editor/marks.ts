import { lint, nearest, TemplateError, type Finding } from '@hnotif/gotemplate';
import { functions, TEMPLATE_LIMITS, PAYLOAD } from '@hnotif/core/render';

/** A part of a text, in UTF-16 units. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** Something wrong in a template. */
export interface Mark extends Range {
  readonly severity: 'error' | 'warning';
  readonly message: string;
  /** What to write, and in place of what. */
  readonly fix?: Range & { readonly insert: string };
}

/** What the linter of the product finds. */
export const marksOf = (text: string): readonly Mark[] =>
  lint(text, PAYLOAD, { funcs: functions }).map((finding) => markOf(text, finding));

/** The place where a template failed with an event. Undefined: it is not known, or the linter finds it. */
export function markOfError(text: string, error: unknown): Mark | undefined {
  if (!(error instanceof TemplateError)) return undefined;
  if (error.limit === 'source') {
    const from = TEMPLATE_LIMITS.source.value;
    return {
      ...notEmpty(text, from, endOfLine(text, from)),
      severity: 'error',
      message: error.description,
    };
  }
  if (error.stage !== 'exec' || error.line === undefined) return undefined;
  const { line, column, description, hint } = error;
  const message = `with this event: ${hint === undefined ? description : `${description} (${hint})`}`;
  return { ...rangeAt(text, line, column), severity: 'error', message };
}

function markOf(text: string, { line, column, severity, message, suggestion, rule }: Finding): Mark {
  const range = rangeAt(text, line, column);
  const mark = { ...range, severity, message };
  if (suggestion === undefined || column === undefined) return mark;
  const fix =
    rule === 'unknown-field' ? fieldFix(text, range.from, suggestion) : { ...range, insert: suggestion };
  return { ...mark, fix };
}

/** What stands at a place: a chain of names, a name, a literal. Without a column: the whole line. */
function rangeAt(text: string, line: number, column: number | undefined): Range {
  const start = lineStart(text, line);
  const end = endOfLine(text, start);
  if (column === undefined) {
    const blanks = /^\s*/.exec(text.slice(start, end))?.[0].length ?? 0;
    return notEmpty(text, start + blanks, end);
  }
  const from = Math.min(start + unitsOf(text.slice(start, end), column), end);
  const token = TOKEN.exec(text.slice(from, end))?.[0] ?? '';
  return notEmpty(text, from, from + token.length);
}

const TOKEN = /^(?:"(?:[^"\\]|\\.)*"|`[^`]*`|'[^']*'|[$\w]*(?:\.[\p{L}\w]+)+|[$\p{L}\w]+|[^\s{}]+)/u;

/** A mark of nothing is not seen: it takes a character more. */
function notEmpty(text: string, from: number, to: number): Range {
  if (to > from) return { from, to };
  return from < text.length ? { from, to: from + 1 } : { from: Math.max(0, from - 1), to: from };
}

/**
 * A suggestion for a field is the whole path. It was found for all names from the wrong one on, or for the wrong one alone: the linter
 * tries both in this order.
 */
function fieldFix(text: string, wrong: number, suggestion: string): Range & { readonly insert: string } {
  const names = /^(?:\.[\p{L}\w]+)+/u.exec(text.slice(wrong))?.[0] ?? '';
  const [first = ''] = /^\.[\p{L}\w]+/u.exec(names) ?? [];
  // What leads to the wrong name is repeated in the suggestion: names, or an expression in parentheses.
  const before = /(?:\$[\p{L}\w]*)?(?:\.[\p{L}\w]+)*$/u.exec(text.slice(0, wrong))?.[0] ?? '';
  const isOther = suggestion.startsWith('$') && !before.startsWith('$');
  const insert = isOther ? suggestion : suggestion.slice(suggestion.lastIndexOf(')') + 1);
  const tail = isOther ? insert.slice(1) : insert.slice(before.length);
  const isWhole = nearest(names.slice(1), [tail]) !== undefined;
  return { from: wrong - before.length, to: wrong + (isWhole ? names : first).length, insert };
}

/** The offset of a line, counted from 1. */
function lineStart(text: string, line: number): number {
  let at = 0;
  for (let each = 1; each < line; each++) {
    const next = text.indexOf('\n', at);
    if (next < 0) return text.length;
    at = next + 1;
  }
  return at;
}

function endOfLine(text: string, start: number): number {
  const end = text.indexOf('\n', start);
  return end < 0 ? text.length : end;
}

/** UTF-16 units for this number of bytes of UTF-8. */
function unitsOf(text: string, bytes: number): number {
  let units = 0;
  let left = bytes;
  for (const character of text) {
    if (left <= 0) break;
    left -= bytesOf(character.codePointAt(0) ?? 0);
    units += character.length;
  }
  return units;
}

const bytesOf = (point: number): number => (point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4);
