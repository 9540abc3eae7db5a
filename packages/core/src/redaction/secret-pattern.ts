import { unescaped, withoutBlanks } from './encodings.ts';
import { replaced, type TextView, textViewOf } from './text-view.ts';

/** Shorter values are not redacted: without every `1` or `on` a text would be unreadable. */
const SHORTEST_EXACT = 4;
/** Shorter values are matched exactly only: their folded forms would match harmless words. */
const SHORTEST_FOLDED = 8;

/** Without blanks, backslashes and the `+` of forms, in lower case. */
export const foldedView = (view: TextView): TextView =>
  replaced(
    replaced(withoutBlanks(view), /[+\\]+/g, () => ''),
    /[A-Z]+|\p{Lu}/gu,
    (upper) => {
      const lower = upper.toLowerCase();
      return lower.length === upper.length ? lower : upper;
    },
  );

/** The forms of credentials, by the view of the text in which they are searched. */
export interface SecretPatterns {
  readonly exact: readonly string[];
  readonly folded: readonly string[];
}

/** Undefined: there is nothing to redact. */
export function secretPatternsOf(secrets: readonly string[]): SecretPatterns | undefined {
  const [exact, folded] = [new Set<string>(), new Set<string>()];
  for (const secret of new Set(secrets)) {
    if (secret.length < SHORTEST_EXACT) continue;
    const own = [secret, unescaped(textViewOf(secret)).text];
    for (const form of [...own, secret.replaceAll(' ', '+')])
      if (form.length >= SHORTEST_EXACT) exact.add(form);
    for (const form of own) {
      const { text } = foldedView(textViewOf(form));
      if (text.length >= SHORTEST_FOLDED) folded.add(text);
    }
  }
  return exact.size === 0 ? undefined : { exact: [...exact], folded: [...folded] };
}
