import { Option, type Command } from 'commander';
import { counted, toJson } from '../format.ts';
import { explain } from '../../explain/explain.ts';
import { UNREADABLE } from '../../explain/findings.ts';
import { type Notification, suspensionAt } from '@hnotif/core/resources';
import { SILENT } from '../../status/conditions.ts';
import { matches } from '@hnotif/core/routing';
import { describeMute } from '../../status/words.ts';
import { failed, ok, skipped, warning, type Check } from '../check.ts';
import { addClusterFlags, type ClusterFlags } from '../cluster-flags.ts';
import { EXIT } from '../exit.ts';
import { caFileFlag, type RunFlags } from '../flags.ts';
import { checksOf } from '../installation/checks.ts';
import { readInstallation } from '../installation/facts.ts';
import { ELSEWHERE, factsOf, gather, nameOf, resolveTarget } from '../gather.ts';
import { FlagError, type Colour, type Io } from '../io.ts';
import { manifestsOfCluster } from '../offline/cluster-manifests.ts';
import type { Manifest } from '../offline/manifests.ts';
import { Objects, secretOf } from '../offline/objects.ts';
import { probe, type ProbeOptions } from '../offline/probes.ts';
import { nameOf as objectName, type Problem } from '../offline/problems.ts';
import { addAddressFlags, rulesOf, transportOf, type AddressFlags } from '../offline/subject.ts';
import { validate } from '../offline/validate.ts';
import { printableLine } from '../printable.ts';
import { withSession } from '../session.ts';

interface DoctorFlags extends ClusterFlags, AddressFlags, Pick<RunFlags, 'caFile'> {
  readonly output: 'text' | 'json';
  readonly cluster: boolean;
}

export const define = (command: Command, io: Io): void => {
  addClusterFlags(addAddressFlags(command))
    .description(DESCRIPTION)
    .argument('[notification]', 'its name (default: all of the namespace)', nameOf('notification'))
    .option(
      '--cluster',
      'examine the installation of hnotif itself; -n names its namespace (default: that of its Lease)',
      false,
    )
    .addOption(caFileFlag())
    .addOption(new Option('-o, --output <format>', 'text or json').choices(['text', 'json']).default('text'))
    .action(async (name: string | undefined, flags: DoctorFlags) => {
      if (flags.cluster && name !== undefined)
        throw new FlagError('--cluster examines hnotif itself: leave out the name of a notification');
      io.exit(flags.cluster ? await ofCluster(flags, io) : await doctor(name, flags, io));
    });
};

async function ofCluster(flags: DoctorFlags, io: Io): Promise<number> {
  // Its notifications are in all namespaces.
  const installation = await withSession({ ...flags, allNamespaces: true }, io, (session) =>
    readInstallation(session, flags.apiGroup, flags.namespace, io.signal),
  );
  return told(checksOf(installation), flags, io);
}

function told(checks: readonly Check[], { output }: DoctorFlags, io: Io): number {
  io.out(output === 'json' ? toJson(checks) : shown(checks, io));
  return checks.some((check) => check.state === 'failed') ? EXIT.failed : EXIT.ok;
}

async function doctor(name: string | undefined, flags: DoctorFlags, io: Io): Promise<number> {
  const [gathered, { manifests, complete }] = await withSession(flags, io, async (session) => {
    const found = await gather(session);
    if (name !== undefined) resolveTarget({ kind: 'notification', name }, found);
    return [found, await manifestsOfCluster(session, io)] as const;
  });
  const rules = rulesOf(flags, io);
  const transport = transportOf(rules, flags);
  const { state, message } = gathered.leaders.worst;
  const checks: Check[] = [
    {
      about: 'hnotif',
      state: state === 'inactive' ? 'failed' : state === 'serving' ? 'ok' : 'skipped',
      message,
    },
  ];
  if (gathered.notifications.length + gathered.invalid.length === 0)
    checks.push({ about: 'notifications', ...failed(`there are none; ${ELSEWHERE}`) });
  try {
    for (const notification of gathered.notifications.filter(
      (each) => name === undefined || each.name === name,
    )) {
      const objects = new Objects(manifests, notification.namespace);
      checks.push(selected(notification, gathered.plans), ...muted(notification, gathered.now));
      const beside = manifests.find(
        (each) => each.kind === 'HibernateNotification' && each.name === notification.name,
      );
      if (beside === undefined) continue;
      const options = { ...rules, complete, apiGroup: flags.apiGroup, namespace: notification.namespace };
      const related = [beside, ...manifests.filter(({ kind }) => kind !== 'HibernateNotification')];
      const problems = await validate(related, options);
      for (const { severity, object, message: text, rule } of problems)
        checks.push({
          ...{ about: notification.name, message: `${object}: ${text}` },
          // What could not be looked at.
          state: rule === 'reference' && severity === 'note' ? 'skipped' : STATE_OF_PROBLEM[severity],
        });
      if (!problems.some(({ rule, severity }) => severity === 'error' || rule === 'reference'))
        checks.push({
          about: notification.name,
          ...ok('configurations, templates and messages are valid'),
        });
      checks.push(...(await tried(notification, beside, objects, problems, { ...rules, transport })));
    }
  } finally {
    await transport.close();
  }
  const target = name === undefined ? undefined : ({ kind: 'notification', name } as const);
  for (const { findings } of factsOf(gathered, target).map(explain))
    for (const { severity, notification, sink, reason, message: text } of findings)
      // `muted` has checked the suspension.
      if (severity !== 'note' && !SILENT.has(reason))
        checks.push({
          about: sink === '' ? notification : `${notification}/${sink}`,
          state: severity === 'warning' ? 'warning' : 'failed',
          message: reason === UNREADABLE ? text : `its status says: ${text}`,
        });
  return told(checks, flags, io);
}

