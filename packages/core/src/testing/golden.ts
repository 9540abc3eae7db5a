import { readFile, writeFile } from 'node:fs/promises';
import { expect } from 'vitest';

/** Compares a message with a golden file beside the test. `UPDATE_GOLDEN=1` writes the file again: read the difference. */
export async function expectGolden(file: URL, text: string): Promise<void> {
  if (process.env.UPDATE_GOLDEN === '1') await writeFile(file, text);
  expect(text).toBe(await readFile(file, 'utf8'));
}
