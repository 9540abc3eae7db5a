import { readFile, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Chart, loadChart } from './chart.ts';

/** Reads a chart from its folder. Symbolic links are followed, as Helm does. */
export async function readChart(folder: string): Promise<Chart> {
  const files = new Map<string, Uint8Array>();
  const read = async (path: string): Promise<void> => {
    for (const name of (await readdir(join(folder, path))).sort()) {
      const inner = path === '' ? name : `${path}/${name}`;
      const place = join(folder, inner);
      if ((await stat(place)).isDirectory()) await read(inner);
      else files.set(inner, await readFile(place));
    }
  };
  await read('');
  return loadChart(files);
}
