import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import ts from 'typescript';
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

/** Called off for good, or not yet written. `skipIf` and `runIf` are told of where they are run. */
const OFF: ReadonlySet<string> = new Set(['skip', 'todo', 'fails']);

/** The titles of a file's tests that are run: what is commented out, skipped or within a suite that is skipped is none. */
function titlesOf(text: string): Set<string> {
  const titles = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node)) {
      const words = wordsOf(node.expression);
      const [first] = node.arguments;
      const isSuite = words[0] === 'describe';
      if (isSuite || words[0] === 'it' || words[0] === 'test') {
        if (words.some((word) => OFF.has(word)) || node.arguments.some(callsOff)) return;
        if (!isSuite && first !== undefined && ts.isStringLiteralLike(first)) titles.add(first.text);
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile('a.test.ts', text, ts.ScriptTarget.Latest));
  return titles;
}

/** `it.each([…])` as `it`, `each`. */
function wordsOf(callee: ts.Expression): readonly string[] {
  if (ts.isIdentifier(callee)) return [callee.text];
  if (ts.isPropertyAccessExpression(callee)) return [...wordsOf(callee.expression), callee.name.text];
  if (ts.isCallExpression(callee)) return wordsOf(callee.expression);
  return ts.isTaggedTemplateExpression(callee) ? wordsOf(callee.tag) : [];
}

/** Options such as `{ skip: true }`. */
const callsOff = (argument: ts.Expression): boolean =>
  ts.isObjectLiteralExpression(argument) &&
  argument.properties.some(({ name }) => name !== undefined && ts.isIdentifier(name) && OFF.has(name.text));

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

it('a title is found as it is written, in a table of tests and in a suite, too', () => {
  const text = `
    it('one', () => {});
    test("two's", f);
    it.each([1, 2])('three %i', f);
    describe('four', () => { it('five', { timeout: 1 }, f); });
    describe.skipIf(reason !== '')('six', () => { it('seven', f); });
    it(\`eight\`, f);`;
  expect([...titlesOf(text)]).toEqual(['one', "two's", 'three %i', 'five', 'seven', 'eight']);
});

it('a test that is not run is none', () => {
  const text = `
    it.skip('one', f);
    it.skip.each([1])('two', f);
    test.todo('three');
    describe.skip('four', () => { describe('five', () => { it('six', f); }); });
    // it('seven', f);
    /* it('eight', f); */
    it('nine', { skip: true }, f);
    const text = "it('ten', f)";
    it.fails('eleven', f);`;
  expect([...titlesOf(text)]).toEqual([]);
});
