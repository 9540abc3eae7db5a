import type { Context } from '../context.ts';
import { type FuncMap, contextual } from '../value/func.ts';
import type { Types } from '../value/signature.ts';
import type { Pointer } from '../value/value.ts';
import { meetsAny, parseConstraints } from './semver/constraints.ts';
import './semver/methods.ts';
import { VERSION, toPointer } from './semver/type.ts';
import { parseVersion } from './semver/version.ts';

const TYPES: Types = { 'semver.Version': VERSION };

function parse({ budget }: Context, version: string): Pointer {
  budget.spend(version.length / 16);
  return toPointer(parseVersion(version));
}

/** Parses the constraint first, so its error is reported first. */
function compare({ budget }: Context, constraint: string, version: string): boolean {
  const constraints = parseConstraints(constraint, budget);
  budget.spend(version.length / 16);
  return meetsAny(parseVersion(version), constraints);
}

/** sprig's functions for semantic versions. */
export const semver: FuncMap = {
  semver: contextual('func(string) (*semver.Version, error)', parse, TYPES),
  semverCompare: contextual('func(string, string) (bool, error)', compare),
};
