import {
  isRaw,
  crds,
  LABEL_KEY,
  LONGEST_PREFIX,
  EVENT_KINDS,
  type Schema,
  ParseError,
  type Notification,
  parseNotification,
} from '@hnotif/core/resources';
import { listAt, objectAt } from '../fields.ts';
import { pathOf, type Manifest, type Path } from './manifests.ts';
import { problemAt, type Problem } from './problems.ts';
import { schemaProblems, type SchemaProblem } from './schema-problems.ts';

export const aboutSchema = (manifest: Manifest, apiGroup: string): readonly SchemaProblem[] => [
  ...schemaProblems(SCHEMA(apiGroup), manifest.object),
  ...labelProblems(manifest),
];

const TEXT: Schema = { type: 'string' };
const TEXTS: Schema = { type: 'object', additionalProperties: TEXT };
/** The fields of `metadata` that people write, in any object. */
const METADATA = { name: TEXT, namespace: TEXT, labels: TEXTS, annotations: TEXTS };

export function metadataProblems({ object }: Manifest): readonly SchemaProblem[] {
  const given = objectAt(object, 'metadata');
  return Object.entries(METADATA).flatMap(([field, schema]) =>
    given[field] === undefined || given[field] === null
      ? []
      : schemaProblems(schema, given[field], ['metadata', field]),
  );
}

export const schemaProblemAt = (
  manifest: Manifest,
  { path, message, isUnknownField }: SchemaProblem,
): Problem => {
  const mutesMore = isUnknownField === true && path[1] === 'muteSchedule';
  const more = mutesMore
    ? ', so the interval would mute without this limit; remove the field or the interval'
    : '';
  return problemAt(
    manifest,
    path,
    isUnknownField && !mutesMore ? 'warning' : 'error',
    'schema',
    `${inWords(path)}: ${message}${more}`,
  );
};

/** The rules that the CRD has in CEL. `parseNotification` has the others. */
function labelProblems({ object }: Manifest): readonly SchemaProblem[] {
  const keysAt = (...path: readonly string[]): readonly string[] =>
    Object.keys(objectAt(object, 'spec', ...path));
  const paths: readonly (readonly [key: string, path: Path])[] = [
    ...keysAt('labels').map((key) => [key, ['labels', key]] as const),
    ...keysAt('selector', 'matchLabels').map((key) => [key, ['selector', 'matchLabels', key]] as const),
    ...listAt(object, 'spec', 'selector', 'matchExpressions').flatMap((each, at) =>
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
export function parsed(
  manifest: Manifest,
  known: readonly SchemaProblem[],
  problems: Problem[],
): Notification | undefined {
  try {
    return parseNotification(manifest.object);
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
    for (const text of error.problems) {
      const [, where = ''] = /^((?:[\w.[\]-]|'[^']*')+): /.exec(text) ?? [];
      const path = pathOf(where);
      const isKnown = known.some((each) => isWithin(path, each.insteadOf ?? each.path));
      if (!isKnown) problems.push(problemAt(manifest, path, 'error', 'schema', text));
    }
    return undefined;
  }
}

const isWithin = (path: Path, outer: Path): boolean => outer.every((step, at) => path[at] === step);

/** A notification whose other fields are wrong: for all events; undefined if its sinks are wrong themselves. */
export function sinksAlone({ object }: Manifest): Notification | undefined {
  const { sinks } = objectAt(object, 'spec');
  const texts = Object.entries(objectAt(object, 'spec', 'labels')).filter(
    ([, value]) => typeof value === 'string',
  );
  const spec = {
    selector: { matchLabels: {} },
    onEvents: EVENT_KINDS,
    labels: Object.fromEntries(texts),
    sinks,
  };
  try {
    return parseNotification({ ...object, spec });
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
    return undefined;
  }
}
