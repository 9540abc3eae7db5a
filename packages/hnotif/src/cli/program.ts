import { Command, CommanderError, Option } from 'commander';
import { crds } from '../resources/crds/crds.ts';
import { EVENT_KINDS, SINK_TYPES } from '../resources/kinds.ts';
import { PARSE_MODES } from '../sinks/botchat/markup/markup.ts';
import { VERSION } from '../version.ts';
import { addDevFlags, type DevFlags } from './dev-flags.ts';
import { strayTwins } from './environment.ts';
import { EXIT } from './exit.ts';
import { addRunFlags, apiGroupFlag, controllerOptions, FlagError, type RunFlags } from './flags.ts';
import { run } from './run.ts';
import { template, type TemplateFlags } from './template.ts';
import { toYaml } from './yaml.ts';

/**
 * The command line: parses, runs, and answers with the exit code. What it throws is a fault of hnotif. The environment
 * is the process's: commander reads the flags' twins there, so nothing else may be asked.
 */
export async function main(args: readonly string[]): Promise<number> {
  const { env } = process;
  let exit: number = EXIT.ok;
  const program = new Command('hnotif')
    .description(
      'Tells people and systems when hibernation plans put cloud resources to sleep and wake them.',
    )
    .version(VERSION, '-V, --version', 'print the version')
    .helpCommand(false)
    .configureHelp({ helpWidth: Math.min(process.stdout.columns || 100, 110), showGlobalOptions: false })
    .exitOverride()
    .configureOutput({
      outputError: (text, write) => {
        write(withoutValues(text));
      },
    })
    .addHelpText(
      'after',
      '\nEvery flag of run has a twin in the environment: --api-group is HNOTIF_API_GROUP, for crds as well. The flag wins.' +
        '\nTry it without a cluster: hnotif dev',
    );

  addRunFlags(program.command('run').summary('serve a cluster').description(RUN)).action(
    async (flags: RunFlags, { options }: Command) => {
      const stray = strayTwins(
        env,
        options.flatMap(({ envVar = '' }) => envVar),
      );
      exit = await run(controllerOptions(flags, env), flags, stray);
    },
  );

  addDevFlags(
    program.command('dev').summary('play nights on an embedded control plane').description(DEV),
  ).action(async (flags: DevFlags) => {
    const parts = await devParts();
    if (parts === undefined)
      throw new FlagError('hnotif dev is not part of this image: clone the project and run npm start');
    exit = await parts.dev(flags, env);
  });

  program
    .command('crds')
    .summary('print the CustomResourceDefinitions')
    .description('Prints hnotif’s CustomResourceDefinitions as YAML: hnotif crds | kubectl apply -f -')
    .addOption(apiGroupFlag('API group to make them for'))
    .option('--with-plans', 'add the plan and connector resources, for a cluster that has no operator', false)
    .action((flags: { apiGroup: string; withPlans: boolean }) => {
      process.stdout.write(toYaml(crds(flags.apiGroup, { withPlans: flags.withPlans })));
    });

  program
    .command('template')
    .summary('check a template and show what it makes')
    .description(TEMPLATE)
    .argument('<file>', 'the template; - reads it from stdin')
    .addOption(new Option('--event <kind>', 'only this event, and nothing but its text').choices(EVENT_KINDS))
    .addOption(
      new Option('--sink-type <type>', 'the sink it is for').choices(SINK_TYPES).default('teamchat' as const),
    )
    .addOption(
      new Option(
        '--format <format>',
        'a teamchat sink’s format; json where the output begins as JSON, else text',
      ).choices(['text', 'json']),
    )
    .addOption(
      new Option('--parse-mode <mode>', 'a botchat sink’s parse_mode')
        .choices(PARSE_MODES)
        .default('HTML' as const),
    )
    .addOption(
      new Option('--operation <word>', 'the plan’s word for what it does')
        .choices(['shutdown', 'wakeup'])
        .default('shutdown'),
    )
    .action(async (file: string, flags: TemplateFlags) => {
      const parts = await devParts();
      // What no receiver is there to judge by is judged as the sink does, which lets unknown blocks pass.
      exit = await template(file, flags, parts?.refusalOf ?? (() => undefined));
    });

  try {
    await program.parseAsync(args, { from: 'user' });
    return exit;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
    if (!(error instanceof FlagError)) throw error;
    process.stderr.write(`error: ${error.message}\n`);
    return EXIT.usage;
  }
}

/** What `hnotif dev` is made of; undefined in the image, which has none of it. */
const devParts = () =>
  import('./dev/dev.ts').catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    return undefined;
  });

const shownValue = (whole: string, before: string, option: string, value: string): string =>
  option.includes('<url>') || value.includes('://') || !/^[^@\p{C}]{0,60}$/u.test(value)
    ? `${before}'[redacted]'`
    : whole;

/** An address may hold a password, an option that we do not know a token: commander would show both. */
const withoutValues = (text: string): string =>
  text
    .replace(/(option '([^']*)' argument )'([^]*)'(?= is invalid)/, shownValue)
    .replace(/(option '([^']*)' value )'([^]*)'(?= from env '\w+' is invalid)/, shownValue)
    .replace(/unknown option '([^]*)'/, (_, option: string) => {
      // `-pPASSWORD`, too.
      const [name = ''] = /^(?:--[a-z][a-z-]*=?|-[a-z])/i.exec(option) ?? [];
      return `unknown option '${name}${name === option ? '' : '…'}'`;
    });

const RUN = `Watches plans and notifications of a cluster and delivers until it is stopped.

On SIGTERM, SIGINT or SIGHUP it takes nothing more in, sends what waits for --drain-timeout, writes
what is to be kept (at most 5 s more), and exits 0; a second signal ends the waiting, a third the process.
Without a cluster it says so, tries again, and /readyz stays red.`;

const DEV = `Starts an embedded control plane and simulators of the three receivers, serves them as run would
serve a cluster, and plays nights, showing each delivery as it arrives. It plays the plans that ask for it
with the annotation demo.hibernation.dev/night (steady, retry, abort or exhausted), as those in examples/ do;
plans of your own without it are left alone. The chats know the tokens, channels and webhooks of the secrets
in examples/, and refuse any other; a channel is shown by the name of its secret.`;

const TEMPLATE = `Reads a Go template with sprig's functions and tells what is wrong with it: fields and functions
that do not exist, comparisons that can never be true, with line, column and what was probably meant.
Then shows what it makes of each event of an example plan. Blocks are judged by their types and limits, as the
simulated Slack of hnotif dev does (where that is installed: not in the image). Exits with 1 if anything fails or would.`;
