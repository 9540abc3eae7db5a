import { lint } from '@hnotif/gotemplate';
import { isRaw } from '../../cluster/objects.ts';
import { functions } from '../../render/functions.ts';
import { PAYLOAD } from '../../render/types.ts';
import { crds } from '../../resources/crds/crds.ts';
import { LABEL_KEY, LONGEST_PREFIX } from '../../resources/crds/notification.ts';
import { EVENT_KINDS, type EventKind } from '../../resources/kinds.ts';
import type { Schema } from '../../resources/crds/schema.ts';
import { ParseError } from '../../resources/fields.ts';
import type { Notification, SinkEntry } from '../../resources/notification.ts';
import { parseNotification } from '../../resources/parse-notification.ts';
import { suspensionAt } from '../../resources/suspension.ts';
import { filesOf, readSink } from '../../sinks/registry.ts';
import type { ReadySink } from '../../sinks/sink.ts';
import { describeSuspension } from '../../status/words.ts';
import { matrix } from './events.ts';
import { pathOf, type Manifest, type Path } from './manifests.ts';
import { CLUSTER } from './cluster-manifests.ts';
import { sameForAll, type Finding } from './findings.ts';
import { hashedName } from './hashed-name.ts';
import { identityProblems, isNotification } from './identity.ts';
import { configOf, filesIn, keysOf, Objects, templateTextOf, UnusableValue, type Found } from './objects.ts';
import { nameOf, problemAt, type Problem } from './problems.ts';
import { recordingSettings, type RecordingOptions } from './recording.ts';
import { rehearse, type ShownRequest } from './requests.ts';
import { schemaProblems, type SchemaProblem } from './schema-problems.ts';

export interface ValidateOptions extends RecordingOptions {
  readonly apiGroup: string;
  /** The namespace of objects that name none. */
  readonly namespace: string;
  /** The kinds whose objects are all given: any other one does not exist. */
  readonly complete: ReadonlySet<string>;
}

/** All that hnotif would object to in these objects, in the order of the files. */
export async function validate(
  manifests: readonly Manifest[],
  options: ValidateOptions,
): Promise<readonly Problem[]> {
  const problems: Problem[] = [];
  const templates = new Set<string>();
  const objects = new Objects(manifests, options.namespace);
  problems.push(...identityProblems(manifests, objects, options.apiGroup));
  for (const manifest of manifests) {
    const isOurs = isNotification(manifest, options.apiGroup);
    const found = [...metadataProblems(manifest), ...(isOurs ? aboutSchema(manifest, options.apiGroup) : [])];
    problems.push(...found.map((each) => schemaProblemAt(manifest, each)));
    if (!isOurs) continue;
    const notification = parsed(manifest, found, problems);
    if (notification !== undefined) problems.push(...alwaysMuted(manifest, notification, options));
    const sinks = notification?.sinks ?? sinksAlone(manifest);
    const events = notification?.onEvents ?? EVENT_KINDS;
    for (const [at, sink] of sinks.entries())
      problems.push(...(await aboutSink(manifest, at, sink, events, objects, templates, options)));
  }
  return problems;
}

/** A schedule that never ends. */
function alwaysMuted(
  manifest: Manifest,
  { muteSchedule }: Notification,
  { clock }: ValidateOptions,
): readonly Problem[] {
  const suspension = muteSchedule && suspensionAt({ muteSchedule }, clock.now());
  return suspension === undefined || suspension.until !== undefined
    ? []
    : [problemAt(manifest, ['spec', 'muteSchedule'], 'warning', 'schema', describeSuspension(suspension))];
}

const aboutSchema = (manifest: Manifest, apiGroup: string): readonly SchemaProblem[] => [
  ...schemaProblems(SCHEMA(apiGroup), manifest.object),
  ...labelProblems(manifest),
];

const TEXT: Schema = { type: 'string' };
const TEXTS: Schema = { type: 'object', additionalProperties: TEXT };
/** The fields of `metadata` that people write, in any object. */
const METADATA = { name: TEXT, namespace: TEXT, labels: TEXTS, annotations: TEXTS };

