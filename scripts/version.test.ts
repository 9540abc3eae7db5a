import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import workspace from '../package.json' with { type: 'json' };

const root = join(import.meta.dirname, '..');
const { version } = workspace;

/** Files of the project that a release names its version in, and what stands before it. */
const PLACES: readonly (readonly [file: RegExp, before: RegExp])[] = [
  [/^Dockerfile$/, /org\.opencontainers\.image\.version="/g],
  [/^deploy\/.*\/Chart\.yaml$/, /^appVersion: ["']?/gm],
  // The image by our own name, in manifests and pages: `image: hnotif:0.1.0`, `docker build -t hnotif:0.1.0`.
  [/^deploy\/.*\.ya?ml$|^README\.md$|^docs\/.*\.md$|^Dockerfile$/, /\bhnotif:(?=\d)/g],
];

async function files(): Promise<string[]> {
  const inFolders = await Promise.all(
    ['deploy', 'docs'].map(async (folder) =>
      (await readdir(join(root, folder), { recursive: true })).map((name) => `${folder}/${name}`),
    ),
  );
  return ['Dockerfile', 'README.md', ...inFolders.flat()];
}

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

it('all packages, and the lock file, have one version', async () => {
  const names = await readdir(join(root, 'packages'));
  const lock = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8')) as {
    readonly version: string;
    readonly packages: Readonly<Record<string, Manifest>>;
  };
  expect(lock.version).toBe(version);
  for (const name of names) {
    const text = await readFile(join(root, 'packages', name, 'package.json'), 'utf8');
    for (const one of [JSON.parse(text) as Manifest, lock.packages[`packages/${name}`]]) {
      expect([name, one?.version]).toEqual([name, version]);
      const needed = Object.entries({ ...one?.dependencies, ...one?.devDependencies });
      for (const [dependency, wanted] of needed)
        if (/^(@hnotif\/|hnotif$)/.test(dependency))
          expect([dependency, wanted]).toEqual([dependency, version]);
    }
  }
});

it('the image, the manifests and the pages name the version of the packages', async () => {
  const found: string[] = [];
  const wrong: string[] = [];
  for (const file of await files())
    for (const [pattern, before] of PLACES) {
      if (!pattern.test(file)) continue;
      const text = await readFile(join(root, file), 'utf8');
      for (const match of text.matchAll(before)) {
        const [named] = /^[\w.+-]*[\w+]/.exec(text.slice(match.index + match[0].length)) ?? [];
        found.push(file);
        if (named !== version) wrong.push(`${file}: ${match[0]}${named}`);
      }
    }
  expect(wrong).toEqual([]);
  expect(found).toEqual(
    expect.arrayContaining([
      'Dockerfile',
      'docs/install.md',
      expect.stringMatching(/^deploy\/kustomize/),
      expect.stringMatching(/Chart.yaml$/),
    ]),
  );
});

it('every place that names the repository names the same one', async () => {
  const named = await Promise.all(
    ['Dockerfile', 'packages/hnotif/package.json', 'scripts/gotemplate-package.ts'].map(async (file) =>
      [
        ...(await readFile(join(root, file), 'utf8')).matchAll(/https:\/\/github\.com\/([\w-]+\/[\w-]+)/g),
      ].map(([, repository]) => repository),
    ),
  );
  expect(new Set(named.flat()).size).toBe(1);
  for (const names of named) expect(names).not.toHaveLength(0);
});
