import { GoError } from '../errors.ts';
import { quote } from '../strconv/quote.ts';
import { unquote } from '../strconv/unquote.ts';
import type { NumberNode, Operand } from './ast.ts';
import { readNumber } from './number.ts';
import { print } from './print.ts';
import type { Token, TokenKind } from './token.ts';
import type { Tokens } from './tokens.ts';
import type { Variables } from './variables.ts';

/** The functions that a text can call. */
export interface Functions {
  readonly hasFunction: (name: string) => boolean;
  /** Why a function does not exist here. */
  readonly hint?: ((name: string) => string | undefined) | undefined;
}

const STARTS: ReadonlySet<TokenKind> = new Set<TokenKind>([
  'bool',
  'charConstant',
  'complex',
  'dot',
  'field',
  'identifier',
  'leftParen',
  'nil',
  'number',
  'rawString',
  'string',
  'variable',
]);

/** Whether an operand begins with the token. */
export function startsOperand({ kind }: Token): boolean {
  return STARTS.has(kind);
}

/** The operand of a single token, without fields after it; undefined if the token is not an operand. */
export function readTerm(
  token: Token,
  tokens: Tokens,
  variables: Variables,
  functions: Functions,
): Operand | undefined {
  const { kind, pos, text } = token;
  switch (kind) {
    case 'identifier':
      if (!functions.hasFunction(text)) {
        const hint = functions.hint?.(text);
        tokens.fail(`function ${quote(text)} not defined`, hint === undefined ? {} : { hint });
      }
      return { kind, pos, name: text };
    case 'dot':
    case 'nil':
      return { kind, pos };
    case 'variable':
      if (!variables.has(text)) tokens.fail(`undefined variable ${quote(text)}`);
      return { kind, pos, idents: [text] };
    case 'field':
      return { kind, pos, idents: [text.slice(1)] };
    case 'bool':
      return { kind, pos, value: text === 'true' };
    case 'charConstant':
    case 'complex':
    case 'number':
      return number(kind, token, tokens);
    case 'rawString':
    case 'string':
      return { kind: 'string', pos, quoted: text, text: readString(token, tokens) };
    default:
      return undefined;
  }
}

function number(kind: 'charConstant' | 'complex' | 'number', token: Token, tokens: Tokens): NumberNode {
  try {
    return readNumber(kind, token.text, token.pos);
  } catch (error) {
    if (error instanceof GoError) return tokens.fail(error.message);
    throw error;
  }
}

/** The value of a string token. */
export function readString(token: Token, tokens: Tokens): string {
  return unquote(token.text) ?? tokens.fail('invalid syntax');
}

/** A term with the fields that follow it without a space. */
export function withFields(term: Operand, tokens: Tokens): Operand {
  let next = tokens.peek();
  if (next.kind !== 'field' || next.spaced) return term;
  const { pos } = next;
  const fields: string[] = [];
  let end = pos;
  do {
    tokens.next();
    fields.push(next.text.slice(1));
    end = next.pos + next.text.length;
    next = tokens.peek();
  } while (next.kind === 'field' && !next.spaced);
  switch (term.kind) {
    case 'field':
    case 'variable':
      return { kind: term.kind, pos, idents: [...term.idents, ...fields] };
    case 'bool':
    case 'dot':
    case 'nil':
    case 'number':
    case 'string':
      // In Go a space is a token: if one follows, nothing after it is read yet.
      return tokens.fail(`unexpected . after term ${quote(print(term))}`, {}, next.spaced ? end : next.pos);
    default:
      return { kind: 'chain', pos, node: term, fields };
  }
}
