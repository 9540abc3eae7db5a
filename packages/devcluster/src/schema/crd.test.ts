import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../json.ts';
import { validateCrd } from './crd.ts';

const goodSchema: JsonObject = { type: 'object', properties: { spec: { type: 'object' } } };

/** A CRD that is valid except for these fields. */
function crd(given: { spec?: JsonObject; version?: JsonObject; schema?: Json; name?: string }): JsonObject {
  const version = {
    name: 'v1',
    served: true,
    storage: true,
    schema: { openAPIV3Schema: given.schema ?? goodSchema },
    ...given.version,
  };
  return {
    metadata: { name: given.name ?? 'things.x.dev' },
    spec: {
      group: 'x.dev',
      scope: 'Namespaced',
      names: { plural: 'things', singular: 'thing', kind: 'Thing', listKind: 'ThingList' },
      versions: [version],
      ...given.spec,
    },
  };
}

function check(given: Parameters<typeof crd>[0]): string[] {
  return validateCrd(crd(given)).map(({ field, message }) => `${field}: ${message}`);
}

/** The causes for a schema of `spec`, with the path below it. */
function checkSpec(schema: JsonObject): string[] {
  const at = 'spec.validation.openAPIV3Schema.properties[spec]';
  return check({ schema: { type: 'object', properties: { spec: schema } } }).map((text) =>
    text.replaceAll(at, '@'),
  );
}

describe('validateCrd', () => {
  it('takes a definition that is in order', () => {
    expect(check({})).toEqual([]);
  });

  it('asks for what is missing', () => {
    expect(validateCrd({}).map(({ field }) => field)).toEqual(['spec']);
    expect(validateCrd({ spec: {} }).map(({ field, message }) => `${field}: ${message}`)).toEqual([
      'metadata.name: Required value: name or generateName is required',
      'spec.group: Required value',
      'spec.scope: Required value',
      'spec.versions: Invalid value: []: must have exactly one version marked as storage version',
      'spec.names.plural: Required value',
      'spec.names.kind: Required value',
    ]);
  });

  it('holds the name to plural and group', () => {
    expect(check({ name: 'thing.x.dev' })).toEqual([
      'metadata.name: Invalid value: "thing.x.dev": must be spec.names.plural+"."+spec.group',
    ]);
  });

  it('knows two scopes, and conversion by none', () => {
    expect(check({ spec: { scope: 'Global', conversion: { strategy: 'Webhook' } } })).toEqual([
      'spec.scope: Unsupported value: "Global": supported values: "Cluster", "Namespaced"',
      'spec.conversion.strategy: Unsupported value: "Webhook": supported values: "None"',
    ]);
  });

  it('wants one storage version, and each version once', () => {
    const version = { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: goodSchema } };
    expect(check({ spec: { versions: [version, version] } })).toEqual([
      'spec.versions: Invalid value: ["v1","v1"]: must contain unique version names',
      'spec.versions: Invalid value: ["v1","v1"]: must have exactly one version marked as storage version',
    ]);
  });

  it('holds names to DNS labels, kinds regardless of case', () => {
    const names = {
      plural: 'things',
      singular: 'T',
      kind: 'Some_Thing',
      listKind: 'ThingList',
      shortNames: ['t.g'],
    };
    expect(check({ spec: { names } }).map((text) => text.slice(0, text.indexOf('a DNS')))).toEqual([
      'spec.names.singular: Invalid value: "T": ',
      'spec.names.kind: Invalid value: "Some_Thing": may have mixed case, but should otherwise match: ',
      'spec.names.shortNames[0]: Invalid value: "t.g": ',
    ]);
  });

  it('checks printer columns', () => {
    const additionalPrinterColumns: Json = [
      { name: 'A', type: 'text', jsonPath: 'spec.a' },
      { type: 'date', jsonPath: '.a' },
    ];
    expect(check({ version: { additionalPrinterColumns } })).toEqual([
      'spec.additionalPrinterColumns[0].type: Invalid value: "text": must be one of boolean,date,integer,number,string',
      'spec.additionalPrinterColumns[0].JSONPath: Invalid value: "spec.a": must be a simple json path starting with .',
      'spec.additionalPrinterColumns[1].name: Required value',
    ]);
  });

  it('refuses what this server does not serve', () => {
    const version = { subresources: { scale: {} }, selectableFields: [{ jsonPath: '.spec.a' }] };
    expect(check({ version, spec: {} })).toEqual([
      'spec.versions[0].subresources.scale: Forbidden: the scale subresource is not supported by this server',
      'spec.versions[0].selectableFields: Forbidden: selectable fields are not supported by this server',
    ]);
  });

  it('names the version where the schemas differ', () => {
    const version = (name: string, schema: Json): JsonObject => {
      return { name, served: true, storage: name === 'v1', schema: { openAPIV3Schema: schema } };
    };
    const versions = [version('v1', goodSchema), version('v2', { type: 'string' })];
    expect(check({ spec: { versions } })).toEqual([
      'spec.versions[1].schema.openAPIV3Schema.type: Invalid value: "string": must be object at the root',
    ]);
    expect(
      check({
        spec: { versions: [version('v1', goodSchema), { name: 'v2', served: true, storage: false }] },
      }),
    ).toEqual(['spec.versions[1].schema.openAPIV3Schema: Required value: schemas are required']);
  });

  it('allows less at the root where the status is a subresource', () => {
    const [cause] = check({
      schema: { ...goodSchema, anyOf: [{}] },
      version: { subresources: { status: {} } },
    });
    expect(cause).toMatch(
      /openAPIV3Schema: Invalid value: "anyOf": only \[.*\] fields are allowed at the root/,
    );
  });

  it('reads a schema of wrong types without falling over', () => {
    expect(checkSpec({ type: 'string', maxLength: 'x', pattern: 1, enum: 'a' })).toEqual([
      '@.enum: Invalid value: "a": must be of type array',
      '@.maxLength: Invalid value: "x": must be of type integer',
      '@.pattern: Invalid value: 1: must be of type string',
    ]);
    expect(check({ schema: 'x' })[0]).toContain('must be of type object');
    let deep: JsonObject = { type: 'object' };
    for (let i = 0; i < 5_000; i += 1) deep = { type: 'object', properties: { a: deep } };
    expect(check({ schema: deep }).join()).toContain('schema nested too deeply');
  });
});

