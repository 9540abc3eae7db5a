import { env } from 'node:process';
import { Readable } from 'node:stream';
import { systemClock } from '@hnotif/core/clock';
import { printingIo } from '../../src/cli/io.ts';
import { main } from '../../src/cli/program.ts';
import type { World } from './world.ts';

/** The output of a command that has ended: by default in lines. */
export interface Answer<T = readonly string[]> {
  readonly exit: number;
  readonly out: T;
  readonly err: T;
}

/**
 * Runs a command in the process of the test, with this text on its standard input. A separate process takes half a second, so only tests
 * of signals, pipes and long runs have one (`hnotif`). With `-w` it gets a Ctrl-C after its first output.
 */
export async function plainCommand(args: readonly string[], input = '', more = {}): Promise<Answer<string>> {
  const written = { out: '', err: '' };
  const interrupt = new AbortController();
  const process = {
    ...{ env: { HOME: '/nonexistent', PATH: env.PATH, ...more }, clock: systemClock },
    ...{ signal: interrupt.signal, input: Readable.from([Buffer.from(input)]) },
  };
  const exit = await main(
    args,
    printingIo(process, (text, stream) => {
      written[stream] += text;
      if (args.includes('-w')) interrupt.abort();
    }),
  );
  return { exit, ...written };
}

/** The same, for lines. */
export async function command(...asked: Parameters<typeof plainCommand>): Promise<Answer> {
  const { exit, out, err } = await plainCommand(...asked);
  return { exit, out: linesOf(out), err: linesOf(err) };
}

/** Runs a command for a user with the kubeconfig of this world. */
export const asked = async (world: World, ...args: readonly string[]): Promise<Answer> =>
  command([...args, `--kubeconfig=${await world.kubeconfig()}`]);

/** Lines without the end of the last one, like those of a process. */
const linesOf = (text: string): readonly string[] => (text === '' ? [] : text.replace(/\n$/, '').split('\n'));
