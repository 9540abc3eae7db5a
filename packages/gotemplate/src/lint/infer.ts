/** What an expression will give, and what is wrong with it already. */
import type { ChainNode, CommandNode, FieldNode, Operand, PipeNode, VariableNode } from '../parse/ast.ts';
import { print } from '../parse/print.ts';
import type { Func, FuncMap } from '../value/func.ts';
import * as T from '../value/type.ts';
import type { Type } from '../value/type.ts';
import { checkCall } from './calls.ts';
import { checkComparison, isComparison } from './compare.ts';
import { type Member, member } from './fields.ts';
import type { Findings } from './finding.ts';
import { ANYTHING, type Known, type Scope } from './scope.ts';
import { nearest, paths } from './suggest.ts';

/** What the walk carries along. */
export interface Linter {
  readonly findings: Findings;
  readonly funcs: FuncMap;
}

/** An argument with the node it stands at. */
export interface Argument {
  readonly known: Known;
  readonly pos: number;
  readonly node: Operand | undefined;
}

/** The value of a pipeline, before its variables are declared. */
export function inferPipe(linter: Linter, scope: Scope, pipe: PipeNode): Known {
  let known: Argument | undefined;
  for (const command of pipe.cmds) {
    known = { known: inferCommand(linter, scope, command, known), pos: command.pos, node: undefined };
  }
  return known?.known ?? ANYTHING;
}

