import { access, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROWS } from './rows.ts';

const HOME = join(import.meta.dirname, '../../../../hnotif');
const page = await readFile(join(HOME, '../../docs/security.md'), 'utf8');

describe('docs/security.md', () => {
  it('names every row, and no others', () => {
    const named = [...page.matchAll(/\| row (\w+) \|/g)].map(([, row]) => row);
    expect([...new Set(named)].sort()).toEqual(ROWS.map(({ row }) => row).sort());
  });

  it('names only existing tests', async () => {
    const files = [...page.matchAll(/`([\w/-]+\.test\.ts)`/g)].map(([, file = '']) =>
      join(HOME, file.startsWith('e2e/') ? file : `src/${file}`),
    );
    expect(files.length).toBeGreaterThan(5);
    await expect(Promise.all(files.map((file) => access(file)))).resolves.toHaveLength(files.length);
  });
});
