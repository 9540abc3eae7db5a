/** Where something is in a message. */
export interface Place {
  /** A JSON pointer (RFC 6901) into the message, such as `/blocks/2/text/text`; `''`: the whole message. */
  readonly pointer: string;
  /** In the text at the pointer, from 1. Absent: the whole value. */
  readonly line?: number;
  /** In UTF-16 units, from 1. */
  readonly column?: number;
}

/** Why a receiver refuses a message. */
export interface Fault {
  readonly place: Place;
  /** What is wrong, without the place: `has 3012 characters; 3000 are allowed`. */
  readonly rule: string;
  /** The receiver's own error word: `invalid_blocks`, `can't parse entities`. */
  readonly error: string;
  /** How the receiver explains it beside the word, where it does. */
  readonly explanation?: string;
  /** What to write instead. */
  readonly remedy: string;
}

/** Something newer than the judge: a block or a field that it does not know. The receiver may take it. */
export interface Unknown {
  readonly place: Place;
  /** `the block type "card"` */
  readonly what: string;
  /** A name that is known, with the same letters. */
  readonly meant?: string;
}

/** What a receiver does with a message, as far as it is known here. */
export type Verdict =
  | { readonly kind: 'accepted'; readonly unknown: readonly Unknown[] }
  | {
      readonly kind: 'refused';
      readonly faults: readonly [Fault, ...Fault[]];
      readonly unknown: readonly Unknown[];
    };

/** `/blocks/2/text/text, line 3, column 7`; `''` for the whole message. */
export function placeInWords({ pointer, line, column }: Place): string {
  const parts = [pointer, line && `line ${line}`, column && `column ${column}`];
  return parts.filter(Boolean).join(', ');
}

/** A fault as a sentence: every surface shows the same words. */
export function faultInWords({ place, rule, error, explanation = '', remedy }: Fault): string {
  const where = placeInWords(place);
  // A sentence of the receiver says what the rule says.
  const word = /^\w+$/.test(explanation) ? `${error}: ${explanation}` : error;
  return `${where === '' ? '' : `${where}: `}${rule} (${word}); ${remedy}`;
}

/** A note about something that the judge does not know. */
export function unknownInWords({ place, what, meant }: Unknown): string {
  const where = placeInWords(place);
  return `${where === '' ? '' : `${where}: `}${what} is not known here; ${meant === undefined ? '' : `did you mean "${meant}"? If not, `}the receiver may take it`;
}

export const ACCEPTED: Verdict = { kind: 'accepted', unknown: [] };

/** Makes the verdict of what was found. */
export function verdictOf(faults: readonly Fault[], unknown: readonly Unknown[] = []): Verdict {
  const [first, ...others] = faults;
  return first === undefined
    ? { kind: 'accepted', unknown }
    : { kind: 'refused', faults: [first, ...others], unknown };
}
