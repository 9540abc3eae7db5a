/**
 * The part of apiextensions.k8s.io/v1's JSON Schema that the resources use. Every list, map and text has an upper
 * bound: a real API server refuses a CRD whose rules could cost too much, and reckons with the bounds.
 */
export interface Schema {
  readonly type: 'object' | 'array' | 'string' | 'integer' | 'boolean';
  readonly description?: string;
  readonly format?: 'int32' | 'int64' | 'date-time';
  readonly enum?: readonly string[];
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly default?: string | number | boolean;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema;
  readonly maxProperties?: number;
  /** `atomic`: the object has one owner, not one for each field. */
  readonly 'x-kubernetes-map-type'?: 'atomic';
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly 'x-kubernetes-list-type'?: 'atomic' | 'set' | 'map';
  readonly 'x-kubernetes-list-map-keys'?: readonly string[];
  readonly 'x-kubernetes-preserve-unknown-fields'?: true;
  readonly 'x-kubernetes-validations'?: readonly Rule[];
}

/** A rule in CEL; `message` is what the user reads, of the field at `fieldPath` (Kubernetes 1.28 and later; default: the value with the rule). */
export interface Rule {
  readonly rule: string;
  readonly message: string;
  readonly fieldPath?: string;
}

type Rest = Omit<Schema, 'type' | 'description' | 'properties' | 'items' | 'additionalProperties'>;

export const text = (description: string, maxLength: number, rest: Rest = {}): Schema => ({
  description,
  type: 'string',
  maxLength,
  ...rest,
});

export const time = (description: string): Schema => ({ description, type: 'string', format: 'date-time' });

export const integer = (description: string, rest: Rest = {}): Schema => ({
  description,
  type: 'integer',
  format: 'int32',
  minimum: 0,
  ...rest,
});

export const flag = (description: string, rest: Rest = {}): Schema => ({
  description,
  type: 'boolean',
  ...rest,
});

export const object = (
  description: string,
  properties: Readonly<Record<string, Schema>>,
  rest: Rest = {},
): Schema => ({ description, type: 'object', properties, ...rest });

export const list = (description: string, items: Schema, maxItems: number, rest: Rest = {}): Schema => ({
  description,
  type: 'array',
  items,
  maxItems,
  ...rest,
});

/** A list whose entries have a name that no other entry has. */
export const listMap = (
  description: string,
  key: string,
  items: Schema,
  maxItems: number,
  rest: Rest = {},
): Schema =>
  list(description, items, maxItems, {
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': [key],
    ...rest,
  });

/** Names as Kubernetes has them (RFC 1123): a label of at most 63, a subdomain of at most 253 characters. */
const LABEL = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';

export const LABEL_NAME = `^${LABEL}$`;
export const OBJECT_NAME = `^${LABEL}(\\.${LABEL})*$`;

export const labelName = (description: string): Schema =>
  text(description, 63, { minLength: 1, pattern: LABEL_NAME });

export const objectName = (description: string): Schema =>
  text(description, 253, { minLength: 1, pattern: OBJECT_NAME });
