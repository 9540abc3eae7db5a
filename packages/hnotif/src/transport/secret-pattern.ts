import { changed, unescaped, type TextView, textViewOf } from './text-view.ts';

/** Shorter values are not looked for: cutting every `1` or `on` out of a text would only hide what it says. */
const SHORTEST = 4;
/** What is shorter is looked for letter by letter alone: folded it would be found in harmless words. */
const SHORTEST_FOLDED = 8;
/** So much of a credential, where a text breaks off, is worth hiding: characters of itself, of its base64, of its hex. */
const PREFIX = { text: 8, base64: 12, hex: 16 } as const;

/** Upper and lower case, blanks, line breaks, invisible characters, the `+` of forms and backslashes make no difference. */
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
export const folded = (view: TextView): TextView => changed(view, fold);

/** Without blanks, line breaks and invisible characters. */
export const inOneLine = (view: TextView): TextView =>
  changed(view, (unit) => (unit === '+' || unit === '\\' || fold(unit) !== '' ? unit : ''));

/** As `folded`, for base64 of both alphabets. */
export const inBase64 = (view: TextView): TextView =>
  changed(view, (unit) => {
    if (unit === '+' || unit === '-') return '+';
    if (unit === '_') return '/';
    return fold(unit) === '' ? '' : unit;
  });

/** One form of a credential. `least`: so much of its beginning counts where a text breaks off; Infinity: it does not. */
export interface SecretPattern {
  readonly text: string;
  readonly least: number;
}

/** All forms of credentials, by the reading of a text in which they are looked for. */
export interface SecretPatterns {
  /** In the text as it is, and with its escapes replaced. */
  readonly exact: readonly SecretPattern[];
  readonly folded: readonly SecretPattern[];
  /** In folded text; they may be within the hex of something longer. */
  readonly hex: readonly SecretPattern[];
  readonly base64: readonly SecretPattern[];
}

/** Undefined: nothing is to be looked for. */
export function secretPatternsOf(secrets: readonly string[]): SecretPatterns | undefined {
  const exact = new Set<string>();
  const plain = new Set<string>();
  const hex = new Set<string>();
  const base64 = new Set<string>();
  for (const secret of new Set(secrets)) {
    if (secret.length < SHORTEST) continue;
    const own = [secret, unescaped(textViewOf(secret))?.text ?? secret];
    for (const form of [...own, secret.replaceAll(' ', '+')]) if (form.length >= SHORTEST) exact.add(form);
    for (const form of own) {
      const text = folded(textViewOf(form)).text;
      if (text.length >= SHORTEST_FOLDED) plain.add(text);
    }
    for (const form of own) {
      const bytes = Buffer.from(form);
      if (bytes.length < SHORTEST) continue;
      hex.add(bytes.toString('hex'));
      base64.add(bytes.toString('base64').replace(/=+$/, ''));
      for (const shift of [0, 1, 2]) {
        const inner = insideBase64(bytes, shift);
        if (inner.length >= SHORTEST_FOLDED) base64.add(inner);
      }
    }
  }
  if (exact.size === 0) return undefined;
  const of = (texts: ReadonlySet<string>, least: number): SecretPattern[] =>
    [...texts].map((text) => ({ text, least }));
  return {
    exact: of(exact, Infinity),
    folded: of(plain, PREFIX.text),
    hex: of(hex, PREFIX.hex),
    base64: of(base64, PREFIX.base64),
  };
}

/** The part of the base64 of a longer text (`user:password`, a whole header) that the bytes alone decide, `shift` bytes into a group. */
function insideBase64(bytes: Buffer, shift: number): string {
  const all = Buffer.concat([Buffer.alloc(shift), bytes]);
  return all.toString('base64').slice(Math.ceil((shift * 4) / 3), Math.floor((all.length * 4) / 3));
}
