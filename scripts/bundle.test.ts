import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { replaceFolder } from './bundle.ts';

async function emptyFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'hnotif-bundle-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

const file = (name: string, text: string) => ({ name, contents: Buffer.from(text) });

it('a folder is made to hold the new files alone', async () => {
  const folder = join(await emptyFolder(), 'dist');
  await replaceFolder(folder, [file('chunk-1.mjs', 'old'), file('main.mjs', 'old')]);
  await replaceFolder(folder, [file('chunk-2.mjs', 'new'), file('main.mjs', 'new')]);
  expect((await readdir(folder)).sort()).toEqual(['chunk-2.mjs', 'main.mjs']);
  expect(await readFile(join(folder, 'main.mjs'), 'utf8')).toBe('new');
});

it('a folder within it holds the new files alone, too', async () => {
  const folder = join(await emptyFolder(), 'dist');
  await replaceFolder(folder, [file('t/old/a', 'old'), file('t/b', 'old'), file('gone/c', 'old')]);
  await replaceFolder(folder, [file('t/new/a', 'new'), file('t/b', 'new')]);
  expect((await readdir(folder, { recursive: true })).sort()).toEqual(['t', 't/b', 't/new', 't/new/a']);
  expect(await readFile(join(folder, 't/b'), 'utf8')).toBe('new');
});

it('a file that has not changed is not touched', async () => {
  const folder = await emptyFolder();
  await replaceFolder(folder, [file('a', 'same'), file('b', 'old')]);
  const inodes = async () =>
    Promise.all(['a', 'b'].map(async (name) => (await stat(join(folder, name))).ino));
  const [a, b] = await inodes();
  await replaceFolder(folder, [file('a', 'same'), file('b', 'new')]);
  expect((await inodes())[0]).toBe(a);
  // Not written over but renamed into place: who reads the old one reads it to its end.
  expect((await inodes())[1]).not.toBe(b);
});

it('what another build is about to rename stays', async () => {
  const folder = await emptyFolder();
  await mkdir(join(folder, 't'));
  await writeFile(join(folder, '.main.mjs.1'), 'half');
  await writeFile(join(folder, 't/.a.1'), 'half');
  await replaceFolder(folder, [file('main.mjs', 'whole'), file('t/a', 'whole')]);
  expect((await readdir(folder, { recursive: true })).sort()).toEqual([
    '.main.mjs.1',
    'main.mjs',
    't',
    't/.a.1',
    't/a',
  ]);
});
