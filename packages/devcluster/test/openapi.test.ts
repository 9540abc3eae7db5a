import { describe, expect, it } from 'vitest';

import type { JsonObject } from '../src/json.ts';
import { dig, entriesAt, listAt, textAt } from '../src/json.ts';
import type { Client } from './support.ts';
import { CRDS, start, startWithWidgets, widgetCrd } from './support.ts';

/** A schema of a document, by the end of its name. */
async function schema({ get }: Client, path: string, kind: string): Promise<JsonObject> {
  const { body } = await get(`/openapi/v3/${path}`);
  const found = entriesAt(body, 'components', 'schemas').find(([name]) => name.endsWith(`.${kind}`));
  return found?.[1] as JsonObject;
}

describe('/openapi/v3', () => {
  it('names a document for each group and version, under an address that changes with it', async () => {
    const client = await startWithWidgets();
    const address = async (place: string): Promise<string> =>
      textAt((await client.get('/openapi/v3')).body, 'paths', place, 'serverRelativeURL');
    const [core, own] = [await address('api/v1'), await address('apis/example.dev/v1')];
    expect([core, own]).toEqual([
      expect.stringMatching(/^\/openapi\/v3\/api\/v1\?hash=[0-9A-F]{128}$/),
      expect.stringMatching(/^\/openapi\/v3\/apis\/example\.dev\/v1\?hash=/),
    ]);
    expect((await client.get(own)).body.openapi).toBe('3.0.0');
    const columns = [{ op: 'remove', path: '/spec/versions/0/additionalPrinterColumns' }];
    const described = { op: 'add', path: '/spec/versions/0/schema/openAPIV3Schema/description', value: 'a' };
    const type = 'application/json-patch+json';
    const crd = `${CRDS}/widgets.example.dev`;
    await client.ask('PATCH', crd, { body: columns, type });
    expect(await address('apis/example.dev/v1')).toBe(own);
    await client.ask('PATCH', crd, { body: [described], type });
    expect(await address('apis/example.dev/v1')).not.toBe(own);
    expect(await address('api/v1')).toBe(core);
    await client.remove(crd);
    expect((await client.get('/openapi/v3/apis/example.dev/v1')).code).toBe(404);
  });

  it('describes built-in kinds, how their lists merge, and their metadata', async () => {
    const client = await start();
    const map = await schema(client, 'api/v1', 'ConfigMap');
    expect(map['x-kubernetes-group-version-kind']).toEqual([{ group: '', version: 'v1', kind: 'ConfigMap' }]);
    expect(textAt(map, 'properties', 'data', 'description')).toContain('by key');
    expect(dig(map, 'properties', 'metadata', 'allOf')).toEqual([
      { $ref: '#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta' },
    ]);
    const account = await schema(client, 'api/v1', 'ServiceAccount');
    expect(dig(account, 'properties', 'secrets')).toMatchObject({
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-patch-merge-key': 'name',
      'x-kubernetes-patch-strategy': 'merge',
    });
    const binding = await schema(client, 'apis/rbac.authorization.k8s.io/v1', 'RoleBinding');
    expect(dig(binding, 'properties', 'subjects', 'items', 'description')).toBeUndefined();
    const meta = await schema(client, 'api/v1', 'ObjectMeta');
    expect(dig(meta, 'properties', 'finalizers', 'x-kubernetes-patch-strategy')).toBe('merge');
  });

  it('has every built-in kind with a text', async () => {
    const { get } = await start();
    const { body } = await get('/openapi/v3');
    for (const [place] of entriesAt(body, 'paths')) {
      const schemas = entriesAt((await get(`/openapi/v3/${place}`)).body, 'components', 'schemas');
      const silent = schemas.filter(([, each]) => textAt(each, 'description') === '').map(([name]) => name);
      expect(silent).toEqual([]);
    }
  });

  it('has the schema of a CRD as it is, besides what the server adds', async () => {
    const client = await start();
    const crd = widgetCrd();
    const declared = dig(listAt(crd, 'spec', 'versions')[0], 'schema', 'openAPIV3Schema') as JsonObject;
    await client.post(CRDS, crd);
    const widget = await schema(client, 'apis/example.dev/v1', 'Widget');
    expect(dig(widget, 'properties', 'spec')).toEqual(dig(declared, 'properties', 'spec'));
    expect(widget.required).toEqual(['spec']);
  });

  it('says which parameters and patches the server takes', async () => {
    const client = await startWithWidgets();
    const operation = async (document: string, path: string): Promise<JsonObject> =>
      dig((await client.get(`/openapi/v3/${document}`)).body, 'paths', path, 'patch') as JsonObject;
    const path = '/apis/example.dev/v1/namespaces/{namespace}/widgets/{name}';
    const patch = await operation('apis/example.dev/v1', path);
    expect(listAt(patch, 'parameters').map((each) => textAt(each, 'name'))).toEqual([
      ...['dryRun', 'fieldManager', 'fieldValidation', 'force'],
    ]);
    const types = (each: JsonObject): string[] =>
      entriesAt(each, 'requestBody', 'content').map(([type]) => type);
    expect(types(patch)).toHaveLength(3);
    expect(types(await operation('api/v1', '/api/v1/namespaces/{name}'))).toContain(
      'application/strategic-merge-patch+json',
    );
  });

  it('is JSON', async () => {
    const { get } = await start();
    const protobuf = 'application/com.github.proto-openapi.spec.v3@v1.0+protobuf';
    expect((await get('/openapi/v3', protobuf)).code).toBe(406);
    expect((await get('/openapi/v3', `${protobuf},application/json`)).code).toBe(200);
    expect((await get('/openapi/v3/nowhere')).code).toBe(404);
  });
});
