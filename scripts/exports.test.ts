import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '..');

/** The code of these folders, by path. */
async function codeIn(...folders: string[]): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>();
  for (const folder of folders)
    for (const entry of await readdir(join(ROOT, folder), { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name);
      if (!/\.tsx?$/.test(path) || /[\\/](node_modules|dist)[\\/]/.test(path)) continue;
      texts.set(path.slice(ROOT.length + 1).replaceAll('\\', '/'), await readFile(path, 'utf8'));
    }
  return texts;
}

/** The names in the braces of an import or an export. */
const namesIn = (list: string): string[] =>
  list
    .split(',')
    .map((each) =>
      each
        .trim()
        .replace(/^type /, '')
        .replace(/ as .*/, ''),
    )
    .filter((name) => name !== '');

it('each entry of core has only names that another package uses', async () => {
  const used = new Set<string>();
  const offered: string[] = [];
  for (const [path, text] of await codeIn('packages/core/src', 'packages/hnotif/src', 'packages/ui/src')) {
    const [, entry = ''] = /^packages\/core\/src\/([a-z]+)\/index\.ts$/.exec(path) ?? [];
    if (entry !== '')
      for (const [, list = ''] of text.matchAll(/\{([^}]*)\} from/g))
        offered.push(...namesIn(list).map((name) => `${entry}: ${name}`));
    if (!/^packages\/(hnotif|ui)\/src\//.test(path) || /\.test\.tsx?$|\/testing\//.test(path)) continue;
    for (const [, list = '', from = ''] of text.matchAll(/\{([^}]*)\} from '@hnotif\/core\/([a-z]+)'/g))
      for (const name of namesIn(list)) used.add(`${from}: ${name}`);
  }
  expect(offered.length).toBeGreaterThan(100);
  expect(offered.filter((name) => !used.has(name))).toEqual([]);
});
