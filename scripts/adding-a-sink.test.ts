import { execFile } from 'node:child_process';
import { cp, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import ts from 'typescript';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '..');
const PATCH = join(ROOT, 'examples/adding-a-sink.patch');
const CHANGED = [
  'sinks/registry.ts',
  'sinks/mattermost/mattermost.ts',
  'sinks/mattermost/mattermost.test.ts',
];

test('the patch of docs/adding-a-sink.md applies, and its files have no type errors', async () => {
  const copy = await mkdtemp(join(tmpdir(), 'hnotif-sink-'));
  try {
    for (const part of ['packages/hnotif/src', 'packages/hnotif/e2e/redaction'])
      await cp(join(ROOT, part), join(copy, part), { recursive: true });
    await symlink(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
    // Outside of any repository, git applies the patch to the plain directory.
    await promisify(execFile)('git', ['apply', PATCH], {
      cwd: copy,
      env: { ...process.env, GIT_CEILING_DIRECTORIES: tmpdir() },
    });
    expect(typeErrors(CHANGED.map((file) => join(copy, 'packages/hnotif/src', file)))).toEqual([]);
  } finally {
    await rm(copy, { recursive: true });
  }
}, 60_000);

/** Only in these files: the whole workspace would take too long. */
function typeErrors(files: readonly string[]): string[] {
  const { config } = ts.readConfigFile(join(ROOT, 'tsconfig.json'), (path) => ts.sys.readFile(path)) as {
    config: { compilerOptions: object };
  };
  const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, ROOT);
  const program = ts.createProgram(files, { ...options, incremental: false, tsBuildInfoFile: undefined });
  return files.flatMap((file) => {
    const source = program.getSourceFile(file);
    return program
      .getSemanticDiagnostics(source)
      .map(({ messageText }) => `${file}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`);
  });
}
