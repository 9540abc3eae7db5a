import { quote } from '../strconv/quote.ts';

/** `regexp.QuoteMeta`: a pattern that matches just this text. */
export function quoteMeta(text: string): string {
  return text.replace(/[\\.+*?()|[\]{}^$]/g, '\\$&');
}

/** A pattern as `regexp.MustCompile` shows it: in back quotes if it can stand there. */
export function showPattern(source: string): string {
  const raw = source.isWellFormed() && !/[\0-\x08\x0a-\x1f`\x7f\ufeff]/.test(source);
  return raw ? `\`${source}\`` : quote(source);
}
