/** A text taken apart into words, by the kinds of its characters. */
import { isLetter, isNumber, isPunct, isUpper } from '../../unicode/category.ts';
import { isConnector } from './pascal-case.ts';

/** `capital`: begins with an upper-case letter, a whole word such as `Name` or what is all upper-case in `HTTPServer`. */
export type WordKind = 'connector' | 'punctuation' | 'capital' | 'letters' | 'number' | 'other' | 'broken';

export interface Word {
  readonly kind: WordKind;
  readonly text: string;
}

/** A character, with what stands before it that is none: bytes, and U+FFFD, which counts as no character either. */
interface Unit {
  readonly kind: WordKind;
  readonly text: string;
}

export function words(text: string): Word[] {
  const units = toUnits(text);
  const found: Word[] = [];
  for (let from = 0; from < units.length;) {
    const kind = units[from]?.kind ?? 'other';
    const to = kind === 'capital' ? endOfCapitalized(units, from) : endOfRun(units, from, kind);
    found.push({ kind, text: units.slice(from, to).reduce((word, unit) => word + unit.text, '') });
    from = to;
  }
  return found;
}

function endOfRun(units: readonly Unit[], from: number, kind: WordKind): number {
  let to = from;
  while (units[to]?.kind === kind) to++;
  return to;
}

/** `Name`, or capitals up to one that begins a word itself. */
function endOfCapitalized(units: readonly Unit[], from: number): number {
  const capitals = endOfRun(units, from, 'capital');
  if (units[capitals]?.kind !== 'letters') return capitals;
  return capitals - from > 1 ? capitals - 1 : endOfRun(units, capitals, 'letters');
}

function toUnits(text: string): Unit[] {
  const units: Unit[] = [];
  let broken = '';
  for (const character of text) {
    const rune = character.codePointAt(0) ?? 0;
    if (rune === 0xfffd || !character.isWellFormed()) {
      broken += character;
      continue;
    }
    units.push({ kind: kindOf(rune), text: broken + character });
    broken = '';
  }
  const last = units.pop();
  if (last !== undefined) units.push({ kind: last.kind, text: last.text + broken });
  else if (broken !== '') units.push({ kind: 'broken', text: broken });
  return units;
}

function kindOf(rune: number): WordKind {
  if (isConnector(rune)) return 'connector';
  if (isPunct(rune)) return 'punctuation';
  if (isUpper(rune)) return 'capital';
  if (isLetter(rune) && !isIdeograph(rune)) return 'letters';
  return isNumber(rune) ? 'number' : 'other';
}

function isIdeograph(rune: number): boolean {
  return (
    (rune >= 0x4e00 && rune <= 0x9fcc) ||
    (rune >= 0x3400 && rune <= 0x4d85) ||
    (rune >= 0x20000 && rune <= 0x2b81d)
  );
}
