/** Parses conditions on versions: alternatives, separated by `||`. All conditions of an alternative must be met. */
import type { Budget } from '../../budget.ts';
import { GoError } from '../../errors.ts';
import { type Constraint, type Operator, meets } from './constraint.ts';
import { type Version, parseVersion } from './version.ts';

interface Alternative {
  readonly constraints: readonly Constraint[];
  /** Prereleases count only if one of the conditions names one. */
  readonly prereleases: boolean;
}

type Constraints = readonly Alternative[];

const SPACE = String.raw`[\t\n\f\r ]`;
const VERSION = String.raw`v?([0-9|xX*]+)(\.[0-9|xX*]+)?(\.[0-9|xX*]+)?(-[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?(?:\+[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?`;

const RANGE = new RegExp(`${SPACE}*(${VERSION})${SPACE}+-${SPACE}+(${VERSION})${SPACE}*`, 'g');
const DASH = new RegExp(`${SPACE}-${SPACE}`);

const GAP = new RegExp(`${SPACE}*,?${SPACE}*`, 'y');
const SPACES = new RegExp(`${SPACE}*`, 'y');
const OPERATOR = /[=!<>~^]*/y;
const OPERAND = new RegExp(VERSION, 'y');

const OPERATORS: ReadonlySet<string> = new Set<Operator>([
  '',
  '=',
  '!=',
  '>',
  '<',
  '>=',
  '=>',
  '<=',
  '=<',
  '~',
  '~>',
  '^',
]);

/** Throws a GoError that names the invalid alternative. */
export function parseConstraints(text: string, budget: Budget): Constraints {
  budget.spend(text.length / 16);
  return withoutRanges(text, budget)
    .split('||')
    .map((alternative) => parseAlternative(alternative, budget));
}

export function meetsAny(version: Version, constraints: Constraints): boolean {
  return constraints.some(
    ({ constraints, prereleases }) =>
      (prereleases || version.prerelease === '') &&
      constraints.every((constraint) => meets(version, constraint)),
  );
}

/** Replaces `1.2 - 1.4` by `>= 1.2, <= 1.4`. */
function withoutRanges(text: string, budget: Budget): string {
  if (!DASH.test(text)) return text;
  // In the worst case, the search begins again at each character.
  budget.spend(text.length ** 2 / 4);
  let written = text;
  for (const [range, from = '', , , , , to = ''] of text.matchAll(RANGE))
    written = written.replace(range, () => `>= ${from}, <= ${to} `);
  return written;
}

function parseAlternative(text: string, budget: Budget): Alternative {
  const constraints = split(text, budget).map(([operator, operand]) => parseConstraint(operator, operand));
  return { constraints, prereleases: constraints.some(({ version }) => version.prerelease !== '') };
}

/** Splits into pairs of operator and operand, separated by spaces or a comma. */
function split(text: string, budget: Budget): [Operator, RegExpExecArray][] {
  const pairs: [Operator, RegExpExecArray][] = [];
  let at = 0;
  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    at += match?.[0].length ?? 0;
    return match;
  };
  take(SPACES);
  for (
    let gap = ' ';
    at < text.length || gap.includes(',') || pairs.length === 0;
    gap = take(GAP)?.[0] ?? ''
  ) {
    budget.spend(128);
    budget.grow(256);
    const operator = take(OPERATOR)?.[0] ?? '';
    take(SPACES);
    const operand = take(OPERAND);
    if (gap === '' || operand === null || !isOperator(operator))
      throw new GoError(`improper constraint: ${text}`);
    pairs.push([operator, operand]);
  }
  return pairs;
}

function isOperator(text: string): text is Operator {
  return OPERATORS.has(text);
}

const WILDCARD = /^\.?[xX*]?$/;

function parseConstraint(operator: Operator, operand: RegExpExecArray): Constraint {
  const [whole, major = '', minor = '', patch = '', prerelease = ''] = operand;
  if (WILDCARD.test(major)) return { operator, version: read(`0.0.0${prerelease}`), open: 'major' };
  if (WILDCARD.test(minor)) return { operator, version: read(`${major}.0.0${prerelease}`), open: 'minor' };
  if (WILDCARD.test(patch))
    return { operator, version: read(`${major}${minor}.0${prerelease}`), open: 'patch' };
  return { operator, version: read(whole), open: undefined };
}

function read(text: string): Version {
  try {
    return parseVersion(text);
  } catch (error) {
    if (error instanceof GoError) throw new GoError('constraint parser error');
    throw error;
  }
}
