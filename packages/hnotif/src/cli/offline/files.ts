import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { boundedText } from '../../bounded-text.ts';
import { FlagError, type Io } from '../io.ts';
import { whyUnreadable } from '../unreadable.ts';

/** A larger file is not read (bytes): no manifest is that large. */
const LARGEST = 32 * 1024 * 1024;

export interface File {
  readonly name: string;
  readonly content: string;
}

/** Reads files, folders (their YAML and JSON; with `recursive` also those of folders in them), and the standard input for `-`. */
export async function readFiles(
  names: readonly string[],
  recursive: boolean,
  { input }: Pick<Io, 'input'>,
): Promise<readonly File[]> {
  const files: File[] = [];
  for (const name of names) {
    if (name === '-') files.push({ name, content: await textOf(input) });
    else
      for (const file of await filesIn(name, recursive))
        files.push({ name: file, content: await read(file) });
  }
  return files;
}

async function filesIn(name: string, recursive: boolean): Promise<readonly string[]> {
  const found = await stat(name).catch((error: unknown) => unreadable(name, error));
  if (!found.isDirectory()) return [name];
  const entries = await readdir(name, { recursive, withFileTypes: true });
  return entries
    .filter((entry) => !entry.isDirectory() && /\.(ya?ml|json)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

async function read(name: string): Promise<string> {
  try {
    const { size } = await stat(name);
    if (size > LARGEST) throw tooLarge(name);
    return await readFile(name, 'utf8');
  } catch (error) {
    return unreadable(name, error);
  }
}

async function textOf(input: Io['input']): Promise<string> {
  const text = await boundedText(input, LARGEST);
  if (text === undefined) throw tooLarge('standard input');
  return text;
}

const tooLarge = (name: string): FlagError =>
  new FlagError(`${name} is larger than ${LARGEST / 1024 / 1024} MiB`);

function unreadable(name: string, error: unknown): never {
  if (error instanceof FlagError) throw error;
  throw new FlagError(`${name}: it ${whyUnreadable(error)}`);
}
