/** One condition on a version, such as `>=1.2`, `~1.2.x` or `^0.3.1-rc.1`. */
import { type Version, compareVersions } from './version.ts';

export type Operator = '' | '=' | '!=' | '>' | '<' | '>=' | '=>' | '<=' | '=<' | '~' | '~>' | '^';

export interface Constraint {
  readonly operator: Operator;
  /** Wildcards and missing parts are zeros. */
  readonly version: Version;
  /** The first part that is a wildcard or missing. */
  readonly open: 'major' | 'minor' | 'patch' | undefined;
}

/** Whether a version meets the condition. The caller decides whether prereleases count. */
export function meets(version: Version, constraint: Constraint): boolean {
  const order = compareVersions(version, constraint.version);
  switch (constraint.operator) {
    case '':
    case '=':
      return constraint.open === undefined ? order === 0 : meetsTilde(version, constraint, order);
    case '!=':
      return differs(version, constraint, order);
    case '>':
      return isAbove(version, constraint, order);
    case '<':
      return order < 0;
    case '>=':
    case '=>':
      return order >= 0;
    case '<=':
    case '=<':
      return constraint.open === undefined ? order <= 0 : !isAboveRange(version, constraint);
    case '~':
    case '~>':
      return meetsTilde(version, constraint, order);
    case '^':
      return meetsCaret(version, constraint, order);
  }
}

function differs(version: Version, { version: wanted, open }: Constraint, order: number): boolean {
  if (open === undefined || open === 'major' || version.major !== wanted.major) return order !== 0;
  if (open === 'minor') return false;
  return version.minor !== wanted.minor || version.prerelease !== wanted.prerelease;
}

function isAbove(version: Version, { version: wanted, open }: Constraint, order: number): boolean {
  if (open === undefined || open === 'major' || version.major !== wanted.major) return order > 0;
  return open === 'patch' && version.minor > wanted.minor;
}

function isAboveRange(version: Version, { version: wanted, open }: Constraint): boolean {
  if (version.major !== wanted.major) return version.major > wanted.major;
  return open !== 'minor' && version.minor > wanted.minor;
}

/** The same minor version, or the same major version if there is no minor one. If all parts are zero, any version. */
function meetsTilde(version: Version, { version: wanted, open }: Constraint, order: number): boolean {
  if (order < 0) return false;
  const zero = wanted.major === 0n && wanted.minor === 0n && wanted.patch === 0n;
  if (zero && open !== 'minor' && open !== 'patch') return true;
  return version.major === wanted.major && (open === 'minor' || version.minor === wanted.minor);
}

/** The same parts up to the first one that is not zero. */
function meetsCaret(version: Version, { version: wanted, open }: Constraint, order: number): boolean {
  if (order < 0 || version.major !== wanted.major) return false;
  if (wanted.major > 0n || open === 'minor') return true;
  if (version.minor !== wanted.minor) return false;
  return wanted.minor > 0n || open === 'patch' || version.patch === wanted.patch;
}
