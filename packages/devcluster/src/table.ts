import { ageOf } from './age.ts';
import { jsonAs } from './encode.ts';
import type { Json } from './json.ts';
import { isObject, textAt } from './json.ts';
import { compilePath } from './jsonpath.ts';
import type { KubeObject } from './object.ts';

/** A column of `kubectl get`. */
export interface Column {
  readonly name: string;
  readonly type: string;
  readonly format: string;
  readonly description: string;
  /** 0: always shown; higher: only with `-o wide`. */
  readonly priority: number;
  cell(object: KubeObject, now: number): Json;
}

/** The part of each object that is sent with its row. */
export type IncludeObject = 'None' | 'Metadata' | 'Object';

export function column(name: string, cell: Column['cell'], options: Partial<Column> = {}): Column {
  return { type: 'string', format: '', description: '', priority: 0, ...options, name, cell };
}

export const nameColumn = column('Name', (object) => object.metadata.name, {
  format: 'name',
  description:
    'Name must be unique within a namespace. It is chosen by the client, or made by the server from generateName.',
});

export const ageColumn = column('Age', (object, now) => ageOf(object.metadata.creationTimestamp, now), {
  description: 'How long ago the object was created.',
});

/**
 * A column of a CRD's `additionalPrinterColumns`.
 *
 * @throws Error if `compilePath` does not support the path
 */
export function customColumn(definition: Json): Column {
  const type = textAt(definition, 'type');
  const read = compilePath(textAt(definition, 'jsonPath'));
  const priority = isObject(definition) ? definition.priority : undefined;
  return column(
    textAt(definition, 'name'),
    (object, now) => {
      const [value] = read(object);
      return value === undefined || value === null ? null : cellOf(type, value, now);
    },
    {
      type,
      format: textAt(definition, 'format'),
      description: textAt(definition, 'description'),
      priority: typeof priority === 'number' ? priority : 0,
    },
  );
}

/** A value with another type than the column's gives an empty cell, as on a real server. */
function cellOf(type: string, value: Json, now: number): Json {
  switch (type) {
    case 'string':
      return typeof value === 'object' ? JSON.stringify(value) : String(value);
    case 'integer':
      return typeof value === 'number' ? Math.trunc(value) : null;
    case 'number':
      return typeof value === 'number' ? value : null;
    case 'boolean':
      return typeof value === 'boolean' ? value : null;
    case 'date':
      return typeof value === 'string' ? ageOf(value, now) : null;
    default:
      return null;
  }
}

/** `meta.k8s.io/v1 Table` as JSON; `metadata` is that of the list, or of the one object. */
export function tableJson(
  columns: readonly Column[],
  objects: readonly KubeObject[],
  options: { now: number; include: IncludeObject; apiVersion: string; metadata: object },
): string {
  const definitions = columns.map(({ name, type, format, description, priority }) => ({
    name,
    type: type === 'date' ? 'string' : type,
    format,
    description,
    priority,
  }));
  const rows = objects.map((object) => {
    const cells = columns.map((each) => each.cell(object, options.now));
    return `{"cells":${JSON.stringify(cells)}${rowObject(object, options)}}`;
  });
  return `{"kind":"Table","apiVersion":"meta.k8s.io/v1","metadata":${JSON.stringify(options.metadata)},"columnDefinitions":${JSON.stringify(definitions)},"rows":[${rows.join(',')}]}`;
}

function rowObject(object: KubeObject, options: { include: IncludeObject; apiVersion: string }): string {
  switch (options.include) {
    case 'None':
      return '';
    case 'Metadata':
      return `,"object":${partialJson(object)}`;
    case 'Object':
      return `,"object":${jsonAs(object, options.apiVersion)}`;
  }
}

/** `meta.k8s.io/v1 PartialObjectMetadata` as JSON. */
export const partialJson = (object: KubeObject): string =>
  `{"kind":"PartialObjectMetadata","apiVersion":"meta.k8s.io/v1","metadata":${JSON.stringify(object.metadata)}}`;
