import { isRaw, kindOf } from '@hnotif/core/resources';
import type { Manifest, Path } from './manifests.ts';

/** The objects of some files, or of a namespace. */
export class Objects {
  readonly all: readonly Manifest[];
  readonly #namespace: string;
  readonly #unread: ReadonlyMap<string, string>;

  /** `namespace`: that of objects that name none. `unread`: why kinds could not be read. */
  constructor(all: readonly Manifest[], namespace: string, unread: ReadonlyMap<string, string> = new Map()) {
    this.all = all;
    this.#namespace = namespace;
    this.#unread = unread;
  }

  /** Why an object of this kind is not here: it was not found, or the kind could not be read. */
  whyMissing(kind: string): string {
    const why = this.#unread.get(kind);
    return why === undefined ? 'was not found' : `was not read: ${why}`;
  }

  namespaceOf(manifest: Manifest): string {
    return manifest.namespace || this.#namespace;
  }

  /** An object in the namespace of another one; of two with the name the last, as after `kubectl apply`. */
  beside(manifest: Manifest, kind: string, name: string): Manifest | undefined {
    return this.#beside(manifest, kind).findLast((each) => each.name === name);
  }

  /** All objects of a kind in the namespace of another one; of two with the same name the last. */
  allBeside(manifest: Manifest, kind: string): readonly Manifest[] {
    return [...new Map(this.#beside(manifest, kind).map((each) => [each.name, each] as const)).values()];
  }

  #beside(manifest: Manifest, kind: string): readonly Manifest[] {
    const namespace = this.namespaceOf(manifest);
    return this.all.filter((each) => each.kind === kind && this.namespaceOf(each) === namespace);
  }
}

/** A value of an object, and where it is. */
export interface Found<T> {
  readonly value: T;
  readonly path: Path;
}

/** Without white space: kustomize breaks the lines of a long value. */
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** A value that is there and cannot be used. */
export class UnusableValue extends Error {
  readonly path: Path;

  constructor(path: Path, what: string) {
    super(`${path.join('.')} ${what}`);
    this.path = path;
  }
}

/** The text of a secret's key, by default `config`; an error: it is not a string, or not base64. Undefined: there is none. */
export function configOf(
  { object }: Manifest,
  key = 'config',
): Found<string | Uint8Array> | UnusableValue | undefined {
  const { stringData, data } = object;
  const content = key === 'config' ? 'JSON' : 'text';
  for (const [field, values] of Object.entries({ stringData, data })) {
    const value = isRaw(values) ? values[key] : undefined;
    const path = [field, key];
    if (value === undefined || value === null) continue;
    if (typeof value !== 'string')
      return new UnusableValue(
        path,
        `is ${kindOf(value)}, not a string: write ${key}: | and the ${content}, indented, in the lines below it, under stringData`,
      );
    if (field === 'stringData') return { value, path };
    return BASE64.test(value.replaceAll(/\s/g, ''))
      ? { value: Buffer.from(value, 'base64'), path }
      : new UnusableValue(path, `is not base64: put the ${content} as it is under stringData`);
  }
  return undefined;
}

/** The names of all keys of a secret. */
export const keysOf = ({ object: { stringData, data } }: Manifest): readonly string[] =>
  [stringData, data].flatMap((values) => (isRaw(values) ? Object.keys(values) : []));

/** The texts of other keys of a secret; an error as above. */
export function filesIn(secret: Manifest, keys: readonly string[]): Record<string, string> | UnusableValue {
  const files: Record<string, string> = {};
  for (const key of keys) {
    const found = configOf(secret, key);
    if (found instanceof UnusableValue) return found;
    if (found !== undefined) files[key] = Buffer.from(found.value).toString();
  }
  return files;
}

/** The text of a template in a config map. */
export function templateTextOf({ object }: Manifest, key: string): Found<string> | undefined {
  const value = isRaw(object.data) ? object.data[key] : undefined;
  return typeof value === 'string' ? { value, path: ['data', key] } : undefined;
}
