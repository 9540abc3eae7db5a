import { Option, type Command } from 'commander';
import { isRaw } from '../../cluster/objects.ts';
import type { Source } from '../../render/context.ts';
import { exampleSource } from '../../render/example.ts';
import type { TemplateSource } from '../../render/template.ts';
import { ParseError } from '../../resources/fields.ts';
import { EVENT_KINDS, type EventKind } from '../../resources/kinds.ts';
import type { Notification, SinkEntry } from '../../resources/notification.ts';
import { parseNotification } from '../../resources/parse-notification.ts';
import { parsePlan } from '../../resources/parse-plan.ts';
import { readSink } from '../../sinks/registry.ts';
import { permitsInsecureHttp } from '../controller-options.ts';
import { addClusterFlags, type ClusterFlags } from '../cluster-flags.ts';
import { EXIT } from '../exit.ts';
import { addressFlags, type RunFlags } from '../flags.ts';
import { CommandError, FlagError, type Io } from '../io.ts';
import { devParts } from '../lazy-dev.ts';
import { filesOfCluster } from '../offline/cluster-files.ts';
import { OPERATIONS, planSource, syntheticSource } from '../offline/events.ts';
import { readFiles } from '../offline/files.ts';
import { readManifests, type Manifest } from '../offline/manifests.ts';
import { configOf, Objects, templateTextOf } from '../offline/objects.ts';
import { recordingSettings } from '../offline/recording.ts';
import { rehearse, type Rehearsal, type ShownRequest } from '../offline/requests.ts';
import { count } from '../values.ts';
import { printable } from '../printable.ts';
import { toYaml } from '../yaml.ts';

type AddressFlags = Pick<
  RunFlags,
  'allowInsecureHttp' | 'botApiUrl' | 'chatApiUrl' | 'egressAllow' | 'egressDeny'
>;

interface RenderFlags extends ClusterFlags, AddressFlags {
  readonly filename?: readonly string[];
  readonly recursive: boolean;
  readonly sink?: string;
  readonly event?: EventKind;
  readonly operation: string;
  readonly targets?: number;
  readonly plan?: string;
  readonly output: 'text' | 'pretty' | 'json' | 'yaml';
}

export const define = (command: Command, io: Io): void => {
  for (const option of [
    new Option(
      '-f, --filename <files...>',
      'manifests, or folders; - reads stdin (default: the objects of the cluster)',
    ),
    new Option('-R, --recursive', 'read folders within folders, too').default(false),
    new Option('--sink <name>', 'only this sink'),
    new Option('--event <kind>', 'only this event (default: those in onEvents)').choices(EVENT_KINDS),
    new Option('--operation <word>', 'the operation of the plan').choices(OPERATIONS).default('shutdown'),
    new Option('--targets <n>', 'the example plan has so many targets (default: three)').argParser(count),
    new Option('--plan <name>', 'events of this plan, of the cluster or of the files, as it is now'),
    new Option('-o, --output <format>', 'text; pretty, as readers see a Slack message; json; yaml')
      .choices(['text', 'pretty', 'json', 'yaml'])
      .default('text'),
  ])
    command.addOption(option);
  for (const option of addressFlags())
    command.addOption(option.helpGroup('Permitted addresses, as for hnotif run:'));
  addClusterFlags(command)
    .description(DESCRIPTION)
    .argument('[notification]', 'its name (default: the only one)')
    .addHelpText('after', EXAMPLES)
    .action(async (name: string | undefined, flags: RenderFlags) => {
      io.exit(await render(name, flags, io));
    });
};

/** What one event becomes at one sink. */
interface Rendered extends Rehearsal {
  readonly sink: string;
  readonly type: SinkEntry['type'];
  readonly event: EventKind;
}

async function render(name: string | undefined, flags: RenderFlags, io: Io): Promise<number> {
  const files =
    flags.filename === undefined
      ? await filesOfCluster(flags, io)
      : await readFiles(flags.filename, flags.recursive);
  const manifests = files.flatMap((file) => readManifests(file.name, file.content).manifests);
  const objects = new Objects(manifests, flags.namespace ?? 'default');
  const manifest = chosen(manifests, name);
  const notification = parsed(manifest);
  const sinks = notification.sinks.filter((sink) => flags.sink === undefined || sink.name === flags.sink);
  if (sinks.length === 0)
    throw new FlagError(
      `there is no sink ${flags.sink} in ${notification.name}: it has ${notification.sinks.map((sink) => sink.name).join(', ')}`,
    );
  const sourceOf = sources(flags, manifest, objects);
  const all: Rendered[] = [];
  for (const sink of sinks)
    all.push(...(await ofSink(sink, manifest, notification, objects, sourceOf, flags, io)));
  io.out(await shown(all, flags.output, io));
  return all.some(({ failure, degradations }) => failure !== undefined || degradations.length > 0)
    ? EXIT.failed
    : EXIT.ok;
}

function chosen(manifests: readonly Manifest[], name: string | undefined): Manifest {
  const all = manifests.filter(({ kind }) => kind === 'HibernateNotification');
  const found = name === undefined ? all : all.filter((each) => each.name === name);
  const [only] = found;
  const names = all.map((each) => each.name).join(', ') || 'none';
  if (only === undefined)
    throw new CommandError(`there is no notification${name === undefined ? '' : ` ${name}`}: found ${names}`);
  if (found.length > 1) throw new FlagError(`there are several notifications, name one: ${names}`);
  return only;
}

