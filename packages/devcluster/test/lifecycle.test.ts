import { describe, expect, it } from 'vitest';

import type { JsonObject } from '../src/json.ts';
import type { Answer } from './support.ts';
import {
  configMap,
  CRDS,
  crdVersion,
  MAPS,
  metadata,
  names,
  start,
  startWithWidgets,
  version,
  widget,
  widgetCrd,
  WIDGETS,
} from './support.ts';

const ownedBy = (owner: Answer, more: JsonObject = {}): JsonObject => ({
  ownerReferences: [
    {
      apiVersion: owner.body.apiVersion ?? '',
      kind: owner.body.kind ?? '',
      name: metadata(owner.body).name ?? '',
      uid: metadata(owner.body).uid ?? '',
      ...more,
    },
  ],
});

describe('the garbage collector', () => {
  it('deletes what an object owned, and what that owned', async () => {
    const { post, remove, watch } = await start();
    const owner = await post(MAPS, configMap('owner'));
    const child = await post(MAPS, configMap('child', ownedBy(owner)));
    await post(MAPS, configMap('grandchild', ownedBy(child)));
    const seen = await watch(`${MAPS}?watch=true&resourceVersion=${version(owner)}`);
    await remove(`${MAPS}/owner`);
    await seen.untilDeleted('grandchild');
  });

  it('deletes an object whose owner never was', async () => {
    const { post, watch } = await start();
    const owner = await post(MAPS, configMap('owner'));
    const seen = await watch(`${MAPS}?watch=true&resourceVersion=${version(owner)}`);
    await post(MAPS, configMap('child', ownedBy(owner, { uid: 'gone' })));
    await seen.untilDeleted('child');
  });

  it('keeps an object with another owner, and takes the reference off', async () => {
    const { post, remove, watch } = await start();
    const [first, second] = [await post(MAPS, configMap('first')), await post(MAPS, configMap('second'))];
    const owners = [first, second].flatMap((owner) => ownedBy(owner).ownerReferences as JsonObject[]);
    const child = await post(MAPS, configMap('child', { ownerReferences: owners }));
    const seen = await watch(`${MAPS}/child?watch=true&resourceVersion=${version(child)}`);
    await remove(`${MAPS}/first`);
    expect(await seen.next()).toMatchObject({
      type: 'MODIFIED',
      object: { metadata: { ownerReferences: [{ name: 'second' }] } },
    });
  });

  it('leaves alone what belongs to a kind it does not know', async () => {
    const { post, get, remove, watch } = await start();
    const owner = await post(MAPS, configMap('owner'));
    await post(MAPS, configMap('child', ownedBy(owner, { apiVersion: 'apps/v1', kind: 'Deployment' })));
    const other = await post(MAPS, configMap('other', ownedBy(owner)));
    const seen = await watch(`${MAPS}?watch=true&resourceVersion=${version(other)}`);
    await remove(`${MAPS}/owner`);
    await seen.untilDeleted('other');
    expect((await get(`${MAPS}/child`)).code).toBe(200);
  });

  it('in the foreground deletes the dependents first', async () => {
    const { post, remove, watch } = await start();
    const owner = await post(MAPS, configMap('owner'));
    await post(MAPS, configMap('child', ownedBy(owner, { blockOwnerDeletion: true })));
    const seen = await watch(`${MAPS}?watch=true&resourceVersion=${version(owner)}`);
    const { body } = await remove(`${MAPS}/owner`, { propagationPolicy: 'Foreground' });
    expect(metadata(body).finalizers).toEqual(['foregroundDeletion']);
    const events = await seen.untilDeleted('owner');
    const deleted = events.filter(({ type }) => type === 'DELETED');
    expect(deleted.map(({ object }) => metadata(object).name)).toEqual(['child', 'owner']);
  });

  it('lets an owner go when the dependent that held it no longer belongs to it', async () => {
    const { post, remove, merge, watch } = await start();
    const owner = await post(MAPS, configMap('owner'));
    const owned = ownedBy(owner, { blockOwnerDeletion: true });
    const child = await post(MAPS, configMap('child', { ...owned, finalizers: ['example.dev/hold'] }));
    const seen = await watch(`${MAPS}?watch=true&resourceVersion=${version(child)}`);
    await remove(`${MAPS}/owner`, { propagationPolicy: 'Foreground' });
    expect(await seen.take(2)).toEqual(['MODIFIED owner', 'MODIFIED child']);
    await merge(`${MAPS}/child`, { metadata: { ownerReferences: null } });
    await seen.untilDeleted('owner');
  });

  it('does not take an object of another namespace for an owner', async () => {
    const { post, watch } = await start();
    const owner = await post(MAPS, configMap('owner'));
    const elsewhere = '/api/v1/namespaces/kube-system/configmaps';
    const seen = await watch(`${elsewhere}?watch=true`);
    await post(elsewhere, configMap('child', ownedBy(owner)));
    await seen.untilDeleted('child');
  });

  it('orphans the dependents where asked to', async () => {
    const { post, remove, watch, get } = await start();
    const owner = await post(MAPS, configMap('owner'));
    await post(MAPS, configMap('child', ownedBy(owner)));
    const seen = await watch(`${MAPS}?watch=true&resourceVersion=${version(owner)}`);
    await remove(`${MAPS}/owner`, { propagationPolicy: 'Orphan' });
    await seen.untilDeleted('owner');
    const child = metadata((await get(`${MAPS}/child`)).body);
    expect(child.name).toBe('child');
    expect(child).not.toHaveProperty('ownerReferences');
  });
});

