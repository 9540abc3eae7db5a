/** Joins values as text, with spaces. Omits nil values. */
import type { Context } from '../../context.ts';
import { display } from '../../fmt/print.ts';
import { quote } from '../../strconv/quote.ts';
import type { Value } from '../../value/value.ts';
import { strval } from '../convert.ts';
import { pay } from './paid.ts';

/** In the worst case, each character needs an escape. */
const QUOTING = { steps: 2, bytes: 2 };

/** In Go's double quotes. */
export function quoteAll(context: Context, ...values: Value[]): string {
  return sideBySide(context, values, (value) => {
    const text = strval(context, value);
    pay(context.budget, text, QUOTING);
    return quote(text);
  });
}

/** In apostrophes, without escapes. */
export function squoteAll(context: Context, ...values: Value[]): string {
  return sideBySide(context, values, (value) => `'${display(context, value)}'`);
}

export function cat(context: Context, ...values: Value[]): string {
  return sideBySide(context, values, (value) => display(context, value));
}

function sideBySide(context: Context, values: readonly Value[], show: (value: Value) => string): string {
  let text = '';
  let first = true;
  for (const value of values) {
    if (value == null) continue;
    const shown = show(value);
    context.budget.grow(shown.length);
    text += first ? shown : ` ${shown}`;
    first = false;
  }
  return text;
}
