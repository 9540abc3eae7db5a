import { expect, it } from 'vitest';

import type { JsonObject } from '../src/json.ts';
import {
  configMap,
  CRDS,
  MAPS,
  names,
  start,
  startWithWidgets,
  version,
  widget,
  widgetCrd,
  WIDGETS,
} from './support.ts';

const owner = (name: string): JsonObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  name,
  uid: name,
  controller: true,
});

it.each<[string, JsonObject, string]>([
  [
    'two controllers',
    { ownerReferences: [owner('a'), owner('b')] },
    'Found "true" in references for a and b',
  ],
  [
    'an owner without a name',
    { ownerReferences: [{ ...owner('a'), name: '' }] },
    'metadata.ownerReferences[0].name: Invalid value: "": must not be empty',
  ],
  [
    'too much annotation',
    { annotations: { a: 'x'.repeat(256 * 1024) } },
    'metadata.annotations: Too long: may not be more than 262144 bytes',
  ],
  [
    'an annotation key that is none',
    { annotations: { 'a b': '' } },
    'metadata.annotations: Invalid value: "a b"',
  ],
  ['a label key that is none', { labels: { '/a': '' } }, 'prefix part must be non-empty'],
  [
    'a label value that is none',
    { labels: { a: 'b c' } },
    'metadata.labels: Invalid value: "b c": a valid label',
  ],
  ['a label too long', { labels: { a: 'b'.repeat(64) } }, 'must be no more than 63 bytes'],
  ['a finalizer that is none', { finalizers: ['a b'] }, 'metadata.finalizers[0]: Invalid value: "a b"'],
])('metadata with %s is refused', async (_what, metadata, why) => {
  const { post } = await start();
  const { code, body } = await post(MAPS, configMap('c', metadata));
  expect(code).toBe(422);
  expect(body.message).toContain(why);
});

it.each<[string, string, JsonObject, string]>([
  [
    'a TLS secret without its key',
    'secrets',
    { type: 'kubernetes.io/tls', data: { 'tls.crt': '' } },
    'data[tls.key]: Required value',
  ],
  [
    'a basic-auth secret with nothing',
    'secrets',
    { type: 'kubernetes.io/basic-auth' },
    'data[username]: Required value',
  ],
  [
    'a key that is no file name',
    'secrets',
    { data: { 'a/b': '' } },
    'data[a/b]: Invalid value: "a/b": a valid config key',
  ],
  ['a key that leads upwards', 'configmaps', { data: { '..': '' } }, "must not be '..'"],
  [
    'a key in both maps',
    'configmaps',
    { data: { a: '' }, binaryData: { a: '' } },
    'duplicate of key present in binaryData',
  ],
  [
    'more than a mebibyte of data',
    'configmaps',
    { data: { a: 'x'.repeat(1024 * 1024 + 1) } },
    'data: Too long',
  ],
  [
    'more than a mebibyte of decoded data',
    'secrets',
    { data: { a: Buffer.alloc(1024 * 1024 + 1).toString('base64') } },
    'data: Too long',
  ],
  [
    'an event about another namespace',
    'events',
    { involvedObject: { namespace: 'other' } },
    'involvedObject.namespace: Invalid value: "other": does not match event.namespace',
  ],
])('%s is refused', async (_what, plural, fields, why) => {
  const { post } = await start();
  const { code, body } = await post(`/api/v1/namespaces/default/${plural}`, {
    metadata: { name: 'a' },
    ...fields,
  });
  expect(code).toBe(422);
  expect(body.message).toContain(why);
});

it('a mebibyte of data is taken: what counts is what the base64 stands for', async () => {
  const { post } = await start();
  const data = { a: Buffer.alloc(1024 * 1024).toString('base64') };
  const { code } = await post('/api/v1/namespaces/default/secrets', { metadata: { name: 'a' }, data });
  expect(code).toBe(201);
});

