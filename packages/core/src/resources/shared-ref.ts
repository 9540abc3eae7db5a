import type { ConnectorRef } from './plan.ts';

/** More connectors than an installation has. Beyond this the cache is cleared. */
const MAX_REFS = 4_096;
const refs = new Map<string, ConnectorRef>();

/** A reference to a connector. Equal references are one object: every target of every plan has one. */
export function internRef(kind: string, name: string, namespace: string): ConnectorRef {
  const key = `${kind}/${name}/${namespace}`;
  const known = refs.get(key);
  if (known?.kind === kind && known.name === name && known.namespace === namespace) return known;
  if (refs.size >= MAX_REFS) refs.clear();
  const ref = { kind, name, namespace };
  refs.set(key, ref);
  return ref;
}
