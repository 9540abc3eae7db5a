import type { Json } from '../json.ts';

/** One schema of an OpenAPI v3 document, with the fields that a CRD may use (`JSONSchemaProps` of apiextensions.k8s.io/v1). */
export interface SchemaNode {
  /** `''` without a type. */
  type: string;
  format: string;
  nullable: boolean;
  /** Undefined without a default. A null default counts as none, as for the server. */
  default: Json | undefined;
  properties: ReadonlyMap<string, SchemaNode>;
  /** `true` and `false` as they stand in the schema. */
  additionalProperties: SchemaNode | boolean | undefined;
  items: SchemaNode | undefined;
  required: readonly string[];
  enum: readonly Json[];
  minimum: number | undefined;
  maximum: number | undefined;
  exclusiveMinimum: boolean;
  exclusiveMaximum: boolean;
  multipleOf: number | undefined;
  minLength: number | undefined;
  maxLength: number | undefined;
  pattern: string;
  minItems: number | undefined;
  maxItems: number | undefined;
  minProperties: number | undefined;
  maxProperties: number | undefined;
  allOf: readonly SchemaNode[];
  anyOf: readonly SchemaNode[];
  oneOf: readonly SchemaNode[];
  not: SchemaNode | undefined;
  /** `x-kubernetes-preserve-unknown-fields`; undefined if absent. */
  preserveUnknownFields: boolean | undefined;
  embeddedResource: boolean;
  intOrString: boolean;
  listType: string | undefined;
  listMapKeys: readonly string[];
  mapType: string | undefined;
  rules: readonly ValidationRule[];
  /** The names of all keywords with a non-empty value, for checks of their places. */
  given: ReadonlySet<string>;
}

/** One entry of `x-kubernetes-validations`; absent texts are `''`. */
export interface ValidationRule {
  rule: string;
  message: string;
  messageExpression: string;
  reason: string | undefined;
  fieldPath: string;
  optionalOldSelf: boolean | undefined;
}

/** The defaults of an absent schema. */
export const emptyNode: SchemaNode = {
  type: '',
  format: '',
  nullable: false,
  default: undefined,
  properties: new Map(),
  additionalProperties: undefined,
  items: undefined,
  required: [],
  enum: [],
  minimum: undefined,
  maximum: undefined,
  exclusiveMinimum: false,
  exclusiveMaximum: false,
  multipleOf: undefined,
  minLength: undefined,
  maxLength: undefined,
  pattern: '',
  minItems: undefined,
  maxItems: undefined,
  minProperties: undefined,
  maxProperties: undefined,
  allOf: [],
  anyOf: [],
  oneOf: [],
  not: undefined,
  preserveUnknownFields: undefined,
  embeddedResource: false,
  intOrString: false,
  listType: undefined,
  listMapKeys: [],
  mapType: undefined,
  rules: [],
  given: new Set(),
};
