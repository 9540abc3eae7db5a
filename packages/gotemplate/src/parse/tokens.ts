import { TemplateError, type TemplateErrorDetails } from '../errors.ts';
import { Lexer, type LexerOptions } from './lexer.ts';
import { lineAt } from './position.ts';
import { describe, type Token, type TokenKind } from './token.ts';

/** The tokens of a text, with look-ahead, and the errors of the parser. */
export class Tokens {
  /** The start of the current action, or of the last block whose body has no action yet. */
  action: number | undefined;
  readonly #name: string;
  readonly #text: string;
  readonly #lexer: Lexer;
  /** Tokens read ahead, the next one last. */
  readonly #ahead: Token[] = [];
  #lastRead = 0;

  constructor(name: string, text: string, options: LexerOptions) {
    this.#name = name;
    this.#text = text;
    this.#lexer = new Lexer(text, options);
  }

  /** The position of the last token read. Errors are reported there, even if an earlier token is wrong. */
  get lastRead(): number {
    return this.#lastRead;
  }

  next(): Token {
    return this.#ahead.pop() ?? this.#read();
  }

  peek(): Token {
    const token = this.next();
    this.#ahead.push(token);
    return token;
  }

  /** Puts a token back before all others. */
  unread(token: Token): void {
    this.#ahead.push(token);
  }

  #read(): Token {
    const token = this.#lexer.next();
    this.#lastRead = token.pos;
    return token;
  }

  expect(kind: TokenKind, context: string): Token {
    const token = this.next();
    return token.kind === kind ? token : this.unexpected(token, context);
  }

  /** @param at the offset whose line is reported. */
  fail(
    description: string,
    details: Pick<TemplateErrorDetails, 'hint' | 'limit'> = {},
    at = this.#lastRead,
  ): never {
    const line = lineAt(this.#text, at);
    throw new TemplateError({
      stage: 'parse',
      message: `template: ${this.#name}:${line}: ${description}`,
      description,
      template: this.#name,
      line,
      ...details,
    });
  }

  unexpected(token: Token, context: string): never {
    return this.fail(
      token.kind === 'error'
        ? token.text + this.#actionStart(token)
        : `unexpected ${describe(token)} in ${context}`,
    );
  }

  /** Says where the action began, if it is on another line. */
  #actionStart(token: Token): string {
    if (this.action === undefined) return '';
    const line = lineAt(this.#text, this.action);
    if (line === lineAt(this.#text, token.pos)) return '';
    const subject = token.text.endsWith(' action') ? '' : ' in action';
    return `${subject} started at ${this.#name}:${line}`;
  }
}
