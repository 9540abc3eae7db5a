import { isRaw, kindOf, type SinkType } from '@hnotif/core/resources';
import { filesOf, type SecretFiles } from '@hnotif/core/sinks';
import { objectAt } from '../fields.ts';
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

/** What a sink has of its secret. */
export interface SinkSecret {
  readonly config: Found<string | Uint8Array>;
  /** Other keys. They hold credentials, too. */
  readonly files: SecretFiles;
  /** The names of all keys. */
  readonly keys: readonly string[];
}

/** Reads the secret of a sink; an error: a key is not a string, or not base64. Undefined: it has no key `config`. */
export function secretOf(secret: Manifest, type: SinkType): SinkSecret | UnusableValue | undefined {
  const config = valueOf(secret, 'config');
  if (config === undefined || config instanceof UnusableValue) return config;
  const files: Record<string, string> = {};
  for (const key of filesOf(type)) {
    const found = valueOf(secret, key);
    if (found instanceof UnusableValue) return found;
    if (found !== undefined) files[key] = Buffer.from(found.value).toString();
  }
  const { stringData, data } = secret.object;
  return { config, files, keys: [stringData, data].flatMap((values) => Object.keys(objectAt(values))) };
}

function valueOf({ object }: Manifest, key: string): Found<string | Uint8Array> | UnusableValue | undefined {
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

/** The text of a template in a config map. */
export function templateTextOf({ object }: Manifest, key: string): Found<string> | undefined {
  const value = isRaw(object.data) ? object.data[key] : undefined;
  return typeof value === 'string' ? { value, path: ['data', key] } : undefined;
}
