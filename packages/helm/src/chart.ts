import { GoMap, type Value } from '@hnotif/gotemplate';
import { type ChartMetadata, FILES, bytesValue, metadataOf } from './objects.ts';
import { isMap, type Values } from './values.ts';
import { readYaml } from './yaml.ts';

/** The files of a chart by their path in it. */
export type ChartFiles = ReadonlyMap<string, Uint8Array>;

/** A chart that can be rendered. Made by {@link loadChart}. */
export interface Chart {
  readonly metadata: ChartMetadata;
  readonly values: Values;
  /** The JSON Schema of the values. */
  readonly schema: object | undefined;
  /** The texts of `templates/`, by their path in the chart. */
  readonly templates: ReadonlyMap<string, string>;
  /** What templates see as `.Files`. */
  readonly files: GoMap;
}

const text = (bytes: Uint8Array | undefined): string => new TextDecoder().decode(bytes);

/** Throws an Error for a chart without a name, with dependencies, or with a file that cannot be read. */
export function loadChart(files: ChartFiles): Chart {
  const metadata = readMap(files, 'Chart.yaml');
  if (typeof metadata.name !== 'string' || typeof metadata.version !== 'string')
    throw new Error('Chart.yaml: name and version are needed');
  const dependencies = [...files.keys()].filter((path) => path.startsWith('charts/'));
  if (metadata.dependencies !== undefined || dependencies.length > 0)
    throw new Error(`chart ${metadata.name} has dependencies, which are not rendered here`);
  const schema = files.get('values.schema.json');
  const templates = new Map<string, string>();
  const others = new Map<string, Value>();
  for (const [path, bytes] of files)
    if (path.startsWith('templates/')) templates.set(path, text(bytes));
    else if (!OWN.has(path)) others.set(path, bytesValue(bytes));
  return {
    metadata: metadataOf(metadata),
    values: files.has('values.yaml') ? readMap(files, 'values.yaml') : {},
    schema: schema === undefined ? undefined : (JSON.parse(text(schema)) as object),
    templates,
    files: new GoMap(FILES, others),
  };
}

/** What Helm reads itself, and `.Files` does not have. */
const OWN = new Set(['Chart.yaml', 'Chart.lock', 'values.yaml', 'values.schema.json', '.helmignore']);

function readMap(files: ChartFiles, path: string): Values {
  const bytes = files.get(path);
  if (bytes === undefined) throw new Error(`${path} is missing`);
  const data = readYaml(text(bytes)) ?? {};
  if (!isMap(data)) throw new Error(`${path} is not a map`);
  return data;
}
