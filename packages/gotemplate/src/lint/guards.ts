/** What is known to be there because somebody has asked: the conditions around a place. */
import type { CommandNode, Operand, PipeNode } from '../parse/ast.ts';
import type { Known, Scope } from './scope.ts';

/** `and .TargetExecution (eq .TargetExecution.State "Failed")`: what comes before guards what comes after. */
export function guardedArguments(
  scope: Scope,
  first: Operand,
  rest: readonly Operand[],
): (i: number) => Scope {
  if (first.kind !== 'identifier' || first.name !== 'and') return () => scope;
  return (i) => scope.checking(rest.slice(0, i).flatMap((node) => truths(scope, node)));
}

/** Whether somebody has asked for the pointer, or for the text that stands for its being there. */
export function isPresent(scope: Scope, { path = '', field }: Known): boolean {
  if (scope.isChecked(path)) return true;
  if (field?.presentWhen === undefined) return false;
  const struct = path.slice(0, path.lastIndexOf('.'));
  return scope.isChecked(holds(`${struct}.${field.presentWhen.field}`, field.presentWhen.is));
}

/** The fact that a field holds a text, as scopes keep it beside the paths that are there. */
const holds = (path: string, text: string): string => `${path}=${text}`;

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