describe('namespaces', () => {
  it('exist from the start, and some cannot go', async () => {
    const { get, remove } = await start();
    expect(names(await get('/api/v1/namespaces'))).toEqual([
      'default',
      'kube-node-lease',
      'kube-public',
      'kube-system',
    ]);
    expect(await remove('/api/v1/namespaces/default')).toMatchObject({
      code: 403,
      body: { message: 'namespaces "default" is forbidden: this namespace may not be deleted' },
    });
  });

  it('take all they hold with them, and wait for its finalizers', async () => {
    const { post, remove, merge, watch } = await startWithWidgets();
    await post('/api/v1/namespaces', { metadata: { name: 'team' } });
    const within = '/apis/example.dev/v1/namespaces/team/widgets';
    await post('/api/v1/namespaces/team/configmaps', configMap('a'));
    await post(within, widget('held', { size: 1 }, { finalizers: ['example.dev/hold'] }));
    const [maps, widgets] = [
      await watch('/api/v1/namespaces/team/configmaps?watch=true'),
      await watch(`${within}?watch=true`),
    ];
    const namespaces = await watch('/api/v1/namespaces?watch=true&fieldSelector=metadata.name%3Dteam');
    const { body } = await remove('/api/v1/namespaces/team');
    expect(body).toMatchObject({ status: { phase: 'Terminating' } });
    await maps.untilDeleted('a');
    expect(await widgets.take(2)).toEqual(['ADDED held', 'MODIFIED held']);
    const late = await post('/api/v1/namespaces/team/configmaps', configMap('late'));
    expect(late).toMatchObject({
      code: 403,
      body: {
        message:
          'configmaps "late" is forbidden: unable to create new content in namespace team because it is being terminated',
        details: { causes: [{ reason: 'NamespaceTerminating' }] },
      },
    });
    await merge(`${within}/held`, { metadata: { finalizers: null } });
    await namespaces.untilDeleted('team');
  });
});

