import type { Command } from 'commander';
import { controllerOptions } from '../controller-options.ts';
import { strayVariables } from '../environment.ts';
import { addRunFlags, type RunFlags } from '../flags.ts';
import type { Io } from '../io.ts';
import { run } from '../run.ts';
import { variableOf } from '../shared-flags.ts';

export const define = (command: Command, io: Io): void => {
  addRunFlags(command.description(DESCRIPTION)).action(async (flags: RunFlags, { options }: Command) => {
    const stray = strayVariables(io.env, options.map(variableOf));
    io.exit(await run(controllerOptions(flags, io.env), flags, stray, io));
  });
};

const DESCRIPTION = [
  'Watches plans and notifications of a cluster and delivers until it is stopped.',
  'After SIGTERM, SIGINT or SIGHUP it reads no more changes, sends waiting deliveries for --drain-timeout, writes its state (at most 5 s more), and exits with 0. A second signal ends the waiting, a third ends the process. Without a cluster it logs the error and tries again, and /readyz fails.',
].join('\n\n');
