import { describe, expect, it } from 'vitest';

import type { DevCluster } from '../src/index.ts';
import type { Client } from './support.ts';
import { configMap, MAPS, names, start, startWithWidgets, version, widget, WIDGETS } from './support.ts';

const here = async ({ get }: Client): Promise<string> => version(await get(MAPS));

/** The error code with which `fetch` failed. */
const failure = (asked: Promise<unknown>): Promise<string> =>
  asked.then(
    () => 'none',
    (error: unknown) => ((error as Error).cause as { code?: string } | undefined)?.code ?? String(error),
  );

/** A promise and its resolve function. */
function gate(): { until: Promise<void>; open: () => void } {
  let open = (): void => {};
  const until = new Promise<void>((resolve) => (open = resolve));
  return { until, open };
}

/** Resolves when a fault was applied this number of times. */
async function hit({ cluster, get }: Client, times: number): Promise<void> {
  while (cluster.faults.hits < times) await get('/version');
}

describe('a fault', () => {
  it('delays what it fits until a promise settles, and nothing else', async () => {
    const client = await start();
    const { until, open } = gate();
    client.cluster.faults.add({ verb: 'create', effect: { kind: 'delay', until } });
    const slow = client.post(MAPS, configMap('slow'));
    await hit(client, 1);
    expect(names(await client.get(MAPS))).toEqual([]);
    open();
    expect((await slow).code).toBe(201);
  });

  it('that delays does nothing for a client that has left', async () => {
    const client = await start();
    const { until, open } = gate();
    client.cluster.faults.add({ verb: 'create', effect: { kind: 'delay', until } });
    const left = failure(client.post(MAPS, configMap('left')));
    await hit(client, 1);
    await client.cluster.goAway();
    expect(await left).not.toBe('none');
    await client.cluster.comeBack();
    open();
    expect(names(await client.get(MAPS))).toEqual([]);
  });

  it('answers a Status in the words of a real server, or in its own', async () => {
    const client = await startWithWidgets();
    const { faults } = client.cluster;
    const remove = faults.add({ verb: 'list', effect: { kind: 'status', code: 429, retryAfter: 7 } });
    const throttled = await client.get(WIDGETS);
    expect(throttled.code).toBe(429);
    expect(throttled.headers.get('retry-after')).toBe('7');
    expect(throttled.body).toMatchObject({
      kind: 'Status',
      reason: 'TooManyRequests',
      details: { group: 'example.dev', kind: 'widgets', retryAfterSeconds: 7 },
    });
    remove();
    faults.add({ resource: 'widgets', times: 1, effect: { kind: 'status', code: 409 } });
    const conflict = await client.merge(`${WIDGETS}/a/status`, {});
    expect(conflict.body).toMatchObject({
      code: 409,
      reason: 'Conflict',
      message: expect.stringContaining('on widgets.example.dev "a": the object has been modified') as unknown,
    });
    faults.add({ effect: { kind: 'status', code: 507, reason: 'Full', message: 'no room' } });
    expect((await client.post(WIDGETS, widget('a'))).body).toMatchObject({
      code: 507,
      reason: 'Full',
      message: 'no room',
    });
    faults.clear();
    expect((await client.post(WIDGETS, widget('a'))).code).toBe(201);
    expect(faults.hits).toBe(3);
  });

  it('resets the connection before what was asked for is done, or after', async () => {
    const client = await start();
    const { faults } = client.cluster;
    faults.add({ times: 1, effect: { kind: 'reset', when: 'before' } });
    expect(await failure(client.post(MAPS, configMap('before')))).toBe('ECONNRESET');
    faults.add({ times: 1, effect: { kind: 'reset', when: 'after' } });
    expect(await failure(client.post(MAPS, configMap('after')))).toBe('ECONNRESET');
    expect(names(await client.get(MAPS))).toEqual(['after']);
  });

  it('cuts an answer in the middle', async () => {
    const client = await start();
    await client.post(MAPS, configMap('a'));
    const { faults } = client.cluster;
    faults.add({ times: 1, verb: 'list', effect: { kind: 'cut', afterBytes: 10 } });
    const list = await fetch(client.url + MAPS);
    await expect(list.text()).rejects.toThrow('terminated');
    faults.add({ times: 1, verb: 'watch', effect: { kind: 'cut', afterBytes: 40 } });
    const watch = await fetch(`${client.url}${MAPS}?watch=1`);
    let text = '';
    const read = async (): Promise<void> => {
      const decoder = new TextDecoder();
      for await (const part of watch.body ?? []) text += decoder.decode(part as Uint8Array);
    };
    await expect(read()).rejects.toThrow('terminated');
    expect(text).toBe('{"type":"ADDED","object":{"apiVersion":"');
  });

  it('hits as often as it should, by the chance it has', async () => {
    const draws = [0.3, 0.1, 0.9, 0.2];
    const client = await start({ random: () => draws.shift() ?? 1 });
    client.cluster.faults.add({ chance: 0.25, times: 2, effect: { kind: 'status', code: 500 } });
    const codes: number[] = [];
    for (let i = 0; i < 5; i++) codes.push((await client.get(MAPS)).code);
    expect(codes).toEqual([200, 500, 200, 500, 200]);
  });

  it.each([
    [{ verb: 'get' }, [0, 1, 0, 0, 1]],
    [{ verb: ['list', 'patch'] }, [1, 0, 0, 1, 0]],
    [{ resource: 'widgets' }, [1, 1, 1, 1, 0]],
    [{ resource: 'widgets/status' }, [0, 0, 0, 1, 0]],
    [{ namespace: 'default' }, [0, 1, 1, 1, 0]],
    [{ name: 'a' }, [0, 1, 0, 1, 0]],
    [{ namespace: 'other', name: 'a' }, [0, 0, 0, 0, 0]],
    [{ user: 'somebody' }, [0, 0, 0, 0, 0]],
    [{}, [1, 1, 1, 1, 1]],
  ] as const)('for %j hits what it fits', async (where, expected) => {
    const client = await startWithWidgets();
    client.cluster.faults.add({ ...where, effect: { kind: 'status', code: 418 } });
    const answers = [
      await client.get('/apis/example.dev/v1/widgets'),
      await client.get(`${WIDGETS}/a`),
      await client.post(WIDGETS, widget('b')),
      await client.merge(`${WIDGETS}/a/status`, {}),
      await client.get('/version'),
    ];
    expect(answers.map(({ code }) => Number(code === 418))).toEqual(expected);
  });
});

