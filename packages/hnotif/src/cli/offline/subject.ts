import { Option, type Command } from 'commander';
import { exampleSource, withNotification, type Source, type TemplateSource } from '@hnotif/core/render';
import {
  ParseError,
  MAX_TARGETS,
  EVENT_KINDS,
  type EventKind,
  type Notification,
  type SinkEntry,
  parseNotification,
  parsePlan,
  type SinkAddress,
} from '@hnotif/core/resources';
import { type SinkSettings, notesAt, readSink, type ReadySink } from '@hnotif/core/sinks';
import { Transport, type TransportOptions } from '../../transport/client.ts';
import { EgressGuard } from '../../transport/egress.ts';
import { proxyOf } from '../../transport/proxy.ts';
import { refusalOf } from '../../transport/refusal.ts';
import { readTls } from '../../transport/tls-config.ts';
import { addClusterFlags, type ClusterFlags } from '../cluster-flags.ts';
import { permitsInsecureHttp, readPem } from '../controller-options.ts';
import { addressFlags, type RunFlags } from '../flags.ts';
import { nameOf } from '../gather.ts';
import { CommandError, FlagError, type Io } from '../io.ts';
import { withSession } from '../session.ts';
import { clusterNameFlag } from '../shared-flags.ts';
import { countUpTo } from '../values.ts';
import { manifestsOfCluster } from './cluster-manifests.ts';
import { OPERATIONS, planSource, syntheticSource, type RecordingOptions } from '@hnotif/core/rehearsal';
import { readFiles } from './files.ts';
import { readManifests, type Manifest } from './manifests.ts';
import { Objects, secretOf, templateTextOf, UnusableValue, type SinkSecret } from './objects.ts';

/** Where messages may be sent, as for `hnotif run`. */
export type AddressFlags = Pick<
  RunFlags,
  'allowInsecureHttp' | 'botApiUrl' | 'chatApiUrl' | 'egressAllow' | 'egressDeny'
>;

export function addAddressFlags(command: Command): Command {
  for (const option of addressFlags())
    command.addOption(option.helpGroup('Permitted addresses, as for hnotif run:'));
  return command;
}

/** The rules of a transport, and a recording by them. */
export type Rules = RecordingOptions & Pick<TransportOptions, 'allowInsecureHttp' | 'egress' | 'proxy'>;

/** The client of receivers, as the controller has it. Throws a `FlagError` for a flag or variable that cannot be read. */
export function transportOf(rules: Rules, { caFile }: Pick<RunFlags, 'caFile'>): Transport {
  const ca = caFile === undefined ? {} : { ca: readPem(caFile) };
  try {
    // The user may see the answer: the request was the user's.
    return new Transport({ ...rules, ...ca, showPrivateAnswers: true });
  } catch (error) {
    throw error instanceof TypeError ? new FlagError(error.message) : error;
  }
}

/** These flags as rules. */
export function rulesOf(flags: AddressFlags, { clock, env }: Io): Rules {
  const egress = { allow: flags.egressAllow, deny: flags.egressDeny };
  const allowInsecureHttp = permitsInsecureHttp(flags, env);
  const guard = new EgressGuard(egress);
  return {
    ...{ clock, chatApiUrl: flags.chatApiUrl, botApiUrl: flags.botApiUrl, egress, allowInsecureHttp },
    proxy: proxyOf(env),
    problem: (url) => refusalOf(url, guard, allowInsecureHttp)?.message,
    readTls,
  };
}

/** Which notification, which sinks, and which events. */
export interface SubjectFlags extends ClusterFlags, AddressFlags {
  readonly filename?: readonly string[];
  readonly recursive: boolean;
  readonly sink?: string;
  readonly event?: EventKind;
  readonly operation: string;
  readonly targets?: number;
  readonly plan?: string;
  readonly clusterName?: string;
}

