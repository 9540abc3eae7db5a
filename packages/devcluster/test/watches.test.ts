import { once } from 'node:events';
import { connect } from 'node:net';

import { describe, expect, it } from 'vitest';

import type { Client } from './support.ts';
import { configMap, MAPS, metadata, start, startWithWidgets, version, widget, WIDGETS } from './support.ts';

/** The present version of the list, from which a watch continues. */
const here = async ({ get }: Client): Promise<string> => version(await get(MAPS));

describe('a watch', () => {
  it('tells what happens after its version, in order', async () => {
    const client = await start();
    await client.post(MAPS, configMap('before'));
    const watch = await client.watch(`${MAPS}?watch=true&resourceVersion=${await here(client)}`);
    await client.post(MAPS, configMap('a'));
    await client.merge(`${MAPS}/a`, { data: { x: 'y' } });
    await client.remove(`${MAPS}/a`);
    expect(await watch.take(3)).toEqual(['ADDED a', 'MODIFIED a', 'DELETED a']);
  });

  it('tells again what it missed', async () => {
    const client = await start();
    const from = await here(client);
    await client.post(MAPS, configMap('a'));
    await client.remove(`${MAPS}/a`);
    const watch = await client.watch(`${MAPS}?watch=1&resourceVersion=${from}`);
    expect(await watch.take(2)).toEqual(['ADDED a', 'DELETED a']);
  });

  it.each(['', '&resourceVersion=0'])('without a version (%j) begins with what there is', async (query) => {
    const client = await start();
    await client.post(MAPS, configMap('a'));
    await client.post(MAPS, configMap('b'));
    const watch = await client.watch(`${MAPS}?watch=true${query}`);
    await client.post(MAPS, configMap('c'));
    expect(await watch.take(3)).toEqual(['ADDED a', 'ADDED b', 'ADDED c']);
  });

  it('sees a deletion under a version of its own', async () => {
    const client = await start();
    const made = await client.post(MAPS, configMap('a'));
    const watch = await client.watch(`${MAPS}?watch=true&resourceVersion=${version(made)}`);
    await client.remove(`${MAPS}/a`);
    const event = await watch.next();
    expect(Number(event && metadata(event.object).resourceVersion)).toBeGreaterThan(Number(version(made)));
  });

  it('with a selector sees objects come and go as they are selected', async () => {
    const client = await start();
    const from = await here(client);
    const path = `${MAPS}?watch=true&labelSelector=on&resourceVersion=${from}`;
    const live = await client.watch(path);
    await client.post(MAPS, configMap('a'));
    await client.merge(`${MAPS}/a`, { metadata: { labels: { on: 'yes' } } });
    await client.merge(`${MAPS}/a`, { data: { x: 'y' } });
    await client.merge(`${MAPS}/a`, { metadata: { labels: null } });
    await client.remove(`${MAPS}/a`);
    await client.post(MAPS, configMap('end', { labels: { on: '' } }));
    const expected = ['ADDED a', 'MODIFIED a', 'DELETED a', 'ADDED end'];
    expect(await live.take(4)).toEqual(expected);
    expect(await (await client.watch(path)).take(4)).toEqual(expected);
  });

  it('of one namespace sees no other', async () => {
    const client = await start();
    const watch = await client.watch(`/api/v1/namespaces/kube-system/configmaps?watch=true`);
    await client.post(MAPS, configMap('a'));
    await client.post('/api/v1/namespaces/kube-system/configmaps', configMap('b'));
    expect(await watch.take(1)).toEqual(['ADDED b']);
  });

  it('of one object by its path sees no other', async () => {
    const client = await start();
    const watch = await client.watch(`${MAPS}/b?watch=true`);
    await client.post(MAPS, configMap('a'));
    await client.post(MAPS, configMap('b'));
    expect(await watch.take(1)).toEqual(['ADDED b']);
  });

  it('from a forgotten version gets an ERROR event of code 410, and ends', async () => {
    const client = await start();
    const from = await here(client);
    await client.post(MAPS, configMap('a'));
    client.cluster.compact();
    const watch = await client.watch(`${MAPS}?watch=true&resourceVersion=${from}`);
    expect(watch.response.status).toBe(200);
    const event = await watch.next();
    expect(event).toMatchObject({ type: 'ERROR', object: { code: 410, reason: 'Expired' } });
    expect(event?.object.message).toMatch(/^too old resource version: \d+ \(\d+\)$/);
    expect(await watch.next()).toBeUndefined();
  });

  it('from before a restore of a backup gets 410; the objects are as they were, and new versions are higher', async () => {
    const client = await start();
    const kept = await client.post(MAPS, configMap('a'));
    const restore = client.cluster.backup();
    await client.post(MAPS, configMap('b'));
    const from = await here(client);
    await restore();
    // The client notices with its next request that its connection was cut.
    await expect.poll(() => client.get(MAPS)).toMatchObject({ code: 200 });
    const watch = await client.watch(`${MAPS}?watch=true&resourceVersion=${from}`);
    expect(await watch.next()).toMatchObject({ type: 'ERROR', object: { code: 410 } });
    const { items } = (await client.get(MAPS)).body as { items: { metadata: object }[] };
    expect(items.map(({ metadata }) => metadata)).toEqual([(kept.body as { metadata: object }).metadata]);
    expect(Number(await here(client))).toBeGreaterThan(Number(from));
  });

  it('goes on from the version at which all was forgotten', async () => {
    const client = await start();
    client.cluster.compact();
    const watch = await client.watch(`${MAPS}?watch=true&resourceVersion=${await here(client)}`);
    await client.post(MAPS, configMap('a'));
    expect(await watch.take(1)).toEqual(['ADDED a']);
  });

  it('ends after timeoutSeconds, with a bookmark of the latest version', async () => {
    const client = await start();
    const watch = await client.watch(`${MAPS}?watch=true&timeoutSeconds=1&allowWatchBookmarks=true`);
    await client.post('/api/v1/namespaces', { metadata: { name: 'elsewhere' } });
    const event = await watch.next();
    expect(event).toMatchObject({
      type: 'BOOKMARK',
      object: { kind: 'ConfigMap', apiVersion: 'v1', metadata: { resourceVersion: await here(client) } },
    });
    expect(await watch.next()).toBeUndefined();
  });

  it('gets bookmarks in between only where it asked for them', async () => {
    const client = await start({ watch: { bookmarkMs: 5 } });
    const asked = await client.watch(`${MAPS}?watch=true&allowWatchBookmarks=true`);
    const plain = await client.watch(`${MAPS}?watch=true`);
    expect((await asked.next())?.type).toBe('BOOKMARK');
    expect((await asked.next())?.type).toBe('BOOKMARK');
    await client.post(MAPS, configMap('a'));
    expect((await plain.next())?.type).toBe('ADDED');
  });

  it('refuses sendInitialEvents as a server without WatchList does', async () => {
    const { get } = await start();
    const query = 'watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan';
    const { code, body } = await get(`${MAPS}?${query}`);
    expect(code).toBe(422);
    expect(body.message).toContain('unless the WatchList feature gate is enabled');
  });

  it('shows rows where a table was asked for', async () => {
    const client = await startWithWidgets();
    const watch = await client.watch(`${WIDGETS}?watch=true`, 'application/json;as=Table;v=v1;g=meta.k8s.io');
    await client.post(WIDGETS, widget('w', { size: 7 }));
    expect(await watch.next()).toMatchObject({
      type: 'ADDED',
      object: { kind: 'Table', rows: [{ cells: ['w', 7, null, 'red'] }] },
    });
  });

  it('is counted while it is open', async () => {
    const client = await start();
    const watch = await client.watch(`${MAPS}?watch=true`);
    expect(client.cluster.stats().watchers).toBe(1);
    const marker = await client.watch(`${MAPS}?watch=true&timeoutSeconds=1`);
    await watch.cancel();
    expect(await marker.next()).toBeUndefined();
    expect(client.cluster.stats().watchers).toBe(0);
  });
});

