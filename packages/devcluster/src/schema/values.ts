import type { Json, JsonObject } from '../json.ts';
import { isObject } from '../json.ts';
import type { Cause } from './cause.ts';
import {
  formatNumber,
  invalid,
  notSupported,
  quote,
  required,
  tooLong,
  tooMany,
  typeInvalid,
} from './cause.ts';
import { formatCheck } from './formats.ts';
import type { SchemaNode } from './node.ts';
import { canonicalJson, equalJson } from './json-values.ts';
import { child, fieldOf, index } from './path.ts';
import { compilePattern } from './regex.ts';

/** Checks a value and adds the errors to `causes`. The order of checks and the messages are kube-openapi's. */
export type ValueCheck = (value: Json, path: string, causes: Cause[]) => void;

/** A compiled schema. For a valid value it allocates only the paths. */
export function compileValueCheck(schema: SchemaNode): ValueCheck {
  const type = typeCheck(schema);
  const enumeration = enumCheck(schema);
  const checks = [junctorCheck(schema), textCheck(schema), numberCheck(schema), listCheck(schema)].filter(
    (check) => check !== undefined,
  );
  const object = objectCheck(schema);
  return (value, path, causes) => {
    type?.(value, path, causes);
    if (value !== null) for (const check of checks) check(value, path, causes);
    enumeration?.(value, path, causes);
    if (value !== null) object?.(value, path, causes);
  };
}

function typeCheck(schema: SchemaNode): ValueCheck | undefined {
  const types = schema.intOrString ? ['integer', 'string'] : schema.type === '' ? [] : [schema.type];
  if (types.length === 0) return undefined;
  const expected = types.join(',');
  const format = formatCheck(schema.format) === undefined ? '' : schema.format;
  return (value, path, causes) => {
    const actual = typeOf(value);
    if (types.includes(actual) || (actual === 'integer' && expected === 'number')) return;
    if (value === null) {
      if (!schema.nullable) causes.push(wrongType(path, expected, 'null'));
    } else if (format !== '' && actual !== 'array' && actual !== 'string') {
      causes.push(wrongType(path, format, goFormats.get(actual) ?? ''));
    } else {
      causes.push(wrongType(path, expected, actual));
    }
  };
}

/** The server's name of a number where a text with a format is expected. */
const goFormats = new Map([
  ['integer', 'int64'],
  ['number', 'double'],
]);

function typeOf(value: Json): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value;
}

/** The server shows the type instead of the value, or the text without the format. */
function wrongType(path: string, expected: string, found: string): Cause {
  return typeInvalid(fieldOf(path), found, `${path} in body must be of type ${expected}: ${quote(found)}`);
}

function enumCheck(schema: SchemaNode): ValueCheck | undefined {
  if (schema.enum.length === 0) return undefined;
  const supported = schema.enum.map((value) => (typeof value === 'string' ? value : canonicalJson(value)));
  const scalars = new Set(schema.enum);
  return (value, path, causes) => {
    if (scalars.has(value) || schema.enum.some((allowed) => equalJson(allowed, value))) return;
    causes.push(notSupported(fieldOf(path), value, supported));
  };
}

function textCheck(schema: SchemaNode): ValueCheck | undefined {
  const { minLength, maxLength } = schema;
  const pattern = schema.pattern === '' ? undefined : compilePattern(schema.pattern);
  const format = formatCheck(schema.format);
  if (minLength === undefined && maxLength === undefined && !pattern && !format) return undefined;
  return (value, path, causes) => {
    if (typeof value !== 'string') return;
    const fail = (detail: string): void =>
      void causes.push(invalid(fieldOf(path), value, `${path} in body ${detail}`));
    if (maxLength !== undefined && longerThan(value, maxLength))
      causes.push(tooLong(fieldOf(path), maxLength));
    else if (minLength !== undefined && !longerThan(value, minLength - 1)) {
      fail(`should be at least ${minLength} chars long`);
    } else if (pattern?.(value) === false) fail(`should match '${schema.pattern}'`);
    if (format?.(value) === false) causes.push(wrongType(path, schema.format, value));
  };
}

/** Lengths count code points, as Go counts runes. */
function longerThan(text: string, length: number): boolean {
  if (text.length <= length) return false;
  if (text.length > 2 * length + 1) return true;
  let count = 0;
  for (const _ of text) count += 1;
  return count > length;
}

function numberCheck(schema: SchemaNode): ValueCheck | undefined {
  const { minimum, maximum, multipleOf, exclusiveMaximum, exclusiveMinimum } = schema;
  if (minimum === undefined && maximum === undefined && multipleOf === undefined) return undefined;
  return (value, path, causes) => {
    if (typeof value !== 'number') return;
    const fail = (detail: string): void =>
      void causes.push(invalid(fieldOf(path), value, `${path} in body ${detail}`));
    if (multipleOf !== undefined && !isMultiple(value, multipleOf)) {
      fail(`should be a multiple of ${formatNumber(multipleOf)}`);
    }
    if (maximum !== undefined && (exclusiveMaximum ? value >= maximum : value > maximum)) {
      fail(`should be less than ${exclusiveMaximum ? '' : 'or equal to '}${formatNumber(maximum)}`);
    }
    if (minimum !== undefined && (exclusiveMinimum ? value <= minimum : value < minimum)) {
      fail(`should be greater than ${exclusiveMinimum ? '' : 'or equal to '}${formatNumber(minimum)}`);
    }
  };
}

