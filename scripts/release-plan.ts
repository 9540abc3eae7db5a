import { unreleased, withRelease } from './changelog.ts';
import { versionsIn, withVersion } from './versions.ts';

/** What a release does to the repository, and why it cannot be made now. */
export interface ReleasePlan {
  readonly version: string;
  /** The files that change, by their path. */
  readonly files: ReadonlyMap<string, string>;
  /** Each with its remedy. Empty: the release can be made. */
  readonly problems: readonly string[];
}

export interface Checkout {
  readonly tags: readonly string[];
  /** The lines of `git status --porcelain`. */
  readonly changes: readonly string[];
  /** The files that name the version, and `CHANGELOG.md`, by their path. */
  readonly sources: ReadonlyMap<string, string>;
}

const BUMPS = ['major', 'minor', 'patch'] as const;
type Bump = (typeof BUMPS)[number];
const CHANGELOG = 'CHANGELOG.md';

/** `X.Y.Z`, `X.Y.Z-rc.1`, or the next `major`, `minor` or `patch` version; undefined: the text is none of these. */
export function versionFrom(text: string, present: string): string | undefined {
  if (/^(0|[1-9]\d*)(\.(0|[1-9]\d*)){2}(-[a-z]+\.\d+)?$/.test(text)) return text;
  if (!(BUMPS as readonly string[]).includes(text)) return undefined;
  const place = BUMPS.indexOf(text as Bump);
  const [numbers = ''] = present.split('-');
  return numbers
    .split('.')
    .map((part, index) => (index < place ? part : index === place ? String(Number(part) + 1) : '0'))
    .join('.');
}

/** Throws if a file would still name another version. */
export function planRelease(version: string, date: string, checkout: Checkout): ReleasePlan {
  const { tags, changes, sources } = checkout;
  const changelog = sources.get(CHANGELOG) ?? '';
  const hasSection = new RegExp(`^## ${version.replaceAll('.', '\\.')} - `, 'm').test(changelog);
  const problems: string[] = [];
  if (changes.length > 0) problems.push(`the tree has changes: commit or stash them (${changes.join('; ')})`);
  if (tags.includes(`v${version}`)) problems.push(`the tag v${version} exists: choose a higher version`);
  const higher = tags.filter((tag) => /^v\d/.test(tag) && compare(tag.slice(1), version) > 0);
  if (higher.length > 0) problems.push(`${higher.join(', ')} is higher: choose a higher version`);
  if (!hasSection && (unreleased(changelog) ?? '') === '')
    problems.push(`${CHANGELOG} has nothing under "## Unreleased": write there what changes for users`);

  const files = new Map<string, string>();
  for (const [path, text] of sources) {
    const changed =
      path !== CHANGELOG
        ? withVersion(path, text, version)
        : hasSection
          ? text
          : withRelease(text, version, date);
    const others = versionsIn(path, changed).filter((named) => named !== version);
    if (others.length > 0) throw new Error(`${path} would still name ${others.join(', ')}`);
    if (changed !== text) files.set(path, changed);
  }
  return { version, files, problems };
}

/** By Semantic Versioning: a pre-release is lower than its release. */
function compare(a: string, b: string): number {
  const [[x, before], [y, after]] = [split(a), split(b)];
  const different = x.findIndex((part, index) => part !== y[index]);
  if (different !== -1) return (x[different] ?? 0) - (y[different] ?? 0);
  if (before === after) return 0;
  if (before === '' || after === '') return before === '' ? 1 : -1;
  return before.localeCompare(after, 'en', { numeric: true });
}

function split(version: string): readonly [numbers: readonly number[], before: string] {
  const [numbers = '', ...before] = version.split('-');
  return [numbers.split('.').map(Number), before.join('-')];
}

/** The lines that differ, as `- old` and `+ new`. Only for texts that differ by single lines or by added lines. */
export function linesChanged(from: string, to: string): string[] {
  const [old, changed] = [from.split('\n'), to.split('\n')];
  const added = changed.length - old.length;
  const shown: string[] = [];
  for (let i = 0, j = 0; j < changed.length; j++) {
    if (old[i] === changed[j]) i++;
    else if (j - i < added) shown.push(`+ ${changed[j] ?? ''}`);
    else shown.push(`- ${old[i++] ?? ''}`, `+ ${changed[j] ?? ''}`);
  }
  return shown;
}
