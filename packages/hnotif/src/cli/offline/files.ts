import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { FlagError } from '../io.ts';

/** A larger file is not read (bytes): no manifest is that large. */
const LARGEST = 32 * 1024 * 1024;

const UNREADABLE: Readonly<Record<string, string>> = {
  ENOENT: 'it does not exist',
  EACCES: 'no permission to read it',
};

export interface File {
  readonly name: string;
  readonly content: string;
}

/** Reads files, folders (their YAML and JSON; with `recursive` also those of folders in them), and stdin for `-`. */
export async function readFiles(names: readonly string[], recursive: boolean): Promise<readonly File[]> {
  const files: File[] = [];
  for (const name of names) {
    if (name === '-') files.push({ name, content: await text(process.stdin) });
    else
      for (const file of await filesIn(name, recursive))
        files.push({ name: file, content: await read(file) });
  }
  return files;
}

async function filesIn(name: string, recursive: boolean): Promise<readonly string[]> {
  const found = await stat(name).catch((error: unknown) => unreadable(name, error));
  if (!found.isDirectory()) {
    if (found.size > LARGEST) throw new FlagError(`${name} is larger than ${LARGEST / 1024 / 1024} MiB`);
    return [name];
  }
  const entries = await readdir(name, { recursive });
  return entries
    .filter((entry) => /\.(ya?ml|json)$/.test(entry))
    .map((entry) => join(name, entry))
    .sort();
}

const read = (name: string): Promise<string> =>
  readFile(name, 'utf8').catch((error: unknown) => unreadable(name, error));

function unreadable(name: string, error: unknown): never {
  const { code = 'unknown error' } = error as NodeJS.ErrnoException;
  throw new FlagError(`${name}: ${UNREADABLE[code] ?? code}`);
}
