import type { Command } from 'commander';
import type { Io, RunCommand } from './io.ts';

/** The flags and the action of a command. They are loaded only for the command that is run, so that `--help` starts fast. */
export interface CommandModule {
  readonly define: (command: Command, io: Io, run: RunCommand) => void;
}

export interface CommandSpec {
  readonly name: string;
  readonly summary: string;
  /** The heading in `hnotif --help`. */
  readonly group: string;
  readonly load: () => Promise<CommandModule>;
}