/** The scope after a pipeline has declared its variables, or has given them other values. */
export function declare(scope: Scope, pipe: PipeNode, known: Known): Scope {
  let after = scope;
  for (const { idents } of pipe.decl) {
    const name = idents[0] ?? '';
    // What is assigned in a branch may or may not have happened later on, so that nothing is known any more.
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

/** `and .TargetExecution (eq .TargetExecution.State "Failed")`: what comes before guards what comes after. */
function guardedArguments(scope: Scope, first: Operand, rest: readonly Operand[]): (i: number) => Scope {
  if (first.kind !== 'identifier' || first.name !== 'and') return () => scope;
  return (i) => scope.checking(rest.slice(0, i).flatMap((node) => truths(scope, node)));
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
      return inferFields(linter, scope, scope.dot, node, node.idents, args);
    case 'variable':
      return inferFields(
        linter,
        scope,
        scope.variable(node.idents[0] ?? ''),
        node,
        node.idents.slice(1),
        args,
      );
    case 'chain':
      return inferFields(linter, scope, inferOperand(linter, scope, node.node, []), node, node.fields, args);
  }
}

/** The type of a literal where none is asked for. */
function numberType(
  text: string,
  node: { int: bigint | undefined; complex: unknown; float: unknown },
): Type | undefined {
  const isFloat = /[.eEpP]/.test(text) && !/^'|^[-+]?0[xX][^pP]*$/.test(text);
  if (isFloat && node.float !== undefined) return T.FLOAT64;
  if (text.endsWith('i')) return T.COMPLEX128;
  return node.int === undefined ? undefined : T.INT;
}

type Chain = FieldNode | VariableNode | ChainNode;

function inferFields(
  linter: Linter,
  scope: Scope,
  from: Known,
  node: Chain,
  idents: readonly string[],
  args: readonly Argument[],
): Known {
  let known = from;
  for (const [i, ident] of idents.entries()) {
    if (known.type === undefined || known.type.kind === 'interface') return ANYTHING;
    const found = member(known.type, ident);
    if (found === undefined) {
      unknownField(linter, scope, known.type, node, idents, i);
      return ANYTHING;
    }
    if (known.type.kind === 'ptr' && known.field !== undefined && !isPresent(scope, known)) {
      const pointer = known.field.name;
      linter.findings.add(
        'nil-pointer',
        placeOf(node, i),
        `${print(node)} fails when ${pointer} is nil; ask for it first: {{ with ${shown(known.path)} }}`,
      );
    }
    known = step(linter, known, found, node, ident, i === idents.length - 1 ? args : []);
  }
  return known;
}

/** Whether somebody has asked for the pointer, or for the text that stands for its being there. */
function isPresent(scope: Scope, { path = '', field }: Known): boolean {
  if (scope.isChecked(path)) return true;
  if (field?.presentWhen === undefined) return false;
  const struct = path.slice(0, path.lastIndexOf('.'));
  return scope.isChecked(holds(`${struct}.${field.presentWhen.field}`, field.presentWhen.is));
}

/** The fact that a field holds a text, as scopes keep it beside the paths that are there. */
const holds = (path: string, text: string): string => `${path}=${text}`;

function step(
  linter: Linter,
  from: Known,
  found: Member,
  node: Chain,
  ident: string,
  args: readonly Argument[],
): Known {
  if (found.kind === 'method') return checkCall(linter.findings, ident, found.func, node.pos, args, 1);
  const path = from.path === undefined ? undefined : `${from.path}.${ident}`;
  return { type: found.type, path, field: found.field };
}

/** As it is written: the `$` of the template's own dot goes without saying. */
const shown = (path: string | undefined): string => (path ?? '').replace(/^\$\./, '.');

function unknownField(
  linter: Linter,
  scope: Scope,
  type: Type,
  node: Chain,
  idents: readonly string[],
  i: number,
): void {
  const ident = idents[i] ?? '';
  const struct = type.kind === 'ptr' && type.elem !== undefined ? type.elem : type;
  const message =
    struct.kind === 'struct'
      ? `${struct.name} has no field ${ident}`
      : `${ident} is asked of ${type.name}, which has no fields`;
  linter.findings.add(
    'unknown-field',
    placeOf(node, i),
    message,
    suggestField(scope, struct, node, idents, i),
  );
}

/** Where the name is written. Go places a chain of names at its second; there are no blanks between them. */
function placeOf(node: Chain, i: number): number {
  if (node.kind === 'chain') return node.pos + widthOf(node.fields.slice(0, i));
  const [first = '', ...rest] = node.idents;
  if (rest.length === 0) return node.pos;
  if (node.kind === 'variable') return node.pos + widthOf(rest.slice(0, i));
  return i === 0 ? node.pos - widthOf([first]) : node.pos + widthOf(rest.slice(0, i - 1));
}

const widthOf = (names: readonly string[]): number =>
  names.reduce((width, name) => width + name.length + 1, 0);

/** The nearest path from where the chain broke; else one from the template's own data, when dot is something else. */
function suggestField(
  scope: Scope,
  type: Type,
  node: Chain,
  idents: readonly string[],
  i: number,
): string | undefined {
  const before =
    node.kind === 'variable' ? [node.idents[0] ?? '', ...idents.slice(0, i)] : ['', ...idents.slice(0, i)];
  const prefix = node.kind === 'chain' ? print(node.node) + before.join('.') : before.join('.');
  for (const wanted of [idents.slice(i).join('.'), idents[i] ?? '']) {
    const here = nearest(wanted, paths(type));
    if (here !== undefined) return prefix + here;
    const above = node.kind === 'field' && scope.dot !== scope.variable('$');
    const there = above ? nearest(wanted, paths(scope.variable('$').type)) : undefined;
    if (there !== undefined) return `$${there}`;
  }
  return undefined;
}

function call(linter: Linter, name: string, pos: number, args: readonly Argument[]): Known {
  const func = lookup(linter.funcs, name);
  // Names that are not defined were reported already: they are looked for in every definition, called or not.
  if (func === undefined) return ANYTHING;
  const result = checkCall(linter.findings, name, func, pos, args, 0);
  if (isComparison(name)) checkComparison(linter.findings, name, pos, args);
  if (name === 'index') return indexed(args);
  return result;
}

/** A function by name; undefined for one that is not there or not to be had. */
export function lookup(funcs: FuncMap, name: string): Func | undefined {
  const entry = Object.hasOwn(funcs, name) ? funcs[name] : undefined;
  return entry !== undefined && 'impl' in entry ? entry : undefined;
}

/** `index x 1 2` is the element's element. */
function indexed([container, ...keys]: readonly Argument[]): Known {
  let type = container?.known.type;
  for (const _ of keys) type = type?.kind === 'string' ? T.UINT8 : type?.elem;
  return type === undefined || type.kind === 'interface' ? ANYTHING : { type };
}

/** The paths that are there when an expression is true: `.X`, `and .X .Y`, `ne .X nil` and the like. */
export function truths(scope: Scope, node: Operand | PipeNode): string[] {
  switch (node.kind) {
    case 'field':
      return prefixes(scope.dot.path, node.idents);
    case 'variable': {
      const [name, ...idents] = node.idents;
      return prefixes(scope.variable(name ?? '').path, idents);
    }
    case 'pipe':
      return node.cmds.length === 1 && node.cmds[0] !== undefined ? truthsOfCommand(scope, node.cmds[0]) : [];
    default:
      return [];
  }
}

function truthsOfCommand(scope: Scope, { args }: CommandNode): string[] {
  const [first, ...rest] = args;
  if (first === undefined) return [];
  if (first.kind !== 'identifier') return truths(scope, first);
  if (first.name === 'and') return rest.flatMap((node) => truths(scope, node));
  if (first.name === 'ne' && rest.some((node) => node.kind === 'nil'))
    return rest.flatMap((node) => truths(scope, node));
  if (first.name === 'eq' && rest.length === 2) return equalities(scope, rest);
  return [];
}

/** `eq .Event "Start"`, either way round. */
function equalities(scope: Scope, operands: readonly Operand[]): string[] {
  const text = operands.find((node) => node.kind === 'string')?.text;
  const path = operands.flatMap((node) => truths(scope, node)).at(-1);
  return text === undefined || path === undefined ? [] : [holds(path, text)];
}

function prefixes(path: string | undefined, idents: readonly string[]): string[] {
  if (path === undefined) return [];
  return [path, ...idents.map((_, i) => `${path}.${idents.slice(0, i + 1).join('.')}`)];
}
