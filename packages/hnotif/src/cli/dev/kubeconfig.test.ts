import { mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { writeKubeconfig } from './kubeconfig.ts';

async function aFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'hnotif-test-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

const OWN = `hnotif-dev-${userInfo().uid}`;

it('stands at the same path each time, readable by its user alone', async () => {
  const folder = await aFolder();
  const at = { port: 8001, usualPort: 8001, folder };
  const [first, second] = [await writeKubeconfig('one', at), await writeKubeconfig('two', at)];
  expect([first, second]).toEqual(Array(2).fill(join(folder, OWN, 'kubeconfig')));
  expect(await readFile(second, 'utf8')).toBe('two');
  const modes = await Promise.all(
    [second, dirname(second)].map(async (path) => (await stat(path)).mode & 0o777),
  );
  expect(modes).toEqual([0o600, 0o700]);
});

it('has a path of its own where another port is used', async () => {
  const folder = await aFolder();
  const paths = [
    await writeKubeconfig('one', { port: 8001, usualPort: 8001, folder }),
    await writeKubeconfig('two', { port: 8002, usualPort: 8001, folder }),
  ];
  expect(paths).toEqual(['kubeconfig', 'kubeconfig-8002'].map((name) => join(folder, OWN, name)));
  expect(await readFile(paths[0] ?? '', 'utf8')).toBe('one');
});

it.each([
  ['a link', async (path: string, folder: string) => symlink(folder, path)],
  ['a file', async (path: string) => writeFile(path, '')],
])('goes elsewhere where %s has the name of its folder', async (_, take) => {
  const [folder, elsewhere] = [await aFolder(), await aFolder()];
  await take(join(folder, OWN), elsewhere);
  const path = await writeKubeconfig('one', { port: 8001, usualPort: 8001, folder });
  expect(dirname(path)).not.toBe(join(folder, OWN));
  expect(await readFile(path, 'utf8')).toBe('one');
  expect(await readdir(elsewhere)).toEqual([]);
});
