import { Argument, Command, type Option } from 'commander';
import type { CommandModule, CommandSpec } from '../command.ts';
import {
  completionScript,
  SHELLS,
  type CompletedCommand,
  type CompletedFlag,
  type Shell,
} from '../completion.ts';

export const completionOf = (specs: readonly CommandSpec[]): CommandModule => ({
  define: (command, io, run) =>
    command
      .description(DESCRIPTION)
      .addArgument(new Argument('<shell>', 'the shell').choices(SHELLS))
      .action(async (shell: Shell) => {
        const commands = await Promise.all(
          specs.map(async ({ name, summary, load }): Promise<CompletedCommand> => {
            const defined = new Command(name);
            (await load()).define(defined, io, run);
            return {
              name,
              summary,
              flags: defined.options.filter((option) => !option.hidden).map(completed),
              words: defined.registeredArguments.flatMap(({ argChoices = [] }) => argChoices),
              takesFiles: defined.registeredArguments.some((argument) => /^files?$/.test(argument.name())),
            };
          }),
        );
        io.out(completionScript(shell, commands));
      }),
});

const completed = ({
  argChoices = [],
  description,
  flags,
  long,
  required,
  short,
}: Option): CompletedFlag => ({
  name: long ?? '',
  short: short === '' ? undefined : short,
  description,
  takes: required ? (/<(?:files?|folder)\b/.test(flags) ? 'file' : 'text') : 'nothing',
  words: argChoices,
});

const DESCRIPTION = [
  'Prints a script that completes commands and flags. Load it in the start file of your shell:',
  '  bash:  source <(hnotif completion bash)\n  zsh:   source <(hnotif completion zsh)\n  fish:  hnotif completion fish | source',
].join('\n\n');
