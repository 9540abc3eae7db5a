import { expect, it } from 'vitest';
import { readSource } from './versions.ts';

interface Entry {
  readonly link?: boolean;
  readonly integrity?: string;
  readonly os?: readonly string[];
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

/** npm writes them for the present system alone if the lock file is made beside an installed `node_modules`. */
it.each(['package-lock.json', 'site/package-lock.json'])(
  '%s has the integrity of each package, those for other systems included',
  async (path) => {
    const { packages } = JSON.parse(await readSource(path)) as { packages: Readonly<Record<string, Entry>> };
    const installed = Object.entries(packages).filter(
      ([name, { link }]) => name.includes('node_modules/') && link !== true,
    );
    expect(installed.filter(([, { integrity }]) => !integrity?.startsWith('sha512-'))).toEqual([]);
    // Each tool with binaries lists them all.
    const binaries = Object.values(packages).flatMap((entry) =>
      Object.keys(entry.optionalDependencies ?? {}),
    );
    expect(binaries.filter((name) => !(`node_modules/${name}` in packages))).toEqual([]);
    const systems = new Set(installed.flatMap(([, { os = [] }]) => os));
    expect([...systems]).toEqual(expect.arrayContaining(['darwin', 'linux', 'win32']));
  },
);
