import { Option, type Command } from 'commander';
import { EVENT_KINDS, SINK_TYPES } from '@hnotif/core/resources';
import { PARSE_MODES } from '@hnotif/core/sinks';
import type { Io } from '../io.ts';
import { template, type TemplateFlags } from '../template.ts';

export const define = (command: Command, io: Io): void => {
  command
    .description(DESCRIPTION)
    .argument('<file>', 'the template; - reads it from stdin')
    .addOption(new Option('--event <kind>', 'print only the text of this event').choices(EVENT_KINDS))
    .addOption(
      new Option('--sink-type <type>', 'the type of the sink')
        .choices(SINK_TYPES)
        .default('teamchat' as const),
    )
    .addOption(
      new Option(
        '--format <format>',
        'format of a teamchat sink (default: json if the output begins like JSON, else text)',
      ).choices(['text', 'json']),
    )
    .addOption(
      new Option('--parse-mode <mode>', 'parse_mode of a botchat sink')
        .choices(PARSE_MODES)
        .default('HTML' as const),
    )
    .addOption(
      new Option('--operation <word>', 'the operation of the plan')
        .choices(['shutdown', 'wakeup'])
        .default('shutdown'),
    )
    .action(async (file: string, flags: TemplateFlags) => {
      io.exit(await template(file, flags, io));
    });
};

const DESCRIPTION =
  "Reads a Go template with sprig's functions and reports errors: fields and functions that do not exist, and comparisons that can never be true, with line, column and a suggestion. Then it shows the output for each event of an example plan, with example labels of a notification (team: shop). Exits with 1 if there is an error.";
