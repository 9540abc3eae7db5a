import { describe, expect, it } from 'vitest';

import type { Client } from './support.ts';
import {
  configMap,
  MAPS,
  metadata,
  names,
  start,
  startWithWidgets,
  version,
  widget,
  WIDGETS,
} from './support.ts';

async function withMaps(labels: Record<string, Record<string, string>>): Promise<Client> {
  const client = await start();
  for (const [name, of] of Object.entries(labels)) await client.post(MAPS, configMap(name, { labels: of }));
  return client;
}

describe('label selectors', () => {
  const maps = { a: { tier: 'web', size: '3' }, b: { tier: 'db', size: '10' }, c: {}, d: { tier: '' } };

  it.each([
    ['tier=web', ['a']],
    ['tier==db', ['b']],
    ['tier!=web', ['b', 'c', 'd']],
    ['tier in (web, db)', ['a', 'b']],
    ['tier notin (web,db)', ['c', 'd']],
    ['tier', ['a', 'b', 'd']],
    ['!tier', ['c']],
    ['tier=', ['d']],
    ['size>3', ['b']],
    ['size<10', ['a']],
    ['tier in (web,db),size!=3', ['b']],
  ])('%s selects %j', async (selector, expected) => {
    const { get } = await withMaps(maps);
    expect(names(await get(`${MAPS}?labelSelector=${encodeURIComponent(selector)}`))).toEqual(expected);
  });

  it.each(['=x', 'a in b', 'a in (x', 'a b', 'a=b=c', '_bad=x', 'a>b'])('%s is refused', async (selector) => {
    const { get } = await start();
    const { code } = await get(`${MAPS}?labelSelector=${encodeURIComponent(selector)}`);
    expect(code).toBe(400);
  });
});

describe('field selectors', () => {
  it('select by name and namespace', async () => {
    const { get } = await withMaps({ a: {}, b: {} });
    expect(names(await get(`${MAPS}?fieldSelector=metadata.name%3Da`))).toEqual(['a']);
    expect(names(await get(`/api/v1/configmaps?fieldSelector=metadata.namespace!%3Ddefault`))).toEqual([]);
  });

  it('select events by what they are about', async () => {
    const { get, post } = await start();
    const event = (name: string, about: string): object => ({
      metadata: { name },
      involvedObject: { kind: 'Widget', name: about, namespace: 'default', uid: `uid-${about}` },
      reason: 'Testing',
    });
    await post('/api/v1/namespaces/default/events', event('e1', 'w1'));
    await post('/api/v1/namespaces/default/events', event('e2', 'w2'));
    const selector = 'involvedObject.kind=Widget,involvedObject.uid=uid-w2,reason=Testing';
    expect(names(await get(`/api/v1/events?fieldSelector=${encodeURIComponent(selector)}`))).toEqual(['e2']);
  });

  it('are refused where the resource does not know them', async () => {
    const { get } = await startWithWidgets();
    expect(await get(`${WIDGETS}?fieldSelector=spec.size%3D1`)).toMatchObject({
      code: 400,
      body: { message: 'field label not supported: spec.size' },
    });
    expect((await get(`${MAPS}?fieldSelector=constructor%3D1`)).code).toBe(400);
  });
});

describe('pages', () => {
  it('show the collection as it was at the first one', async () => {
    const { get, post, remove, merge } = await withMaps({ a: {}, b: {}, c: {}, d: {} });
    const first = await get(`${MAPS}?limit=2`);
    expect(names(first)).toEqual(['a', 'b']);
    expect(metadata(first.body).remainingItemCount).toBe(2);
    await remove(`${MAPS}/c`);
    await merge(`${MAPS}/d`, { data: { late: 'yes' } });
    await post(MAPS, configMap('e'));
    const second = await get(`${MAPS}?limit=2&continue=${metadata(first.body).continue as string}`);
    expect(names(second)).toEqual(['c', 'd']);
    expect(version(second)).toBe(version(first));
    expect(JSON.stringify(second.body.items)).not.toContain('late');
    expect(metadata(second.body)).not.toHaveProperty('continue');
  });

  it('end with 410 after compaction, with a token by which to go on regardless', async () => {
    const { get, post, cluster } = await withMaps({ a: {}, b: {}, c: {} });
    const first = await get(`${MAPS}?limit=2`);
    await post(MAPS, configMap('d'));
    cluster.compact();
    const { code, body } = await get(`${MAPS}?limit=2&continue=${metadata(first.body).continue as string}`);
    expect(code).toBe(410);
    expect(body.reason).toBe('Expired');
    const rest = await get(`${MAPS}?continue=${metadata(body).continue as string}`);
    expect(names(rest)).toEqual(['c', 'd']);
  });

  it('refuse a token that is none', async () => {
    const { get } = await start();
    expect((await get(`${MAPS}?continue=xyz`)).code).toBe(400);
  });
});

