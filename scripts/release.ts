/**
 * Makes a release: writes its version and the date into the files of the repository, commits them and sets the tag. It pushes
 * nothing. CI makes the artefacts from the tag (docs/releasing.md).
 *
 *     npm run release -- X.Y.Z|major|minor|patch [--dry-run]
 *
 * `--dry-run` changes nothing and shows everything. It fails only if a file would still name another version.
 */
import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import workspace from '../package.json' with { type: 'json' };
import { unreleased, notesOf } from './changelog.ts';
import { linesChanged, planRelease, versionFrom } from './release-plan.ts';
import { readSource, versionedFiles } from './versions.ts';

const USAGE = 'usage: npm run release -- X.Y.Z|major|minor|patch [--dry-run]';
const root = join(import.meta.dirname, '..');

const git = (...args: string[]): string => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
const linesOf = (text: string): string[] => text.split('\n').filter((line) => line !== '');

function argumentsOf(): { version: string; dryRun: boolean } | undefined {
  try {
    const { values, positionals } = parseArgs({
      options: { 'dry-run': { type: 'boolean', default: false } },
      allowPositionals: true,
    });
    const version = versionFrom(positionals[0] ?? '', workspace.version);
    return version === undefined || positionals.length > 1
      ? undefined
      : { version, dryRun: values['dry-run'] };
  } catch {
    return undefined;
  }
}

const given = argumentsOf();
if (given === undefined) {
  console.error(USAGE);
  process.exit(2);
}
const { version, dryRun } = given;
const paths = [...(await versionedFiles()), 'CHANGELOG.md'];
const sources = new Map(
  await Promise.all(paths.map(async (path) => [path, await readSource(path)] as const)),
);
const plan = planRelease(version, new Date().toISOString().slice(0, 10), {
  tags: linesOf(git('tag', '--list')),
  changes: linesOf(git('status', '--porcelain')),
  sources,
});

for (const problem of plan.problems) console.error(`${dryRun ? 'before the release' : 'error'}: ${problem}`);
if (!dryRun && plan.problems.length > 0) process.exit(1);

const tag = `v${version}`;
for (const [path, text] of plan.files) {
  if (dryRun) console.log(`${path}\n  ${linesChanged(sources.get(path) ?? '', text).join('\n  ')}`);
  else await writeFile(join(root, path), text);
}
const changelog = plan.files.get('CHANGELOG.md') ?? sources.get('CHANGELOG.md') ?? '';
const empty = (unreleased(sources.get('CHANGELOG.md') ?? '') ?? '') === '' && plan.files.has('CHANGELOG.md');
console.log(`\nnotes of ${tag}:\n\n${empty ? '(none yet)' : notesOf(changelog, version)}\n`);

const steps = [
  ...(plan.files.size > 0
    ? [
        ['add', '--', ...plan.files.keys()],
        ['commit', '--message', `release: ${version}`],
      ]
    : []),
  ['tag', '--annotate', tag, '--message', `hnotif ${version}`],
];
for (const step of steps) {
  if (dryRun) console.log(`would run: git ${step.join(' ')}`);
  else git(...step);
}
console.log(
  dryRun ? 'dry run: nothing was changed' : `${tag} is set. Publish it: git push --atomic origin HEAD ${tag}`,
);
