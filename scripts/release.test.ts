import { execFileSync, spawnSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import workspace from '../package.json' with { type: 'json' };
import { notesOf, unreleased, withAbsoluteLinks } from './changelog.ts';
import { planRelease, versionFrom, type Checkout } from './release-plan.ts';
import { readSource, versionedFiles, versionsIn } from './versions.ts';

const CHANGELOG = '# Changelog\n\n## Unreleased\n\n- new\n\n## 1.2.0 - 2026-01-05\n\n- old\n';

const checkout = (more: Partial<Checkout> = {}): Checkout => ({
  tags: ['v1.2.0', 'other'],
  changes: [],
  sources: new Map([
    ['CHANGELOG.md', CHANGELOG],
    ['Dockerfile', '# hnotif:1.2.0\nLABEL org.opencontainers.image.version="1.2.0"\nFROM node:24.1.0\n'],
  ]),
  ...more,
});
const plan = (version: string, more: Partial<Checkout> = {}) =>
  planRelease(version, '2026-02-03', checkout(more));

describe('a release', () => {
  it('writes its version and its date, and nothing else', () => {
    const { files, problems } = plan('1.3.0');
    expect(problems).toEqual([]);
    expect(files.get('Dockerfile')).toBe(
      '# hnotif:1.3.0\nLABEL org.opencontainers.image.version="1.3.0"\nFROM node:24.1.0\n',
    );
    const changelog = files.get('CHANGELOG.md') ?? '';
    expect(changelog).toBe(CHANGELOG.replace('## Unreleased\n', '## Unreleased\n\n## 1.3.0 - 2026-02-03\n'));
    expect([unreleased(changelog), notesOf(changelog, '1.3.0')]).toEqual(['', '- new']);
  });

  it('of a version that the changelog already has changes no line of it', () => {
    const { files, problems } = plan('1.2.0', { tags: [] });
    expect([[...files], problems]).toEqual([[], []]);
  });

  it.each([
    ['1.3.0', { changes: ['M a'] }, /the tree has changes: commit or stash them \(M a\)/],
    ['1.2.0', {}, /the tag v1\.2\.0 exists/],
    ['1.2.0-rc.1', {}, /v1\.2\.0 is higher/],
    ['1.3.0', { tags: ['v1.10.0'] }, /v1\.10\.0 is higher/],
    [
      '1.3.0',
      { sources: new Map([['CHANGELOG.md', CHANGELOG.replace('- new\n', '')]]) },
      /nothing under "## Unreleased"/,
    ],
  ] as const)('of %s with %j has a problem with its remedy', (version, more, problem) => {
    expect(plan(version, more).problems).toEqual([expect.stringMatching(problem)]);
  });

  it.each([
    ['minor', '1.3.0'],
    ['major', '2.0.0'],
    ['patch', '1.2.4'],
    ['3.0.0-rc.1', '3.0.0-rc.1'],
    ['v1.2.3', undefined],
    ['1.2', undefined],
    ['01.2.3', undefined],
    ['', undefined],
  ])('%j is the version %s', (text, version) => {
    expect(versionFrom(text, '1.2.3')).toBe(version);
  });

  it('has notes whose links lead to its files', () => {
    const text = '[a](docs/a.md#b), [c](https://example.com), [d](#e)';
    expect(withAbsoluteLinks(text, 'https://github.com/o/r', '1.3.0')).toBe(
      '[a](https://github.com/o/r/blob/v1.3.0/docs/a.md#b), [c](https://example.com), [d](#e)',
    );
  });

  it('changes every place of this repository', async () => {
    const paths = await versionedFiles();
    const sources = new Map(
      await Promise.all(paths.map(async (path) => [path, await readSource(path)] as const)),
    );
    const { files } = planRelease('9.8.7-rc.1', '2026-02-03', checkout({ sources }));
    const named = [...files].flatMap(([path, text]) => versionsIn(path, text));
    expect(new Set(named)).toEqual(new Set(['9.8.7-rc.1']));
    expect(named).toHaveLength(paths.flatMap((path) => versionsIn(path, sources.get(path) ?? '')).length);
  });
});

it('npm run release commits the version and sets the tag; a second time, and with a change, it refuses', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'hnotif-release-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const scripts = ['release.ts', 'release-plan.ts', 'changelog.ts', 'versions.ts'].map(
    (name) => `scripts/${name}`,
  );
  for (const path of [...(await versionedFiles()), ...scripts]) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await cp(join(import.meta.dirname, '..', path), join(folder, path));
  }
  await writeFile(join(folder, 'CHANGELOG.md'), CHANGELOG);
  const who = { GIT_AUTHOR_NAME: 'a', GIT_AUTHOR_EMAIL: 'a@example.com' };
  const committer = { GIT_COMMITTER_NAME: 'a', GIT_COMMITTER_EMAIL: 'a@example.com' };
  const env = { ...process.env, HOME: folder, ...who, ...committer };
  const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, env, encoding: 'utf8' }).trim();
  git('init', '--quiet');
  git('add', '.');
  git('commit', '--quiet', '--message', 'all');
  const release = (...args: string[]) =>
    spawnSync(process.execPath, ['--import', import.meta.resolve('tsx'), 'scripts/release.ts', ...args], {
      ...{ cwd: folder, env, encoding: 'utf8' },
    });

  const tried = release('9.8.7', '--dry-run');
  expect([tried.status, git('status', '--porcelain'), git('tag')]).toEqual([0, '', '']);
  expect(tried.stdout).toContain('would run: git tag --annotate v9.8.7 --message hnotif 9.8.7');
  expect(tried.stdout).toContain(`-   "version": "${workspace.version}",\n  +   "version": "9.8.7",`);

  const made = release('9.8.7');
  expect([made.status, made.stderr]).toEqual([0, '']);
  expect(made.stdout).toContain('git push --atomic origin HEAD v9.8.7');
  expect([git('status', '--porcelain'), git('tag'), git('log', '-1', '--format=%s')]).toEqual([
    ...['', 'v9.8.7', 'release: 9.8.7'],
  ]);
  expect(JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))).toMatchObject({
    version: '9.8.7',
  });

  await writeFile(join(folder, 'README.md'), 'changed');
  const again = release('9.8.7');
  expect([again.status, again.stdout]).toEqual([1, '']);
  expect(again.stderr).toMatch(/the tree has changes.*\n.*the tag v9\.8\.7 exists: choose a higher version/);
  expect(release('1.x').status).toBe(2);
});
