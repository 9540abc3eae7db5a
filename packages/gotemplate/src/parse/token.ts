/** The tokens between lexer and parser. */
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
  /** The lexer cannot continue; `text` says why. */
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

/** Space inside actions is not a token. */
export interface Token {
  readonly kind: TokenKind;
  /** Its offset in the text, in UTF-16 units. */
  readonly pos: number;
  /** The source text; for an error, its message. */
  readonly text: string;
  /** Whether space is before it, in an action. */
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

/** A token in error messages: keywords as `<if>`, others in quotes, long ones shortened. */
export function describe({ kind, text }: Token): string {
  if (kind === 'eof') return 'EOF';
  if (kind === 'error') return text;
  if (kind === 'dot' || KEYWORDS.has(kind)) return `<${text}>`;
  if (byteLength(text) <= SHOWN) return quote(text);
  // Ten characters have at most twenty units.
  const beginning = [...text.slice(0, 2 * SHOWN)].slice(0, SHOWN).join('');
  return `${quote(beginning)}...`;
}

/** The number of characters that are shown of longer tokens. */
const SHOWN = 10;
