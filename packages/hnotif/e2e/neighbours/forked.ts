import { fork } from 'node:child_process';
import { once } from 'node:events';
import { basename, join } from 'node:path';

export interface Forked<Facts> {
  /** The first message of the process. */
  readonly facts: Facts;
  close(): Promise<void>;
}

/** Starts a program of this folder in a separate process, so that it does not load the measuring process. */
export async function forked<Facts>(program: string, ...args: readonly string[]): Promise<Forked<Facts>> {
  const child = fork(join(import.meta.dirname, program), args, {
    execArgv: ['--import', 'tsx'],
    cwd: join(import.meta.dirname, '../../../..'),
    env: { PATH: process.env.PATH, HOME: process.env.HOME },
  });
  const ended = once(child, 'exit');
  const [facts] = (await Promise.race([
    once(child, 'message'),
    ended.then(([code]) => {
      throw new Error(`${basename(program)} ended with ${code} before it was ready`);
    }),
  ])) as [Facts];
  const close = async (): Promise<void> => {
    if (child.connected) child.disconnect();
    await ended;
  };
  return { facts, close };
}
