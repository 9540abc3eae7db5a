/** The built-in objects of templates: `.Chart`, `.Capabilities`, `.Files`. */
import {
  ANY,
  BOOL,
  type Func,
  GoMap,
  STRING,
  STRING_MAP,
  Slice,
  Typed,
  type Types,
  type Value,
  fn,
  fromJS,
  mapOf,
  namedType,
  parseType,
  pointerTo,
  sliceOf,
  structType,
} from '@hnotif/gotemplate';
import { glob } from './glob.ts';
import type { Values } from './values.ts';
import { writeYaml } from './yaml.ts';

export interface ChartMetadata {
  readonly name: string;
  /** What templates see as `.Chart`. */
  readonly value: Value;
}

const METADATA = structType('chart.Metadata', [
  ...[
    'Name',
    'Version',
    'AppVersion',
    'KubeVersion',
    'Description',
    'Type',
    'APIVersion',
    'Home',
    'Icon',
  ].map((name) => ({ name, type: STRING })),
  ...['Keywords', 'Sources'].map((name) => ({ name, type: sliceOf(STRING) })),
  ...['Maintainers', 'Dependencies'].map((name) => ({ name, type: sliceOf(ANY) })),
  { name: 'Annotations', type: STRING_MAP },
  { name: 'IsRoot', type: BOOL },
]);

/** `.Chart` of the fields of Chart.yaml. */
export function metadataOf(fields: Values): ChartMetadata {
  const named = Object.entries(fields).map(([key, value]) => [
    key === 'apiVersion' ? 'APIVersion' : key.slice(0, 1).toUpperCase() + key.slice(1),
    // A version such as 1.20 without quotes is a number.
    typeof value === 'number' ? String(value) : value,
  ]);
  const data = { ...(Object.fromEntries(named) as object), IsRoot: true };
  return { name: String(fields.name), value: fromJS(data, METADATA) };
}

/** What a template may ask of the cluster. */
export interface Capabilities {
  /** Default `v1.32.0`. */
  readonly kubeVersion?: string;
  /** `group/version` and `group/version/Kind`, as `.Capabilities.APIVersions.Has` is asked for them. Default: built-in groups, no kinds. */
  readonly apiVersions?: readonly string[];
}

/** As `helm template` without a cluster: groups and versions, no kinds. */
const KNOWN = [
  'v1',
  'admissionregistration.k8s.io/v1',
  'apiextensions.k8s.io/v1',
  'apps/v1',
  'autoscaling/v2',
  'batch/v1',
  'coordination.k8s.io/v1',
  'networking.k8s.io/v1',
  'policy/v1',
  'rbac.authorization.k8s.io/v1',
  'scheduling.k8s.io/v1',
  'storage.k8s.io/v1',
];

const VERSION_SET = namedType('common.VersionSet', sliceOf(STRING));
const KUBE_VERSION = structType('common.KubeVersion', [
  { name: 'Version', type: STRING },
  { name: 'Major', type: STRING },
  { name: 'Minor', type: STRING },
]);
const BUILD_INFO = structType('version.BuildInfo', [{ name: 'Version', type: STRING }]);
const CAPABILITIES = structType('common.Capabilities', [
  { name: 'KubeVersion', type: KUBE_VERSION },
  { name: 'APIVersions', type: VERSION_SET },
  { name: 'HelmVersion', type: BUILD_INFO },
]);

const BYTE = parseType('uint8');
const BYTES = sliceOf(BYTE);

/** `.Files`: contents by path. */
export const FILES = namedType('engine.files', mapOf(STRING, BYTES));

const EACH_BYTE = Array.from({ length: 256 }, (_, byte) => new Typed(BYTE, BigInt(byte)));

/** Go's `[]byte`. fromJS makes it as well, but only of a megabyte. */
export const bytesValue = (bytes: Uint8Array): Slice =>
  new Slice(
    BYTES,
    Array.from(bytes, (byte) => EACH_BYTE[byte]),
  );

const TYPES: Types = {
  'common.VersionSet': VERSION_SET,
  'common.KubeVersion': KUBE_VERSION,
  'engine.files': FILES,
};

VERSION_SET.methods.set(
  'Has',
  fn(
    'func(common.VersionSet, string) bool',
    ({ items }: Slice, version: string) => items.includes(version),
    TYPES,
  ),
);
for (const name of ['String', 'GitVersion'])
  KUBE_VERSION.methods.set(
    name,
    fn('func(common.KubeVersion) string', ({ fields }: { fields: readonly Value[] }) => fields[0], TYPES),
  );

export function capabilitiesOf({ kubeVersion = 'v1.32.0', apiVersions = KNOWN }: Capabilities = {}): Value {
  const [, major = '', minor = ''] = /^v(\d+)\.(\d+)\./.exec(kubeVersion) ?? [];
  if (minor === '') throw new Error(`the Kubernetes version ${kubeVersion} is not of the form v1.32.0`);
  return fromJS(
    {
      KubeVersion: { Version: kubeVersion, Major: major, Minor: minor },
      APIVersions: [...apiVersions],
      HelmVersion: { Version: 'v4.0.0' },
    },
    pointerTo(CAPABILITIES),
  );
}

/** A cache of the contents of the chart's files: each rendering reads the same files. */
const contentsOf = new WeakMap<Slice, Uint8Array>();

function bytesOf(value: Value): Uint8Array {
  if (!(value instanceof Slice)) return new Uint8Array();
  const bytes =
    contentsOf.get(value) ??
    Uint8Array.from(value.items, (item) => Number((item as { value: bigint }).value));
  contentsOf.set(value, bytes);
  return bytes;
}

const contents = (files: GoMap, path: string): Uint8Array => bytesOf(files.entries.get(path));
const decode = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
const baseName = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** `.Files` as a map of YAML, by the last part of the path. */
const asMap = (files: GoMap, write: (bytes: Uint8Array) => string): string =>
  writeYaml(
    Object.fromEntries(
      Array.from(files.entries, ([path, value]) => [baseName(String(path)), write(bytesOf(value))]),
    ),
  );

const METHODS: Readonly<Record<string, Func>> = {
  Get: fn(
    'func(engine.files, string) string',
    (files: GoMap, path: string) => decode(contents(files, path)),
    TYPES,
  ),
  GetBytes: fn(
    'func(engine.files, string) []uint8',
    (files: GoMap, path: string) => files.entries.get(path) ?? bytesValue(new Uint8Array()),
    TYPES,
  ),
  Glob: fn(
    'func(engine.files, string) engine.files',
    (files: GoMap, pattern: string) => {
      const wanted = glob(pattern);
      return new GoMap(FILES, new Map([...files.entries].filter(([path]) => wanted.test(String(path)))));
    },
    TYPES,
  ),
  AsConfig: fn('func(engine.files) string', (files: GoMap) => asMap(files, decode), TYPES),
  AsSecrets: fn(
    'func(engine.files) string',
    (files: GoMap) => asMap(files, (bytes) => Buffer.from(bytes).toString('base64')),
    TYPES,
  ),
  Lines: fn(
    'func(engine.files, string) []string',
    (files: GoMap, path: string) => {
      const text = decode(contents(files, path));
      return text === '' ? [] : text.replace(/\n$/, '').split('\n');
    },
    TYPES,
  ),
};
for (const [name, method] of Object.entries(METHODS)) FILES.methods.set(name, method);
