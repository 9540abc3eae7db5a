/** Infers the type of expressions, and reports their errors. */
import type { CommandNode, Operand, PipeNode } from '../parse/ast.ts';
import type { Func, FuncMap } from '../value/func.ts';
import * as T from '../value/type.ts';
import type { Type } from '../value/type.ts';
import { checkCall } from './calls.ts';
import { inferChain } from './chain.ts';
import { checkComparison, isComparison } from './compare.ts';
import { guardedArguments } from './guards.ts';
import type { Argument, Linter } from './linter.ts';
import { ANYTHING, type Known, type Scope } from './scope.ts';

/** Infers the value of a pipeline, before its variables are declared. */
export function inferPipe(linter: Linter, scope: Scope, pipe: PipeNode): Known {
  let known: Argument | undefined;
  for (const command of pipe.cmds) {
    known = { known: inferCommand(linter, scope, command, known), pos: command.pos, node: undefined };
  }
  return known?.known ?? ANYTHING;
}

/** The scope after a pipeline has declared or assigned its variables. */
export function declare(scope: Scope, pipe: PipeNode, known: Known): Scope {
  let after = scope;
  for (const { idents } of pipe.decl) {
    const name = idents[0] ?? '';
    // An assignment in a branch may not be executed, so the value is unknown after it.
    after = after.withVariable(name, pipe.assign ? ANYTHING : known);
  }
  return after;
}

function inferCommand(
  linter: Linter,
  scope: Scope,
  command: CommandNode,
  piped: Argument | undefined,
): Known {
  const [first, ...rest] = command.args;
  if (first === undefined) return ANYTHING;
  const guarded = guardedArguments(scope, first, rest);
  const args = rest.map((node, i) => inferArgument(linter, guarded(i), node));
  if (piped !== undefined) args.push(piped);
  return first.kind === 'identifier'
    ? call(linter, first.name, first.pos, args)
    : inferOperand(linter, scope, first, args);
}
function inferArgument(linter: Linter, scope: Scope, node: Operand): Argument {
  return { known: inferOperand(linter, scope, node, []), pos: node.pos, node };
}

function inferOperand(linter: Linter, scope: Scope, node: Operand, args: readonly Argument[]): Known {
  switch (node.kind) {
    case 'dot':
      return scope.dot;
    case 'bool':
      return { type: T.BOOL };
    case 'string':
      return { type: T.STRING, text: node.text };
    case 'number':
      return { type: numberType(node.text, node) };
    case 'nil':
      return ANYTHING;
    case 'identifier':
      return call(linter, node.name, node.pos, args);
    case 'pipe':
      return inferPipe(linter, scope, node);
    case 'field':
      return inferChain(linter, scope, scope.dot, node, node.idents, args);
    case 'variable':
      return inferChain(
        linter,
        scope,
        scope.variable(node.idents[0] ?? ''),
        node,
        node.idents.slice(1),
        args,
      );
    case 'chain':
      return inferChain(linter, scope, inferOperand(linter, scope, node.node, []), node, node.fields, args);
  }
}

/** The type of a literal without a parameter type. */
function numberType(
  text: string,
  node: { int: bigint | undefined; complex: unknown; float: unknown },
): Type | undefined {
  const isFloat = /[.eEpP]/.test(text) && !/^'|^[-+]?0[xX][^pP]*$/.test(text);
  if (isFloat && node.float !== undefined) return T.FLOAT64;
  if (text.endsWith('i')) return T.COMPLEX128;
  return node.int === undefined ? undefined : T.INT;
}
function call(linter: Linter, name: string, pos: number, args: readonly Argument[]): Known {
  const func = lookup(linter.funcs, name);
  // Undefined names are already reported: `Walk.names` checks all definitions.
  if (func === undefined) return ANYTHING;
  const result = checkCall(linter.findings, name, func, pos, args, 0);
  if (isComparison(name)) checkComparison(linter.findings, name, pos, args);
  if (name === 'index') return indexed(linter, pos, args);
  if (FIRST_OR_LAST.has(name)) return elementOf(args[0]?.known.type);
  return result;
}

/** A function by name; undefined if it does not exist or is unavailable. */
export function lookup(funcs: FuncMap, name: string): Func | undefined {
  const entry = Object.hasOwn(funcs, name) ? funcs[name] : undefined;
  return entry !== undefined && 'impl' in entry ? entry : undefined;
}

/** These return an element of a list, although their signatures return any type. */
const FIRST_OR_LAST: ReadonlySet<string> = new Set(['first', 'last', 'mustFirst', 'mustLast']);

const elementOf = (type: Type | undefined): Known => {
  const elem = type?.kind === 'slice' || type?.kind === 'array' ? type.elem : undefined;
  return elem === undefined || elem.kind === 'interface' ? ANYTHING : { type: elem };
};

/** `index x 1 2` is the element's element. */
function indexed({ findings }: Linter, pos: number, [container, ...keys]: readonly Argument[]): Known {
  let type = container?.known.type;
  for (const { known } of keys) {
    if (
      type?.kind === 'map' &&
      known.type !== undefined &&
      type.key?.kind === 'string' &&
      known.type.kind !== 'string'
    )
      findings.add('type', pos, `a key of ${type.name} is a string, not of type ${known.type.name}`);
    type = type?.kind === 'string' ? T.UINT8 : type?.elem;
  }
  return type === undefined || type.kind === 'interface' ? ANYTHING : { type };
}
