import { isRaw } from '@hnotif/core/resources';

/** The fields of a structural schema, as `spec.sinks.name`. */
export function fieldsOf(schema: unknown, path = ''): readonly string[] {
  if (!isRaw(schema)) return [];
  const { properties, items } = schema;
  const below = isRaw(properties)
    ? Object.entries(properties).flatMap(([name, inner]) => {
        const at = path === '' ? name : `${path}.${name}`;
        return [at, ...fieldsOf(inner, at)];
      })
    : [];
  return [...below, ...fieldsOf(items, path)];
}
