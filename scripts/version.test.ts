import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import workspace from '../package.json' with { type: 'json' };
import { readSource, versionedFiles, versionsIn } from './versions.ts';

const { version } = workspace;

it('every place that names the version of hnotif names the same one', async () => {
  const found: string[] = [];
  const wrong: string[] = [];
  for (const file of await versionedFiles())
    for (const named of versionsIn(file, await readSource(file))) {
      found.push(file);
      if (named !== version) wrong.push(`${file}: ${named}`);
    }
  expect(wrong).toEqual([]);
  expect(found).toEqual(
    expect.arrayContaining([
      'Dockerfile',
      'package-lock.json',
      'docs/install.md',
      'deploy/krew/hnotif.yaml',
      'deploy/helm/hnotif/Chart.yaml',
      expect.stringMatching(/^deploy\/kustomize/),
    ]),
  );
});

interface Manifest {
  readonly version: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

it('all packages, and the lock file, have this version', async () => {
  const names = await readdir(join(import.meta.dirname, '../packages'));
  const lock = JSON.parse(await readSource('package-lock.json')) as {
    readonly version: string;
    readonly packages: Readonly<Record<string, Manifest>>;
  };
  expect([lock.version, lock.packages['']?.version]).toEqual([version, version]);
  for (const name of names) {
    const manifest = JSON.parse(await readSource(`packages/${name}/package.json`)) as Manifest;
    for (const one of [manifest, lock.packages[`packages/${name}`]]) {
      expect([name, one?.version]).toEqual([name, version]);
      const needed = Object.entries({ ...one?.dependencies, ...one?.devDependencies });
      for (const [dependency, wanted] of needed)
        if (/^(@hnotif\/|hnotif$)/.test(dependency))
          expect([dependency, wanted]).toEqual([dependency, version]);
    }
  }
});

it('every place that names the repository names the same one', async () => {
  const files = [
    'Dockerfile',
    'packages/hnotif/package.json',
    'scripts/gotemplate-package.ts',
    'SECURITY.md',
  ];
  const named = await Promise.all(
    files.map(async (file) =>
      [...(await readSource(file)).matchAll(/https:\/\/github\.com\/([\w-]+\/[\w-]+)/g)].map(
        ([, repository]) => repository,
      ),
    ),
  );
  expect(new Set(named.flat()).size).toBe(1);
  for (const names of named) expect(names).not.toHaveLength(0);
});
