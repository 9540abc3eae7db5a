import type { KubeObject } from './object.ts';

const known = new WeakMap<KubeObject, string>();

/** The object's JSON, encoded once: objects are frozen, so all readers and watches share the text. */
export function jsonOf(object: KubeObject): string {
  let json = known.get(object);
  if (json === undefined) known.set(object, (json = JSON.stringify(object)));
  return json;
}

/** The object's JSON in another version of its group. `apiVersion` is the first field, so the text can be cut there. */
export function jsonAs(object: KubeObject, apiVersion: string): string {
  if (object.apiVersion === apiVersion) return jsonOf(object);
  const rest = jsonOf(object).slice(`{"apiVersion":${JSON.stringify(object.apiVersion)}`.length);
  return `{"apiVersion":${JSON.stringify(apiVersion)}${rest}`;
}

/** Without apiVersion and kind, as in lists of built-in kinds. */
export function jsonWithoutType(object: KubeObject): string {
  const type = `{"apiVersion":${JSON.stringify(object.apiVersion)},"kind":${JSON.stringify(object.kind)},`;
  return `{${jsonOf(object).slice(type.length)}`;
}
