/**
 * Go itself, as the reference that fuzzing and benchmarks compare with. It is looked for, never needed: the tests do without.
 * GOTEMPLATE_GO names the go command (default `go`), GOTEMPLATE_GOPATH the folder whose `src` has sprig (default the one that
 * Debian's packages use).
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

export interface Reference {
  /** The program, which `Oracle` talks to. */
  readonly program: string;
  readonly environment: NodeJS.ProcessEnv;
  /** Of Go. */
  readonly version: string;
}

/** Builds the program unless it is built already; or the line that says why there is none. */
export function findReference(): Reference | string {
  const go = process.env.GOTEMPLATE_GO ?? 'go';
  const gopath = process.env.GOTEMPLATE_GOPATH ?? '/usr/share/gocode';
  // The packages beside this file come first: so their paths, which some errors show, are their bare names.
  const path = [import.meta.dirname, gopath].join(delimiter);
  // Addresses show in outputs: let them be of one length.
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

/** The program's name has a hash of what it is built from, so that it is built anew exactly when that has changed. */
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
