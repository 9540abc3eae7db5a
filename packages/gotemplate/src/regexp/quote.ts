import type { Budget } from '../budget.ts';
import { inChunks } from '../replace.ts';
import { quote } from '../strconv/quote.ts';

const SPECIAL = /[\\.+*?()|[\]{}^$]/;
const EVERY_SPECIAL = /[\\.+*?()|[\]{}^$]/g;

/** `regexp.QuoteMeta`: a pattern that matches exactly this text. */
export function quoteMeta(budget: Budget, text: string): string {
  budget.spend(text.length / 16);
  if (!SPECIAL.test(text)) return text;
  budget.grow(text.length);
  return inChunks(budget, text, (chunk) => chunk.replace(EVERY_SPECIAL, '\\$&'));
}

/** A pattern as `regexp.MustCompile` shows it: in backquotes if possible. */
export function showPattern(source: string): string {
  const raw = source.isWellFormed() && !/[\0-\x08\x0a-\x1f`\x7f\ufeff]/.test(source);
  return raw ? `\`${source}\`` : quote(source);
}
