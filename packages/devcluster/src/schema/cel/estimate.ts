import type { ASTNode } from '@marcbachmann/cel-js';
import type { Estimate } from './calls.ts';
import { callEstimate, computed, ExpressionError, isKnownFunction } from './calls.ts';
import { newList, newMap, plus, times, traversal } from './cost.ts';
import { matchesFunction } from './functions.ts';
import { patternError } from '../regex.ts';
import type { CelType, ScalarKind } from './types.ts';

/** The variables of an expression. */
type Scope = ReadonlyMap<string, CelType>;

/**
 * Estimates the maximum cost of an expression by the rules of the real server (github.com/google/cel-go, `checker/cost.go`, and the
 * estimator of k8s.io/apiserver's CEL library). Sizes come from the schema, or from the largest request if the schema has no limit.
 *
 * It also checks that the server knows the fields (declared in the schema) and the functions (of Kubernetes). Calls of `matches` are
 * redirected to RE2.
 *
 * @throws ExpressionError if the expression uses something unknown, or something that only the real server knows
 */
export function estimate(node: ASTNode, scope: Scope): Estimate {
  switch (node.op) {
    case 'value':
      return { cost: 0, type: literalType(node.args) };
    case 'id':
      return { cost: 1, type: variable(node, node.args, scope) };
    case '.':
    case '.?':
      return select(node, node.args[0], node.args[1], scope);
    case '[]':
    case '[?]':
      return element(node.args[0], node.args[1], node.op === '[?]', scope);
    case 'call':
      return call(node, node.args[0], undefined, node.args[1], scope);
    case 'rcall':
      if (node.args[0] === 'matches') node.args[0] = matchesFunction;
      return call(node, node.args[0], node.args[1], node.args[2], scope);
    case 'list': {
      const items = node.args.map((item) => estimate(item, scope));
      const type = items.map((item) => item.type).reduce(larger, computed('dyn'));
      const listType: CelType = {
        kind: 'list',
        size: items.length,
        items: type,
        listType: 'atomic',
        minSize: 2,
      };
      return { cost: plus(newList, ...items.map((item) => item.cost)), type: listType };
    }
    case 'map': {
      const entries = node.args.map(
        ([key, value]) => [estimate(key, scope), estimate(value, scope)] as const,
      );
      const keys = entries.map(([key]) => key.type).reduce(larger, computed('dyn'));
      const values = entries.map(([, value]) => value.type).reduce(larger, computed('dyn'));
      const cost = plus(newMap, ...entries.flatMap(([key, value]) => [key.cost, value.cost]));
      return { cost, type: { kind: 'map', size: entries.length, keys, values, minSize: 2 } };
    }
    case '?:': {
      const [condition, yes, no] = node.args.map((part) => estimate(part, scope));
      if (!condition || !yes || !no) throw new ExpressionError('incomplete conditional', node.range);
      return { cost: plus(condition.cost, Math.max(yes.cost, no.cost)), type: larger(yes.type, no.type) };
    }
    case '!_':
    case '-_': {
      const operand = estimate(node.args, scope);
      // A negative number is a literal.
      const literal = node.op === '-_' && node.args.op === 'value';
      return { cost: literal ? 0 : plus(1, operand.cost), type: operand.type };
    }
    default:
      return binary(node, node.op, node.args[0], node.args[1], scope);
  }
}

function binary(node: ASTNode, op: string, left: ASTNode, right: ASTNode, scope: Scope): Estimate {
  const a = estimate(left, scope);
  const b = estimate(right, scope);
  const sum = plus(a.cost, b.cost);
  const smaller = Math.min(a.type.size, b.type.size);
  const textual = [a.type, b.type].some(
    ({ kind }) => kind === 'string' || kind === 'bytes' || kind === 'dyn',
  );
  switch (op) {
    case '&&':
    case '||':
      return { cost: sum, type: computed('bool') };
    case '==':
    case '!=':
      refuseUnordered(node, op, a.type, b.type);
      return { cost: plus(sum, traversal(smaller)), type: computed('bool') };
    case '<':
    case '<=':
    case '>':
    case '>=':
      return { cost: plus(sum, textual ? traversal(smaller) : 1), type: computed('bool') };
    case 'in':
      return { cost: plus(sum, b.type.kind === 'map' ? 1 : b.type.size), type: computed('bool') };
    case '+': {
      refuseUnordered(node, op, a.type, b.type);
      const size = plus(a.type.size, b.type.size);
      if (a.type.kind === 'list') return { cost: plus(sum, 1), type: { ...larger(a.type, b.type), size } };
      return { cost: plus(sum, textual ? traversal(size) : 1), type: textual ? { ...a.type, size } : a.type };
    }
    default:
      return { cost: plus(sum, 1), type: a.type };
  }
}

