import { compare, fieldSetOf } from './apply/compare.ts';
import type { FieldSet } from './apply/field-set.ts';
import { difference } from './apply/field-set.ts';
import type { Json, JsonObject } from './json.ts';
import { dig, isObject, textAt } from './json.ts';
import type { SchemaNode } from './schema/node.ts';
import { canonicalJson, setOwn } from './schema/json-values.ts';

/**
 * `kubectl apply` without `--server-side` stores its configuration in this annotation. A real server knows it, so that kubectl can change
 * to server-side apply and back.
 */
const ANNOTATION = 'kubectl.kubernetes.io/last-applied-configuration';

/** The manager for which this is done. */
export const KUBECTL = 'kubectl';

/** The fields that kubectl last applied and nobody changed since: kubectl may take them from its other manager. */
export function unchangedSince(live: JsonObject, schema: SchemaNode): FieldSet {
  const configuration = parsed(textAt(live, 'metadata', 'annotations', ANNOTATION));
  if (configuration === undefined || textAt(configuration, 'apiVersion') !== textAt(live, 'apiVersion'))
    return undefined;
  const { added, modified, removed } = compare(configuration, live, schema);
  return [added, modified, removed].reduce(difference, fieldSetOf(configuration, schema));
}

/** Writes the configuration into the annotation, if the object has it. */
export function updateAnnotation(object: JsonObject, configuration: JsonObject): void {
  const annotations = dig(object, 'metadata', 'annotations');
  if (!isObject(annotations) || annotations[ANNOTATION] === undefined) return;
  const { metadata, ...rest } = configuration;
  const { [ANNOTATION]: _own, ...others } = (dig(metadata, 'annotations') as JsonObject | undefined) ?? {};
  const clean = { ...rest, metadata: { ...(isObject(metadata) && metadata), annotations: others } };
  setOwn(annotations, ANNOTATION, `${canonicalJson(clean)}\n`);
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
