import { Option, type Command } from 'commander';
import { counted, toJson } from '../format.ts';
import { addClusterFlags, type ClusterFlags } from '../cluster-flags.ts';
import { EXIT } from '../exit.ts';
import { ELSEWHERE } from '../gather.ts';
import { CommandError, FlagError, type Io } from '../io.ts';
import { CLUSTER, manifestsOfCluster } from '../offline/cluster-manifests.ts';
import { SEVERITY_COLOURS } from '../paint.ts';
import { readFiles } from '../offline/files.ts';
import { isNotification } from '../offline/identity.ts';
import { readManifests } from '../offline/manifests.ts';
import type { Problem } from '../offline/problems.ts';
import { sarifOf } from '../offline/sarif.ts';
import { addAddressFlags, rulesOf, type AddressFlags } from '../offline/subject.ts';
import { validate } from '../offline/validate.ts';
import { printableLine } from '../printable.ts';
import { withSession } from '../session.ts';

interface ValidateFlags extends ClusterFlags, AddressFlags {
  readonly output: 'text' | 'json' | 'sarif';
  readonly recursive: boolean;
  readonly strict: boolean;
}

export const define = (command: Command, io: Io): void => {
  addClusterFlags(addAddressFlags(command))
    .description(DESCRIPTION)
    .argument(
      '[files...]',
      'manifests in YAML or JSON, or folders; - reads stdin; without any, the objects of the cluster',
    )
    .option('-R, --recursive', 'read folders within folders, too', false)
    .option('--strict', 'warnings and notes fail, too', false)
    .addOption(
      new Option('-o, --output <format>', 'text, json, or sarif for code hosts')
        .choices(['text', 'json', 'sarif'])
        .default('text'),
    )
    .addHelpText('after', EXAMPLES)
    .action(async (files: readonly string[], flags: ValidateFlags) => {
      io.exit(await run(files, flags, io));
    });
};

/** Other files may have more objects of each kind. */
const NONE: ReadonlySet<string> = new Set();

async function run(names: readonly string[], flags: ValidateFlags, io: Io): Promise<number> {
  const files = await readFiles(names, flags.recursive, io);
  const readings = files.map(({ name, content }) => ({ name, ...readManifests(name, content) }));
  const { manifests, complete } =
    names.length === 0
      ? await withSession(flags, io, (session) => manifestsOfCluster(session, io))
      : { manifests: readings.flatMap((reading) => reading.manifests), complete: NONE };
  const problems: Problem[] = readings.flatMap(({ name, problems: broken }) =>
    broken.map((each) => ({
      ...each,
      file: name,
      object: '',
      severity: 'error' as const,
      rule: 'yaml' as const,
    })),
  );
  problems.push(
    ...(await validate(manifests, {
      complete,
      apiGroup: flags.apiGroup,
      namespace: flags.namespace ?? 'default',
      ...rulesOf(flags, io),
    })),
  );
  problems.sort((a, b) => (a.file === b.file ? a.line - b.line : a.file < b.file ? -1 : 1));
  const checked = manifests.filter((each) => isNotification(each, flags.apiGroup)).length;
  if (checked === 0 && problems.length === 0) {
    if (names.length === 0) throw new CommandError(`there is no notification to check; ${ELSEWHERE}`);
    if (manifests.some(({ kind }) => kind === 'HibernateNotification'))
      throw new FlagError(
        `there is no HibernateNotification of the group ${flags.apiGroup} in the files: name its file, or another group with --api-group`,
      );
    io.out(flags.output === 'text' ? '' : shown([], flags.output, io));
    io.err('nothing was checked: there is no HibernateNotification in the files; name its file, too\n');
    return flags.strict ? EXIT.failed : EXIT.ok;
  }
  io.out(shown(problems, flags.output, io));
  const errors = problems.filter(({ severity }) => severity === 'error').length;
  const warnings = problems.filter(({ severity }) => severity === 'warning').length;
  const notes = problems.length - errors - warnings;
  if (flags.output === 'text')
    io.err(
      `${counted(checked, 'notification')} checked: ${counted(errors, 'error')}, ${counted(warnings, 'warning')}, ${counted(notes, 'note')}\n`,
    );
  // Nobody has to follow a recommendation.
  const isStrict = flags.strict && problems.some(({ rule }) => rule !== 'advice');
  return errors > 0 || isStrict ? EXIT.failed : EXIT.ok;
}

function shown(problems: readonly Problem[], output: ValidateFlags['output'], io: Io): string {
  if (output === 'json') return toJson(problems);
  if (output === 'sarif') return toJson(sarifOf(problems));
  return problems
    .map(({ file, line, column, severity, object, message, rule }) => {
      const about = object === '' ? '' : `${object}: `;
      // An object of a cluster has no lines.
      const place = file === CLUSTER ? '' : `${file}:${line}:${column}: `;
      return `${place}${io.colour(SEVERITY_COLOURS[severity], severity)}: ${printableLine(`${about}${message} [${rule}]`)}\n`;
    })
    .join('');
}

const DESCRIPTION = [
  'Checks notifications, and the secrets and templates that they name, as hnotif would: fields, selectors, configurations of sinks, templates, and the messages of 72 synthetic events for the limits of Slack and Telegram. It needs no cluster and sends nothing. Without files it checks the objects of the namespace, with your rights.',
  'Prints file:line:column of each problem, never a credential. Exits with 1 if there is an error.',
].join('\n\n');

const EXAMPLES = `
Examples:
  hnotif validate -R deploy/ --strict
  kustomize build . | hnotif validate -
  hnotif validate -R . -o sarif > hnotif.sarif`;
