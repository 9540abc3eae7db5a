import { mapUnits, unescaped, type TextView, textViewOf } from './text-view.ts';

/** Shorter values are not redacted: without every `1` or `on` a text would be unreadable. */
const SHORTEST_EXACT = 4;
/** Shorter values are matched exactly only: their folded forms would match harmless words. */
const SHORTEST_FOLDED = 8;
/** Where a text is cut, a prefix of this length or more is redacted: of the credential, its base64, its hex. */
const PREFIX = { text: 8, base64: 12, hex: 16 } as const;

/** Folding ignores case, and removes blanks, line breaks, invisible characters, backslashes and the `+` of forms. */
const FOLDED_AWAY = /[\s+\\\p{C}]/u;
const fold = (unit: string): string => {
  if (unit < '\u0080' ? FOLDED_ASCII.has(unit) : FOLDED_AWAY.test(unit) && !/[\ud800-\udfff]/.test(unit))
    return '';
  const lower = unit.toLowerCase();
  return lower.length === 1 ? lower : unit;
};
const FOLDED_ASCII: ReadonlySet<string> = new Set(
  Array.from({ length: 128 }, (_, code) => String.fromCharCode(code)).filter((unit) =>
    FOLDED_AWAY.test(unit),
  ),
);
export const foldedView = (view: TextView): TextView => mapUnits(view, fold);

/** Without blanks, line breaks and invisible characters. */
export const withoutBlanks = (view: TextView): TextView =>
  mapUnits(view, (unit) => (unit === '+' || unit === '\\' || fold(unit) !== '' ? unit : ''));

/** Without blanks; both base64 alphabets become one. The case stays. */
export const base64View = (view: TextView): TextView =>
  mapUnits(view, (unit) => {
    if (unit === '+' || unit === '-') return '+';
    if (unit === '_') return '/';
    return fold(unit) === '' ? '' : unit;
  });

/** One form of a credential. `shortestPrefix`: the shortest prefix to redact where a text is cut; Infinity: none. */
export interface SecretPattern {
  readonly text: string;
  readonly shortestPrefix: number;
}

/** All forms of credentials, by the view of the text in which they are searched. */
export interface SecretPatterns {
  /** In the text as it is, and with its escapes replaced. */
  readonly exact: readonly SecretPattern[];
  readonly folded: readonly SecretPattern[];
  /** In folded text, also within longer hex. */
  readonly hex: readonly SecretPattern[];
  readonly base64: readonly SecretPattern[];
}

/** Undefined: there is nothing to redact. */
export function secretPatternsOf(secrets: readonly string[]): SecretPatterns | undefined {
  const exact = new Set<string>();
  const plain = new Set<string>();
  const hex = new Set<string>();
  const base64 = new Set<string>();
  for (const secret of new Set(secrets)) {
    if (secret.length < SHORTEST_EXACT) continue;
    const own = [secret, unescaped(textViewOf(secret))?.text ?? secret];
    for (const form of [...own, secret.replaceAll(' ', '+')])
      if (form.length >= SHORTEST_EXACT) exact.add(form);
    for (const form of own) {
      const text = foldedView(textViewOf(form)).text;
      if (text.length >= SHORTEST_FOLDED) plain.add(text);
    }
    for (const form of own) {
      const bytes = Buffer.from(form);
      if (bytes.length < SHORTEST_EXACT) continue;
      hex.add(bytes.toString('hex'));
      base64.add(bytes.toString('base64').replace(/=+$/, ''));
      for (const shift of [0, 1, 2]) {
        const inner = insideBase64(bytes, shift);
        if (inner.length >= SHORTEST_FOLDED) base64.add(inner);
      }
    }
  }
  if (exact.size === 0) return undefined;
  const of = (texts: ReadonlySet<string>, shortestPrefix: number): SecretPattern[] =>
    [...texts].map((text) => ({ text, shortestPrefix }));
  return {
    exact: of(exact, Infinity),
    folded: of(plain, PREFIX.text),
    hex: of(hex, PREFIX.hex),
    base64: of(base64, PREFIX.base64),
  };
}

/** In the base64 of a longer text (`user:password`, a whole header): the part that depends on these bytes only. `shift`: their offset in a group of three. */
function insideBase64(bytes: Buffer, shift: number): string {
  const all = Buffer.concat([Buffer.alloc(shift), bytes]);
  return all.toString('base64').slice(Math.ceil((shift * 4) / 3), Math.floor((all.length * 4) / 3));
}
