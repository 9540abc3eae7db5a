import type { ASTNode, Environment, ParseResult, SourceRange } from '@marcbachmann/cel-js';
import { EvaluationError, ParseError, TypeError as CelTypeError } from '@marcbachmann/cel-js';
import type { ValidationRule } from '../node.ts';
import { ExpressionError } from './calls.ts';
import type { RuleEnvironment } from './environment.ts';
import { estimate } from './estimate.ts';
import type { CelType } from './types.ts';

/** A compiled expression. */
export interface Expression {
  run: ParseResult;
  /** The maximum cost of one evaluation. */
  cost: number;
  usesOldSelf: boolean;
}

/** A rule with its errors in the server's words. Without an expression it cannot be evaluated. */
export interface CompiledRule {
  rule: ValidationRule;
  expression: Expression | undefined;
  problem: string | undefined;
  message: Expression | undefined;
  messageProblem: string | undefined;
}

export function compileRule(rule: ValidationRule, type: CelType, environment: RuleEnvironment): CompiledRule {
  const optional = rule.optionalOldSelf === true;
  const within = optional ? environment.optional : environment.plain;
  const oldSelf: CelType = optional ? { kind: 'optional', size: 0, value: type, minSize: 2 } : type;
  const compile = (text: string, expected: string): Expression | string => {
    const scope = new Map<string, CelType>([
      ['self', type],
      ['oldSelf', oldSelf],
    ]);
    return compileExpression(text, expected, within, scope);
  };
  const expression = compile(rule.rule, 'bool');
  const message =
    rule.messageExpression.trim() === '' ? undefined : compile(rule.messageExpression, 'string');
  return {
    rule,
    expression: typeof expression === 'string' ? undefined : expression,
    problem: typeof expression === 'string' ? withoutPrefix(expression, 'cel expression') : undefined,
    message: typeof message === 'string' ? undefined : message,
    messageProblem: typeof message === 'string' ? withoutPrefix(message, 'messageExpression') : undefined,
  };
}

/** `must evaluate to …` needs a subject. `compilation failed` needs one only for messages. */
function withoutPrefix(problem: string, subject: string): string {
  return problem.startsWith('must') || subject === 'messageExpression' ? `${subject} ${problem}` : problem;
}

function compileExpression(
  text: string,
  expected: string,
  environment: Environment,
  scope: ReadonlyMap<string, CelType>,
): Expression | string {
  try {
    const run = environment.parse(text);
    const { cost } = estimate(run.ast, scope);
    const check = run.check();
    if (!check.valid) throw check.error ?? new Error('the expression has no type');
    if (check.type !== expected && check.type !== 'dyn') return `must evaluate to a ${expected}`;
    return { run, cost, usesOldSelf: mentions(run.ast, 'oldSelf') };
  } catch (error) {
    return `compilation failed: ${compileError(text, error)}`;
  }
}

/** In the form of the real compiler: the place, the line and a mark below it. */
function compileError(text: string, error: unknown): string {
  const { message, range } = describe(error);
  const before = text.slice(0, range?.start ?? 0);
  const line = before.split('\n').length;
  const column = before.length - (before.lastIndexOf('\n') + 1);
  const source = text.split('\n')[line - 1] ?? '';
  return `ERROR: <input>:${line}:${column + 1}: ${message}\n | ${source}\n | ${'.'.repeat(column)}^`;
}

function describe(error: unknown): { message: string; range: SourceRange | undefined } {
  if (error instanceof ExpressionError) return { message: error.message, range: error.range };
  if (error instanceof ParseError) return { message: `Syntax error: ${error.summary}`, range: error.range };
  if (error instanceof CelTypeError) return { message: error.summary, range: error.range };
  return { message: error instanceof Error ? error.message : String(error), range: undefined };
}

function mentions(node: ASTNode, name: string): boolean {
  if (node.op === 'id') return node.args === name;
  return partsOf(node).some((part) => mentions(part, name));
}

function partsOf(node: ASTNode): readonly ASTNode[] {
  switch (node.op) {
    case 'value':
    case 'id':
      return [];
    case '.':
    case '.?':
      return [node.args[0]];
    case 'call':
      return node.args[1];
    case 'rcall':
      return [node.args[1], ...node.args[2]];
    case 'map':
      return node.args.flat();
    case '!_':
    case '-_':
      return [node.args];
    default:
      return node.args;
  }
}

/** The result of an evaluation: a value, or the reason without one, in the server's words. */
export type Outcome = { value: unknown } | { error: string };

export function evaluate(expression: Expression, self: unknown, oldSelf: unknown): Outcome {
  try {
    return { value: expression.run({ self, oldSelf }) as unknown };
  } catch (error) {
    return { error: runtimeError(error) };
  }
}

function runtimeError(error: unknown): string {
  if (!(error instanceof EvaluationError)) return error instanceof Error ? error.message : String(error);
  const outOfBounds = /index out of bounds, index (-?\d+)/.exec(error.summary)?.[1];
  if (outOfBounds !== undefined) return `index out of bounds: ${outOfBounds}`;
  return error.summary.charAt(0).toLowerCase() + error.summary.slice(1);
}
