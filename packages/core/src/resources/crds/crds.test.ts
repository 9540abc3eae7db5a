import { describe, expect, it } from 'vitest';
import { EVENT_KINDS, SINK_TYPES } from '../kinds.ts';
import { crds } from './crds.ts';
import type { Schema } from './schema.ts';

const GROUP = 'sleep.example.com';
const all = crds(GROUP, { withPlans: true });

const schemaOf = (kind: string): Schema => {
  const found = all.find((crd) => crd.spec.names.kind === kind)?.spec.versions[0]?.schema.openAPIV3Schema;
  if (found === undefined) throw new Error(`no ${kind}`);
  return found;
};

/** The schema at a path of field names; `[]` goes into a list's items. */
const at = (schema: Schema | undefined, path: string): Schema => {
  const found = path
    .split('.')
    .reduce((inner, step) => (step === '[]' ? inner?.items : inner?.properties?.[step]), schema);
  if (found === undefined) throw new Error(`nothing at ${path}`);
  return found;
};

/** Every schema inside, with its path. */
function* walk(schema: Schema, path: string): Generator<[string, Schema]> {
  yield [path, schema];
  for (const [name, inner] of Object.entries(schema.properties ?? {})) yield* walk(inner, `${path}.${name}`);
  if (schema.items !== undefined) yield* walk(schema.items, `${path}[]`);
  if (schema.additionalProperties !== undefined) yield* walk(schema.additionalProperties, `${path}{}`);
}

const fields = all.flatMap((crd) => [...walk(schemaOf(crd.spec.names.kind), crd.spec.names.kind)]);
const own = fields.filter(([path]) => !/^\w+(\.(metadata|apiVersion|kind))?$/.test(path));

const where = (test: (schema: Schema) => boolean): string[] =>
  own.filter(([, schema]) => test(schema)).map(([path]) => path);

