/** Semantic versions, parsed as leniently as by Masterminds/semver. */
import { GoError } from '../../errors.ts';
import { parseUint } from '../../strconv/int.ts';

export interface Version {
  readonly major: bigint;
  readonly minor: bigint;
  readonly patch: bigint;
  /** Without the hyphen; empty for a release. */
  readonly prerelease: string;
  /** Without the plus sign. */
  readonly metadata: string;
  /** As written, with its `v`. */
  readonly original: string;
}

const IDENTIFIERS = String.raw`[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*`;
const LOOSE = new RegExp(
  String.raw`^v?([0-9]+)(?:\.([0-9]+))?(?:\.([0-9]+))?(?:-(${IDENTIFIERS}))?(?:\+(${IDENTIFIERS}))?$`,
);

/** Parses a version; minor and patch may be missing. Throws a GoError for an invalid text. */
export function parseVersion(text: string): Version {
  const match = LOOSE.exec(text);
  if (match === null) throw new GoError('invalid semantic version');
  const [, major = '', minor = '0', patch = '0', prerelease = '', metadata = ''] = match;
  const version = {
    major: segment(major),
    minor: segment(minor),
    patch: segment(patch),
    prerelease,
    metadata,
    original: text,
  };
  if (prerelease !== '') checkPrerelease(prerelease);
  return version;
}

function segment(digits: string): bigint {
  try {
    return parseUint(digits, 10, 64);
  } catch (error) {
    if (error instanceof GoError) throw new GoError(`error parsing version segment: ${error.message}`);
    throw error;
  }
}

/** Throws a GoError unless the text is identifiers separated by dots, and numbers have no leading zero. */
function checkPrerelease(text: string): void {
  for (const identifier of text.split('.')) {
    if (!/^[0-9A-Za-z-]+$/.test(identifier)) throw new GoError('invalid prerelease string');
    if (/^0[0-9]+$/.test(identifier)) throw new GoError('version segment starts with 0');
  }
}

function checkMetadata(text: string): void {
  if (!/^[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*$/.test(text)) throw new GoError('invalid metadata string');
}

/** Without the `v`, and complete. */
export function format({ major, minor, patch, prerelease, metadata }: Omit<Version, 'original'>): string {
  const tail = (prerelease && `-${prerelease}`) + (metadata && `+${metadata}`);
  return `${major}.${minor}.${patch}${tail}`;
}

/** The version with changes. A `v` at the beginning stays. */
function changed(version: Version, changes: Partial<Version>): Version {
  const next = { ...version, ...changes };
  return { ...next, original: (version.original.startsWith('v') ? 'v' : '') + format(next) };
}

const next = (segment: bigint): bigint => BigInt.asUintN(64, segment + 1n);

const RELEASE = { prerelease: '', metadata: '' };

export function nextMajor(version: Version): Version {
  return changed(version, { ...RELEASE, major: next(version.major), minor: 0n, patch: 0n });
}

export function nextMinor(version: Version): Version {
  return changed(version, { ...RELEASE, minor: next(version.minor), patch: 0n });
}

/** The next patch after a prerelease is its own release. */
export function nextPatch(version: Version): Version {
  return changed(version, {
    ...RELEASE,
    patch: version.prerelease === '' ? next(version.patch) : version.patch,
  });
}

export function withPrerelease(version: Version, prerelease: string): Version {
  if (prerelease !== '') checkPrerelease(prerelease);
  return changed(version, { prerelease });
}

export function withMetadata(version: Version, metadata: string): Version {
  if (metadata !== '') checkMetadata(metadata);
  return changed(version, { metadata });
}

/** By precedence: below 0, 0, above 0. Metadata does not count. */
export function compareVersions(a: Version, b: Version): number {
  return (
    compare(a.major, b.major) ||
    compare(a.minor, b.minor) ||
    compare(a.patch, b.patch) ||
    comparePrereleases(a.prerelease, b.prerelease)
  );
}

function compare(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** A release comes after its prereleases. */
function comparePrereleases(a: string, b: string): number {
  if (a === b) return 0;
  if (a === '' || b === '') return a === '' ? 1 : -1;
  const others = b.split('.');
  const own = a.split('.');
  const at = own.findIndex((identifier, i) => identifier !== others[i]);
  return at < 0 ? -1 : compareIdentifiers(own[at], others[at]);
}

/** A missing identifier comes before all others, a number before a word. */
function compareIdentifiers(a: string | undefined, b: string | undefined): number {
  if (a === undefined || b === undefined) return a === undefined ? -1 : 1;
  if (isNumber(a) && isNumber(b)) return compare(BigInt(a), BigInt(b));
  if (isNumber(a) || isNumber(b)) return isNumber(a) ? -1 : 1;
  return a < b ? -1 : 1;
}

/** Whether it is a number of at most 64 bits. */
function isNumber(identifier: string): boolean {
  return /^\d{1,20}$/.test(identifier) && BigInt(identifier) < 1n << 64n;
}
