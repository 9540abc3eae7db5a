import { readFile, readdir } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { describe, expect, it } from 'vitest';

/** The rooms of the service, highest first: an import goes downwards only. */
const ROOMS = [
  'cli',
  'controller',
  'cluster',
  'dispatch',
  'sinks',
  'render',
  'routing',
  'lifecycle',
  'transport',
  'observe',
  'resources',
];

/** What each package may import of the workspace's others, and which of its files may. */
const MAY_IMPORT: Record<string, Record<string, RegExp>> = {
  hnotif: { '@hnotif/devcluster': /^(src\/cli\/dev|e2e)\//, '@hnotif/receivers': /^(src\/cli\/dev|e2e)\// },
  devcluster: {},
  receivers: {},
};

const root = join(import.meta.dirname, '..');

async function sources(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !/[\\/](node_modules|dist)[\\/]/.test(file));
}

/** Every module a file names in an import, an export or a dynamic import. */
function importsOf(text: string): string[] {
  return [...text.matchAll(/(?:^|\s)(?:from|import)\s*\(?\s*'([^']+)'/gm)].map((match) => match[1] ?? '');
}

async function violations(packageName: string): Promise<string[]> {
  const home = join(root, 'packages', packageName);
  const found: string[] = [];
  for (const file of await sources(home)) {
    const path = relative(home, file).split(sep).join('/');
    const isTest = /\.test\.ts$|^(e2e|test)\//.test(path);
    for (const target of importsOf(await readFile(file, 'utf8'))) {
      const complain = (why: string) => found.push(`${packageName}/${path} imports '${target}': ${why}`);
      const name = /^(@hnotif\/[^/]+|hnotif)/.exec(target)?.[1];
      if (name !== undefined) {
        if (target !== name) complain('only a package’s index is public');
        else if (MAY_IMPORT[packageName]?.[name]?.test(path) !== true) complain('not allowed here');
      } else if (target.startsWith('.')) {
        const to = relative(home, join(dirname(file), target))
          .split(sep)
          .join('/');
        if (to.startsWith('..')) {
          if (!isTest) complain('leaves its package');
          continue;
        }
        const [from, into] = [roomOf(path), roomOf(to)];
        if (into === 'testing' && !isTest && from !== 'testing') complain('test helpers are for tests');
        const [a, b] = [ROOMS.indexOf(from), ROOMS.indexOf(into)];
        if (packageName === 'hnotif' && !isTest && a >= 0 && b >= 0 && b < a)
          complain(`${into} is above ${from}`);
        if (
          packageName === 'hnotif' &&
          into === 'cli/dev' &&
          from !== 'cli/dev' &&
          path !== 'src/cli/program.ts'
        )
          complain('cli/dev is loaded by the command line alone, lazily');
      }
    }
  }
  return found;
}

function roomOf(path: string): string {
  if (path.startsWith('src/cli/dev/')) return 'cli/dev';
  return /^src\/([^/]+)\//.exec(path)?.[1] ?? '';
}

describe('the import rules', () => {
  it.each(Object.keys(MAY_IMPORT))('hold in packages/%s', async (packageName) => {
    expect(await violations(packageName)).toEqual([]);
  });

  it('know every package and every room that is there', async () => {
    const packages = await readdir(join(root, 'packages'));
    expect(packages.sort()).toEqual(Object.keys(MAY_IMPORT).sort());
    const rooms = await readdir(join(root, 'packages/hnotif/src'), { withFileTypes: true });
    const unknown = rooms.filter(
      (entry) => entry.isDirectory() && ![...ROOMS, 'testing'].includes(entry.name),
    );
    expect(unknown.map((entry) => entry.name)).toEqual([]);
  });

  it('are seen to be broken when they are', () => {
    expect(
      importsOf("import { a } from './a.ts';\nexport * from '../b.ts';\nawait import('./c.ts');"),
    ).toEqual(['./a.ts', '../b.ts', './c.ts']);
  });
});
