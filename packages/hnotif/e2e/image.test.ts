import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { IMAGE } from '../../lab/src/image.ts';

const DOCKERFILE = join(import.meta.dirname, '../../../Dockerfile');

it('the tests and benchmarks run hnotif as the image does', async () => {
  const lines = (await readFile(DOCKERFILE, 'utf8')).split('\n');
  expect(lines).toContain(
    `ENTRYPOINT ${JSON.stringify(['node', ...IMAGE.flags, '/app/hnotif.mjs']).replaceAll(',', ', ')}`,
  );
  const env = Object.entries(IMAGE.env).map(([name, value]) => `ENV ${name}=${value}`);
  expect(lines.filter((line) => line.startsWith('ENV '))).toEqual(env);
});

it('Node knows the flags of the image', () => {
  expect(execFileSync(process.execPath, [...IMAGE.flags, '-p', '1']).toString()).toBe('1\n');
});
