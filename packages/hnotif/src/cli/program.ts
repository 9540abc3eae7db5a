import { basename } from 'node:path';
import { Command, CommanderError } from 'commander';
import { VERSION } from '@hnotif/core/version';
import { COMMANDS } from './commands.ts';
import { EXIT, EXIT_MEANINGS } from './exit.ts';
import { CommandError, processIo, type Io, type RunCommand } from './io.ts';

/**
 * Parses the command line, runs the command, and returns the exit code. Commander reads the flags' environment variables from the process,
 * so they cannot be injected. `ioWith`: what the command has of its process; its argument takes the exit code.
 */
export const main: RunCommand = async (given, ioWith = processIo) => {
  const args = withoutHelpWord(given);
  let exit: number = EXIT.ok;
  const io = ioWith((code) => {
    exit = code;
  });
  let program: Command | undefined;
  try {
    program = await programFor(args, io);
    await program.parseAsync(args, { from: 'user' });
    return exit;
  } catch (error) {
    if (error instanceof CommanderError) {
      const meant = await meantBy(error, program);
      if (meant !== undefined) io.err(`(Did you mean ${meant}?)\n`);
      return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
    }
    if (error instanceof CommandError) {
      io.err(`error: ${error.message}\n`);
      return error.exit;
    }
    // A bug of hnotif. A stack helps its developers, not its users.
    if ((io.env.HNOTIF_DEBUG ?? '') !== '') throw error;
    io.err(`error: a fault of hnotif: ${String(error)}; HNOTIF_DEBUG=1 shows where, please report it\n`);
    return EXIT.failed;
  }
};

/** `help why` as `why --help`. */
function withoutHelpWord(args: readonly string[]): readonly string[] {
  const [first, about] = args;
  if (first !== 'help') return args;
  if (about === undefined) return ['--help'];
  return COMMANDS.some(({ name }) => name === about) ? [about, '--help'] : [about];
}

/** The program with all commands, of which those that `args` may run have their flags. */
async function programFor(args: readonly string[], io: Io): Promise<Command> {
  const wanted = args.find((arg) => !arg.startsWith('-'));
  const program = new Command(programName())
    .description(
      'Notifies people and systems when hibernation plans stop cloud resources and start them again.',
    )
    .version(VERSION, '-V, --version', 'print the version')
    .helpCommand(false)
    .configureHelp({ helpWidth: Math.min(io.columns ?? 100, 110), showGlobalOptions: false })
    .exitOverride()
    .configureOutput({
      writeOut: (text) => {
        io.out(text);
      },
      writeErr: (text) => {
        io.err(text);
      },
      outputError: (text, write) => {
        write(withHelp(withoutValues(text), program, wanted));
      },
    })
    .addHelpText('after', `\n${EXITS}\n\n${HINTS}`);
  for (const { name, summary, group, load } of COMMANDS) {
    const command = program.command(name).summary(summary).helpGroup(group);
    if (name === wanted) (await load()).define(command, io, main);
  }
  return program;
}

/** The option that was probably meant by an unknown one with a value. Without a value commander says it. */
async function meantBy(
  { code, message }: CommanderError,
  program: Command | undefined,
): Promise<string | undefined> {
  const [, name] = /'(--[a-z-]{1,40})=/.exec(message) ?? [];
  if (code !== 'commander.unknownOption' || name === undefined) return undefined;
  const { nearest } = await import('@hnotif/gotemplate');
  const options = (program?.commands ?? []).flatMap((command) => command.options);
  return nearest(
    name,
    options.flatMap(({ long }) => long ?? []),
  );
}

/** As a plugin, the binary is called `kubectl-hnotif`. */
const programName = (): string =>
  basename(process.argv[1] ?? '').startsWith('kubectl-hnotif') ? 'kubectl hnotif' : 'hnotif';

/** Adds the remedy to an error about the command line that names none. */
function withHelp(text: string, program: Command, wanted: string | undefined): string {
  const names = program.commands.some((command) => command.name() === wanted) ? ` ${wanted ?? ''}` : '';
  return text.replace(
    /^error: (?:unknown option|unknown command|missing required argument|too many arguments)[^\n]*$/m,
    (line) => `${line.replace(/\.$/, '')}; see ${program.name()}${names} --help`,
  );
}

const EXITS = `Exit codes: ${Object.entries(EXIT)
  .map(([word, code]) => `${code} ${EXIT_MEANINGS[word as keyof typeof EXIT]}`)
  .join('; ')}.`;

const HINTS =
  'Every flag of run can be set in the environment: --api-group is HNOTIF_API_GROUP, also for the other commands. The flag wins.\n' +
  'Try it without a cluster: hnotif dev';

function shownValue(whole: string, before: string, option: string, value: string): string {
  const isSecret = option.includes('<url>') || value.includes('://') || !/^[^@\p{C}]{0,60}$/u.test(value);
  if (!isSecret) return whole;
  const entries = value.split(',').length;
  return entries > 1 ? `${before}with ${entries} entries` : `${before}'[redacted]'`;
}

/** Commander shows values. An address may contain a password, and an unknown option a token. */
const withoutValues = (text: string): string =>
  text
    .replace(/(option '([^']*)' argument )'([^]*)'(?= is invalid)/, shownValue)
    .replace(/(option '([^']*)' value )'([^]*)'(?= from env '\w+' is invalid)/, shownValue)
    .replace(/unknown option '([^]*)'/, (_, option: string) => {
      // `-pPASSWORD`, too.
      const [name = ''] = /^(?:--[a-z][a-z-]*=?|-[a-z])/i.exec(option) ?? [];
      return `unknown option '${name}${name === option ? '' : '…'}'`;
    });
