import { Command, CommanderError, Option } from 'commander';
import { crds } from '../resources/crds/crds.ts';
import { EVENT_KINDS, SINK_TYPES } from '../resources/kinds.ts';
import { PARSE_MODES } from '../sinks/botchat/markup/markup.ts';
import { VERSION } from '../version.ts';
import { controllerOptions, FlagError } from './controller-options.ts';
import { addDevFlags, type DevFlags } from './dev-flags.ts';
import { EXIT } from './exit.ts';
import { strayVariables } from './environment.ts';
import { addRunFlags, apiGroupFlag, type RunFlags } from './flags.ts';
import { run } from './run.ts';
import { template, type TemplateFlags } from './template.ts';
import { toYaml } from './yaml.ts';

/**
 * Parses the command line, runs the command, and returns the exit code. An error that it throws is a bug of hnotif. Commander reads the
 * flags' environment variables from the process, so the environment cannot be injected.
 */
export async function main(args: readonly string[]): Promise<number> {
  const { env } = process;
  let exit: number = EXIT.ok;
  const program = new Command('hnotif')
    .description(
      'Notifies people and systems when hibernation plans stop cloud resources and start them again.',
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
      '\nEvery flag of run can be set in the environment: --api-group is HNOTIF_API_GROUP, also for crds. The flag wins.' +
        '\nTry it without a cluster: hnotif dev',
    );

  addRunFlags(program.command('run').summary('serve a cluster').description(RUN)).action(
    async (flags: RunFlags, { options }: Command) => {
      const stray = strayVariables(
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
    .description(CRDS)
    .addOption(
      apiGroupFlag('API group of hnotif’s own resources, not of the plans; run must use the same one'),
    )
    .option('--with-plans', 'add the plan and connector resources, for a cluster that has no operator', false)
    .action((flags: { apiGroup: string; withPlans: boolean }) => {
      process.stdout.write(toYaml(crds(flags.apiGroup, { withPlans: flags.withPlans })));
    });

  program
    .command('template')
    .summary('check a template and show its output')
    .description(TEMPLATE)
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
      const parts = await devParts();
      // Without the simulated Slack, blocks are checked as the sink does it: unknown blocks pass.
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

/** The bundle of `hnotif dev`; undefined in the image, which does not have it. */
const devParts = () =>
  import('./dev/dev.ts').catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    return undefined;
  });

const shownValue = (whole: string, before: string, option: string, value: string): string =>
  option.includes('<url>') || value.includes('://') || !/^[^@\p{C}]{0,60}$/u.test(value)
    ? `${before}'[redacted]'`
    : whole;

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

const RUN = [
  'Watches plans and notifications of a cluster and delivers until it is stopped.',
  'After SIGTERM, SIGINT or SIGHUP it reads no more changes, sends waiting deliveries for --drain-timeout, writes its state (at most 5 s more), and exits with 0. A second signal ends the waiting, a third ends the process. Without a cluster it logs the error and tries again, and /readyz fails.',
].join('\n\n');

const CRDS = [
  'Prints hnotif’s CustomResourceDefinitions as YAML: hnotif crds | kubectl apply -f -',
  'The plans of another operator keep their API group: leave --api-group out, and start hnotif run with --plan-resource=hibernateplans.v1alpha1.hibernator.ardikabs.com, for example.',
].join('\n\n');

const DEV =
  'Starts an embedded control plane, simulators of the three receivers, and the controller, as run does. Then it plays nights and shows each delivery as it arrives. It plays plans with the annotation demo.hibernation.dev/night (steady, retry, abort or exhausted), such as those in examples/. It does not change other plans. The simulated chats know the tokens, channels and webhooks of the secrets in examples/, and refuse all others. A channel is shown with the name of its secret.';

const TEMPLATE =
  "Reads a Go template with sprig's functions and reports errors: fields and functions that do not exist, and comparisons that can never be true, with line, column and a suggestion. Then it shows the output for each event of an example plan. The simulated Slack of hnotif dev checks blocks (the image does not have it). Exits with 1 if there is an error.";
