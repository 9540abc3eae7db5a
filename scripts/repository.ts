/** What the repository has, by paths in it. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');

/** The text of a page, `''` for another file or a folder, undefined if there is none. */
export function readRepository(path: string): string | undefined {
  const file = join(ROOT, path);
  if (!existsSync(file)) return undefined;
  return path.endsWith('.md') ? readFileSync(file, 'utf8') : '';
}
