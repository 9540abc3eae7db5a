/**
 * The whole check, as `npm test` and CI run it: types, lint, format, then every test, on a bundle that vitest's
 * global set-up builds. Each step counts as one check; the last line is `N passed, N failed`. Tests that were skipped are listed with their reason (their name).
 */
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GO_MEMORY } from './go-memory.ts';

interface Report {
  numPassedTests: number;
  numFailedTests: number;
  numTotalTests: number;
  testResults: {
    name: string;
    status: string;
    /** The error of a file that could not be run. */
    message: string;
    assertionResults: { status: string; fullName: string; failureMessages: string[] | null }[];
  }[];
}

/** Runs a program to its end, its output shown as it comes; whether it exited with 0. */
function run(program: string, ...args: string[]): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [`node_modules/${program}`, ...args], {
      stdio: 'inherit',
      env: { ...process.env, ...(program === OXLINT && GO_MEMORY) },
    });
    child.on('error', () => {
      resolve(false);
    });
    child.on('exit', (code) => {
      resolve(code === 0);
    });
  });
}

const OXLINT = 'oxlint/bin/oxlint';

let passed = 0;
let failed = 0;

async function step(name: string, program: string, ...args: string[]): Promise<void> {
  const ok = await run(program, ...args);
  if (ok) passed++;
  else failed++;
  console.log(`${ok ? 'ok    ' : 'FAILED'}  ${name}`);
}

await step('format', 'oxfmt/bin/oxfmt', '--check');
await step('types and lint', OXLINT);

const folder = await mkdtemp(join(tmpdir(), 'hnotif-test-'));
try {
  const file = join(folder, 'report.json');
  const green = await run(
    'vitest/vitest.mjs',
    'run',
    '--reporter=default',
    '--reporter=json',
    `--outputFile=${file}`,
  );
  const report = JSON.parse(await readFile(file, 'utf8')) as Report;
  passed += report.numPassedTests;
  failed += report.numFailedTests;
  for (const { name, status, message, assertionResults } of report.testResults) {
    if (status === 'failed' && assertionResults.every((test) => test.status !== 'failed')) {
      failed++;
      console.log(`FAILED  ${name}: the file could not be run: ${message}`);
    }
    // Once more at the end: of a long output, often only the end is kept.
    for (const { status: result, fullName, failureMessages } of assertionResults)
      if (result === 'failed') console.log(`FAILED  ${name}: ${fullName}: ${failureMessages?.[0] ?? ''}`);
      else if (result !== 'passed') console.log(`skipped ${fullName}`);
  }
  // An error outside any test (an unhandled rejection, a leaked handle) fails the run, too.
  if (!green && failed === 0) failed++;
} catch (error) {
  failed++;
  console.log(`FAILED  tests: ${String(error)}`);
} finally {
  await rm(folder, { recursive: true, force: true });
}

console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
