import { readFile, readdir } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { describe, expect, it } from 'vitest';

/** The folders of the service, highest first: an import goes downwards only. */
const ROOMS = [
  'cli',
  'explain',
  'controller',
  'status',
  'journal',
  'cluster',
  'dispatch',
  'sinks',
  'render',
  'routing',
  'lifecycle',
  'transport',
  'observe',
  'resources',
  'fair',
];

/** What each package may import of the workspace's others, and which of its files may. */
const MAY_IMPORT: Record<string, Record<string, RegExp>> = {
  hnotif: {
    '@hnotif/gotemplate': /./,
    '@hnotif/devcluster': /^(src\/cli\/dev|e2e)\//,
    '@hnotif/helm': /^e2e\//,
    '@hnotif/judges': /./,
    '@hnotif/judges/slack': /./,
    '@hnotif/judges/telegram': /./,
    '@hnotif/judges/webhook': /./,
    '@hnotif/receivers': /^(src\/cli\/dev|e2e)\//,
    '@hnotif/receivers/view': /^src\/cli\/(dev|ui)\//,
  },
  gotemplate: {},
  devcluster: {},
  helm: { '@hnotif/gotemplate': /./ },
  judges: {},
  receivers: {
    '@hnotif/judges': /./,
    '@hnotif/judges/slack': /./,
    '@hnotif/judges/telegram': /./,
    '@hnotif/judges/webhook': /./,
  },
  ui: {
    '@hnotif/gotemplate': /./,
    '@hnotif/gotemplate/zones': /^src\/editor\/browser\//,
    '@hnotif/judges': /./,
    '@hnotif/judges/slack': /./,
    '@hnotif/judges/telegram': /./,
    '@hnotif/receivers/view': /./,
  },
};

/** Where a package's imports may leave it: the page shows what the service's own code makes. */
const MAY_LEAVE: Record<string, RegExp> = { ui: /^\.\.\/hnotif\/src\// };

const root = join(import.meta.dirname, '..');

async function sources(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !/[\\/](node_modules|dist)[\\/]/.test(file));
}

/** Every module a file names in an import, an export, a dynamic import or the type of one. */
function importsOf(text: string): string[] {
  return [...text.matchAll(/(?<![\w$.'"])(?:from|import)\s*\(?\s*['"]([^'"]+)['"]/g)].map(
    (match) => match[1] ?? '',
  );
}

async function violations(packageName: string): Promise<string[]> {
  const home = join(root, 'packages', packageName);
  const found: string[] = [];
  for (const file of await sources(home)) {
    const path = relative(home, file).split(sep).join('/');
    const isTest = /\.test\.ts$|^(e2e|test)\/|\/testing\//.test(path);
    for (const target of importsOf(await readFile(file, 'utf8'))) {
      const complain = (why: string) => found.push(`${packageName}/${path} imports '${target}': ${why}`);
      if (/^(@hnotif\/|hnotif)/.test(target)) {
        if (MAY_IMPORT[packageName]?.[target]?.test(path) !== true) complain('not allowed here');
      } else if (target.startsWith('.')) {
        const to = relative(home, join(dirname(file), target))
          .split(sep)
          .join('/');
        if (to.startsWith('..')) {
          if (!isTest && MAY_LEAVE[packageName]?.test(to) !== true) complain('leaves its package');
          continue;
        }
        const [from, into] = [folderOf(path), folderOf(to)];
        if (to.includes('/testing/') && !isTest) complain('test helpers are for tests');
        if (packageName === 'hnotif' && !isTest && isAbove(into, from)) complain(`${into} is above ${from}`);
        if (
          packageName === 'hnotif' &&
          into === 'cli/dev' &&
          from !== 'cli/dev' &&
          path !== 'src/cli/lazy-dev.ts'
        )
          complain('cli/dev is loaded by the command line alone, lazily');
      }
    }
  }
  return found;
}

/** The folder of a file; `src` for those that belong to all folders. */
function folderOf(path: string): string {
  if (path.startsWith('src/cli/dev/')) return 'cli/dev';
  return /^src\/(?:([^/]+)\/)?/.exec(path)?.[1] ?? 'src';
}

/** Whether an import from `folder` into `other` goes upwards. What belongs to all folders lies below all of them. */
function isAbove(other: string, folder: string): boolean {
  const depth = (name: string) => ({ 'cli/dev': 0, src: ROOMS.length })[name] ?? ROOMS.indexOf(name);
  return depth(other) >= 0 && depth(other) < depth(folder);
}

describe('the import rules', () => {
  it.each(Object.keys(MAY_IMPORT))('hold in packages/%s', async (packageName) => {
    expect(await violations(packageName)).toEqual([]);
  });

  it('know every package and every folder that is there', async () => {
    const packages = await readdir(join(root, 'packages'));
    expect(packages.sort()).toEqual(Object.keys(MAY_IMPORT).sort());
    const folders = await readdir(join(root, 'packages/hnotif/src'), { withFileTypes: true });
    const names = folders.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
    expect(names.sort()).toEqual([...ROOMS, 'testing'].sort());
  });

  it('are seen to be broken when they are', () => {
    const text = `import { a } from './a.ts';
      export * from '../b.ts';
      import './c.ts';
      const d = (await import("./d.ts")).d;
      const e = [import('./e.ts'), typeof import('./f.ts')];
      let g: (import('./g.ts').G)[] = Array.from('./not.ts');`;
    expect(importsOf(text)).toEqual(['./a.ts', '../b.ts', './c.ts', './d.ts', './e.ts', './f.ts', './g.ts']);
    expect(isAbove('controller', 'resources')).toBe(true);
    expect(isAbove(folderOf('src/observe/log.ts'), folderOf('src/clock.ts'))).toBe(true);
    expect(isAbove(folderOf('src/clock.ts'), folderOf('src/observe/log.ts'))).toBe(false);
    expect(isAbove('resources', 'controller')).toBe(false);
  });
});