/** What the receivers say of the configurations that are not refused. */
async function tried(
  { name, sinks }: Notification,
  beside: Manifest,
  objects: Objects,
  problems: readonly Problem[],
  options: Omit<ProbeOptions, 'tls'>,
): Promise<readonly Check[]> {
  const refused = new Set(
    problems
      .filter(({ rule, severity }) => rule === 'config' && severity === 'error')
      .map(({ object }) => object),
  );
  const checks: Check[] = [];
  for (const sink of sinks) {
    const secret = objects.beside(beside, 'Secret', sink.secretRef.name);
    const known = secret && secretOf(secret, sink.type);
    // `validate` has already reported a refused or unreadable configuration.
    if (secret === undefined || known === undefined || known instanceof Error) continue;
    const tls = options.transport.readTls(known.files);
    if (refused.has(objectName(secret)) || !tls.ok) continue;
    for (const found of await probe(known.config.value, { ...options, tls: tls.tls }))
      checks.push({ about: `${name}/${sink.name}`, ...found });
  }
  return checks;
}

const STATE_OF_PROBLEM = { error: 'failed', warning: 'warning', note: 'note' } as const satisfies Record<
  Problem['severity'],
  Check['state']
>;

function muted(notification: Notification, now: number): readonly Check[] {
  const suspension = suspensionAt(notification, now);
  const { name } = notification;
  // `validate` has reported a schedule that never ends.
  return suspension === undefined || (suspension.isScheduled && suspension.until === undefined)
    ? []
    : [{ about: name, ...warning(`it is ${describeMute(name, suspension)}`) }];
}

type Plans = Awaited<ReturnType<typeof gather>>['plans'];

function selected({ name, namespace, selector }: Notification, plans: Plans): Check {
  if (!plans.ok) return { about: name, ...skipped(plans.why) };
  const found = plans.value.filter((plan) => plan.namespace === namespace && matches(selector, plan.labels));
  return {
    about: name,
    ...(found.length > 0
      ? ok(`selects ${counted(found.length, 'plan')}`)
      : failed('selects no plan; hnotif why says which label differs')),
  };
}

const COLOUR_OF = {
  ok: 'green',
  warning: 'yellow',
  failed: 'red',
  note: 'dim',
  skipped: 'dim',
} as const satisfies Record<Check['state'], Colour>;

const shown = (checks: readonly Check[], io: Io): string =>
  checks
    .map(
      ({ about, message, state }) =>
        `${io.colour(COLOUR_OF[state], state.padEnd(8))}${printableLine(`${about}: ${message}`)}\n`,
    )
    .join('');

const DESCRIPTION = [
  'Examines notifications end to end: does an hnotif serve, do they select plans, are their secrets there and valid, do templates and messages work, do Slack and Telegram accept the tokens, do webhooks take connections, what does the status say. It sends no message.',
  'Tokens and connections are tried from your machine, which may reach other things than the cluster. HTTPS_PROXY and NO_PROXY of your shell apply. Exits with 1 if a check failed; a warning does not fail.',
  'With --cluster it examines the installation: does it serve, are the CRDs those of this version, does its account have its rights, are journals and notifications well, who may connect. It needs the rights of an administrator; what you may not read is skipped.',
].join('\n\n');