/** Multiples, with a tolerance of 1e-9 for floating point, as in the server. */
function isMultiple(value: number, factor: number): boolean {
  const times = value / factor;
  const rounded = Math.round(times);
  return times === rounded || Math.abs(times - rounded) / (Math.abs(times) + Math.abs(rounded)) < 1e-9;
}

function listCheck(schema: SchemaNode): ValueCheck | undefined {
  const { minItems, maxItems } = schema;
  const items = schema.items === undefined ? undefined : compileValueCheck(schema.items);
  if (!items && minItems === undefined && maxItems === undefined) return undefined;
  return (value, path, causes) => {
    if (!Array.isArray(value)) return;
    if (items) for (let i = 0; i < value.length; i += 1) items(value[i] ?? null, index(path, i), causes);
    const size = value.length;
    if (minItems !== undefined && size < minItems) {
      causes.push(invalid(fieldOf(path), size, `${path} in body should have at least ${minItems} items`));
    }
    if (maxItems !== undefined && size > maxItems) causes.push(tooMany(fieldOf(path), size, maxItems));
  };
}

function objectCheck(schema: SchemaNode): ValueCheck | undefined {
  const fields = new Map(
    [...schema.properties].map(([name, property]) => [name, compileValueCheck(property)]),
  );
  const others =
    typeof schema.additionalProperties === 'object'
      ? compileValueCheck(schema.additionalProperties)
      : undefined;
  const closed = schema.additionalProperties === false;
  return (value, path, causes) => {
    if (!isObject(value) || wrongCount(schema, value, path, causes)) return;
    for (const name of Object.keys(value)) {
      const check = fields.get(name) ?? others;
      if (check !== undefined) check(value[name] ?? null, child(path, name), causes);
      else if (closed && !fields.has(name)) {
        causes.push(invalid(fieldOf(path), name, `${path}.${name} in body is a forbidden property`));
      }
    }
    for (const name of schema.required) {
      if (!Object.hasOwn(value, name)) causes.push(required(child(path, name)));
    }
  };
}

/** An object with too few or too many fields is not checked further. */
function wrongCount(schema: SchemaNode, value: JsonObject, path: string, causes: Cause[]): boolean {
  const { minProperties, maxProperties } = schema;
  if (minProperties === undefined && maxProperties === undefined) return false;
  const count = Object.keys(value).length;
  if (minProperties !== undefined && count < minProperties) {
    causes.push(
      invalid(fieldOf(path), count, `${path} in body should have at least ${minProperties} properties`),
    );
    return true;
  }
  if (maxProperties !== undefined && count > maxProperties) {
    causes.push(tooMany(fieldOf(path), count, maxProperties));
    return true;
  }
  return false;
}

/** `allOf`, `anyOf`, `oneOf` and `not`. Their errors have only the object itself as field, as in the server. */
function junctorCheck(schema: SchemaNode): ValueCheck | undefined {
  const { not } = schema;
  const [allOf, anyOf, oneOf] = [schema.allOf, schema.anyOf, schema.oneOf].map((list) =>
    list.map(compileValueCheck),
  );
  const negated = not === undefined ? undefined : compileValueCheck(not);
  if (!allOf?.length && !anyOf?.length && !oneOf?.length && negated === undefined) return undefined;
  return (value, path, causes) => {
    const fail = (words: string): void => void causes.push(invalid('<nil>', '', `${quote(path)} ${words}`));
    if (anyOf?.length) {
      const failures = failuresOf(anyOf, value, path);
      if (failures.length === anyOf.length) {
        fail('must validate at least one schema (anyOf)');
        causes.push(...(failures[0] ?? []));
      }
    }
    if (oneOf?.length) {
      const failures = failuresOf(oneOf, value, path);
      const valid = oneOf.length - failures.length;
      if (valid !== 1) {
        const found = valid === 0 ? 'Found none valid' : `Found ${valid} valid alternatives`;
        fail(`must validate one and only one schema (oneOf). ${found}`);
        if (valid === 0) causes.push(...(failures[0] ?? []));
      }
    }
    if (allOf?.length) {
      const failures = failuresOf(allOf, value, path);
      causes.push(...failures.flat());
      if (failures.length > 0) {
        fail(
          `must validate all the schemas (allOf)${failures.length === allOf.length ? '. None validated' : ''}`,
        );
      }
    }
    if (negated !== undefined && failuresOf([negated], value, path).length === 0) {
      fail('must not validate the schema (not)');
    }
  };
}

/** The messages of the schemas that fail. */
function failuresOf(checks: readonly ValueCheck[], value: Json, path: string): Cause[][] {
  return checks
    .map((check) => {
      const causes: Cause[] = [];
      check(value, path, causes);
      return causes;
    })
    .filter((causes) => causes.length > 0);
}
