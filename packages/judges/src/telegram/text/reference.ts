const NAMED: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"' };

export interface Reference {
  readonly text: string;
  /** The index after it. */
  readonly end: number;
  /** Half of a surrogate pair. Telegram's text is UTF-8, which cannot contain it. */
  readonly half: boolean;
}

/**
 * Reads the character reference at an ampersand; undefined without one: the ampersand is text. Numbers below 0x10ffff are valid if they
 * are not overlong, with or without the semicolon. Only four names are valid (core.telegram.org/bots/api#html-style).
 */
export function readReference(source: string, at: number): Reference | undefined {
  REFERENCE.lastIndex = at;
  const [whole = '', hex, decimal, name] = REFERENCE.exec(source) ?? [];
  const end = at + whole.length;
  if (name !== undefined) {
    const text = Object.hasOwn(NAMED, name) ? NAMED[name] : undefined;
    return text === undefined ? undefined : { text, end, half: false };
  }
  const digits = hex ?? decimal;
  if (digits === undefined || whole.replace(';', '').length >= 10) return undefined;
  const code = Number.parseInt(digits, hex === undefined ? 10 : 16);
  if (code === 0 || code >= 0x10_ffff) return undefined;
  return { text: String.fromCodePoint(code), end, half: code >= 0xd800 && code <= 0xdfff };
}

const REFERENCE = /&(?:#x([\da-fA-F]+)|#(\d+)|([a-zA-Z]+));?/y;