function parsed(manifest: Manifest): Notification {
  try {
    return parseNotification(manifest.object);
  } catch (error) {
    if (error instanceof ParseError) throw new CommandError(`${error.message}; see hnotif validate`);
    throw error;
  }
}

function sources(
  { operation, plan: name, targets }: RenderFlags,
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
  if (manifest === undefined) throw new CommandError(`there is no plan ${name} beside the notification`);
  const plan = parsePlan(manifest.object);
  return (kind, sink) => ({ ...planSource(kind, sink.type, operation, plan), sinkName: sink.name });
}

async function ofSink(
  entry: SinkEntry,
  manifest: Manifest,
  { onEvents, annotations = {} }: Notification,
  objects: Objects,
  sourceOf: (kind: EventKind, sink: SinkEntry) => Source,
  flags: RenderFlags,
  io: Io,
): Promise<readonly Rendered[]> {
  const secret = objects.beside(manifest, 'Secret', entry.secretRef.name);
  const config = secret && configOf(secret);
  if (config === undefined)
    throw new CommandError(
      `sink ${entry.name}: secret ${entry.secretRef.name} with the key config was not found${flags.filename === undefined ? '' : ': name its file, too'}`,
    );
  const address = { namespace: objects.namespaceOf(manifest), notification: manifest.name, sink: entry.name };
  const settings = recordingSettings(
    {
      ...{ clock: io.clock, chatApiUrl: flags.chatApiUrl, botApiUrl: flags.botApiUrl },
      egress: { allow: flags.egressAllow, deny: flags.egressDeny },
      allowInsecureHttp: permitsInsecureHttp(flags, io.env),
    },
    address,
  );
  const reading = readSink(entry.type, config.value, settings);
  if (!reading.ok) throw new CommandError(`sink ${entry.name}: ${reading.problems.join('; ')}`);
  const template =
    reading.sink.ignoresTemplate === undefined ? templateOf(entry, manifest, objects) : undefined;
  const rendered: Rendered[] = [];
  for (const event of flags.event === undefined ? onEvents : [flags.event]) {
    const source = sourceOf(event, entry);
    const plan = { ...source.plan, notification: annotations };
    const rehearsal = await rehearse(reading.sink, entry, { ...source, plan }, template, settings);
    rendered.push({ sink: entry.name, type: entry.type, event, ...rehearsal });
  }
  return rendered;
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
      `sink ${name}: config map ${templateRef.name} with the key ${templateRef.key} was not found`,
    );
  return { name: `${templateRef.name}/${templateRef.key}`, text: found.value };
}

async function shown(all: readonly Rendered[], output: RenderFlags['output'], io: Io): Promise<string> {
  if (output === 'json') return `${JSON.stringify(all, null, 2)}\n`;
  if (output === 'yaml') return toYaml(all);
  const draw = output === 'pretty' ? await drawer(io) : rawLines;
  return all
    .map(({ sink, type, event, requests, degradations, isSuppressed, failure }) =>
      [
        io.colour('bold', `# ${event} to sink ${sink} (${type})`),
        ...requests.flatMap((request) => draw(request, type)),
        ...(isSuppressed
          ? [io.colour('dim', 'nothing is sent: the layout of the sink leaves this event out')]
          : []),
        ...degradations.map((text) => io.colour('yellow', `degraded: ${printable(text)}`)),
        ...(failure === undefined ? [] : [io.colour('red', `nothing is sent: ${printable(failure)}`)]),
        '',
      ].join('\n'),
    )
    .join('\n');
}

const rawLines = ({ method, url, headers, body }: ShownRequest): readonly string[] => [
  `${method} ${url}`,
  ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  '',
  ...JSON.stringify(body, null, 2).split('\n').map(printable),
  '',
];

/** The image has no part that draws. */
async function drawer(
  io: Io,
): Promise<(request: ShownRequest, type: SinkEntry['type']) => readonly string[]> {
  const parts = await devParts();
  return (request, type) => {
    const { body } = request;
    if (!isRaw(body)) return rawLines(request);
    const text = typeof body.text === 'string' ? body.text : '';
    if (type === 'botchat') return printable(text).split('\n');
    if (type !== 'teamchat' || parts === undefined) return rawLines(request);
    const list = (value: unknown): never[] => (Array.isArray(value) ? (value as never[]) : []);
    const content = { text, blocks: list(body.blocks), attachments: list(body.attachments), mrkdwn: true };
    return parts.contentLines(content, (colour, cell) => io.colour(colour as never, cell));
  };
}

const DESCRIPTION = [
  'Shows the exact requests that a notification would send: method, address, headers and body, made by the controller’s own code, with credentials redacted. Nothing is sent. In thread mode the root is shown before the reply.',
  'The events are those of an example plan, or with --plan of a real one. Exits with 1 if a template fails or a message cannot be made.',
].join('\n\n');

const EXAMPLES = `
Examples:
  hnotif render night-ops -n shop --event Failure
  hnotif render -f notification.yaml secret.yaml template.yaml -o pretty
  hnotif render night-ops --plan storefront --sink chat -o json`;
