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

/** The text of a secret's key `config`. */
export function configOf({ object }: Manifest): Found<string | Uint8Array> | undefined {
  const plain = isRaw(object.stringData) ? object.stringData.config : undefined;
  if (typeof plain === 'string') return { value: plain, path: ['stringData', 'config'] };
  const encoded = isRaw(object.data) ? object.data.config : undefined;
  return typeof encoded === 'string'
    ? { value: Buffer.from(encoded, 'base64'), path: ['data', 'config'] }
    : undefined;
}

/** The text of a template in a config map. */
export function templateTextOf({ object }: Manifest, key: string): Found<string> | undefined {
  const value = isRaw(object.data) ? object.data[key] : undefined;
  return typeof value === 'string' ? { value, path: ['data', key] } : undefined;
}