/**
 * The real server compares and joins lists that are sets or maps without regard to order. Here that works within objects, not for the
 * lists themselves.
 */
function refuseUnordered(node: ASTNode, op: string, ...types: readonly CelType[]): void {
  const unordered = types.find((type) => type.kind === 'list' && type.listType !== 'atomic');
  if (unordered?.kind !== 'list') return;
  throw new ExpressionError(
    `operator '${op}' on a list with x-kubernetes-list-type=${unordered.listType} is not supported by this server`,
    node.range,
  );
}

function select(node: ASTNode, operand: ASTNode, name: string, scope: Scope): Estimate {
  const target = estimate(operand, scope);
  const optional = node.op === '.?';
  const inner = target.type.kind === 'optional' ? target.type.value : target.type;
  const type = fieldType(node, inner, name);
  const cost = inner.kind === 'object' || inner.kind === 'map' ? plus(target.cost, 1) : target.cost;
  return { cost, type: optional || target.type.kind === 'optional' ? optionalOf(type) : type };
}

function fieldType(node: ASTNode, type: CelType, name: string): CelType {
  if (type.kind === 'dyn') return computed('dyn');
  // The real estimator loses the schema of an entry that is selected like a field.
  if (type.kind === 'map') return { ...type.values, size: computed(scalarKind(type.values)).size };
  if (type.kind === 'object') {
    const field = type.fields.get(name);
    if (field !== undefined) return field.type;
    throw new ExpressionError(`undefined field '${name}'`, node.range);
  }
  throw new ExpressionError(`type '${type.kind}' does not support field selection`, node.range);
}

function scalarKind({ kind }: CelType): ScalarKind {
  return kind === 'object' || kind === 'list' || kind === 'map' || kind === 'optional' ? 'dyn' : kind;
}

function element(list: ASTNode, position: ASTNode, optional: boolean, scope: Scope): Estimate {
  const target = estimate(list, scope);
  const index = estimate(position, scope);
  const inner = target.type.kind === 'optional' ? target.type.value : target.type;
  const type =
    inner.kind === 'list'
      ? inner.items
      : inner.kind === 'object' && position.op === 'value' && typeof position.args === 'string'
        ? fieldType(position, inner, position.args)
        : inner.kind === 'map'
          ? inner.values
          : computed('dyn');
  const wrapped = optional || target.type.kind === 'optional' ? optionalOf(type) : type;
  return { cost: plus(target.cost, index.cost, 1), type: wrapped };
}

function call(
  node: ASTNode,
  name: string,
  receiver: ASTNode | undefined,
  args: readonly ASTNode[],
  scope: Scope,
): Estimate {
  if (receiver?.op === 'id' && receiver.args === 'optional' && (name === 'of' || name === 'none')) {
    const value = args[0] === undefined ? { cost: 0, type: computed('dyn') } : estimate(args[0], scope);
    return { cost: plus(value.cost, 1), type: optionalOf(value.type) };
  }
  if (!isKnownFunction(name, receiver !== undefined)) {
    throw new ExpressionError(`undeclared reference to '${name}' (in container '')`, node.range);
  }
  if (name === 'has' && receiver === undefined) return presence(node, args[0], scope);
  if (receiver !== undefined && macros.has(name)) return comprehension(node, name, receiver, args, scope);
  refuseBadPattern(name, args[0]);
  const target = receiver === undefined ? undefined : estimate(receiver, scope);
  const values = args.map((arg) => estimate(arg, scope));
  const result = callEstimate(
    name,
    target?.type,
    values.map((value) => value.type),
    args,
  );
  return {
    cost: plus(target?.cost ?? 0, ...values.map((value) => value.cost), result.cost),
    type: result.type,
  };
}

