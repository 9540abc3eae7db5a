import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { temporary } from '../packages/hnotif/e2e/support/temporary.ts';
import { checkoutFiles, copyFiles, linkPackages } from '../packages/lab/src/checkout.ts';
import { GO_MEMORY } from './go-memory.ts';

const PATCH = 'examples/adding-a-sink.patch';
/** The folders with code that knows sinks. */
const TYPED = ['packages/core', 'packages/hnotif', 'packages/lab', 'packages/ui', 'scripts'];
/** The unit tests that concern every sink. */
const TESTS = [
  'packages/hnotif/src/transport/sinks/registry.test.ts',
  'packages/core/src/resources/crds/crds.test.ts',
  'packages/ui/src/editor/job.test.ts',
  'scripts/docs.test.ts',
  'scripts/reasons.test.ts',
];

test('the patch of docs/adding-a-sink.md makes a workspace without errors', async () => {
  const copy = await temporary();
  copyFiles(
    checkoutFiles().filter((file) => !file.endsWith('.png')),
    copy,
  );
  await linkPackages(copy);
  // Outside of any repository, git applies the patch to the plain folder.
  await run(copy, 'git', 'apply', PATCH);
  await node(copy, '--import', 'tsx', 'scripts/docs.ts');
  const files = await filesOf(join(copy, PATCH));
  await writeFile(join(copy, 'checks.json'), await checksOf(copy, files));
  expect(await oxlint(copy, '-c', 'checks.json', ...TYPED)).toContain('Found 0 warnings and 0 errors');
  // These tests need no bundle.
  await writeFile(join(copy, 'scripts/test-setup.ts'), 'export const setup = (): void => undefined;\n');
  const tests = [...TESTS, ...files.filter((file) => file.endsWith('.test.ts'))];
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--project=unit', '--reporter=json'];
  const { stdout } = await node(copy, ...vitest, ...tests);
  const { success, testResults } = JSON.parse(stdout.slice(stdout.indexOf('{'))) as {
    readonly success: boolean;
    readonly testResults: readonly unknown[];
  };
  expect([success, testResults.length]).toEqual([true, tests.length]);
});

/** The code that a patch writes. */
const filesOf = async (patch: string): Promise<string[]> =>
  Array.from((await readFile(patch, 'utf8')).matchAll(/^\+\+\+ b\/(.+\.ts)$/gm), ([, file = '']) => file);

/** The configuration of oxlint: types everywhere, and its rules for these files. */
async function checksOf(folder: string, files: readonly string[]): Promise<string> {
  const all = JSON.parse(await readFile(join(folder, '.oxlintrc.json'), 'utf8')) as {
    readonly options: object;
    readonly rules: object;
  };
  const options = { ...all.options, reportUnusedDisableDirectives: 'off' };
  return JSON.stringify({ ...all, options, rules: {}, overrides: [{ files, rules: all.rules }] });
}

const run = (cwd: string, file: string, ...args: string[]) =>
  promisify(execFile)(file, args, {
    ...{ cwd, maxBuffer: 1 << 26 },
    env: { ...process.env, ...GO_MEMORY, GIT_CEILING_DIRECTORIES: tmpdir() },
  }).catch(({ stdout, stderr }: { readonly stdout: string; readonly stderr: string }) => {
    throw new Error(`${file} ${args.join(' ')} failed:\n${stdout}${stderr}`);
  });

const node = (cwd: string, ...args: string[]) => run(cwd, process.execPath, ...args);

const oxlint = async (cwd: string, ...args: string[]): Promise<string> =>
  (await node(cwd, 'node_modules/oxlint/bin/oxlint', ...args)).stdout;