it('a lease of no duration, or of less than no transitions, is refused', async () => {
  const { post } = await start();
  const { body } = await post('/apis/coordination.k8s.io/v1/namespaces/default/leases', {
    metadata: { name: 'l' },
    spec: { leaseDurationSeconds: 0, leaseTransitions: -1 },
  });
  expect(body.message).toContain('spec.leaseDurationSeconds: Invalid value: 0: must be greater than 0');
  expect(body.message).toContain('spec.leaseTransitions: Invalid value: -1');
});

it('an event about a cluster-wide object lies in default', async () => {
  const { post } = await start();
  const event = { metadata: { name: 'e' }, involvedObject: { kind: 'Namespace', name: 'default' } };
  expect((await post('/api/v1/namespaces/default/events', event)).code).toBe(201);
  expect((await post('/api/v1/namespaces/kube-system/events', event)).code).toBe(422);
});

it('an object to be created brings no resourceVersion', async () => {
  const { post } = await start();
  const { code, body } = await post(MAPS, configMap('a', { resourceVersion: '1' }));
  expect(code).toBe(500);
  expect(body.message).toBe('resourceVersion should not be set on objects to be created');
});

it('a page of a given version is a page of exactly that version', async () => {
  const { post, get } = await start();
  const first = await post(MAPS, configMap('a'));
  await post(MAPS, configMap('b'));
  const { body } = await get(`${MAPS}?limit=5&resourceVersion=${version(first)}`);
  expect(body).toMatchObject({ items: [{ metadata: { name: 'a' } }] });
  expect(body.items).toHaveLength(1);
});

it('a list of any version knows no pages', async () => {
  const { post, get } = await start();
  await post(MAPS, configMap('a'));
  await post(MAPS, configMap('b'));
  expect((await get(`${MAPS}?limit=1&resourceVersion=0`)).body.items).toHaveLength(2);
  expect((await get(`${MAPS}?limit=1`)).body.items).toHaveLength(1);
});

it('a watch from a version to come hears only what comes after it', async () => {
  const { post, watch } = await start();
  const now = Number(version(await post(MAPS, configMap('a'))));
  const seen = await watch(`${MAPS}?watch=true&resourceVersion=${now + 1}`);
  await post(MAPS, configMap('b'));
  await post(MAPS, configMap('c'));
  expect(await seen.take(1)).toEqual(['ADDED c']);
});

it('an object that leaves a selector is DELETED as it was, under the version of the change', async () => {
  const { post, merge, watch } = await startWithWidgets();
  await post(WIDGETS, widget('w', { size: 1 }, { labels: { on: '' } }));
  const seen = await watch(`${WIDGETS}?watch=true&labelSelector=on`);
  const left = await merge(`${WIDGETS}/w`, { metadata: { labels: null }, spec: { size: 2 } });
  await seen.next();
  expect(await seen.next()).toMatchObject({
    type: 'DELETED',
    object: { metadata: { labels: { on: '' }, resourceVersion: version(left) }, spec: { size: 1 } },
  });
});

it('a list of one namespace holds nothing of another', async () => {
  const { post, get } = await start();
  await post(MAPS, configMap('a'));
  await post('/api/v1/namespaces/kube-system/configmaps', configMap('b'));
  expect(names(await get(MAPS))).toEqual(['a']);
  expect(names(await get('/api/v1/configmaps'))).toEqual(['a', 'b']);
});

it('CRDs of different groups may have the same names', async () => {
  const { post } = await startWithWidgets();
  const crd = widgetCrd();
  const made = await post(CRDS, {
    ...crd,
    metadata: { name: 'widgets.other.dev' },
    spec: { ...(crd.spec as JsonObject), group: 'other.dev' },
  });
  expect(made.body).toMatchObject({ status: { conditions: [{ status: 'True' }, { status: 'True' }] } });
});

it('a table of another group is not ours to make', async () => {
  const { get } = await start();
  expect((await get(MAPS, 'application/json;as=Table;v=v1;g=other.dev')).code).toBe(406);
});
