/**
 * `npm run conformance -- FILE…`: runs case files (default: this package's) and reports failures. Paths are relative to the
 * user's folder. Exits with 1 if a case fails, with 2 if a file is invalid.
 */
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { CaseError, type CaseFile, parseCases } from './case.ts';
import { OWN_FILES } from './files.ts';
import { describeFailure, runCase } from './run.ts';

const PROBLEMS = new Map([
  ['ENOENT', 'does not exist'],
  ['EISDIR', 'is a folder; wanted a case file'],
]);

async function load(path: string): Promise<CaseFile> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    throw new CaseError(`${path}: ${PROBLEMS.get(code) ?? `cannot be read: ${code}`}`);
  }
  return parseCases(path, text);
}

const named = process.argv.slice(2).map((path) => resolve(process.env.INIT_CWD ?? '.', path));
const files: CaseFile[] = [];
for (const path of named.length > 0 ? named : OWN_FILES)
  try {
    files.push(await load(path));
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    process.exitCode = 2;
  }

if (process.exitCode === undefined) {
  let passed = 0;
  let failed = 0;
  for (const test of files.flatMap(({ cases }) => cases)) {
    const failure = runCase(test);
    if (failure === undefined) passed++;
    else {
      failed++;
      console.log(describeFailure(test, failure));
    }
  }
  console.log(`${passed} passed, ${failed} failed`);
  if (failed > 0) process.exitCode = 1;
}
