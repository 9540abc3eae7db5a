import type { Manifest } from './manifests.ts';
import type { Objects } from './objects.ts';

/**
 * What kustomize's generators add to a name: ten characters of a hexadecimal hash in an alphabet of its own
 * (https://github.com/kubernetes-sigs/kustomize/blob/master/api/hasher/hasher.go).
 */
const HASH = /^-[bcdf2456789ghkmt]{10}$/;

/** The name of an object beside the notification that is this name with kustomize's hash; undefined: there is none. */
export const hashedName = (
  objects: Objects,
  beside: Manifest,
  kind: string,
  name: string,
): string | undefined =>
  objects.all.find(
    (each) =>
      each.kind === kind &&
      objects.namespaceOf(each) === objects.namespaceOf(beside) &&
      each.name.startsWith(name) &&
      HASH.test(each.name.slice(name.length)),
  )?.name;
