/** What the lexer makes and the parser takes. */
import { quote } from '../strconv/quote.ts';
import { byteLength } from '../value/text.ts';

type Keyword =
  | 'block'
  | 'break'
  | 'continue'
  | 'define'
  | 'else'
  | 'end'
  | 'if'
  | 'nil'
  | 'range'
  | 'template'
  | 'with';

export type TokenKind =
  | Keyword
  /** The lexer cannot go on; `text` says why. */
  | 'error'
  | 'eof'
  | 'text'
  | 'comment'
  | 'leftDelim'
  | 'rightDelim'
  | 'leftParen'
  | 'rightParen'
  | 'pipe'
  | 'assign'
  | 'declare'
  | 'dot'
  | 'field'
  | 'variable'
  | 'identifier'
  | 'bool'
  | 'number'
  | 'complex'
  | 'charConstant'
  | 'string'
  | 'rawString'
  /** Any other printable ASCII character, such as a comma. */
  | 'char';

/** Space inside actions is no token of its own. */
export interface Token {
  readonly kind: TokenKind;
  /** Its offset in the text, in UTF-16 units. */
  readonly pos: number;
  /** As written; an error's message. */
  readonly text: string;
  /** Whether space stands before it, in an action. */
  readonly spaced: boolean;
}

export const KEYWORDS: ReadonlyMap<string, Keyword> = new Map(
  (
    [
      'block',
      'break',
      'continue',
      'define',
      'else',
      'end',
      'if',
      'nil',
      'range',
      'template',
      'with',
    ] satisfies Keyword[]
  ).map((word) => [word, word]),
);

/** How error messages show a token: keywords as `<if>`, others quoted, of long ones the beginning. */
export function describe({ kind, text }: Token): string {
  if (kind === 'eof') return 'EOF';
  if (kind === 'error') return text;
  if (kind === 'dot' || KEYWORDS.has(kind)) return `<${text}>`;
  if (byteLength(text) <= SHOWN) return quote(text);
  // Ten characters take twenty units at most.
  const beginning = [...text.slice(0, 2 * SHOWN)].slice(0, SHOWN).join('');
  return `${quote(beginning)}...`;
}

/** Of longer tokens, so many characters are shown. */
const SHOWN = 10;
