import { parse, stringify } from 'yaml';

/** As Kubernetes reads YAML: `on` and `yes` are booleans, `012` is a number. */
const VERSION = { version: '1.1', merge: true } as const;

/** An object of a manifest. */
export interface KubeObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly [field: string]: unknown;
}

/** A cache of large parsed texts, such as CRDs: each rendering of a chart reads the same texts. */
const large = new Map<string, unknown>();
const LARGE = 4_096;
const MOST = 64;

/** Throws what the parser does. The result is the caller's own. */
export function readYaml(text: string): unknown {
  if (text.length < LARGE) return parse(text, VERSION) as unknown;
  if (!large.has(text)) {
    if (large.size === MOST) large.clear();
    large.set(text, parse(text, VERSION));
  }
  return structuredClone(large.get(text));
}

/** As `sigs.k8s.io/yaml` writes it: keys are sorted, lists are not indented, long lines stay. */
export const writeYaml = (data: unknown): string =>
  stringify(data, {
    ...VERSION,
    sortMapEntries: true,
    indentSeq: false,
    lineWidth: 0,
    blockQuote: 'literal',
    aliasDuplicateObjects: false,
  }).replace(/\n$/, '');

/**
 * The objects of a text with any number of documents; empty documents are none. Throws an Error that begins with `name` for what is no
 * YAML, and for a document that is not a Kubernetes object.
 */
export function parseManifests(name: string, text: string): KubeObject[] {
  return text.split(SEPARATOR).flatMap((part) => {
    let object: unknown;
    try {
      object = readYaml(part);
    } catch (error) {
      throw new Error(`${name}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
    }
    if (object === null) return [];
    if (!isKubeObject(object))
      throw new Error(`${name}: a document is not an object with apiVersion, kind and metadata.name`);
    return [object];
  });
}

/** Between documents, as Helm cuts them: a document may begin on the same line. */
const SEPARATOR = /^---[ \t]*/m;

function isKubeObject(object: unknown): object is KubeObject {
  const { apiVersion, kind, metadata } = (object ?? {}) as Partial<KubeObject>;
  return [apiVersion, kind, metadata?.name].every((text) => typeof text === 'string' && text !== '');
}
