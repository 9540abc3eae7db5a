import { nearest } from '@hnotif/gotemplate';
import { isRaw, type Schema, kindOf } from '@hnotif/core/resources';
import { parseTime } from '@hnotif/core/lifecycle';
import type { Path } from './manifests.ts';
import { PATTERN_WORDS } from './pattern-words.ts';

/** Where a value differs from its schema, and how. */
export interface SchemaProblem {
  readonly path: Path;
  readonly message: string;
  /** The API server drops a field that it does not know, and says nothing. */
  readonly isUnknownField?: true;
  /** The field that is missing because the one at `path` is misspelt. */
  readonly insteadOf?: Path;
}

/** What a schema asks for. */
const KINDS = {
  object: 'an object',
  array: 'a list',
  string: 'a string',
  integer: 'a whole number',
  boolean: 'true or false',
} as const;

/** What a schema asks for, in words. */
function wantedBy({ type, enum: words, items, required }: Schema): string {
  if (words !== undefined) return `one of ${words.join(', ')}`;
  if (items !== undefined) return `a list, each entry ${wantedBy(items)}`;
  return required === undefined ? KINDS[type] : `an object with ${required.join(', ')}`;
}

/** What to do about a value of another kind, such as one that YAML has read as its author did not mean. */
function kindRemedy({ type, additionalProperties }: Schema, value: unknown): string {
  if (type === 'array') return '; write a list, each entry after a -';
  if (type === 'object' && additionalProperties !== undefined)
    return '; write each entry as key: value on a line of its own';
  if (type === 'string' && (typeof value === 'number' || typeof value === 'boolean'))
    return '; write it in quotes';
  if ((type === 'boolean' || type === 'integer') && typeof value === 'string')
    return '; write it without quotes';
  return '';
}

/** What the API server would refuse of a value, and the fields that it would drop. Rules in CEL are left out. */
export function schemaProblems(schema: Schema, value: unknown, path: Path = []): readonly SchemaProblem[] {
  const problem = (message: string): readonly SchemaProblem[] => [{ path, message }];
  const otherKind = (): readonly SchemaProblem[] =>
    problem(`must be ${KINDS[schema.type]}, found ${kindOf(value)}${kindRemedy(schema, value)}`);
  switch (schema.type) {
    case 'object':
      return isRaw(value) ? objectProblems(schema, value, path) : otherKind();
    case 'array': {
      if (!Array.isArray(value)) return otherKind();
      const { minItems = 0, maxItems = Infinity, items } = schema;
      const sized =
        value.length < minItems || value.length > maxItems
          ? problem(`must have ${minItems} to ${maxItems} entries, has ${value.length}`)
          : [];
      const [key] = schema['x-kubernetes-list-map-keys'] ?? [];
      const isUnique = key !== undefined || schema['x-kubernetes-list-type'] === 'set';
      const twice = isUnique ? repeated(value, key, path) : [];
      return [
        ...sized,
        ...twice,
        ...(items === undefined
          ? []
          : value.flatMap((each: unknown, at) => schemaProblems(items, each, [...path, at]))),
      ];
    }
    case 'string':
      return typeof value === 'string' ? textProblems(schema, value, path) : otherKind();
    case 'integer':
      return Number.isSafeInteger(value) ? [] : otherKind();
    case 'boolean':
      return typeof value === 'boolean' ? [] : otherKind();
  }
}

function objectProblems(
  { properties, additionalProperties, required = [], maxProperties = Infinity }: Schema,
  value: Readonly<Record<string, unknown>>,
  path: Path,
): readonly SchemaProblem[] {
  // Such as metadata, which has a schema of its own.
  if (properties === undefined && additionalProperties === undefined) return [];
  const known = properties ?? {};
  const keys = Object.keys(value).filter((key) => value[key] !== null && value[key] !== undefined);
  const missing = new Set(required.filter((key) => !keys.includes(key)));
  const many =
    keys.length > maxProperties ? [{ path, message: `must have at most ${maxProperties} entries` }] : [];
  const free = Object.keys(known).filter((key) => !keys.includes(key));
  const inside = keys.flatMap((key): readonly SchemaProblem[] => {
    const schema = Object.hasOwn(known, key) ? known[key] : additionalProperties;
    if (schema !== undefined) return schemaProblems(schema, value[key], [...path, key]);
    const meant = nearest(key, free);
    const hint = meant === undefined ? '' : `; did you mean ${meant}?`;
    if (meant !== undefined && missing.delete(meant))
      return [{ path: [...path, key], message: `is not known${hint}`, insteadOf: [...path, meant] }];
    return [{ path: [...path, key], message: `is not known and has no effect${hint}`, isUnknownField: true }];
  });
  const absent = [...missing].map((key) => {
    const schema = known[key];
    const remedy = schema === undefined ? '' : `; set it to ${wantedBy(schema)}`;
    return { path: [...path, key], message: `is missing${remedy}` };
  });
  return [...absent, ...many, ...inside];
}

/** Entries that are the same as an earlier one, by a key or as a whole. */
function repeated(all: readonly unknown[], key: string | undefined, path: Path): readonly SchemaProblem[] {
  const seen = new Set<unknown>();
  return all.flatMap((each, at) => {
    const value = key !== undefined && isRaw(each) ? each[key] : each;
    const isNew = value === undefined || !seen.has(value);
    seen.add(value);
    const where = key === undefined ? [...path, at] : [...path, at, key];
    return isNew ? [] : [{ path: where, message: 'is the same as that of another entry' }];
  });
}

function textProblems(schema: Schema, value: string, path: Path): readonly SchemaProblem[] {
  const { enum: words, format, pattern, minLength = 0, maxLength = Infinity } = schema;
  const problem = (message: string): readonly SchemaProblem[] => [{ path, message }];
  if (words !== undefined && !words.includes(value)) {
    const meant = nearest(value, words);
    return problem(
      `must be one of ${words.join(', ')}${meant === undefined ? '' : `; did you mean ${meant}?`}`,
    );
  }
  if (value.length < minLength || value.length > maxLength)
    return problem(`must have ${minLength} to ${maxLength} characters, has ${value.length}`);
  if (format === 'date-time' && parseTime(value) === undefined)
    return problem('must be an RFC 3339 time, such as 2026-01-05T20:00:00Z');
  if (pattern !== undefined && !new RegExp(pattern).test(value))
    return problem(PATTERN_WORDS.get(pattern) ?? `must match ${pattern}`);
  return [];
}
