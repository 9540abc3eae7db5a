import { quote } from '../strconv/quote.ts';
import { isDigit, isSpace, isWord, skipWord, unicodeName } from './characters.ts';
import { scanNumber } from './scan-number.ts';
import { KEYWORDS, type Token, type TokenKind } from './token.ts';

const MINUS = 0x2d;
const BACKSLASH = 0x5c;
const NEWLINE = 0x0a;
const AFTER_NAME: ReadonlySet<number> = new Set([...'.,|:()'].map((mark) => mark.charCodeAt(0)));
const COMMENT_START = '/*';
const COMMENT_END = '*/';

export interface LexerOptions {
  /** Default, also if empty: `{{`. */
  readonly leftDelim?: string | undefined;
  /** Default, also if empty: `}}`. */
  readonly rightDelim?: string | undefined;
  /** Whether comments are tokens. Default false: they are skipped. */
  readonly comments?: boolean | undefined;
  /** Keywords that are function names here: `break` and `continue`. */
  readonly names?: ReadonlySet<string> | undefined;
}

/** Splits a text into tokens, one at a time. Do not call `next` after an error token. */
export class Lexer {
  readonly #text: string;
  readonly #left: string;
  readonly #right: string;
  readonly #rightUnit: number;
  readonly #comments: boolean;
  readonly #names: ReadonlySet<string> | undefined;
  #pos = 0;
  #inAction = false;
  #parens = 0;

  constructor(text: string, options: LexerOptions = {}) {
    this.#text = text;
    this.#left = delimiter(options.leftDelim, '{{');
    this.#right = delimiter(options.rightDelim, '}}');
    this.#rightUnit = this.#right.charCodeAt(0);
    this.#comments = options.comments ?? false;
    this.#names = options.names;
  }

  next(): Token {
    return this.#inAction ? this.#action() : this.#outside();
  }

  #outside(): Token {
    const text = this.#text;
    for (;;) {
      const start = this.#pos;
      const at = text.indexOf(this.#left, start);
      if (at < 0) {
        this.#pos = text.length;
        return start < text.length ? token('text', start, text.slice(start)) : token('eof', start, '');
      }
      let inner = at + this.#left.length;
      const trims = text.charCodeAt(inner) === MINUS && isSpace(text.charCodeAt(inner + 1));
      const end = trims ? this.#trimEnd(start, at) : at;
      if (end > start) {
        this.#pos = at;
        return token('text', start, text.slice(start, end));
      }
      if (trims) inner += 2;
      if (text.startsWith(COMMENT_START, inner)) {
        const comment = this.#comment(inner);
        if (comment !== undefined) return comment;
      } else {
        this.#inAction = true;
        this.#pos = inner;
        return token('leftDelim', at, this.#left);
      }
    }
  }

  #trimEnd(start: number, end: number): number {
    while (end > start && isSpace(this.#text.charCodeAt(end - 1))) end--;
    return end;
  }

  /** Skips a comment. Returns its token if comments are wanted, or an error token. */
  #comment(start: number): Token | undefined {
    const close = this.#text.indexOf(COMMENT_END, start + COMMENT_START.length);
    if (close < 0) return token('error', start, 'unclosed comment');
    const end = close + COMMENT_END.length;
    const delim = this.#rightDelim(end);
    if (delim < 0) return token('error', start, 'comment ends before closing delimiter');
    this.#leave(end, delim);
    return this.#comments ? token('comment', start, this.#text.slice(start, end)) : undefined;
  }

  /** The offset of the right delimiter at `at`, after its trim marker if it has one; or -1. */
  #rightDelim(at: number): number {
    const text = this.#text;
    if (isSpace(text.charCodeAt(at)) && text.charCodeAt(at + 1) === MINUS && this.#isRight(at + 2))
      return at + 2;
    return this.#isRight(at) ? at : -1;
  }

  #isRight(at: number): boolean {
    return this.#text.charCodeAt(at) === this.#rightUnit && this.#text.startsWith(this.#right, at);
  }

