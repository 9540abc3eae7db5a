import type { Json, JsonObject } from '../json.ts';
import { isObject } from '../json.ts';
import type { Cause } from './cause.ts';
import { typeInvalid } from './cause.ts';
import type { SchemaNode, ValidationRule } from './node.ts';
import { getOwn } from './json-values.ts';
import { child, index, key } from './path.ts';

/** Deeper than any real schema. Deeper ones are refused, so the stack cannot overflow. */
const maxDepth = 100;

/** Parses a schema from outside. A value with a wrong type is reported with its path, and otherwise treated as absent. */
export function parseSchema(json: Json, path: string): { node: SchemaNode; causes: Cause[] } {
  const causes: Cause[] = [];
  return { node: new Parser(causes).schema(json, path, 0), causes };
}

class Parser {
  readonly #causes: Cause[];

  constructor(causes: Cause[]) {
    this.#causes = causes;
  }

  schema(json: Json, path: string, depth: number): SchemaNode {
    const source = this.#object(json, path) ?? {};
    if (depth > maxDepth) this.#wrong(path, 'schema nested too deeply', 'schema');
    const deeper = depth > maxDepth ? {} : source;
    const at = (name: string): string => child(path, name);
    const nested = (name: string): SchemaNode | undefined => {
      const value = getOwn(deeper, name);
      return value === undefined || value === null ? undefined : this.schema(value, at(name), depth + 1);
    };
    const listOf = (name: string): SchemaNode[] =>
      this.#list(getOwn(deeper, name), at(name)).map((item, position) =>
        this.schema(item, index(at(name), position), depth + 1),
      );
    const text = (name: string): string => this.#text(getOwn(source, name), at(name)) ?? '';
    const flag = (name: string): boolean => this.#flag(getOwn(source, name), at(name)) ?? false;
    const count = (name: string): number | undefined => this.#number(getOwn(source, name), at(name), true);
    const number = (name: string): number | undefined => this.#number(getOwn(source, name), at(name), false);
    return {
      type: text('type'),
      format: text('format'),
      nullable: flag('nullable'),
      default: getOwn(source, 'default') ?? undefined,
      properties: this.#properties(getOwn(deeper, 'properties'), at('properties'), depth),
      additionalProperties: this.#additional(getOwn(deeper, 'additionalProperties'), nested),
      items: Array.isArray(getOwn(deeper, 'items')) ? undefined : nested('items'),
      required: this.#texts(getOwn(source, 'required'), at('required')),
      enum: this.#list(getOwn(source, 'enum'), at('enum')),
      minimum: number('minimum'),
      maximum: number('maximum'),
      exclusiveMinimum: flag('exclusiveMinimum'),
      exclusiveMaximum: flag('exclusiveMaximum'),
      multipleOf: number('multipleOf'),
      minLength: count('minLength'),
      maxLength: count('maxLength'),
      pattern: text('pattern'),
      minItems: count('minItems'),
      maxItems: count('maxItems'),
      minProperties: count('minProperties'),
      maxProperties: count('maxProperties'),
      allOf: listOf('allOf'),
      anyOf: listOf('anyOf'),
      oneOf: listOf('oneOf'),
      not: nested('not'),
      preserveUnknownFields: this.#flag(
        getOwn(source, 'x-kubernetes-preserve-unknown-fields'),
        at('x-kubernetes-preserve-unknown-fields'),
      ),
      embeddedResource: flag('x-kubernetes-embedded-resource'),
      intOrString: flag('x-kubernetes-int-or-string'),
      listType: this.#text(getOwn(source, 'x-kubernetes-list-type'), at('x-kubernetes-list-type')),
      listMapKeys: this.#texts(
        getOwn(source, 'x-kubernetes-list-map-keys'),
        at('x-kubernetes-list-map-keys'),
      ),
      mapType: this.#text(getOwn(source, 'x-kubernetes-map-type'), at('x-kubernetes-map-type')),
      rules: this.#rules(getOwn(source, 'x-kubernetes-validations'), at('x-kubernetes-validations')),
      given: new Set(Object.keys(source).filter((name) => !isEmpty(source[name]))),
    };
  }

  #properties(value: Json | undefined, path: string, depth: number): Map<string, SchemaNode> {
    const properties = new Map<string, SchemaNode>();
    const source = this.#object(value ?? {}, path) ?? {};
    for (const name of Object.keys(source)) {
      properties.set(name, this.schema(source[name] ?? null, key(path, name), depth + 1));
    }
    return properties;
  }

  #additional(
    value: Json | undefined,
    nested: (name: string) => SchemaNode | undefined,
  ): SchemaNode | boolean | undefined {
    return typeof value === 'boolean' ? value : nested('additionalProperties');
  }

  #rules(value: Json | undefined, path: string): ValidationRule[] {
    return this.#list(value, path).map((item, position) => {
      const at = index(path, position);
      const source = this.#object(item, at) ?? {};
      const text = (name: string): string => this.#text(getOwn(source, name), child(at, name)) ?? '';
      return {
        rule: text('rule'),
        message: text('message'),
        messageExpression: text('messageExpression'),
        reason: this.#text(getOwn(source, 'reason'), child(at, 'reason')),
        fieldPath: text('fieldPath'),
        optionalOldSelf: this.#flag(getOwn(source, 'optionalOldSelf'), child(at, 'optionalOldSelf')),
      };
    });
  }

  #object(value: Json, path: string): JsonObject | undefined {
    if (isObject(value)) return value;
    this.#wrong(path, value, 'object');
    return undefined;
  }

  #list(value: Json | undefined, path: string): Json[] {
    if (value === undefined || value === null) return [];
    if (Array.isArray(value)) return value;
    this.#wrong(path, value, 'array');
    return [];
  }

  #texts(value: Json | undefined, path: string): string[] {
    return this.#list(value, path).flatMap((item, position) => this.#text(item, index(path, position)) ?? []);
  }

  #text(value: Json | undefined, path: string): string | undefined {
    if (typeof value === 'string' || value === undefined || value === null) return value ?? undefined;
    this.#wrong(path, value, 'string');
    return undefined;
  }

  #flag(value: Json | undefined, path: string): boolean | undefined {
    if (typeof value === 'boolean' || value === undefined || value === null) return value ?? undefined;
    this.#wrong(path, value, 'boolean');
    return undefined;
  }

  #number(value: Json | undefined, path: string, whole: boolean): number | undefined {
    if (value === undefined || value === null) return undefined;
    if (typeof value === 'number' && (!whole || Number.isInteger(value))) return value;
    this.#wrong(path, value, whole ? 'integer' : 'number');
    return undefined;
  }

  #wrong(path: string, value: Json, type: string): void {
    this.#causes.push(typeInvalid(path, value, `must be of type ${type}`));
  }
}

function isEmpty(value: Json | undefined): boolean {
  return (
    value === undefined ||
    value === null ||
    value === '' ||
    value === false ||
    (Array.isArray(value) && value.length === 0)
  );
}