describe('open watches', () => {
  it('are ended or cut, those that fit', async () => {
    const client = await startWithWidgets();
    const maps = await client.watch(`${MAPS}?watch=1&allowWatchBookmarks=1`);
    const widgets = await client.watch(`${WIDGETS}?watch=1`);
    const { faults } = client.cluster;
    expect(faults.cutWatches('end', { resource: 'configmaps' })).toBe(1);
    expect((await maps.next())?.type).toBe('BOOKMARK');
    expect(await maps.next()).toBeUndefined();
    expect(client.cluster.stats().watchers).toBe(1);
    expect(faults.cutWatches('reset', { verb: 'watch' })).toBe(1);
    await expect(widgets.next()).rejects.toThrow('terminated');
    expect(faults.cutWatches('reset')).toBe(0);
  });

  it('fall silent, those that fit, and stay open', async () => {
    const client = await start({ watch: { bookmarkMs: 1 } });
    const from = await here(client);
    const silent = await client.watch(
      `${MAPS}?watch=1&resourceVersion=${from}&fieldSelector=metadata.name%3Da&timeoutSeconds=1`,
    );
    const loud = await client.watch(`${MAPS}?watch=1&resourceVersion=${from}&timeoutSeconds=1`);
    expect(client.cluster.faults.silenceWatches({ name: 'a' })).toBe(1);
    let heard = 0;
    const ended = silent.next().then(
      () => heard++,
      () => 'cut',
    );
    await client.post(MAPS, configMap('a'));
    expect(await loud.take(1)).toEqual(['ADDED a']);
    expect([heard, client.cluster.stats().watchers]).toEqual([0, 2]);
    // The time-out of one watch does not end the other.
    expect(await loud.next()).toBeUndefined();
    expect([heard, client.cluster.stats().watchers]).toEqual([0, 1]);
    expect(client.cluster.faults.cutWatches('reset', { name: 'a' })).toBe(1);
    expect(await ended).toBe('cut');
  });
});

describe('a control plane that goes away', () => {
  const away = async (cluster: DevCluster): Promise<void> => {
    await cluster.goAway();
    await cluster.goAway();
  };

  it('refuses connections, cuts the open ones, and comes back as it was', async () => {
    const client = await start();
    await client.post(MAPS, configMap('a'));
    const watch = await client.watch(`${MAPS}?watch=1&resourceVersion=${await here(client)}`);
    await away(client.cluster);
    await expect(watch.next()).rejects.toThrow('terminated');
    expect(await failure(client.get(MAPS))).toBe('ECONNREFUSED');
    expect(client.cluster.stats().watchers).toBe(0);
    await client.cluster.comeBack();
    await client.cluster.comeBack();
    expect(names(await client.get(MAPS))).toEqual(['a']);
  });

  it('can be closed while it is away', async () => {
    const client = await start();
    await away(client.cluster);
    await client.cluster.close();
    expect(await failure(client.get(MAPS))).toBe('ECONNREFUSED');
  });
});