describe('who looks', () => {
  it('is told of by each list and each watch that is opened, not by one whose past is forgotten', async () => {
    const looks: string[] = [];
    const client = await start({
      onLook: ({ verb, resource }) => looks.push(`${verb} ${resource}`),
    });
    await client.get(MAPS);
    await client.post(MAPS, configMap('a'));
    const watch = await client.watch(`${MAPS}?watch=true`);
    client.cluster.compact();
    const late = await client.watch(`${MAPS}?watch=true&resourceVersion=1`);
    expect(await late.next()).toMatchObject({ type: 'ERROR' });
    await watch.cancel();
    expect(looks).toEqual(['list configmaps', 'watch configmaps']);
  });
});

describe('memory', () => {
  it('of the past is bounded by count and by bytes', async () => {
    const few = await start({ history: { changes: 10 } });
    for (let i = 0; i < 30; i++) await few.post(MAPS, configMap(`a${i}`));
    expect(few.cluster.stats().history).toBe(10);
    const small = await start({ history: { bytes: 5000 } });
    for (let i = 0; i < 30; i++) await small.post(MAPS, configMap(`a${i}`));
    expect(small.cluster.stats().bytes).toBeLessThanOrEqual(5000);
    expect(small.cluster.stats().history).toBeGreaterThan(1);
  });

  it('is not filled by a watcher that does not read: it is cut off', async () => {
    const client = await start({ watch: { maxBacklog: 64 * 1024 } });
    const socket = connect(client.cluster.port, '127.0.0.1');
    socket.write(`GET ${MAPS}?watch=true HTTP/1.1\r\nhost: x\r\n\r\n`);
    await once(socket, 'readable');
    await client.post(MAPS, configMap('a'));
    const filler = 'x'.repeat(200_000);
    // The kernel's buffers hold some megabytes before data waits in the server's.
    for (let i = 0; client.cluster.stats().watchers > 0 && i < 500; i++)
      await client.merge(`${MAPS}/a`, { data: { filler, i: String(i) } });
    expect(client.cluster.stats().watchers).toBe(0);
    socket.destroy();
  });
});

describe('closing', () => {
  it('ends watches and frees the port', async () => {
    const client = await start();
    const watch = await client.watch(`${MAPS}?watch=true`);
    await client.cluster.close();
    expect(await watch.next().catch(() => undefined)).toBeUndefined();
    // Another program can have the free port for a moment.
    const { port } = client.cluster;
    await expect.poll(async () => (await start({ port })).cluster.port).toBe(port);
  });

  it('may happen twice', async () => {
    const { cluster } = await start();
    await cluster.close();
    await cluster.close();
  });

  it('is not needed after a port that was taken', async () => {
    const { cluster } = await start();
    await expect(start({ port: cluster.port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
  });
});
