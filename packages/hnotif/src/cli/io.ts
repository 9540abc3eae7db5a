import { systemClock, type Clock } from '@hnotif/core/clock';
import { EXIT } from './exit.ts';
import { paintFor } from './paint.ts';
import { stopSignal } from './signals.ts';

export type Env = Readonly<Record<string, string | undefined>>;
export type Colour = 'red' | 'yellow' | 'green' | 'dim' | 'bold';

/** What a command has of its process. */
export interface Io {
  readonly env: Env;
  readonly clock: Clock;
  /** The width of the terminal; undefined: standard output is not a terminal, and nothing is cut. */
  readonly columns: number | undefined;
  /** Aborts when the user ends the command (SIGINT, SIGTERM, SIGHUP, or a closed pipe). */
  readonly signal: AbortSignal;
  /** Standard input. */
  readonly input: AsyncIterable<Uint8Array>;
  out(text: string | Uint8Array): void;
  err(text: string): void;
  colour(colour: Colour, text: string): string;
  /** Sets the exit code of the process. */
  exit(code: number): void;
}

/** Runs a command line in this process. Its `Io` is made with a function that takes the exit code. */
export type RunCommand = (
  args: readonly string[],
  ioWith?: (exit: (code: number) => void) => Io,
) => Promise<number>;

/** The real process. `exit` gets the code that a command sets. */
export function processIo(exit: (code: number) => void): Io {
  const { env, stdout, stderr } = process;
  let signal: AbortSignal | undefined;
  return {
    ...{ env, clock: systemClock, exit },
    // Only for commands that ask for it: with a listener, a signal does not end the process.
    get signal() {
      return (signal ??= signalOfUser());
    },
    get input() {
      return process.stdin;
    },
    columns: stdout.isTTY ? stdout.columns : undefined,
    out: (text) => stdout.write(text),
    err: (text) => stderr.write(text),
    colour: paintFor(stdout.isTTY, env),
  };
}

/** An `Io` without a terminal. `print` gets what the command prints. */
export const printingIo =
  (
    process: Pick<Io, 'env' | 'clock' | 'signal' | 'input'>,
    print: (text: string, stream: 'out' | 'err') => void,
  ) =>
  (exit: (code: number) => void): Io => ({
    ...{ ...process, exit, columns: undefined },
    out: (text) => {
      print(typeof text === 'string' ? text : Buffer.from(text).toString(), 'out');
    },
    err: (text) => {
      print(text, 'err');
    },
    colour: (_, text) => text,
  });

function signalOfUser(): AbortSignal {
  const ended = new AbortController();
  void stopSignal().then(() => {
    ended.abort();
  });
  return ended.signal;
}

/** A command cannot do what it was asked to. The message is one line for the user, with the remedy. */
export class CommandError extends Error {
  readonly exit: number;

  constructor(message: string, exit: number = EXIT.failed) {
    super(message);
    this.exit = exit;
  }
}

/** A flag or environment variable that cannot be used. */
export class FlagError extends CommandError {
  constructor(message: string) {
    super(message, EXIT.usage);
  }
}
