/**
 * Go, the optional reference for fuzzing and benchmarks. Tests do not need it. GOTEMPLATE_GO is the go command (default
 * `go`). GOTEMPLATE_GOPATH is the folder whose `src` contains sprig (default: the one of Debian's packages).
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

export interface Reference {
  /** The program of the `Oracle`. */
  readonly program: string;
  readonly environment: NodeJS.ProcessEnv;
  /** The version of Go. */
  readonly version: string;
}

/** Builds the program if needed. If it cannot, returns the reason in one line. */
export function findReference(): Reference | string {
  const go = process.env.GOTEMPLATE_GO ?? 'go';
  const gopath = process.env.GOTEMPLATE_GOPATH ?? '/usr/share/gocode';
  // The packages in this folder come first, so their paths, which some errors show, are only their names.
  const path = [import.meta.dirname, gopath].join(delimiter);
  // Outputs can contain addresses, so all must have the same length.
  const settings = { GO111MODULE: 'off', GOPATH: path, GOEXPERIMENT: 'norandomizedheapbase64', TZ: 'UTC' };
  const environment = { ...process.env, ...settings };
  const run = (...args: readonly string[]): string =>
    execFileSync(go, args, {
      cwd: import.meta.dirname,
      env: environment,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    }).trim();
  let version: string, root: string;
  try {
    [version = '', root = ''] = run('env', 'GOVERSION', 'GOROOT').split('\n');
  } catch {
    return `no reference: ${go} cannot be run (GOTEMPLATE_GO names another go command)`;
  }
  if (!existsSync(join(gopath, 'src/github.com/Masterminds/sprig/v3')))
    return `no reference: ${gopath} has no sprig 3 (GOTEMPLATE_GOPATH names another folder)`;
  try {
    const program = build(JSON.stringify([version, settings]), run);
    return {
      program,
      version,
      environment: { ...environment, ZONEINFO: join(root, 'lib/time/zoneinfo.zip') },
    };
  } catch (error) {
    const [, first] = error instanceof Error ? error.message.split('\n') : [];
    return `no reference: ${version} does not build it: ${first}`;
  }
}

/** The program's name is a hash of its sources and settings, so it is rebuilt exactly when they change. */
function build(how: string, run: (...args: readonly string[]) => string): string {
  const hash = createHash('sha256').update(how);
  for (const name of readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' }).sort())
    if (name.endsWith('.go')) hash.update(readFileSync(join(import.meta.dirname, name)));
  const folder = join(tmpdir(), 'gotemplate-oracle');
  const program = join(folder, hash.digest('hex').slice(0, 16));
  if (!existsSync(program)) {
    mkdirSync(folder, { recursive: true });
    const beside = `${program}.${process.pid}`;
    run('build', '-o', beside, '.');
    renameSync(beside, program);
  }
  return program;
}