describe('the CRDs', () => {
  it('are hnotif’s own alone unless plans are asked for', () => {
    expect(crds(GROUP, { withPlans: false }).map((crd) => crd.metadata.name)).toEqual([
      'hibernatenotifications.sleep.example.com',
      'hibernatenotificationjournals.sleep.example.com',
    ]);
    expect(all.map((crd) => crd.metadata.name)).toEqual([
      'hibernatenotifications.sleep.example.com',
      'hibernatenotificationjournals.sleep.example.com',
      'hibernateplans.sleep.example.com',
      'cloudproviders.sleep.example.com',
      'k8sclusters.sleep.example.com',
    ]);
  });

  it('have the API server keep one owner for a whole journal', () => {
    expect(where((schema) => schema['x-kubernetes-map-type'] === 'atomic')).toEqual([
      'HibernateNotificationJournal.spec',
    ]);
  });

  it('give notifications a short name of their own', () => {
    expect(all[0]?.spec.names.shortNames).toEqual(['hnotif', 'hnote']);
  });

  it('have consistent names, one stored version and, but for the journal, a status of its own', () => {
    for (const { metadata, spec } of all) {
      const subresources = spec.names.kind.endsWith('Journal') ? undefined : { status: {} };
      expect(metadata.name).toBe(`${spec.names.plural}.${spec.group}`);
      expect(spec).toMatchObject({
        group: GROUP,
        scope: 'Namespaced',
        names: { listKind: `${spec.names.kind}List`, singular: spec.names.kind.toLowerCase() },
        versions: [{ name: 'v1alpha1', served: true, storage: true }],
      });
      expect(spec.versions.map((version) => version.subresources)).toEqual([subresources]);
    }
  });

  it('describe every field, for kubectl explain', () => {
    expect(where((schema) => (schema.description ?? '') === '')).toEqual([]);
  });

  it('have an upper bound for every list, map and text, so that rules have a price', () => {
    expect(where((schema) => schema.type === 'array' && schema.maxItems === undefined)).toEqual([]);
    expect(
      where((schema) => schema.additionalProperties !== undefined && schema.maxProperties === undefined),
    ).toEqual([]);
    expect(
      where(
        (schema) =>
          schema.type === 'string' && schema.format !== 'date-time' && schema.maxLength === undefined,
      ),
    ).toEqual([]);
  });

  it('are structural: required fields and list keys exist, keys are required, defaults are allowed', () => {
    for (const [path, schema] of fields) {
      const names = Object.keys(schema.properties ?? {});
      expect(names, path).toEqual(expect.arrayContaining([...(schema.required ?? [])]));
      const keys = schema['x-kubernetes-list-map-keys'];
      if (schema['x-kubernetes-list-type'] === 'map') {
        expect(keys, path).toHaveLength(1);
        expect(schema.items?.required, path).toEqual(expect.arrayContaining([...(keys ?? [])]));
      } else expect(keys, path).toBeUndefined();
      if (schema['x-kubernetes-list-type'] === 'set') expect(schema.items?.type, path).toBe('string');
      if (schema.default !== undefined && schema.enum !== undefined)
        expect(schema.enum, path).toContain(schema.default);
      if (schema.pattern !== undefined && schema.default !== undefined)
        expect(String(schema.default), path).toMatch(new RegExp(schema.pattern));
    }
  });

  it('show columns that point at fields', () => {
    for (const crd of all) {
      const [version] = crd.spec.versions;
      for (const { jsonPath } of version?.additionalPrinterColumns ?? []) {
        const [, root = '', first = ''] = jsonPath.split(/[.[]/);
        if (root !== 'metadata')
          expect(at(version?.schema.openAPIV3Schema, `${root}.${first}`), jsonPath).toBeDefined();
      }
    }
    const columns = (kind: string) =>
      all
        .find((crd) => crd.spec.names.kind === kind)
        ?.spec.versions[0]?.additionalPrinterColumns.map((column) => column.name);
    expect(columns('HibernateNotification')).toEqual([
      ...['Matched', 'Ready', 'Reason', 'Waiting', 'Age'],
      ...['Observed', 'Durable', 'Message'],
    ]);
    expect(columns('HibernatePlan')).toEqual(['Phase', 'Operation', 'Cycle', 'Retries', 'Age']);
  });
});

describe('the plan’s schema', () => {
  it.each([
    'spec.targets',
    'spec.execution.strategy.dependencies',
    'spec.execution.strategy.stages.[].targets',
    'status.executions',
    'status.executionHistory.[].shutdownExecution.targetResults',
    'status.executionHistory.[].wakeupExecution.targetResults',
  ])('has room for ten thousand at %s', (path) => {
    expect(at(schemaOf('HibernatePlan'), path).maxItems).toBe(10_000);
  });
});

describe('the notification’s schema', () => {
  const spec = at(schemaOf('HibernateNotification'), 'spec');

  it('asks for a selector with matchLabels, at least one known event, at least one sink', () => {
    expect(spec.required).toEqual(['selector', 'onEvents', 'sinks']);
    expect(at(spec, 'selector').required).toEqual(['matchLabels']);
    expect(at(spec, 'onEvents')).toMatchObject({
      minItems: 1,
      'x-kubernetes-list-type': 'set',
      items: { enum: EVENT_KINDS },
    });
    expect(at(spec, 'sinks')).toMatchObject({
      minItems: 1,
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
      items: { required: ['name', 'type', 'secretRef'] },
    });
    expect(at(spec, 'sinks.[].type').enum).toEqual(SINK_TYPES);
    expect(at(spec, 'sinks.[].templateRef.key').default).toBe('template.gotpl');
  });

  it.each([
    ['sinks.[].name', ['ops', 'a', 'team-a-2'], ['Ops', '-ops', 'ops-', 'a.b', 'a b', '']],
    ['sinks.[].secretRef.name', ['hook', 'hook.prod-1'], ['Hook', 'hook.', '.hook', 'a/b', '']],
    ['sinks.[].templateRef.key', ['template.gotpl', 'A_b-1'], ['a/b', 'a b', '']],
    [
      'selector.matchExpressions.[].key',
      ['team', 'example.com/Team_1', 'a'],
      ['-team', '/team', 'a/b/c', 'A.com/x', ''],
    ],
    ['selector.matchExpressions.[].values.[]', ['', 'a', 'A-b_c.1'], ['-a', 'a-', 'a b']],
  ])('takes for %s names as Kubernetes has them', (path, good, bad) => {
    const pattern = new RegExp(at(spec, path).pattern ?? 'none');
    expect(good.filter((one) => !pattern.test(one))).toEqual([]);
    expect(bad.filter((one) => pattern.test(one))).toEqual([]);
  });
});
