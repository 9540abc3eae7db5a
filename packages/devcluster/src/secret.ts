import type { JsonObject } from './json.ts';
import { dig, entriesAt, isObject, textAt } from './json.ts';
import { checkDataKey } from './names.ts';
import type { KubeObject } from './object.ts';
import type { Cause } from './schema/cause.ts';
import { forbidden, invalid, required } from './schema/cause.ts';
import { equalJson, setOwn } from './schema/json-values.ts';

const MAX_DATA = 1024 * 1024;

/** The required keys of a secret of each type (k8s.io/kubernetes, ValidateSecret). */
const NEEDED = new Map<string, readonly string[]>([
  ['kubernetes.io/dockercfg', ['.dockercfg']],
  ['kubernetes.io/dockerconfigjson', ['.dockerconfigjson']],
  ['kubernetes.io/ssh-auth', ['ssh-privatekey']],
  ['kubernetes.io/tls', ['tls.crt', 'tls.key']],
]);

/** Sets the default type, and moves `stringData`, which can only be written, into `data`. */
export function prepareSecret(secret: KubeObject): void {
  if (textAt(secret, 'type') === '') secret.type = 'Opaque';
  const texts = entriesAt(secret, 'stringData');
  if (texts.length > 0) {
    const data: JsonObject = { ...(isObject(secret.data) && secret.data) };
    for (const [key, value] of texts)
      setOwn(data, key, Buffer.from(String(value as string)).toString('base64'));
    secret.data = data;
  }
  Reflect.deleteProperty(secret, 'stringData');
}

export function validateSecret(secret: KubeObject, old: KubeObject | undefined): Cause[] {
  const causes: Cause[] = [];
  for (const key of NEEDED.get(textAt(secret, 'type')) ?? [])
    if (dig(secret, 'data', key) === undefined) causes.push(required(`data[${key}]`));
  if (textAt(secret, 'type') === 'kubernetes.io/basic-auth') {
    if (!['username', 'password'].some((key) => dig(secret, 'data', key) !== undefined))
      causes.push(required('data[username]'), required('data[password]'));
  }
  if (old && textAt(old, 'type') !== textAt(secret, 'type'))
    causes.push(invalid('type', textAt(secret, 'type'), 'field is immutable'));
  return [...causes, ...dataCauses(secret, 'data', decodedLength), ...immutableCauses(secret, old, ['data'])];
}

/** The decoded bytes of a base64 text, by which the server measures `data` and `binaryData`. */
export const decodedLength = (base64: string): number => Buffer.byteLength(base64, 'base64');

/** Why the keys or the size of a data map are invalid. */
export function dataCauses(
  object: KubeObject,
  field: string,
  lengthOf: (value: string) => number = (value) => Buffer.byteLength(value),
): Cause[] {
  const entries = entriesAt(object, field);
  const causes = entries.flatMap(([key]) =>
    checkDataKey(key).map((problem) => invalid(`${field}[${key}]`, key, problem)),
  );
  if (entries.reduce((sum, [, value]) => sum + lengthOf(String(value as string)), 0) > MAX_DATA)
    causes.push({
      reason: 'FieldValueTooLong',
      message: `Too long: may not be more than ${MAX_DATA} bytes`,
      field,
    });
  return causes;
}

/** The fields that may not change when `immutable` is set, including itself. */
export function immutableCauses(
  object: KubeObject,
  old: KubeObject | undefined,
  fields: readonly string[],
): Cause[] {
  if (old?.immutable !== true) return [];
  const detail = 'field is immutable when `immutable` is set';
  const changed = fields.filter((field) => !equalJson(object[field] ?? {}, old[field] ?? {}));
  if (object.immutable !== true) changed.unshift('immutable');
  return changed.map((field) => forbidden(field, detail));
}

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** Why a map of base64 texts cannot be decoded, in the words of Go's encoding/base64; undefined when it can. */
export function base64Problem(map: readonly [string, unknown][]): string | undefined {
  for (const [, value] of map) {
    const text = String(value).replace(/[\r\n]/g, '');
    if (BASE64.test(text)) continue;
    const odd = text.search(/[^A-Za-z0-9+/]/);
    return `illegal base64 data at input byte ${odd === -1 ? text.length - (text.length % 4) : odd}`;
  }
  return undefined;
}