  /** Skips the right delimiter at `delim`. If `delim` is not `at`, it has a trim marker. */
  #leave(at: number, delim: number): void {
    let pos = delim + this.#right.length;
    if (delim !== at) while (isSpace(this.#text.charCodeAt(pos))) pos++;
    this.#pos = pos;
    this.#inAction = false;
  }

  /** The next token of an action. */
  #action(): Token {
    const text = this.#text;
    let spaced = false;
    for (;;) {
      const at = this.#pos;
      const delim = this.#rightDelim(at);
      if (delim >= 0) {
        if (this.#parens > 0) return token('error', at, 'unclosed left paren', spaced);
        this.#leave(at, delim);
        return token('rightDelim', delim, this.#right, spaced);
      }
      if (!isSpace(text.charCodeAt(at))) return this.#word(at, spaced);
      let end = at + 1;
      while (isSpace(text.charCodeAt(end))) end++;
      // The last space belongs to the trim marker, if one follows.
      if (text.charCodeAt(end) === MINUS && this.#isRight(end + 1)) end--;
      this.#pos = end;
      spaced = true;
    }
  }

  #word(start: number, spaced: boolean): Token {
    const text = this.#text;
    const unit = text.charCodeAt(start);
    switch (text[start]) {
      case undefined:
        return token('error', start, 'unclosed action', spaced);
      case '.':
        if (start + 1 < text.length && !isDigit(text.charCodeAt(start + 1)))
          return this.#name('field', 'dot', start, spaced);
        return this.#number(start, spaced);
      case '$':
        return this.#name('variable', 'variable', start, spaced);
      case '"':
        return this.#quoted('string', '"', 'unterminated quoted string', start, spaced);
      case "'":
        return this.#quoted('charConstant', "'", 'unterminated character constant', start, spaced);
      case '`': {
        const end = text.indexOf('`', start + 1);
        if (end < 0) return token('error', start, 'unterminated raw quoted string', spaced);
        return this.#take('rawString', start, end + 1, spaced);
      }
      case '|':
        return this.#take('pipe', start, start + 1, spaced);
      case '(':
        this.#parens++;
        return this.#take('leftParen', start, start + 1, spaced);
      case ')':
        if (--this.#parens < 0) return token('error', start, 'unexpected right paren', spaced);
        return this.#take('rightParen', start, start + 1, spaced);
      case '=':
        return this.#take('assign', start, start + 1, spaced);
      case ':':
        if (text[start + 1] !== '=') return token('error', start, 'expected :=', spaced);
        return this.#take('declare', start, start + 2, spaced);
    }
    if (isDigit(unit) || unit === MINUS || text[start] === '+') return this.#number(start, spaced);
    const point = text.codePointAt(start) ?? 0;
    if (isWord(point)) return this.#identifier(start, spaced);
    if (point >= 0x20 && point < 0x7f) return this.#take('char', start, start + 1, spaced);
    return token('error', start, `unrecognized character in action: ${unicodeName(point)}`, spaced);
  }

  #take(kind: TokenKind, start: number, end: number, spaced: boolean): Token {
    this.#pos = end;
    return token(kind, start, this.#text.slice(start, end), spaced);
  }

  #identifier(start: number, spaced: boolean): Token {
    const end = skipWord(this.#text, start);
    if (!this.#endsName(end)) return this.#badCharacter(start, end, spaced);
    this.#pos = end;
    const word = this.#text.slice(start, end);
    const keyword = KEYWORDS.get(word);
    if (keyword !== undefined && !this.#names?.has(word)) return token(keyword, start, word, spaced);
    return token(word === 'true' || word === 'false' ? 'bool' : 'identifier', start, word, spaced);
  }

  /** `.name` or `$name`, or only the mark. */
  #name(kind: TokenKind, alone: TokenKind, start: number, spaced: boolean): Token {
    if (this.#endsName(start + 1)) return this.#take(alone, start, start + 1, spaced);
    const end = skipWord(this.#text, start + 1);
    return this.#endsName(end)
      ? this.#take(kind, start, end, spaced)
      : this.#badCharacter(start, end, spaced);
  }

  #badCharacter(start: number, at: number, spaced: boolean): Token {
    return token('error', start, `bad character ${unicodeName(this.#text.codePointAt(at) ?? 0)}`, spaced);
  }

  /** Whether a name may end here. It refuses `$x+2`. */
  #endsName(at: number): boolean {
    const unit = this.#text.charCodeAt(at);
    return isSpace(unit) || at >= this.#text.length || AFTER_NAME.has(unit) || this.#isRight(at);
  }

  #number(start: number, spaced: boolean): Token {
    const { kind, end } = scanNumber(this.#text, start);
    this.#pos = end;
    const text = this.#text.slice(start, end);
    return kind === undefined
      ? token('error', start, `bad number syntax: ${quote(text)}`, spaced)
      : token(kind, start, text, spaced);
  }

  #quoted(kind: TokenKind, mark: string, unterminated: string, start: number, spaced: boolean): Token {
    const text = this.#text;
    const close = mark.charCodeAt(0);
    for (let i = start + 1; i < text.length; i++) {
      let unit = text.charCodeAt(i);
      if (unit === close) return this.#take(kind, start, i + 1, spaced);
      if (unit === BACKSLASH) unit = text.charCodeAt(++i);
      if (unit === NEWLINE) break;
    }
    return token('error', start, unterminated, spaced);
  }
}

function token(kind: TokenKind, pos: number, text: string, spaced = false): Token {
  return { kind, pos, text, spaced };
}

function delimiter(given: string | undefined, standard: string): string {
  return given === undefined || given === '' ? standard : given;
}
