import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ATTACKS } from './rows.ts';

const ROOT = join(import.meta.dirname, '../../../../..');
const page = await readFile(join(ROOT, 'docs/security.md'), 'utf8');

describe('docs/security.md', () => {
  it('names every row, and no others', () => {
    const named = [...page.matchAll(/\| row (\w+) \|/g)].map(([, row]) => row);
    expect([...new Set(named)].sort()).toEqual(ATTACKS.map(({ row }) => row).sort());
  });

  it('names only existing tests', () => {
    const files = [...page.matchAll(/`([\w/-]+\.test\.ts)`/g)].map(([, file = '']) => file);
    const isThere = (file: string): boolean =>
      ['packages/hnotif', 'packages/hnotif/src', 'packages/core/src'].some((folder) =>
        existsSync(join(ROOT, folder, file)),
      );
    expect(files.length).toBeGreaterThan(5);
    expect(files.filter((file) => !isThere(file))).toEqual([]);
  });
});
