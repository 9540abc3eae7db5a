import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { build } from 'esbuild';

export interface Forked<Facts> {
  /** The first message of the process. */
  readonly facts: Facts;
  close(): Promise<void>;
}

/** Starts a program of this folder in a separate process, so that it does not load the measuring process. */
export async function forked<Facts>(program: string, ...args: readonly string[]): Promise<Forked<Facts>> {
  const code = await codeOf(program);
  const child = spawn(process.execPath, ['--input-type=module', '-', ...args], {
    cwd: ROOT,
    env: { PATH: process.env.PATH, HOME: process.env.HOME },
    stdio: ['pipe', 'inherit', 'inherit', 'ipc'],
  });
  child.stdin?.end(code);
  const ended = once(child, 'exit');
  const [facts] = (await Promise.race([
    once(child, 'message'),
    ended.then(([exit]) => {
      throw new Error(`${program} ended with ${exit} before it was ready`);
    }),
  ])) as [Facts];
  const close = async (): Promise<void> => {
    if (child.connected) child.disconnect();
    await ended;
  };
  return { facts, close };
}

const ROOT = join(import.meta.dirname, '../../../..');
const codes = new Map<string, Promise<string>>();

/** A program in one piece, made once: each process would translate all of its modules, which takes five times as long. */
function codeOf(program: string): Promise<string> {
  const known = codes.get(program);
  if (known !== undefined) return known;
  const code = build({
    entryPoints: [join(import.meta.dirname, program)],
    bundle: true,
    platform: 'node',
    format: 'esm',
    write: false,
    // The dependencies that are CommonJS ask for Node's own modules with require().
    banner: {
      js: "import { createRequire as __cr } from 'node:module';const require = __cr(import.meta.url);",
    },
  }).then(({ outputFiles: [file] }) => file?.text ?? '');
  codes.set(program, code);
  return code;
}
