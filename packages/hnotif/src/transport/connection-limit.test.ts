import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { connectionLimit } from './connection-limit.ts';
import { lookupLimit, threadPoolSize } from './lookups.ts';

test('connections take at most half of the files that a process may open, and 1,024', () => {
  expect([100, 1_024, 2_048, 1_048_576, Infinity, 1].map(connectionLimit)).toEqual([
    50, 512, 1_024, 1_024, 1_024, 1,
  ]);
  expect(connectionLimit()).toBeGreaterThan(0);
});

test('look-ups leave threads for other look-ups of the process', () => {
  expect([64, 16, 4, 2, 1].map(lookupLimit)).toEqual([28, 4, 2, 1, 1]);
  expect(
    [undefined, '64', '0', 'x', '5000'].map((UV_THREADPOOL_SIZE) => threadPoolSize({ UV_THREADPOOL_SIZE })),
  ).toEqual([4, 64, 1, 1, 1_024]);
});

/** Runs a script of this folder as a process that may open a hundred files. Resolves with its output. */
async function withFewFiles(script: string): Promise<unknown> {
  const command = `ulimit -n 100; exec "${process.execPath}" --import tsx "${script}"`;
  const child = spawn('sh', ['-c', command], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [output] = await Promise.all([text(child.stdout), once(child, 'close')]);
  return JSON.parse(output);
}

test('with a hundred files, one namespace’s hanging origins leave room for another namespace’s request', async () => {
  expect(await withFewFiles(`${import.meta.dirname}/testing/few-files.ts`)).toEqual({
    limit: 50,
    // Half of the limit: the other namespaces have the rest.
    hanging: 25,
    answered: 200,
    exhausted: 'TooManyOpenFiles',
    warned: ['TooManyOpenFiles'],
  });
});