function metadataProblems({ object: { metadata } }: Manifest): readonly SchemaProblem[] {
  const given = isRaw(metadata) ? metadata : {};
  return Object.entries(METADATA).flatMap(([field, schema]) =>
    given[field] === undefined || given[field] === null
      ? []
      : schemaProblems(schema, given[field], ['metadata', field]),
  );
}

const schemaProblemAt = (manifest: Manifest, { path, message, isUnknownField }: SchemaProblem): Problem =>
  problemAt(manifest, path, isUnknownField ? 'warning' : 'error', 'schema', `${inWords(path)}: ${message}`);

/** The rules that the CRD has in CEL. `parseNotification` has the others. */
function labelProblems({ object }: Manifest): readonly SchemaProblem[] {
  const spec = isRaw(object.spec) ? object.spec : {};
  const selector = isRaw(spec.selector) ? spec.selector : {};
  const keysOf = (value: unknown): readonly string[] => (isRaw(value) ? Object.keys(value) : []);
  const expressions = Array.isArray(selector.matchExpressions)
    ? (selector.matchExpressions as unknown[])
    : [];
  const paths: readonly (readonly [key: string, path: Path])[] = [
    ...keysOf(spec.labels).map((key) => [key, ['labels', key]] as const),
    ...keysOf(selector.matchLabels).map((key) => [key, ['selector', 'matchLabels', key]] as const),
    ...expressions.flatMap((each, at) =>
      isRaw(each) && typeof each.key === 'string'
        ? [[each.key, ['selector', 'matchExpressions', at, 'key']] as const]
        : [],
    ),
  ];
  return paths
    .filter(([key]) => !new RegExp(LABEL_KEY).test(key) || key.indexOf('/') > LONGEST_PREFIX)
    .map(([, path]) => ({ path: ['spec', ...path], message: 'no label can have this key' }));
}

/** Without the status: the API server does not take it from a manifest. */
const SCHEMA = (apiGroup: string): Schema => {
  const crd = crds(apiGroup, { withPlans: false }).find(
    ({ spec }) => spec.names.kind === 'HibernateNotification',
  );
  const schema = crd?.spec.versions[0]?.schema.openAPIV3Schema ?? { type: 'object' };
  return { ...schema, properties: { ...schema.properties, status: { type: 'object' } } };
};