export function addSubjectFlags(command: Command): Command {
  for (const option of [
    new Option(
      '-f, --filename <files...>',
      'manifests, or folders; - reads stdin (default: the objects of the cluster)',
    ),
    new Option('-R, --recursive', 'read folders within folders, too').default(false),
    new Option('--sink <name>', 'only this sink'),
    new Option('--event <kind>', 'only this event (default: those in onEvents)').choices(EVENT_KINDS),
    new Option('--operation <word>', 'the operation of the plan').choices(OPERATIONS).default('shutdown'),
    new Option(
      '--targets <n>',
      `the number of targets of the example plan, at most ${MAX_TARGETS} (default: three)`,
    ).argParser(countUpTo(MAX_TARGETS)),
    new Option('--plan <name>', 'events of this plan, of the cluster or of the files, as it is now'),
  ])
    command.addOption(option);
  command.addOption(clusterNameFlag());
  return addClusterFlags(addAddressFlags(command)).argument(
    '[notification]',
    'its name (default: the only one)',
    nameOf('notification'),
  );
}

/** A sink of the notification, with all that its messages are made of. */
export interface SubjectSink extends Omit<SinkSecret, 'config'> {
  readonly entry: SinkEntry;
  readonly address: SinkAddress;
  /** Holds credentials. */
  readonly config: string | Uint8Array;
  readonly template: TemplateSource | undefined;
  /** Of the notification. */
  readonly onEvents: readonly EventKind[];
  readonly sources: readonly Source[];
}

/** A sink of the notification that is read when it is needed. */
export interface Subject {
  /** Throws a `CommandError` if an object is missing. */
  readonly read: () => SubjectSink;
}

/** Reads a notification, and the secret and template of one sink after the other. Throws a `CommandError` if an object is missing. */
export async function readSubject(
  name: string | undefined,
  flags: SubjectFlags,
  io: Io,
): Promise<readonly Subject[]> {
  const { manifests, unread } =
    flags.filename === undefined
      ? await withSession(flags, io, (session) => manifestsOfCluster(session, io))
      : {
          manifests: (await readFiles(flags.filename, flags.recursive, io)).flatMap(
            ({ name: file, content }) => manifestsOf(file, content),
          ),
          unread: undefined,
        };
  const objects = new Objects(manifests, flags.namespace ?? 'default', unread);
  const manifest = chosen(objects, name, flags.namespace);
  const notification = parsed(manifest);
  const { onEvents, sinks } = notification;
  const wanted = sinks.filter((sink) => flags.sink === undefined || sink.name === flags.sink);
  if (wanted.length === 0)
    throw new FlagError(
      `there is no sink ${flags.sink} in ${notification.name}: it has ${sinks.map((sink) => sink.name).join(', ')}`,
    );
  const sourceOf = sourcesOf(flags, manifest, objects);
  return wanted.map((entry) => ({
    read: () => {
      const { config, ...secret } = sinkSecret(entry, manifest, objects);
      return {
        ...{ entry, onEvents, ...secret, config: config.value },
        address: { namespace: objects.namespaceOf(manifest), notification: manifest.name, sink: entry.name },
        template: templateOf(entry, manifest, objects),
        sources: (flags.event === undefined ? onEvents : [flags.event]).map((kind, index) =>
          withNotification(inOrder(sourceOf(kind, entry), index), notification, flags.clusterName),
        ),
      };
    },
  }));
}

/** The objects of a file. Throws a `CommandError` if it is not YAML. */
function manifestsOf(file: string, content: string): readonly Manifest[] {
  const { manifests, problems } = readManifests(file, content);
  const [problem] = problems;
  if (problem === undefined) return manifests;
  throw new CommandError(`${file}:${problem.line}:${problem.column}: ${problem.message}`);
}

/** The sink, by its configuration, and the notes on that. Throws a `CommandError` if it is not valid. */
export function sinkOfSubject(
  { entry, config, files, keys, onEvents, template }: SubjectSink,
  settings: SinkSettings,
): {
  readonly sink: ReadySink;
  readonly notes: readonly string[];
  /** Undefined: the sink has none, or does not use it. */
  readonly template: TemplateSource | undefined;
} {
  const reading = readSink(entry.type, config, settings, files, keys);
  if (reading.ok) {
    const notes = notesAt(reading, settings.clock.now(), onEvents);
    const { ignoresTemplate: why } = reading.sink;
    const ignored = entry.templateRef === undefined || why === undefined ? [] : [why];
    return {
      sink: reading.sink,
      template: why === undefined ? template : undefined,
      notes: [...notes, ...ignored.map((each) => `templateRef has no effect: ${each}`)],
    };
  }
  throw new CommandError(`sink ${entry.name}: ${reading.problems.join('; ')}`);
}

