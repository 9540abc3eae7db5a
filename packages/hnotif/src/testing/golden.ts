import { readFile, writeFile } from 'node:fs/promises';
import { expect } from 'vitest';

/**
 * Holds what people will see against a golden file, which lies beside the test. `UPDATE_GOLDEN=1` writes it anew: look at the
 * difference.
 */
export async function expectGolden(file: URL, text: string): Promise<void> {
  if (process.env.UPDATE_GOLDEN === '1') await writeFile(file, text);
  expect(text).toBe(await readFile(file, 'utf8'));
}