/** `spec.sinks[0].type` */
const inWords = (path: Path): string =>
  path
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`))
    .join('')
    .slice(1);

/** What the schema has found already, of the field or of one that it is in, is not said twice. */
function parsed(
  manifest: Manifest,
  known: readonly SchemaProblem[],
  problems: Problem[],
): Notification | undefined {
  try {
    return parseNotification(manifest.object);
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
    for (const text of error.problems) {
      const [, where = '', what = text] = /^((?:[\w.[\]-]|'[^']*')+): (.*)$/s.exec(text) ?? [];
      const path = pathOf(where);
      const isKnown = known.some((each) => isWithin(path, each.insteadOf ?? each.path));
      if (!isKnown) problems.push(problemAt(manifest, path, 'error', 'schema', `${where}: ${what}`));
    }
    return undefined;
  }
}

const isWithin = (path: Path, outer: Path): boolean => outer.every((step, at) => path[at] === step);

/** The sinks of a notification whose other fields are wrong; none if they are wrong themselves. */
function sinksAlone({ object }: Manifest): readonly SinkEntry[] {
  const { sinks } = isRaw(object.spec) ? object.spec : {};
  try {
    return parseNotification({
      ...object,
      spec: { selector: { matchLabels: {} }, onEvents: ['Start'], sinks },
    }).sinks;
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
    return [];
  }
}

async function aboutSink(
  manifest: Manifest,
  at: number,
  sink: SinkEntry,
  events: readonly EventKind[],
  objects: Objects,
  templates: Set<string>,
  options: ValidateOptions,
): Promise<readonly Problem[]> {
  const path: Path = ['spec', 'sinks', at];
  const missing: Missing = (kind, name, where) =>
    missingProblem(manifest, kind, name, [...path, ...where], objects, options);
  const problems: Problem[] = [];
  const template = templateOf(sink, manifest, objects, missing, problems, templates);
  const secret = objects.beside(manifest, 'Secret', sink.secretRef.name);
  if (secret === undefined)
    return [...problems, missing('Secret', sink.secretRef.name, ['secretRef', 'name'])];
  const address = { namespace: objects.namespaceOf(manifest), notification: manifest.name, sink: sink.name };
  const settings = recordingSettings(options, address);
  const config = configOf(secret);
  if (config === undefined)
    return [
      ...problems,
      problemAt(
        secret,
        ['stringData'],
        'error',
        'config',
        'it has no key config: put the JSON of the sink there',
      ),
    ];
  if (config instanceof UnusableValue)
    return [...problems, problemAt(secret, config.path, 'error', 'config', config.message)];
  const files = filesIn(secret, filesOf(sink.type));
  if (files instanceof UnusableValue)
    return [...problems, problemAt(secret, files.path, 'error', 'config', files.message)];
  const reading = readSink(sink.type, config.value, settings, files, keysOf(secret));
  if (!reading.ok)
    return [...problems, ...reading.problems.map((text) => aboutConfig(secret, config, text, sink))];
  problems.push(
    ...[...reading.notes, ...(reading.sink.invalidAt?.(options.clock.now()) ?? [])].map((text) => ({
      ...aboutConfig(secret, config, text, sink),
      severity: 'warning' as const,
    })),
  );
  const { ignoresTemplate } = reading.sink;
  if (sink.templateRef !== undefined && ignoresTemplate !== undefined)
    problems.push(
      problemAt(
        manifest,
        [...path, 'templateRef'],
        'warning',
        'template',
        `sink ${sink.name}: templateRef has no effect: ${ignoresTemplate}`,
      ),
    );
  // A template with an error fails for each event: that is said already.
  if (template?.isBroken === true) return problems;
  const findings = await messageFindings(reading.sink, sink, events, template, settings);
  const place = template?.manifest ?? manifest;
  return [
    ...problems,
    ...findings.map(({ severity, message }) =>
      problemAt(place, template?.path ?? path, severity, 'message', `sink ${sink.name}: ${message}`),
    ),
  ];
}

interface FoundTemplate {
  readonly manifest: Manifest;
  readonly path: Path;
  readonly name: string;
  readonly text: string;
  /** Whether the linter has found an error. */
  readonly isBroken: boolean;
}

const WORDS = { Secret: 'secret', ConfigMap: 'config map' } as const;

type Missing = (kind: keyof typeof WORDS, name: string, where: Path) => Problem;

/** An error only where it is sure that there is no such object. */
function missingProblem(
  manifest: Manifest,
  kind: keyof typeof WORDS,
  name: string,
  path: Path,
  objects: Objects,
  { complete }: ValidateOptions,
): Problem {
  const what = `${WORDS[kind]} ${name}`;
  if (complete.has(kind))
    return problemAt(
      manifest,
      path,
      'error',
      'reference',
      `${what} does not exist: create it, or correct the name`,
    );
  const hashed = hashedName(objects, manifest, kind, name);
  if (hashed !== undefined)
    return problemAt(
      manifest,
      path,
      'warning',
      'reference',
      `${what} is in none of the files, but ${hashed} is: kustomize has added its hash there and not here; add the component name-references of deploy/kustomize to the kustomization`,
    );
  const why = manifest.file === CLUSTER ? 'could not be read' : 'is in none of the files';
  return problemAt(manifest, path, 'note', 'reference', `${what} ${why}, so it was not checked`);
}

function templateOf(
  { templateRef }: SinkEntry,
  beside: Manifest,
  objects: Objects,
  missing: Missing,
  problems: Problem[],
  seen: Set<string>,
): FoundTemplate | undefined {
  if (templateRef === undefined) return undefined;
  const { name, key } = templateRef;
  const manifest = objects.beside(beside, 'ConfigMap', name);
  if (manifest === undefined) {
    problems.push(missing('ConfigMap', name, ['templateRef', 'name']));
    return undefined;
  }
  const found = templateTextOf(manifest, key);
  if (found === undefined) {
    problems.push(problemAt(manifest, ['data'], 'error', 'template', `it has no key ${key}`));
    return undefined;
  }
  const { path, value: text } = found;
  const findings = lint(text, PAYLOAD, { funcs: functions });
  const id = `${nameOf(manifest)}/${key}`;
  // Several sinks may use it.
  if (!seen.has(id))
    for (const { line, column, severity, message } of findings) {
      const place = manifest.within(path, line, (column ?? 0) + 1);
      // Text in JSON or in quotes has no lines of its own in the file, nor has a cluster.
      const hasLines = place.line !== manifest.position(path).line;
      const where = `${key}, line ${line}${column === undefined ? '' : `, column ${column + 1}`}: `;
      problems.push({
        ...problemAt(manifest, path, severity, 'template', `${hasLines ? '' : where}${message}`),
        ...place,
      });
    }
  seen.add(id);
  const isBroken = findings.some(({ severity }) => severity === 'error');
  return { manifest, path, name: `${name}/${key}`, text, isBroken };
}

/** A problem of a configuration: at the place of the syntax error, or at the field that the text begins with. */
function aboutConfig(
  secret: Manifest,
  { path, value }: Found<string | Uint8Array>,
  text: string,
  sink: SinkEntry,
): Problem {
  const message = `as ${sink.type} of sink ${sink.name}: ${text}`;
  const [, line = '1', column = '1'] = /line (\d+), column (\d+)/.exec(text) ?? [];
  const [, field = ''] = /^(?:field )?[\w.]*?(\w+)(?::| is )/.exec(text) ?? [];
  const at = typeof value === 'string' ? value.indexOf(`"${field}"`) : -1;
  const before = at < 0 || typeof value !== 'string' ? undefined : value.slice(0, at).split('\n');
  const place =
    before === undefined ? [Number(line), Number(column)] : [before.length, (before.at(-1) ?? '').length + 1];
  return {
    ...problemAt(secret, path, 'error', 'config', message),
    ...secret.within(path, place[0] ?? 1, place[1] ?? 1),
  };
}

/** Each finding once, with the events that have it. */
async function messageFindings(
  sink: ReadySink,
  entry: SinkEntry,
  events: readonly EventKind[],
  template: FoundTemplate | undefined,
  settings: ReturnType<typeof recordingSettings>,
): Promise<readonly Finding[]> {
  const found = new Map<string, { readonly finding: Finding; readonly events: string[] }>();
  const source = template && { name: template.name, text: template.text };
  const texts = new Map<EventKind, string>();
  for (const [event, example, hostile] of matrix(entry.type)) {
    const { kind } = example.event;
    if (!events.includes(kind) || sink.suppresses(example.event)) continue;
    const { findings, failure, requests } = await rehearse(sink, entry, example, source, settings);
    // Nonsense in the text of a plan is no mistake of the template.
    const all = findings.filter(({ severity }) => severity !== 'warning' || !hostile);
    if (failure !== undefined) all.push({ severity: 'error', message: failure });
    for (const finding of all) {
      const key = `${finding.severity} ${finding.message}`;
      const known = found.get(key) ?? { finding, events: [] };
      known.events.push(event);
      found.set(key, known);
    }
    if (!texts.has(kind)) texts.set(kind, textOf(requests));
  }
  const same = source === undefined ? undefined : sameForAll([...texts.values()]);
  return [
    ...[...found.values()].map(({ finding: { severity, message }, events: [first = '', ...more] }) => ({
      severity,
      message: more.length === 0 ? `${first}: ${message}` : `${first}, and ${more.length} more: ${message}`,
    })),
    ...(same === undefined ? [] : [same]),
  ];
}

/** What the template made of a message. */
const textOf = (requests: readonly ShownRequest[]): string =>
  JSON.stringify(
    requests.map(({ body }) => (isRaw(body) ? (body.rendered ?? body.blocks ?? body.text ?? body) : body)),
  );
