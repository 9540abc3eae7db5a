import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT, checkoutFiles } from '../../../lab/src/checkout.ts';

export interface Instruction {
  readonly name: string;
  readonly text: string;
}

/** The instructions of the Dockerfile, by stage: those before the first FROM, then each stage. */
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

/** The files of a clean checkout that .dockerignore lets into the build. Supports only the kinds of patterns in that file. */
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
      // A pattern that matches a folder applies to its content.
      return { kept, pattern: new RegExp(`^${source}(?:/|$)`) };
    });
  return checkoutFiles().filter(
    (file) => patterns.findLast(({ pattern }) => pattern.test(file))?.kept === true,
  );
}