describe('resourceVersion', () => {
  it('lists the past exactly when asked to', async () => {
    const { get, post } = await withMaps({ a: {} });
    const then = version(await get(MAPS));
    await post(MAPS, configMap('b'));
    const path = `${MAPS}?resourceVersion=${then}&resourceVersionMatch=`;
    expect(names(await get(`${path}Exact`))).toEqual(['a']);
    expect(names(await get(`${path}NotOlderThan`))).toEqual(['a', 'b']);
    expect(names(await get(`${MAPS}?resourceVersion=0`))).toEqual(['a', 'b']);
  });

  it('answers 410 for a past that is forgotten', async () => {
    const { get, post, cluster } = await withMaps({ a: {} });
    const then = version(await get(MAPS));
    await post(MAPS, configMap('b'));
    cluster.compact();
    const { code, body } = await get(`${MAPS}?resourceVersion=${then}&resourceVersionMatch=Exact`);
    expect(code).toBe(410);
    expect(body.message).toBe('The resourceVersion for the provided list is too old.');
  });

  it('answers 504 for a future one, in words that clients know', async () => {
    const { get } = await withMaps({ a: {} });
    for (const path of [`${MAPS}?resourceVersion=999999`, `${MAPS}/a?resourceVersion=999999`]) {
      const { code, body } = await get(path);
      expect(code).toBe(504);
      expect(body.message).toMatch(/Too large resource version: 999999, current: \d+$/);
    }
  });

  it.each([
    ['resourceVersionMatch=Exact', 'is forbidden unless resourceVersion is provided'],
    ['resourceVersionMatch=Exact&resourceVersion=0', 'is forbidden for resourceVersion "0"'],
    ['resourceVersionMatch=Nearly&resourceVersion=1', 'Unsupported value: "Nearly"'],
    ['sendInitialEvents=true', 'sendInitialEvents is forbidden for list'],
  ])('refuses %s', async (query, why) => {
    const { get } = await start();
    const { code, body } = await get(`${MAPS}?${query}`);
    expect(code).toBe(422);
    expect(body.message).toContain(why);
  });

  it('refuses a version that is not a number', async () => {
    const { get } = await start();
    expect((await get(`${MAPS}?resourceVersion=abc`)).code).toBe(400);
    for (const path of [`${MAPS}/a?resourceVersion=abc`, `${MAPS}?watch=1&resourceVersion=abc`])
      expect(await get(path)).toMatchObject({
        code: 500,
        body: {
          message: 'resourceVersion: Invalid value: "abc": strconv.ParseUint: parsing "abc": invalid syntax',
        },
      });
    expect((await get(`${MAPS}?limit=abc`)).code).toBe(400);
  });
});

describe('tables', () => {
  const TABLE = 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json';

  it('show custom resources by their printer columns', async () => {
    const at = Date.parse('2026-01-01T00:00:00Z');
    const { get, post, merge } = await startWithWidgets({ now: () => at });
    await post(WIDGETS, widget('w', { size: 4 }));
    await merge(`${WIDGETS}/w/status`, { status: { since: '2025-12-31T23:00:00Z' } });
    const { body } = await get(WIDGETS, TABLE);
    expect(body).toMatchObject({
      kind: 'Table',
      apiVersion: 'meta.k8s.io/v1',
      columnDefinitions: [
        { name: 'Name' },
        { name: 'Size', type: 'integer' },
        { name: 'Since' },
        { name: 'Colour', priority: 1 },
      ],
      rows: [
        {
          cells: ['w', 4, '60m', 'red'],
          object: { kind: 'PartialObjectMetadata', metadata: { name: 'w' } },
        },
      ],
    });
    const full = await get(`${WIDGETS}/w?includeObject=Object`, TABLE);
    expect(full.body).toMatchObject({ rows: [{ object: { kind: 'Widget', spec: { size: 4 } } }] });
    expect((await get(`${WIDGETS}?includeObject=Most`, TABLE)).code).toBe(400);
  });

  it('show built-in kinds as kubectl knows them', async () => {
    const { get, post } = await start();
    await post('/api/v1/namespaces/default/secrets', { metadata: { name: 's' }, stringData: { a: 'b' } });
    const { body } = await get('/api/v1/secrets', TABLE);
    expect(body).toMatchObject({
      columnDefinitions: [{ name: 'Name' }, { name: 'Type' }, { name: 'Data' }, { name: 'Age' }],
      rows: [{ cells: ['s', 'Opaque', 1, expect.stringMatching(/^\d+s$/)] }],
    });
  });

  it('give way to JSON or to metadata alone, as the Accept header says', async () => {
    const { get } = await withMaps({ a: {} });
    const partial = 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io';
    expect((await get(MAPS, partial)).body.kind).toBe('PartialObjectMetadataList');
    expect((await get(MAPS, 'application/vnd.kubernetes.protobuf,application/json')).body.kind).toBe(
      'ConfigMapList',
    );
    expect((await get(MAPS, 'text/html')).code).toBe(406);
  });
});
