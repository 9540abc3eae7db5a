/** Splits a text into words, by the kinds of its characters. */
import { isLetter, isNumber, isPunct, isSpace, isUpper } from '../../unicode/category.ts';

/** `capital`: a word that begins with an upper-case letter, such as `Name`, or `HTTP` and `Server` in `HTTPServer`. */
export type WordKind = 'connector' | 'punctuation' | 'capital' | 'letters' | 'number' | 'other' | 'broken';

export interface Word {
  readonly kind: WordKind;
  readonly text: string;
}

/**
 * A character: its kind and its end. Bytes before it that are not a character belong to it, and so does U+FFFD, which does
 * not count as a character.
 */
interface Unit {
  /** `hyphen` is a connector that may also be punctuation. */
  readonly kind: WordKind | 'hyphen';
  readonly end: number;
}

export function words(text: string): Word[] {
  const units = toUnits(text);
  const found: Word[] = [];
  let start = 0;
  for (let from = 0; from < units.length;) {
    const first = units[from]?.kind ?? 'other';
    const kind = first === 'hyphen' ? 'connector' : first;
    const to = kind === 'capital' ? endOfCapitalized(units, from) : endOfRun(units, from, kind);
    const end = units[to - 1]?.end ?? 0;
    found.push({ kind, text: text.slice(start, end) });
    start = end;
    from = to;
  }
  return found;
}

function endOfRun(units: readonly Unit[], from: number, kind: WordKind): number {
  const takesHyphens = kind === 'connector' || kind === 'punctuation';
  let to = from;
  while (units[to]?.kind === kind || (takesHyphens && units[to]?.kind === 'hyphen')) to++;
  return to;
}

/** The end of `Name`, or of capitals before a capital that begins the next word. */
function endOfCapitalized(units: readonly Unit[], from: number): number {
  const capitals = endOfRun(units, from, 'capital');
  if (units[capitals]?.kind !== 'letters') return capitals;
  return capitals - from > 1 ? capitals - 1 : endOfRun(units, capitals, 'letters');
}

function toUnits(text: string): Unit[] {
  const units: Unit[] = [];
  for (let end = 0; end < text.length;) {
    const rune = text.codePointAt(end) ?? 0;
    end += rune > 0xffff ? 2 : 1;
    if (rune !== 0xfffd && (rune < 0xd800 || rune > 0xdfff)) units.push({ kind: kindOf(rune), end });
  }
  const last = units.pop();
  return text === '' ? [] : [...units, { kind: last?.kind ?? 'broken', end: text.length }];
}

function kindOf(rune: number): Unit['kind'] {
  if (rune < 0x80) return ASCII[rune] ?? 'other';
  if (rune <= 0xffff && isSpace(String.fromCharCode(rune))) return 'connector';
  if (isPunct(rune)) return 'punctuation';
  if (isUpper(rune)) return 'capital';
  if (isLetter(rune) && !isIdeograph(rune)) return 'letters';
  return isNumber(rune) ? 'number' : 'other';
}

const ASCII = Array.from({ length: 0x80 }, (_, code): Unit['kind'] => {
  const character = String.fromCharCode(code);
  if (/[-_]/.test(character)) return 'hyphen';
  if (/\s/.test(character)) return 'connector';
  if (/[A-Z]/.test(character)) return 'capital';
  if (/[a-z]/.test(character)) return 'letters';
  if (/\d/.test(character)) return 'number';
  return /\p{P}/u.test(character) ? 'punctuation' : 'other';
});

function isIdeograph(rune: number): boolean {
  return (
    (rune >= 0x4e00 && rune <= 0x9fcc) ||
    (rune >= 0x3400 && rune <= 0x4d85) ||
    (rune >= 0x20000 && rune <= 0x2b81d)
  );
}
