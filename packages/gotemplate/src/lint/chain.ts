/** `.A.B`, `$x.A.B` and `(pipeline).A.B`, name by name. */
import type { ChainNode, FieldNode, Operand, VariableNode } from '../parse/ast.ts';
import { print } from '../parse/print.ts';
import type { Type } from '../value/type.ts';
import { checkCall } from './calls.ts';
import { type Member, member } from './fields.ts';
import { isPresent } from './guards.ts';
import type { Argument, Linter } from './linter.ts';
import { ANYTHING, type Known, type Scope } from './scope.ts';
import { nearest, paths } from './suggest.ts';

type Chain = FieldNode | VariableNode | ChainNode;

/** The value of the chain. If the last name is a method, it is called with the arguments. */
export function inferChain(
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
        `${print(node)} fails if ${pointer} is nil; check it first: {{ with ${shown(known.path)} }}`,
      );
    }
    known = step(linter, known, found, node, ident, i === idents.length - 1 ? args : []);
  }
  return known;
}

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

/** The path as templates write it, without the `$` of the root dot. */
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
      : `${type.name} has no fields, so ${ident} does not exist`;
  linter.findings.add(
    'unknown-field',
    placeOf(node, i),
    message,
    suggestField(scope, struct, node, idents, i),
  );
}

/** The position of name `i`. Go's position of a chain is its second name. There are no spaces between names. */
function placeOf(node: Chain, i: number): number {
  if (node.kind === 'chain') return node.pos + widthOf(node.fields.slice(0, i));
  const [first = '', ...rest] = node.idents;
  if (rest.length === 0) return node.pos;
  if (node.kind === 'variable') return node.pos + widthOf(rest.slice(0, i));
  return i === 0 ? node.pos - widthOf([first]) : node.pos + widthOf(rest.slice(0, i - 1));
}

const widthOf = (names: readonly string[]): number =>
  names.reduce((width, name) => width + name.length + 1, 0);

/** The nearest path from the value before the unknown name; otherwise one from the root data, if dot is another value. */
function suggestField(
  scope: Scope,
  type: Type,
  node: Chain,
  idents: readonly string[],
  i: number,
): string | undefined {
  const before =
    node.kind === 'variable' ? [node.idents[0] ?? '', ...idents.slice(0, i)] : ['', ...idents.slice(0, i)];
  const head = node.kind === 'chain' ? inParentheses(node.node) : '';
  const prefix = head + before.join('.');
  for (const wanted of [idents.slice(i).join('.'), idents[i] ?? '']) {
    const here = nearest(wanted, [...paths(type), ...[...type.methods.keys()].map((name) => `.${name}`)]);
    if (here !== undefined) return prefix + here;
    const above = node.kind === 'field' && scope.dot !== scope.variable('$');
    const there = above ? nearest(wanted, paths(scope.variable('$').type)) : undefined;
    if (there !== undefined) return `$${there}`;
  }
  return undefined;
}

const inParentheses = (node: Operand): string => (node.kind === 'pipe' ? `(${print(node)})` : print(node));
