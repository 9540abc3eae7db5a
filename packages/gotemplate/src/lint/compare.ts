/** Comparisons that fail, and comparisons that are never true. */
import { print } from '../parse/print.ts';
import * as T from '../value/type.ts';
import type { Type } from '../value/type.ts';
import type { Findings } from './finding.ts';
import type { Argument } from './linter.ts';
import type { Known } from './scope.ts';
import { nearest } from './suggest.ts';

const COMPARISONS = new Set(['eq', 'ne', 'lt', 'le', 'gt', 'ge']);

export const isComparison = (name: string): boolean => COMPARISONS.has(name);

/** Each argument is compared with the first: `eq .Event "Success" "Failure"`. */
export function checkComparison(
  findings: Findings,
  name: string,
  pos: number,
  args: readonly Argument[],
): void {
  const [first, ...others] = args;
  if (first === undefined) return;
  for (const other of others) {
    if (!comparable(first.known.type, other.known.type)) {
      const types = `${first.known.type?.name ?? ''} and ${other.known.type?.name ?? ''}`;
      findings.add('type', pos, `${name} can't compare ${types}`, conversion(first, other));
    } else if (name === 'eq' || name === 'ne') {
      neverEqual(findings, first.known, other);
      neverEqual(findings, other.known, first);
    }
  }
}

function neverEqual(findings: Findings, { field }: Known, { known, pos, node }: Argument): void {
  const { text } = known;
  if (field?.oneOf === undefined || text === undefined || field.oneOf.includes(text)) return;
  const meant = field.instead?.[text] ?? nearest(text, field.oneOf);
  const values = field.oneOf.filter((value) => value !== '').map((value) => JSON.stringify(value));
  findings.add(
    'never-equal',
    pos,
    `${field.name} is ${values.join(' or ')}, not ${node === undefined ? JSON.stringify(text) : print(node)}`,
    meant === undefined ? undefined : JSON.stringify(meant),
  );
}

/** Kinds that Go can compare: integers of any width, but not integers with floats. */
function family(type: Type): string | undefined {
  if (T.isInteger(type.kind)) return 'int';
  if (T.isFloat(type.kind)) return 'float';
  return type.kind === 'string' || type.kind === 'bool' ? type.kind : undefined;
}

function comparable(a: Type | undefined, b: Type | undefined): boolean {
  if (a === undefined || b === undefined) return true;
  const [x, y] = [family(a), family(b)];
  return x === undefined || y === undefined || x === y;
}

/** For `eq .RetryCount "3"`, suggests the number. */
function conversion(a: Argument, b: Argument): string | undefined {
  for (const [constant, other] of [
    [a, b],
    [b, a],
  ] as const) {
    const { text } = constant.known;
    const type = other.known.type;
    if (text !== undefined && type !== undefined && T.isInteger(type.kind) && /^\d+$/.test(text)) return text;
  }
  return undefined;
}
