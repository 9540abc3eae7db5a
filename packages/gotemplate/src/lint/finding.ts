import { locate } from '../parse/position.ts';

/**
 * - `syntax`: the text is not a valid template.
 * - `unknown-field`, `unknown-function`, `unknown-template`: a name that does not exist.
 * - `type`: an operand of a type that the function, the comparison or `range` refuses; a wrong number of arguments.
 * - `never-equal`: a comparison with a text that the field never has.
 * - `nil-pointer`: a field of a pointer that may be nil, and is not checked before.
 * - `layout`: a layout of a time that is not made of Go's reference time, such as `YYYY-MM-DD`.
 * - `zone`: a time zone that does not exist, where UTC is used silently.
 * - `foreign-syntax`: text of another template language, such as `{% if %}`, which is shown as it is.
 * - `no-output`: all of the text is in definitions, and nothing calls one.
 * - `size`: the template is nested too deeply, or has too many variables. The rest is not checked.
 */
export type Rule =
  | 'syntax'
  | 'size'
  | 'unknown-field'
  | 'unknown-function'
  | 'unknown-template'
  | 'type'
  | 'never-equal'
  | 'nil-pointer'
  | 'layout'
  | 'zone'
  | 'foreign-syntax'
  | 'no-output';

export interface Finding {
  readonly rule: Rule;
  /** `error`: the template fails when it reaches this position (`syntax`: always). `warning`: probably a mistake. */
  readonly severity: 'error' | 'warning';
  readonly message: string;
  /** From 1. */
  readonly line: number;
  /** In bytes from 0, as in {@link TemplateError}. Undefined for `syntax`, where Go knows only the line, and for `size`. */
  readonly column: number | undefined;
  /** The text to write instead. */
  readonly suggestion: string | undefined;
}

const SEVERITY: Record<Rule, Finding['severity']> = {
  syntax: 'error',
  size: 'warning',
  'unknown-field': 'error',
  'unknown-function': 'error',
  'unknown-template': 'error',
  type: 'error',
  'never-equal': 'warning',
  'nil-pointer': 'warning',
  layout: 'warning',
  zone: 'warning',
  'foreign-syntax': 'warning',
  'no-output': 'warning',
};

/** The search ends after this number of findings. */
const ENOUGH = 100;

/** Thrown to end the search. */
export class Enough extends Error {}

/** Collects the findings about a text. The same finding about the same place is reported once. */
export class Findings {
  readonly #text: string;
  readonly #found = new Map<string, Finding & { pos: number }>();

  constructor(text: string) {
    this.#text = text;
  }

  /** Throws {@link Enough} at the hundredth finding. */
  add(rule: Rule, pos: number, message: string, suggestion?: string): void {
    const { line, column } = locate(this.#text, pos);
    const whole = suggestion === undefined ? message : `${message}; did you mean ${suggestion}?`;
    this.#found.set(`${pos} ${whole}`, {
      rule,
      severity: SEVERITY[rule],
      message: whole,
      line,
      column,
      suggestion,
      pos,
    });
    if (this.#found.size >= ENOUGH) throw new Enough();
  }

  /** In the order of the text. */
  sorted(): Finding[] {
    return [...this.#found.values()].sort((a, b) => a.pos - b.pos).map(({ pos: _, ...finding }) => finding);
  }
}
