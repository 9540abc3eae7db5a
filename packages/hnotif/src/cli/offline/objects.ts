import { isRaw } from '../../cluster/objects.ts';
import type { Manifest, Path } from './manifests.ts';

/** The objects of some files, or of a namespace. */
export class Objects {
  readonly all: readonly Manifest[];
  readonly #namespace: string;

  /** `namespace`: that of objects that name none. */
  constructor(all: readonly Manifest[], namespace: string) {
    this.all = all;
    this.#namespace = namespace;
  }

  namespaceOf(manifest: Manifest): string {
    return manifest.namespace || this.#namespace;
  }

  /** An object in the namespace of another one. */
  beside(manifest: Manifest, kind: string, name: string): Manifest | undefined {
    const namespace = this.namespaceOf(manifest);
    return this.all.find(
      (each) => each.kind === kind && each.name === name && this.namespaceOf(each) === namespace,
    );
  }
}

/** A value of an object, and where it is. */
export interface Found<T> {
  readonly value: T;
  readonly path: Path;
}

const BASE64 = /^(?:[A-Za-z0-9+/]{4}|\s)*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?\s*$/;

/** The text of a secret's key `config`; an error: it is not base64. */
export function configOf({ object }: Manifest): Found<string | Uint8Array> | Error | undefined {
  const plain = isRaw(object.stringData) ? object.stringData.config : undefined;
  if (typeof plain === 'string') return { value: plain, path: ['stringData', 'config'] };
  const encoded = isRaw(object.data) ? object.data.config : undefined;
  if (typeof encoded !== 'string') return undefined;
  return BASE64.test(encoded)
    ? { value: Buffer.from(encoded, 'base64'), path: ['data', 'config'] }
    : new Error('data.config is not base64: put the JSON as it is under stringData');
}

/** The text of a template in a config map. */
export function templateTextOf({ object }: Manifest, key: string): Found<string> | undefined {
  const value = isRaw(object.data) ? object.data[key] : undefined;
  return typeof value === 'string' ? { value, path: ['data', key] } : undefined;
}
