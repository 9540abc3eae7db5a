import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '..');
const PATHS = ['packages/*.test.ts', 'packages/*.test.tsx', 'packages/*/test/*.ts', 'packages/*/e2e/*.ts'];

/** `vi.waitFor` gives up after a second. */
const OWN_LIMIT = /\bvi\.waitFor\(|\bvi\.waitUntil\(|[{,] *timeout: [1-9][\d_]{2}|setDefaultTimeout\([1-9]/;

it('no wait of a test has a limit of its own', () => {
  const files = execFileSync('git', ['ls-files', ...PATHS], { cwd: ROOT, encoding: 'utf8' })
    .trim()
    .split('\n');
  expect(files.length).toBeGreaterThan(100);
  const found = files.flatMap((file) =>
    readFileSync(join(ROOT, file), 'utf8')
      .split('\n')
      .flatMap((line, index) => (OWN_LIMIT.test(line) ? [`${file}:${index + 1}: ${line.trim()}`] : [])),
  );
  expect(found).toEqual([]);
});
