import type { SchemaNode } from '../node.ts';
import { child, key } from '../path.ts';

/**
 * Reads the `fieldPath` of a rule: `.spec.name`, `['a key']`, and combinations, of fields of the schema. Returns the path in the form of
 * causes; undefined if it is invalid or names no field.
 */
export function parseFieldPath(text: string, schema: SchemaNode): string | undefined {
  let path = '';
  let at: SchemaNode | undefined = schema;
  let rest = text;
  while (rest !== '') {
    const [whole, plain, quoted] = /^(?:\.([^.[\]]+)|\['((?:[^'\\]|\\.)*)'\])/.exec(rest) ?? [];
    if (whole === undefined || at === undefined) return undefined;
    const name = plain ?? unescaped(quoted ?? '');
    if (name === undefined) return undefined;
    const property: SchemaNode | undefined = at.properties.get(name);
    if (property !== undefined) {
      path = child(path, name);
      at = property;
    } else if (typeof at.additionalProperties === 'object') {
      path = key(path, name);
      at = at.additionalProperties;
    } else {
      return undefined;
    }
    rest = rest.slice(whole.length);
  }
  return path === '' ? undefined : path;
}

const escapes = new Map(
  Object.entries({ a: '\x07', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v', "'": "'", '\\': '\\' }),
);

function unescaped(text: string): string | undefined {
  let known = true;
  const result = text.replace(/\\(.)/gs, (_, letter: string) => {
    const replacement = escapes.get(letter);
    if (replacement === undefined) known = false;
    return replacement ?? '';
  });
  return known ? result : undefined;
}
