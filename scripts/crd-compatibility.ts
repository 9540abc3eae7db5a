import type { Schema } from '@hnotif/core/resources';

interface Definition {
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly scope: string;
    readonly versions: readonly {
      readonly name: string;
      readonly served: boolean;
      readonly schema: { readonly openAPIV3Schema: Schema };
    }[];
  };
}

/** Limits that may only grow, and limits that may only fall. */
const UPPER = ['maxLength', 'maximum', 'maxItems', 'maxProperties'] as const;
const LOWER = ['minLength', 'minimum', 'minItems'] as const;

/**
 * What objects of the older CRDs, or programs that know them, would lose by the newer ones: one text for each difference. Empty: the
 * newer ones only add.
 */
export function incompatibilities(older: readonly Definition[], newer: readonly Definition[]): string[] {
  return older.flatMap((before) => {
    const { name } = before.metadata;
    const after = newer.find((one) => one.metadata.name === name);
    if (after === undefined) return [`${name}: was removed`];
    const scope = before.spec.scope === after.spec.scope ? [] : [`${name}: has another scope`];
    const versions = before.spec.versions.flatMap((version) => {
      const now = after.spec.versions.find((one) => one.name === version.name);
      if (now === undefined || (version.served && !now.served))
        return [`${name}/${version.name}: is not served`];
      return [
        ...compare(`${name}/${version.name}`, version.schema.openAPIV3Schema, now.schema.openAPIV3Schema),
      ];
    });
    return [...scope, ...versions];
  });
}

function* compare(path: string, before: Schema, after: Schema): Generator<string> {
  if (before.type !== after.type) yield `${path}: is ${after.type} instead of ${before.type}`;
  for (const key of UPPER)
    if ((after[key] ?? Infinity) < (before[key] ?? Infinity)) yield `${path}: ${key} fell`;
  for (const key of LOWER)
    if ((after[key] ?? -Infinity) > (before[key] ?? -Infinity)) yield `${path}: ${key} rose`;
  for (const key of ['pattern', 'format'] as const)
    if (after[key] !== undefined && after[key] !== before[key]) yield `${path}: ${key} is another`;
  if (after.enum !== undefined) {
    if (before.enum === undefined) yield `${path}: enum is new`;
    for (const value of before.enum ?? [])
      if (!after.enum.includes(value)) yield `${path}: ${value} was removed`;
  }
  for (const name of after.required ?? [])
    if (before.required?.includes(name) !== true) yield `${path}.${name}: is required`;
  const rules = new Set((before['x-kubernetes-validations'] ?? []).map(({ rule }) => rule));
  for (const { rule } of after['x-kubernetes-validations'] ?? [])
    if (!rules.has(rule)) yield `${path}: has the new rule ${rule}`;
  yield* inside(path, before, after);
}

function* inside(path: string, before: Schema, after: Schema): Generator<string> {
  for (const [name, property] of Object.entries(before.properties ?? {})) {
    const now = after.properties?.[name];
    if (now === undefined) yield `${path}.${name}: was removed`;
    else yield* compare(`${path}.${name}`, property, now);
  }
  for (const [key, suffix] of [
    ['items', '[]'],
    ['additionalProperties', '{}'],
  ] as const) {
    const [was, now] = [before[key], after[key]];
    if (was === undefined) continue;
    if (now === undefined) yield `${path}${suffix}: was removed`;
    else yield* compare(`${path}${suffix}`, was, now);
  }
}
