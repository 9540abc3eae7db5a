/** Guards: the conditions that show that a value is present. */
import type { CommandNode, Operand, PipeNode } from '../parse/ast.ts';
import type { Known, Scope } from './scope.ts';

/** `and .TargetExecution (eq .TargetExecution.State "Failed")`: the first argument guards the others. */
export function guardedArguments(
  scope: Scope,
  first: Operand,
  rest: readonly Operand[],
): (i: number) => Scope {
  if (first.kind !== 'identifier' || first.name !== 'and') return () => scope;
  return (i) => scope.checking(rest.slice(0, i).flatMap((node) => facts(scope, node)));
}

/** Whether a condition checks the pointer, or the text that implies its presence. */
export function isPresent(scope: Scope, { path = '', field }: Known): boolean {
  if (scope.isChecked(path)) return true;
  if (field?.presentWhen === undefined) return false;
  const struct = path.slice(0, path.lastIndexOf('.'));
  return scope.isChecked(holds(`${struct}.${field.presentWhen.field}`, field.presentWhen.is));
}

/** The fact that a field has a text, in the form in which scopes store it. */
const holds = (path: string, text: string): string => `${path}=${text}`;

/**
 * The facts that follow if an expression is true, or false: present paths (`.X`, `and .X .Y`, `not (empty .X)`,
 * `ne .X nil`), and texts of fields (`eq .Event "Start"`).
 */
export function facts(scope: Scope, node: Operand | PipeNode, when = true): string[] {
  switch (node.kind) {
    case 'field':
      return when ? prefixes(scope.dot.path, node.idents) : [];
    case 'variable': {
      const [name, ...idents] = node.idents;
      return when ? prefixes(scope.variable(name ?? '').path, idents) : [];
    }
    case 'pipe': {
      const [command] = node.cmds;
      return node.cmds.length === 1 && command !== undefined ? factsOfCommand(scope, command, when) : [];
    }
    default:
      return [];
  }
}

function factsOfCommand(scope: Scope, { args: [first, ...rest] }: CommandNode, when: boolean): string[] {
  if (first === undefined) return [];
  if (first.kind !== 'identifier') return facts(scope, first, when);
  const each = (truth: boolean): string[] => rest.flatMap((node) => facts(scope, node, truth));
  switch (first.name) {
    case 'not':
    case 'empty':
      return each(!when);
    case 'and':
      return when ? each(true) : [];
    case 'or':
      return when ? [] : each(false);
    case 'eq':
    case 'ne':
      if (rest.length !== 2) return [];
      if (rest.some((node) => node.kind === 'nil')) return when === (first.name === 'ne') ? each(true) : [];
      return when === (first.name === 'eq') ? equality(scope, rest) : [];
    default:
      return [];
  }
}

/** The facts of `eq .Event "Start"`, with operands in any order. */
function equality(scope: Scope, operands: readonly Operand[]): string[] {
  const text = operands.find((node) => node.kind === 'string')?.text;
  const path = operands.flatMap((node) => facts(scope, node)).at(-1);
  return text === undefined || path === undefined ? [] : [holds(path, text)];
}

function prefixes(path: string | undefined, idents: readonly string[]): string[] {
  if (path === undefined) return [];
  return [path, ...idents.map((_, i) => `${path}.${idents.slice(0, i + 1).join('.')}`)];
}
