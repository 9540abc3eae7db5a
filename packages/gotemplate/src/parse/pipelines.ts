import type { CommandNode, Node, Operand, PipeNode, VariableNode } from './ast.ts';
import { type Functions, readTerm, startsOperand, withFields } from './operands.ts';
import type { Token, TokenKind } from './token.ts';
import type { Tokens } from './tokens.ts';
import type { Variables } from './variables.ts';

/** The limit of nested parentheses, as in Go. */
const MAX_PARENS = 10_000;

/** An incomplete pipeline, with the arguments of its last command. */
interface Open {
  readonly context: string;
  readonly end: TokenKind;
  readonly pos: number;
  assign: boolean;
  readonly decl: VariableNode[];
  readonly cmds: CommandNode[];
  args: Operand[];
  argsPos: number;
}

/**
 * Parses a pipeline and the right delimiter after it. Parentheses can be nested deeper than the host's stack, so a list
 * stores the enclosing pipelines.
 *
 * @param context the enclosing construct in error messages: `if`, `template clause`, …
 */
export function parsePipeline(
  context: string,
  tokens: Tokens,
  variables: Variables,
  functions: Functions,
): PipeNode {
  const outer: Open[] = [];
  let open = begin(context, 'rightDelim', tokens, variables);
  for (;;) {
    const token = tokens.next();
    if (open.args.length > 0 && !(token.spaced && startsOperand(token))) {
      endCommand(open, token, tokens);
      if (token.kind === 'pipe') continue;
    }
    if (open.args.length === 0) {
      if (token.kind === open.end) {
        const pipe = complete(open, tokens);
        const around = outer.pop();
        if (around === undefined) return pipe;
        open = around;
        open.args.push(withFields(pipe, tokens));
        continue;
      }
      if (!startsOperand(token)) tokens.unexpected(token, open.context);
      open.argsPos = token.pos;
    }
    const term = readTerm(token, tokens, variables, functions);
    if (term !== undefined) open.args.push(withFields(term, tokens));
    else {
      if (outer.length >= MAX_PARENS) tokens.fail('max expression depth exceeded');
      outer.push(open);
      open = begin('parenthesized pipeline', 'rightParen', tokens, variables);
    }
  }
}

function begin(context: string, end: TokenKind, tokens: Tokens, variables: Variables): Open {
  const open: Open = {
    context,
    end,
    pos: tokens.peek().pos,
    assign: false,
    decl: [],
    cmds: [],
    args: [],
    argsPos: 0,
  };
  readDeclarations(open, tokens, variables);
  return open;
}

/** Parses `$x :=`, `$x =` or, for a range, `$i, $x :=`. An assignment counts as a declaration here. */
function readDeclarations(open: Open, tokens: Tokens, variables: Variables): void {
  while (tokens.peek().kind === 'variable') {
    const variable = tokens.next();
    const { kind, text } = tokens.peek();
    const isComma = kind === 'char' && text === ',';
    if (kind !== 'assign' && kind !== 'declare' && !isComma) {
      tokens.unread(variable);
      return;
    }
    tokens.next();
    open.decl.push({ kind: 'variable', pos: variable.pos, idents: [variable.text] });
    variables.declare(variable.text);
    if (!isComma) {
      open.assign = kind === 'assign';
      return;
    }
    if (open.context !== 'range' || open.decl.length > 1)
      tokens.fail(`too many declarations in ${open.context}`);
    if (!AFTER_COMMA.has(tokens.peek().kind)) tokens.fail('range can only initialize variables');
  }
}

const AFTER_COMMA: ReadonlySet<TokenKind> = new Set<TokenKind>(['variable', 'rightDelim', 'rightParen']);

/** Ends the command before a token. Fails if a command cannot end there. */
function endCommand(open: Open, token: Token, tokens: Tokens): void {
  if (token.kind !== 'pipe' && token.kind !== 'rightDelim' && token.kind !== 'rightParen')
    tokens.unexpected(token, 'operand');
  open.cmds.push({ kind: 'command', pos: open.argsPos, args: open.args });
  open.args = [];
}

function complete({ context, pos, assign, decl, cmds }: Open, tokens: Tokens): PipeNode {
  if (cmds.length === 0) tokens.fail(`missing value for ${context}`);
  const stage = cmds.findIndex(({ args }, i) => i > 0 && args[0] !== undefined && isConstant(args[0]));
  if (stage > 0) tokens.fail(`non executable command in pipeline stage ${stage + 1}`);
  return { kind: 'pipe', pos, assign, decl, cmds };
}

function isConstant({ kind }: Node): boolean {
  return kind === 'bool' || kind === 'dot' || kind === 'nil' || kind === 'number' || kind === 'string';
}
