import { execFileSync } from 'node:child_process';
import { cpSync, existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';

export const ROOT = join(import.meta.dirname, '../../../..');

/** A folder for one test. */
export async function temporary(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'hnotif-image-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

export interface Instruction {
  readonly name: string;
  readonly text: string;
}

/** The instructions of the Dockerfile, by stage: what comes before the first FROM, then each stage. */
export async function stages(): Promise<Instruction[][]> {
  const text = (await readFile(join(ROOT, 'Dockerfile'), 'utf8'))
    .replace(/^#.*\n/gm, '')
    .replace(/\\\n/g, ' ');
  const found: Instruction[][] = [[]];
  for (const line of text.split('\n')) {
    const [, name, rest] = /^([A-Z]+)\s+(.*)$/.exec(line) ?? [];
    if (name === undefined || rest === undefined) continue;
    if (name === 'FROM') found.push([]);
    found.at(-1)?.push({ name, text: rest.trim() });
  }
  return found;
}

/** A JSON array of an instruction; fails for the shell form. */
export const words = ({ text }: Instruction): string[] => JSON.parse(text) as string[];

/** The files of a clean checkout that .dockerignore lets into the build. Only the kinds of patterns that stand there are known. */
export async function contextFiles(): Promise<string[]> {
  const patterns = (await readFile(join(ROOT, '.dockerignore'), 'utf8'))
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const kept = line.startsWith('!');
      const source = line
        .slice(kept ? 1 : 0)
        .split(/(\*\*\/|\*)/)
        .map((part) => ({ '**/': '(?:.*/)?', '*': '[^/]*' })[part] ?? part.replace(/[.+]/g, '\\$&'))
        .join('');
      // A pattern that matches a folder holds for what is in it.
      return { kept, pattern: new RegExp(`^${source}(?:/|$)`) };
    });
  const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], {
    cwd: ROOT,
  });
  return files
    .toString()
    .split('\0')
    .filter((file) => patterns.findLast(({ pattern }) => pattern.test(file))?.kept === true)
    .filter((file) => existsSync(join(ROOT, file)));
}

/** Copies the build's context into a folder. */
export async function copyContext(folder: string): Promise<void> {
  for (const file of await contextFiles()) cpSync(join(ROOT, file), join(folder, file));
}

/** Gives a folder the packages of this checkout, in place of `npm ci`; those of the workspace are its own. */
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
