/**
 * Checks the tarballs of both npm packages as their users get them: publint reads the manifest and the files, "are the types wrong"
 * resolves the types. Each finding is a failure.
 *
 *     npm run lint:packages
 */
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';

const root = join(import.meta.dirname, '..');
const run = promisify(execFile);

/**
 * Not asked: how TypeScript resolves ES modules for `require()` and for its mode `node10`. The packages are ES modules alone. Each
 * version of Node that they support loads these with `require()`, too.
 */
const NOT_ASKED: ReadonlySet<string> = new Set(['node10', 'node16-cjs']);

async function findingsOf(tarball: Uint8Array<ArrayBuffer>): Promise<string[]> {
  const { messages, pkg } = await publint({ pack: { tarball: tarball.buffer }, strict: true });
  const types = await checkPackage(createPackageFromTarballData(tarball));
  return [
    ...messages.map((message) => `publint: ${formatMessage(message, pkg) ?? message.code}`),
    ...(types.types === false ? [] : types.problems)
      .filter((problem) => !('resolutionKind' in problem && NOT_ASKED.has(problem.resolutionKind)))
      .map((problem) => `types: ${JSON.stringify(problem)}`),
  ];
}

const folder = await mkdtemp(join(tmpdir(), 'hnotif-packages-'));
let count = 0;
try {
  await run('npm', ['run', 'build', '--workspace', 'packages/gotemplate'], { cwd: root });
  for (const place of ['packages/hnotif', 'packages/gotemplate/dist']) {
    await run('npm', ['pack', '--pack-destination', folder], { cwd: join(root, place) });
  }
  for (const filename of await readdir(folder)) {
    const found = await findingsOf(new Uint8Array(await readFile(join(folder, filename))));
    console.log(`${filename}: ${found.length} findings`);
    for (const finding of found) console.log(`  ${finding}`);
    count += found.length;
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}
process.exitCode = count === 0 ? 0 : 1;
