import type { ASTNode, SourceRange } from '@marcbachmann/cel-js';
import { maxCost, plus, search, times, traversal } from './cost.ts';
import { matchesFunction } from './functions.ts';
import type { CelType, ScalarKind } from './types.ts';

/** The maximum cost of an expression, and its type. */
export interface Estimate {
  cost: number;
  type: CelType;
}

/** Why an expression is invalid, and where. */
export class ExpressionError extends Error {
  readonly range: SourceRange;

  constructor(message: string, range: SourceRange) {
    super(message);
    this.range = range;
  }
}

/** The type of a scalar that an expression creates. The size of a created text or of created bytes is unknown. */
export function computed(kind: ScalarKind): CelType {
  const unknown = kind === 'string' || kind === 'bytes' || kind === 'dyn';
  return { kind, size: unknown ? maxCost : 1, minSize: 1 };
}

const globals = new Set('has size string int uint double bool bytes dyn type timestamp duration'.split(' '));
const methods = new Set(
  (
    'size contains startsWith endsWith lowerAscii upperAscii trim split join replace substring indexOf lastIndexOf ' +
    'charAt find findAll isSorted sum min max all exists exists_one map filter hasValue value or orValue ' +
    'getDate getDayOfMonth getDayOfWeek getDayOfYear getFullYear getHours getMilliseconds getMinutes getMonth getSeconds'
  ).split(' '),
).add(matchesFunction);

/** Whether rules may call a function: Kubernetes and this server support it. */
export function isKnownFunction(name: string, hasReceiver: boolean): boolean {
  return (hasReceiver ? methods : globals).has(name);
}

/** The cost of a call, besides that of its receiver and arguments. Default: 1. */
export function callEstimate(
  name: string,
  target: CelType | undefined,
  args: readonly CelType[],
  nodes: readonly ASTNode[],
): Estimate {
  const size = target?.size ?? args[0]?.size ?? 0;
  const first = args[0] ?? computed('dyn');
  switch (name) {
    case 'size':
    case 'indexOf':
    case 'lastIndexOf':
      return { cost: name === 'size' ? 1 : listCost(target, size), type: computed('int') };
    case 'isSorted':
      return { cost: listCost(target, size), type: computed('bool') };
    case 'sum':
    case 'min':
    case 'max':
      return { cost: listCost(target, size), type: target?.kind === 'list' ? target.items : computed('dyn') };
    case 'lowerAscii':
    case 'upperAscii':
    case 'substring':
    case 'trim':
      return { cost: traversal(size), type: text(size) };
    case 'replace':
      return { cost: traversal(2 * size), type: text(replacedSize(size, first, args[1], nodes[0])) };
    case 'split':
      return { cost: traversal(2 * size), type: texts(limitOf(nodes[1]) ?? size, size) };
    case 'join':
      return joinEstimate(target, args[0]);
    case 'find':
    case 'findAll':
      return { cost: search(size, first.size), type: name === 'find' ? text(size) : texts(size, size) };
    case matchesFunction:
      return { cost: search(size, first.size), type: computed('bool') };
    case 'contains':
      return { cost: times(traversal(size), traversal(first.size)), type: computed('bool') };
    case 'startsWith':
    case 'endsWith':
      return { cost: traversal(first.size), type: computed('bool') };
    default:
      return { cost: conversionCost(name, first), type: resultType(name, target, first) };
  }
}

function resultType(name: string, target: CelType | undefined, first: CelType): CelType {
  switch (name) {
    case 'dyn':
      return { kind: 'dyn', size: first.size, minSize: 1 };
    case 'string':
      return first.kind === 'string' || first.kind === 'bytes' ? text(first.size) : computed('string');
    case 'bytes':
      return { kind: 'bytes', size: times(first.size, 4), minSize: 2 };
    case 'charAt':
      return text(1);
    case 'bool':
    case 'double':
    case 'timestamp':
    case 'duration':
    case 'type':
      return computed(name);
    case 'hasValue':
      return computed('bool');
    case 'value':
    case 'orValue':
      return target?.kind === 'optional' ? target.value : computed('dyn');
    case 'or':
      return target ?? computed('dyn');
    default:
      return computed('int');
  }
}

function conversionCost(name: string, first: CelType): number {
  const walks =
    (name === 'bytes' && first.kind === 'string') || (name === 'string' && first.kind === 'bytes');
  return walks ? traversal(first.size) : 1;
}

/** Reading a list costs 1 for each item, plus the reading of the items' texts. */
function listCost(target: CelType | undefined, size: number): number {
  if (target?.kind !== 'list') return traversal(size);
  const { items } = target;
  const textual = items.kind === 'string' || items.kind === 'bytes';
  return times(size, plus(1, textual ? traversal(items.size) : 0));
}

function joinEstimate(target: CelType | undefined, separator: CelType | undefined): Estimate {
  const count = target?.size ?? 0;
  const items = target?.kind === 'list' ? target.items.size : maxCost;
  const size = plus(times(count, items), times(Math.max(count - 1, 0), separator?.size ?? 0));
  return { cost: traversal(size), type: text(size) };
}

/** The maximum length of a text after a replacement. The length of a literal is known. */
function replacedSize(
  size: number,
  old: CelType,
  by: CelType | undefined,
  node: ASTNode | undefined,
): number {
  const least = node?.op === 'value' ? old.size : 0;
  const replacement = by?.size ?? 0;
  if (least === 0) return plus(times(plus(size, 1), replacement), size);
  return replacement <= least ? size : times(Math.ceil(size / least), replacement);
}

function limitOf(node: ASTNode | undefined): number | undefined {
  return node?.op === 'value' && typeof node.args === 'bigint' && node.args >= 0n
    ? Number(node.args)
    : undefined;
}

function text(size: number): CelType {
  return { kind: 'string', size, minSize: 2 };
}

function texts(count: number, size: number): CelType {
  return { kind: 'list', size: count, items: text(size), listType: 'atomic', minSize: 2 };
}
