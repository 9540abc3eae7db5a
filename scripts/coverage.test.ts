import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '..');

interface Row {
  readonly id: string;
  readonly file: string;
  readonly title: string;
}

/** The rows of the tables of `docs/spec-coverage.md`. */
async function rows(): Promise<Row[]> {
  const page = await readFile(join(root, 'docs/spec-coverage.md'), 'utf8');
  return page
    .split('\n')
    .map((line) => /^\| ([A-Z]\d+) \| .+ \| ([\w./-]+): (.+) \|$/.exec(line))
    .filter((match) => match !== null)
    .map(([, id = '', file = '', title = '']) => ({
      id,
      file: file.includes('/') ? file : `packages/hnotif/e2e/${file}.test.ts`,
      title,
    }));
}

/** The titles of a file's tests: the first argument of it() and test(), or what follows a table of it.each(). */
const titlesOf = (text: string): Set<string> =>
  new Set(
    [...text.matchAll(/(?:\b(?:it|test)\(|\]\)\()\s*(['"`])((?:\\.|(?!\1).)+)\1/g)].map((match) =>
      (match[2] ?? '').replace(/\\(['"`])/g, '$1'),
    ),
  );

it('every promise of the contract names a test that is there', async () => {
  const titles = new Map<string, Set<string>>();
  const missing: string[] = [];
  for (const { id, file, title } of await rows()) {
    const known = titles.get(file) ?? titlesOf(await readFile(join(root, file), 'utf8').catch(() => ''));
    titles.set(file, known);
    if (!known.has(title)) missing.push(`${id}: ${file} has no test "${title}"`);
  }
  expect(missing).toEqual([]);
});

it('every promise has an id of its own, and every line of the tables is read', async () => {
  const ids = (await rows()).map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  const page = await readFile(join(root, 'docs/spec-coverage.md'), 'utf8');
  const lines = page.split('\n').filter((line) => /^\| [A-Z]\d/.test(line));
  expect(ids).toHaveLength(lines.length);
});

it('a title is found as it is written, in a table of tests too', () => {
  const text = `it('one', () => {}); test("two's", f); it.each([1, 2])('three %i', f); describe('four', g);`;
  expect([...titlesOf(text)]).toEqual(['one', "two's", 'three %i']);
});
