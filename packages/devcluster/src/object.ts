import type { JsonObject } from './json.ts';
import { listAt } from './json.ts';

/** A stored object: frozen, with its fields in the order apiVersion, kind, metadata, then the others (`encode.ts` relies on it). */
export type KubeObject = JsonObject & { apiVersion: string; kind: string; metadata: Metadata };

export type Metadata = JsonObject & {
  name: string;
  namespace?: string;
  generateName?: string;
  uid: string;
  resourceVersion: string;
  generation?: number;
  creationTimestamp: string;
  deletionTimestamp?: string;
  deletionGracePeriodSeconds?: number;
};

/** The finalizers of an object's metadata. */
export function finalizersOf(object: KubeObject): string[] {
  return listAt(object.metadata, 'finalizers').filter((item) => typeof item === 'string');
}

/** RFC 3339 in UTC with seconds, as `metav1.Time` is written. */
export const timestamp = (ms: number): string => new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z');