/** `namespace`: of the notification; undefined: any. */
function chosen(objects: Objects, name: string | undefined, namespace: string | undefined): Manifest {
  const all = objects.all.filter(
    (each) =>
      each.kind === 'HibernateNotification' &&
      (namespace === undefined || objects.namespaceOf(each) === namespace),
  );
  const found = name === undefined ? all : all.filter((each) => each.name === name);
  const [only] = found;
  const names = all.map((each) => each.name).join(', ') || 'none';
  if (only === undefined) {
    const where = namespace === undefined ? '' : ` in namespace ${namespace}`;
    throw new CommandError(
      `there is no notification${name === undefined ? '' : ` ${name}`}${where}: found ${names}`,
    );
  }
  if (found.length === 1) return only;
  const namespaces = [...new Set(found.map((each) => objects.namespaceOf(each)))];
  throw new FlagError(
    name !== undefined && namespaces.length > 1
      ? `there are several notifications ${name}, choose a namespace with -n: ${namespaces.join(', ')}`
      : `there are several notifications, name one: ${names}`,
  );
}

function parsed(manifest: Manifest): Notification {
  try {
    return parseNotification(manifest.object);
  } catch (error) {
    if (error instanceof ParseError) throw new CommandError(`${error.message}; see hnotif validate`);
    throw error;
  }
}

/** Each event is newer than the one before, in the order of the list: a board shows the newest. */
const inOrder = (source: Source, index: number): Source => ({
  ...source,
  event: { ...source.event, seq: index + 1 },
});

function sourcesOf(
  { operation, plan: name, targets }: SubjectFlags,
  beside: Manifest,
  objects: Objects,
): (kind: EventKind, sink: SinkEntry) => Source {
  if (name === undefined)
    return (kind, { name: sinkName, type }) => ({
      ...(targets === undefined
        ? exampleSource(kind, type, operation)
        : syntheticSource(kind, type, operation, targets)),
      sinkName,
    });
  const manifest = objects.beside(beside, 'HibernatePlan', name);
  if (manifest === undefined)
    throw new CommandError(`plan ${name} beside the notification ${objects.whyMissing('HibernatePlan')}`);
  const plan = parsePlan(manifest.object);
  return (kind, sink) => ({ ...planSource(kind, sink.type, operation, plan), sinkName: sink.name });
}

/** What is missing may be created; what may not be read has its remedy. */
const remedied = (why: string): string =>
  `${why}${why.startsWith('was not read') ? '' : '; create it'}, or give its file with -f, too; --sink chooses another sink`;

function sinkSecret({ name, secretRef, type }: SinkEntry, beside: Manifest, objects: Objects): SinkSecret {
  const secret = objects.beside(beside, 'Secret', secretRef.name);
  const found = secret && secretOf(secret, type);
  const about = `sink ${name}: secret ${secretRef.name}`;
  if (found instanceof UnusableValue) throw new CommandError(`${about}: ${found.message}`);
  if (found !== undefined) return found;
  throw new CommandError(`${about} with the key config ${remedied(objects.whyMissing('Secret'))}`);
}

function templateOf(
  { name, templateRef }: SinkEntry,
  beside: Manifest,
  objects: Objects,
): TemplateSource | undefined {
  if (templateRef === undefined) return undefined;
  const configMap = objects.beside(beside, 'ConfigMap', templateRef.name);
  const found = configMap && templateTextOf(configMap, templateRef.key);
  if (found === undefined)
    throw new CommandError(
      `sink ${name}: config map ${templateRef.name} with the key ${templateRef.key} ${remedied(objects.whyMissing('ConfigMap'))}`,
    );
  return { name: `${templateRef.name}/${templateRef.key}`, text: found.value };
}