const searches = new Set([matchesFunction, 'find', 'findAll']);

function refuseBadPattern(name: string, pattern: ASTNode | undefined): void {
  if (!searches.has(name) || pattern?.op !== 'value' || typeof pattern.args !== 'string') return;
  const problem = patternError(pattern.args);
  if (problem !== undefined) throw new ExpressionError(problem, pattern.range);
}

/** `has(a.b)` costs the same as `a`. */
function presence(node: ASTNode, field: ASTNode | undefined, scope: Scope): Estimate {
  if (field?.op !== '.') throw new ExpressionError('invalid argument to has() macro', node.range);
  const operand = estimate(field.args[0], scope);
  fieldType(field, operand.type.kind === 'optional' ? operand.type.value : operand.type, field.args[1]);
  return { cost: operand.cost, type: computed('bool') };
}

const macros = new Set(['all', 'exists', 'exists_one', 'map', 'filter']);

function comprehension(
  node: ASTNode,
  name: string,
  receiver: ASTNode,
  args: readonly ASTNode[],
  scope: Scope,
): Estimate {
  const range = estimate(receiver, scope);
  const [variableNode, ...bodies] = args;
  if (variableNode?.op !== 'id') throw new ExpressionError('argument must be a simple name', node.range);
  const items = itemType(range.type);
  const inner = new Map(scope).set(variableNode.args, items);
  const parts = bodies.map((body) => estimate(body, inner));
  const body = parts.reduce((sum, part) => plus(sum, part.cost), 0);
  const last = parts.at(-1)?.type ?? computed('dyn');
  const list = (type: CelType): CelType => {
    return { kind: 'list', size: range.type.size, items: type, listType: 'atomic', minSize: 2 };
  };
  // The additional cost of the macro's expansion for each step, and around the loop.
  const looped = (step: number, around: number, type: CelType): Estimate => {
    return { cost: plus(range.cost, around, times(range.type.size, plus(body, step))), type };
  };
  switch (name) {
    case 'all':
      return looped(3, 1, computed('bool'));
    case 'exists':
      return looped(4, 1, computed('bool'));
    case 'exists_one':
      return looped(2, 2, computed('bool'));
    case 'map':
      return looped(12, 11, list(last));
    default:
      return looped(13, 11, list(items));
  }
}

/** Maps are iterated by their keys. */
function itemType(type: CelType): CelType {
  if (type.kind === 'list') return type.items;
  return type.kind === 'map' ? type.keys : computed('dyn');
}

/** The type names that are values, as in `type(x) == string`. */
const typeNames = new Set([
  'int',
  'uint',
  'double',
  'bool',
  'string',
  'bytes',
  'list',
  'map',
  'null_type',
  'type',
]);

function variable(node: ASTNode, name: string, scope: Scope): CelType {
  const type = scope.get(name);
  if (type !== undefined) return type;
  if (typeNames.has(name)) return computed('type');
  throw new ExpressionError(`undeclared reference to '${name}' (in container '')`, node.range);
}

function literalType(value: unknown): CelType {
  if (typeof value === 'string') return { kind: 'string', size: Array.from(value).length, minSize: 2 };
  if (value instanceof Uint8Array) return { kind: 'bytes', size: value.length, minSize: 2 };
  if (typeof value === 'bigint') return computed('int');
  if (typeof value === 'number') return computed('double');
  if (typeof value === 'boolean') return computed('bool');
  return value === null ? computed('null') : computed('int');
}

function larger(a: CelType, b: CelType): CelType {
  return b.size > a.size || (a.kind === 'dyn' && b.kind !== 'dyn') ? b : a;
}

function optionalOf(value: CelType): CelType {
  return value.kind === 'optional' ? value : { kind: 'optional', size: 0, value, minSize: 2 };
}
