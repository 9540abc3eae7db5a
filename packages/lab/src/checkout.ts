import { execFile, execFileSync } from 'node:child_process';
import { cpSync, existsSync } from 'node:fs';
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

export const ROOT = join(import.meta.dirname, '../../..');

/** The files of a clean checkout, including changes that are not committed. */
export function checkoutFiles(): string[] {
  const args = ['ls-files', '--cached', '--others', '--exclude-standard', '-z'];
  const files = execFileSync('git', args, { cwd: ROOT }).toString().split('\0');
  return files.filter((file) => file !== '' && existsSync(join(ROOT, file)));
}

/** Copies files of this checkout into a folder. */
export function copyFiles(files: readonly string[], folder: string): void {
  for (const file of files) cpSync(join(ROOT, file), join(folder, file));
}

/** Links the packages of this checkout into a folder, instead of `npm ci`. Those of the workspace are the folder's own. */
export async function linkPackages(folder: string): Promise<void> {
  const target = join(folder, 'node_modules');
  await mkdir(join(target, '@hnotif'), { recursive: true });
  for (const name of await readdir(join(ROOT, 'node_modules')))
    if (name !== '@hnotif' && name !== 'hnotif')
      await symlink(join(ROOT, 'node_modules', name), join(target, name));
  for (const name of await readdir(join(folder, 'packages'))) {
    const manifest = JSON.parse(await readFile(join(folder, 'packages', name, 'package.json'), 'utf8')) as {
      name: string;
    };
    await mkdir(dirname(join(target, manifest.name)), { recursive: true });
    await symlink(join(folder, 'packages', name), join(target, manifest.name));
  }
}

/** Packs a package and installs the tarball in an empty folder, without a registry. */
export async function install(home: string, folder: string): Promise<void> {
  await mkdir(folder);
  const { stdout } = await npm(home, 'pack', '--json', '--pack-destination', folder);
  // npm prints the output of a package's scripts before its answer.
  const [{ filename }] = JSON.parse(stdout.slice(stdout.search(/^\[$/m))) as [{ filename: string }];
  await writeFile(join(folder, 'package.json'), '{ "private": true }');
  await npm(folder, 'install', '--offline', '--no-audit', '--no-fund', `./${filename}`);
}

const npm = (cwd: string, ...args: string[]) => promisify(execFile)('npm', args, { cwd });

/** Makes the bundle of another revision of this repository in a folder, with the packages of this checkout. Resolves with its path. */
export async function bundleOf(revision: string, folder: string): Promise<string> {
  await promisify(execFile)('sh', ['-c', 'git archive "$0" | tar -x -C "$1"', revision, folder], {
    cwd: ROOT,
  });
  await linkPackages(folder);
  const build = ['--import', 'tsx', 'scripts/build.ts', '--without-dev'];
  await promisify(execFile)(process.execPath, build, { cwd: folder });
  return join(folder, 'packages/hnotif/dist/hnotif.mjs');
}

/** The last release; before the first one, a revision of some days ago. */
export async function versionBefore(): Promise<string> {
  const git = async (...args: readonly string[]): Promise<string> =>
    (await promisify(execFile)('git', args, { cwd: ROOT })).stdout.trim();
  return git('describe', '--tags', '--abbrev=0', 'HEAD^').catch(() => git('rev-parse', 'HEAD~100'));
}