/** A schema of `spec`, and its errors. */
const schemas: [schema: JsonObject, ...causes: string[]][] = [
  [{}, '@.type: Required value: must not be empty for specified object fields'],
  [{ type: 'array' }, '@.items: Required value: must be specified'],
  [{ type: 'array', items: {} }, '@.items.type: Required value: must not be empty for specified array items'],
  [
    { type: 'int' },
    '@.type: Unsupported value: "int": supported values: "array", "boolean", "integer", "number", "object", "string"',
  ],
  [
    { type: 'string', anyOf: [{ type: 'string' }, { nullable: true, description: 'x' }] },
    '@.anyOf[0].type: Forbidden: must be empty to be structural',
    '@.anyOf[1].description: Forbidden: must be empty to be structural',
    '@.anyOf[1].nullable: Forbidden: must be false to be structural',
  ],
  [
    { type: 'object', oneOf: [{ properties: { a: { minimum: 1 } } }] },
    '@.properties[a]: Required value: because it is defined in @.oneOf[0].properties[a]',
  ],
  [{ 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }, { type: 'string' }] }],
  [
    {
      'x-kubernetes-int-or-string': true,
      allOf: [{ anyOf: [{ type: 'integer' }, { type: 'string' }] }, { pattern: 'a' }],
    },
  ],
  [
    { type: 'object', 'x-kubernetes-embedded-resource': true },
    '@.properties: Required value: must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields',
  ],
  [
    { type: 'string', pattern: '(' },
    '@.pattern: Invalid value: "(": must be a valid regular expression, but isn\'t: error parsing regexp: missing closing ): `(`',
  ],
  [
    { type: 'string', pattern: '(?=a)' },
    '@.pattern: Invalid value: "(?=a)": must be a valid regular expression, but isn\'t: error parsing regexp: invalid or unsupported Perl syntax: `(?=`',
  ],
  [
    { type: 'array', uniqueItems: true, items: { type: 'string' } },
    '@.uniqueItems: Forbidden: uniqueItems cannot be set to true since the runtime complexity becomes quadratic',
  ],
  [
    { type: 'object', properties: { a: { type: 'string' } }, additionalProperties: { type: 'string' } },
    '@.additionalProperties: Forbidden: additionalProperties and properties are mutual exclusive',
  ],
  [{ type: 'object', $ref: '#/x' }, '@.$ref: Forbidden: $ref is not supported'],
  [
    { type: 'array', items: [{ type: 'string' }] },
    '@.items: Required value: must be specified',
    '@.items: Forbidden: items must be a schema object and not an array',
  ],
  [
    { type: 'object', 'x-kubernetes-preserve-unknown-fields': false },
    '@.x-kubernetes-preserve-unknown-fields: Invalid value: false: must be true or undefined',
  ],
  [
    { type: 'string', default: 1 },
    '@.default: Invalid value: "integer":  in body must be of type string: "integer"',
  ],
  [{ type: 'object', default: { a: 1 } }, '@.default: Invalid value: {"a":1}: must not have unknown fields'],
  [
    { type: 'object', default: { a: 'x' }, properties: { a: { type: 'string', enum: ['y'] } } },
    '@.default.a: Unsupported value: "x": supported values: "y"',
  ],
  [
    { type: 'array', 'x-kubernetes-list-type': 'bag', items: { type: 'string' } },
    '@.x-kubernetes-list-type: Unsupported value: "bag": supported values: "atomic", "set", "map"',
  ],
  [
    { type: 'array', 'x-kubernetes-list-type': 'map', items: { type: 'object' } },
    '@.x-kubernetes-list-map-keys: Required value: must not be empty if x-kubernetes-list-type is map',
  ],
  [
    {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['a', 'b'],
      items: { type: 'object', properties: { a: { type: 'string' } } },
    },
    '@.items.properties[a].default: Required value: this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property',
    '@.x-kubernetes-list-map-keys: Invalid value: ["a","b"]: entries must all be names of item properties',
  ],
  [
    {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['a', 'b'],
      items: {
        type: 'object',
        required: ['a'],
        properties: { a: { type: 'string' }, b: { type: 'string', default: 'x' } },
      },
    },
  ],
  [
    { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'object' } },
    '@.items.x-kubernetes-map-type: Invalid value: null: must be atomic as item of a list with x-kubernetes-list-type=set',
  ],
  [
    { type: 'string', 'x-kubernetes-list-type': 'set' },
    '@.type: Invalid value: "string": must be array if x-kubernetes-list-type is specified',
  ],
  [
    { type: 'string', format: 'isbn' },
    '@.format: Invalid value: "isbn": this format is not supported by this server',
  ],
];

describe('the schema of a CRD', () => {
  it.each(schemas)('%j has these faults: %j', (schema, ...causes) => {
    expect(checkSpec(schema)).toEqual(causes);
  });

  it('may say of metadata only what concerns names', () => {
    const metadata = (fields: JsonObject): string[] =>
      check({ schema: { type: 'object', properties: { metadata: { type: 'object', properties: fields } } } });
    expect(metadata({ name: { type: 'string', maxLength: 10 } })).toEqual([]);
    expect(metadata({ labels: { type: 'object' } })).toEqual([
      'spec.validation.openAPIV3Schema.properties[metadata]: Forbidden: must not specify anything other than name and generateName, but metadata is implicitly specified',
    ]);
  });

  it('is an object', () => {
    expect(check({ schema: { type: 'object', nullable: true } })).toEqual([
      'spec.validation.openAPIV3Schema.nullable: Forbidden: nullable cannot be true at the root',
    ]);
  });
});