describe('CRDs', () => {
  it('are established and served at once', async () => {
    const { post, get } = await start();
    expect((await get(WIDGETS)).code).toBe(404);
    const { code, body } = await post(CRDS, widgetCrd());
    expect(code).toBe(201);
    expect(body).toMatchObject({
      spec: { names: { singular: 'widget', listKind: 'WidgetList' }, conversion: { strategy: 'None' } },
      status: {
        acceptedNames: { plural: 'widgets' },
        storedVersions: ['v1'],
        conditions: [
          { type: 'NamesAccepted', status: 'True' },
          { type: 'Established', status: 'True' },
        ],
      },
    });
    expect(await get(WIDGETS)).toMatchObject({ code: 200, body: { kind: 'WidgetList', items: [] } });
    expect((await get('/apis/example.dev/v1')).body).toMatchObject({
      resources: [{ name: 'widgets', shortNames: ['wi'], namespaced: true }, { name: 'widgets/status' }],
    });
  });

  it('that are not valid are refused with the field named', async () => {
    const { post } = await start();
    const { code, body } = await post(CRDS, widgetCrd([]));
    expect(code).toBe(422);
    expect(body.message).toMatch(/^CustomResourceDefinition\.apiextensions\.k8s\.io "widgets\.example\.dev"/);
    const crd = widgetCrd([
      {
        ...crdVersion('v1', true),
        additionalPrinterColumns: [{ name: 'X', type: 'string', jsonPath: '.a[1:2]' }],
      },
    ]);
    expect((await post(CRDS, crd)).body.message).toContain(
      'spec.versions[0].additionalPrinterColumns[0].jsonPath: Invalid value',
    );
  });

  it('of the same names wait until the others go', async () => {
    const { post, remove, watch } = await startWithWidgets();
    const other = widgetCrd();
    const names = { plural: 'gadgets', kind: 'Gadget', shortNames: ['wi'] };
    const made = await post(CRDS, {
      ...other,
      metadata: { name: 'gadgets.example.dev' },
      spec: { ...(other.spec as JsonObject), names },
    });
    expect(made.body).toMatchObject({
      status: {
        conditions: [
          { type: 'NamesAccepted', status: 'False', message: '"wi" is already in use' },
          { type: 'Established', status: 'False' },
        ],
      },
    });
    const seen = await watch(`${CRDS}/gadgets.example.dev?watch=true&resourceVersion=${version(made)}`);
    await remove(`${CRDS}/widgets.example.dev`);
    expect(JSON.stringify((await seen.next())?.object.status)).toContain('"status":"True"');
  });

  it('take their instances with them, and watches end', async () => {
    const { post, remove, watch, get } = await startWithWidgets();
    await post(WIDGETS, widget('w'));
    const widgets = await watch(`${WIDGETS}?watch=true`);
    const crds = await watch(`${CRDS}?watch=true`);
    await remove(`${CRDS}/widgets.example.dev`);
    await widgets.untilDeleted('w');
    await crds.untilDeleted('widgets.example.dev');
    expect(await widgets.next()).toBeUndefined();
    expect((await get(WIDGETS)).code).toBe(404);
    expect((await get('/apis/example.dev')).code).toBe(404);
  });

  it('that are being deleted take no new instances', async () => {
    const { post, remove } = await startWithWidgets();
    await post(WIDGETS, widget('held', { size: 1 }, { finalizers: ['example.dev/hold'] }));
    await remove(`${CRDS}/widgets.example.dev`);
    expect(await post(WIDGETS, widget('late'))).toMatchObject({
      code: 405,
      body: { message: 'create not allowed while custom resource definition is terminating' },
    });
  });

  it('serve every version of one stored object', async () => {
    const { post, get, watch } = await start();
    await post(CRDS, widgetCrd([crdVersion('v1', true), crdVersion('v2beta1', false)]));
    const path = '/apis/example.dev/v2beta1/namespaces/default/widgets';
    const made = await post(path, { ...widget('w'), apiVersion: 'example.dev/v2beta1' });
    expect(made.body.apiVersion).toBe('example.dev/v2beta1');
    expect((await get(`${WIDGETS}/w`)).body.apiVersion).toBe('example.dev/v1');
    expect((await get(path)).body).toMatchObject({ items: [{ apiVersion: 'example.dev/v2beta1' }] });
    const seen = await watch(`${path}?watch=true`);
    expect((await seen.next())?.object.apiVersion).toBe('example.dev/v2beta1');
    expect((await get('/apis/example.dev')).body).toMatchObject({ preferredVersion: { version: 'v1' } });
  });

  it('may change their schema, but not their scope', async () => {
    const { post, merge, get } = await startWithWidgets();
    const loose = crdVersion('v1', true);
    const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
    expect((await post(WIDGETS, widget('a', { size: 0 }))).code).toBe(422);
    const changed = await merge(`${CRDS}/widgets.example.dev`, {
      spec: { versions: [{ ...loose, schema }] },
    });
    expect(metadata(changed.body).generation).toBe(2);
    expect((await post(WIDGETS, widget('a', { size: 0, odd: true }))).code).toBe(201);
    const moved = await merge(`${CRDS}/widgets.example.dev`, { spec: { scope: 'Cluster' } });
    expect(moved.code).toBe(422);
    expect(moved.body.message).toContain('spec.scope: Invalid value: "Cluster": field is immutable');
    expect((await get(WIDGETS)).code).toBe(200);
  });
});
