/**
 * The changelog, in the format of Keep a Changelog: `## Unreleased` first, then `## X.Y.Z - DATE` for each release.
 *
 *     node --import tsx scripts/changelog.ts X.Y.Z    # prints the notes of a release
 */
import manifest from '../packages/hnotif/package.json' with { type: 'json' };
import { readSource } from './versions.ts';

const UNRELEASED = '## Unreleased';

/** The text below a heading, up to the next heading of its level; undefined: there is no such heading. */
function sectionOf(changelog: string, heading: RegExp): string | undefined {
  const begin = heading.exec(changelog);
  if (begin === null) return undefined;
  const rest = changelog.slice(begin.index + begin[0].length);
  const end = rest.search(/^## /m);
  return (end === -1 ? rest : rest.slice(0, end)).trim();
}

/** What the next release has; undefined: the changelog has no section for it. */
export const unreleased = (changelog: string): string | undefined => sectionOf(changelog, /^## Unreleased$/m);

/** The notes of a release. Throws if it has none. */
export function notesOf(changelog: string, version: string): string {
  const escaped = version.replaceAll('.', '\\.');
  const notes = sectionOf(changelog, new RegExp(`^## ${escaped} - \\d{4}-\\d\\d-\\d\\d$`, 'm'));
  if (notes === undefined || notes === '')
    throw new Error(`CHANGELOG.md has no text under "## ${version} - YYYY-MM-DD": write it there`);
  return notes;
}

/** Gives what is unreleased a version and a date, and puts an empty section above it. */
export const withRelease = (changelog: string, version: string, date: string): string =>
  changelog.replace(UNRELEASED, `${UNRELEASED}\n\n## ${version} - ${date}`);

/** Relative links lead to the files of a release: its page on GitHub is not beside them. */
export const withAbsoluteLinks = (text: string, repository: string, version: string): string =>
  text.replace(/\]\((?!https?:|#)([^)\s]+)\)/g, `](${repository}/blob/v${version}/$1)`);

if (process.argv[1] === import.meta.filename) {
  const version = process.argv[2] ?? '';
  const repository = manifest.repository.url.replace(/^git\+|\.git$/g, '');
  console.log(withAbsoluteLinks(notesOf(await readSource('CHANGELOG.md'), version), repository, version));
}
