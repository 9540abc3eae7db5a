import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { ParseError, type Metadata, identityOf } from '@hnotif/core/resources';
import { ManualClock } from '../../../core/src/testing/clock.ts';
import type { KubeClient } from './client.ts';
import { Reflector } from './reflector.ts';
import type { ReflectorHandler, ReflectorHooks, ReflectorOptions } from './reflector-options.ts';
import { FakeApi, until, type Exchange } from './testing/fake-api.ts';

const TYPE = { group: 'hibernation.dev', version: 'v1alpha1', plural: 'hibernateplans' };
const PATH = '/apis/hibernation.dev/v1alpha1/hibernateplans';

interface Thing extends Metadata {
  readonly value: string;
}

function parse(raw: unknown): Thing {
  const { value } = raw as { value: string };
  const identity = identityOf(raw);
  if (value === 'bad') throw new ParseError('thing', identity.name, ['value: it is bad']);
  return { ...identity, value };
}

const thing = (name: string, resourceVersion: string, value = '', uid = `uid-${name}`): object => ({
  metadata: { namespace: 'ns', name, uid, resourceVersion },
  value,
});
const list = (resourceVersion: string, items: object[], next?: string): object => ({
  metadata: { resourceVersion, ...(next && { continue: next }) },
  items,
});
const event = (type: string, object: object): object => ({ type, object });
const GONE = event('ERROR', { kind: 'Status', code: 410, reason: 'Expired', message: 'too old' });

/** A reflector before a fake server; what it tells stands in `told`. */
class Bench {
  readonly clock = new ManualClock();
  readonly told: string[] = [];
  readonly hooks: string[] = [];
  readonly log: string[] = [];
  readonly api: FakeApi;
  readonly client: KubeClient;
  readonly reflector: Reflector<Thing>;
  #pauses = 0;

  constructor(
    api: FakeApi,
    handler: Partial<ReflectorHandler<Thing>>,
    options: Partial<ReflectorOptions<Thing>>,
  ) {
    this.api = api;
    this.client = api.client(this.clock);
    const hooks: ReflectorHooks = {
      listed: (count) => this.hooks.push(`listed ${count}`),
      watchRestarted: (reason) => this.hooks.push(`restarted ${reason}`),
      unreadable: () => this.hooks.push('unreadable'),
      handlerFailed: () => this.hooks.push('handler failed'),
      failed: (reason) => this.hooks.push(`failed ${reason}`),
    };
    this.reflector = new Reflector({
      client: this.client,
      type: TYPE,
      parse,
      clock: this.clock,
      log: pino({ level: 'debug' }, { write: (line: string) => this.log.push(line) }),
      hooks,
      ...options,
    });
    this.reflector.start({
      changed: (object, previous) => {
        this.told.push(
          `${previous ? `${previous.value}>` : '+'}${object.value} ${object.name}@${object.resourceVersion}`,
        );
      },
      deleted: (object) => this.told.push(`-${object.value} ${object.name}@${object.resourceVersion}`),
      synced: () => this.told.push('synced'),
      ...handler,
    });
    onTestFinished(() => this.reflector.stop());
  }

  static async start(
    handler: Partial<ReflectorHandler<Thing>> = {},
    options: Partial<ReflectorOptions<Thing>> = {},
  ): Promise<Bench> {
    return new Bench(await FakeApi.start(), handler, options);
  }

  /** Answers the first list and takes the watch that follows. */
  async watched(resourceVersion: string, items: object[]): Promise<Exchange> {
    (await this.api.next()).answer(200, list(resourceVersion, items));
    return (await this.api.next()).open();
  }

  /** Resolves with all that was told once it is so much, and begins anew. */
  async tells(count: number): Promise<string[]> {
    await until(() => this.told.length >= count);
    return this.told.splice(0);
  }

  /**
   * Waits until the reflector pauses, after a failure or a watch that ended too soon, and lets the pause pass;
   * resolves with its length.
   */
  async pause(after = 'failed'): Promise<number> {
    await until(() => this.hooks.filter((hook) => hook.startsWith(after)).length > this.#pauses);
    this.#pauses++;
    await until(() => this.clock.timers === 1);
    const wait = this.clock.nextIn ?? 0;
    await this.clock.advance(wait);
    return wait;
  }
}

test('it lists in pages without a resourceVersion, then watches with bookmarks from the version of the list', async () => {
  const bench = await Bench.start({}, { pageSize: 2, watchTimeoutMs: 300_000 });
  const first = await bench.api.next();
  expect(first.path).toBe(PATH);
  expect([...first.query]).toEqual([['limit', '2']]);
  expect(bench.reflector.state).toBe('starting');
  first.answer(200, list('7', [thing('a', '1'), thing('b', '2')], 'more'));
  const second = await bench.api.next();
  expect([...second.query]).toEqual([
    ['limit', '2'],
    ['continue', 'more'],
  ]);
  expect(bench.told).toEqual([]);
  second.answer(200, list('7', [thing('c', '3')]));
  const watch = await bench.api.next();
  expect(Object.fromEntries(watch.query)).toEqual({
    watch: 'true',
    allowWatchBookmarks: 'true',
    resourceVersion: '7',
    timeoutSeconds: '450',
  });
  expect(await bench.tells(4)).toEqual(['+ a@1', '+ b@2', '+ c@3', 'synced']);
  expect(bench.reflector.synced).toBe(true);
  expect(bench.reflector.state).toBe('synced');
  expect([...bench.reflector.objects()].map(({ name }) => name)).toEqual(['a', 'b', 'c']);
});

test('of large objects it asks for the metadata alone, in lists and watches', async () => {
  const bench = await Bench.start(
    {},
    { metadataOnly: true, parse: (raw) => ({ ...identityOf(raw), value: '' }) },
  );
  const first = await bench.api.next();
  first.answer(200, list('7', [thing('a', '1')]));
  const watch = await bench.api.next();
  expect([first, watch].map(({ headers }) => headers.accept)).toEqual(
    ['PartialObjectMetadataList', 'PartialObjectMetadata'].map(
      (kind) => `application/json;as=${kind};g=meta.k8s.io;v=v1,application/json`,
    ),
  );
});

test('watch events are told in order, though chunks end within characters and several come at once', async () => {
  const bench = await Bench.start();
  const watch = await bench.watched('1', []);
  const lines = Buffer.from(
    [
      event('ADDED', thing('a', '2', 'naïve 🌙')),
      event('MODIFIED', thing('a', '3', 'two')),
      event('DELETED', thing('a', '4', 'two')),
      event('ADDED', thing('a', '5', 'three', 'other')),
    ]
      .map((each) => `${JSON.stringify(each)}\n`)
      .join(''),
  );
  const cut = lines.indexOf(0xf0) + 2;
  watch.write(lines.subarray(0, cut));
  await bench.tells(1);
  watch.write(lines.subarray(cut));
  expect(await bench.tells(4)).toEqual(['+naïve 🌙 a@2', 'naïve 🌙>two a@3', '-two a@3', '+three a@5']);
});

test('an object that is not newer than the known one is no news', async () => {
  const bench = await Bench.start();
  const watch = await bench.watched('10', [thing('a', '10', 'now')]);
  await bench.tells(2);
  watch.write(
    event('MODIFIED', thing('a', '9', 'old')),
    event('MODIFIED', thing('a', '10', 'same')),
    event('MODIFIED', thing('a', '11', 'new')),
  );
  expect(await bench.tells(1)).toEqual(['now>new a@11']);
});

test('an object that was deleted and created again in a gap is told as deleted, then as new', async () => {
  const bench = await Bench.start();
  const watch = await bench.watched('3', [thing('a', '1', 'one'), thing('b', '2'), thing('c', '3')]);
  await bench.tells(4);
  watch.write(GONE);
  const again = await bench.api.next();
  expect(again.query.has('resourceVersion')).toBe(false);
  again.answer(200, list('9', [thing('a', '8', 'two', 'other'), thing('c', '3'), thing('d', '9')]));
  expect(await bench.tells(4)).toEqual(['- b@2', '-one a@1', '+two a@8', '+ d@9']);
  expect(bench.hooks).toEqual(['listed 3', 'restarted expired', 'listed 3']);
});

test('a version that is gone by HTTP status makes a new list, at once', async () => {
  const bench = await Bench.start();
  (await bench.api.next()).answer(200, list('3', [thing('a', '1', 'one')]));
  (await bench.api.next()).refuse(410, 'Expired');
  (await bench.api.next()).answer(200, list('9', [thing('a', '8', 'two')]));
  expect((await bench.api.next()).query.get('resourceVersion')).toBe('9');
  expect(await bench.tells(3)).toEqual(['+one a@1', 'synced', 'one>two a@8']);
  expect(bench.reflector.state).toBe('synced');
});

test('a long watch that breaks off is opened again at once, and a version that has gone meanwhile is listed at once', async () => {
  const bench = await Bench.start();
  const watch = await bench.watched('3', [thing('a', '1', 'one')]);
  await until(() => bench.clock.timers === 1);
  await bench.clock.advance(60_000);
  watch.reset();
  const again = await bench.api.next();
  expect(again.query.get('resourceVersion')).toBe('3');
  again.refuse(410, 'Expired');
  (await bench.api.next()).answer(200, list('9', [thing('a', '8', 'two')]));
  expect(await bench.tells(3)).toEqual(['+one a@1', 'synced', 'one>two a@8']);
  expect(bench.hooks).toEqual(['listed 1', 'restarted error', 'restarted expired', 'listed 1']);
});

test('one that breaks off as soon as it is opened is not opened again without a pause', async () => {
  const bench = await Bench.start();
  const watch = await bench.watched('3', []);
  await until(() => bench.clock.timers === 1);
  await bench.clock.advance(60_000);
  watch.reset();
  (await bench.api.next())
    .open()
    .write(event('ADDED', thing('a', '4')))
    .reset();
  expect(await bench.pause()).toBe(1200);
});

test('a version that is gone after an outage is listed at once, though another had gone just before it', async () => {
  const bench = await Bench.start();
  (await bench.api.next()).answer(200, list('3', []));
  (await bench.api.next()).refuse(410, 'Expired');
  const watch = await bench.watched('4', []);
  watch.write(event('ADDED', thing('a', '5'))).reset();
  await bench.pause();
  (await bench.api.next()).reset();
  await bench.pause();
  (await bench.api.next()).refuse(410, 'Expired');
  (await bench.api.next()).answer(200, list('9', [thing('a', '8')]));
  expect((await bench.api.next()).query.get('resourceVersion')).toBe('9');
});

test('a server whose versions are gone as soon as it lists them is not asked without a pause', async () => {
  const bench = await Bench.start();
  for (const _ of [1, 2]) {
    (await bench.api.next()).answer(200, list('3', []));
    (await bench.api.next()).refuse(410, 'Expired');
  }
  expect(await bench.pause()).toBe(1200);
  const watch = await bench.watched('4', []);
  watch.write(event('ADDED', thing('a', '5')), GONE);
  expect(await bench.pause()).toBe(2400);
  expect((await bench.api.next()).query.has('watch')).toBe(false);
});

test('a version that is gone after each long watch is no failure, however quiet the watches were', async () => {
  const bench = await Bench.start();
  for (const version of ['3', '4', '5']) {
    const watch = await bench.watched(version, []);
    await until(() => bench.clock.timers === 1);
    await bench.clock.advance(60_000);
    // Whether it says so itself, or the next one from its version.
    if (version === '4') watch.end();
    const last = version === '4' ? (await bench.api.next()).open() : watch;
    last.write(GONE);
  }
  expect((await bench.api.next()).query.has('watch')).toBe(false);
  expect(bench.hooks.filter((hook) => hook.startsWith('failed'))).toEqual([]);
});

test('a continue token that expires makes the list begin anew, whole', async () => {
  const bench = await Bench.start({}, { pageSize: 1 });
  (await bench.api.next()).answer(200, list('3', [thing('a', '1')], 'more'));
  (await bench.api.next()).refuse(410, 'Expired');
  const anew = await bench.api.next();
  expect([...anew.query]).toEqual([]);
  anew.answer(200, list('5', [thing('b', '4'), thing('c', '5')]));
  expect(await bench.tells(3)).toEqual(['+ b@4', '+ c@5', 'synced']);
});

test('an eager reflector reports the first list as it comes, and takes back what a list that begins anew does not have', async () => {
  const bench = await Bench.start({}, { pageSize: 1, isEager: true });
  (await bench.api.next()).answer(200, list('3', [thing('a', '1'), thing('b', '2')], 'more'));
  const second = await bench.api.next();
  expect(await bench.tells(2)).toEqual(['+ a@1', '+ b@2']);
  second.refuse(410, 'Expired');
  (await bench.api.next()).answer(200, list('5', [thing('b', '4'), thing('c', '5')]));
  expect(await bench.tells(4)).toEqual(['> b@4', '+ c@5', '- a@1', 'synced']);
});

test('an eager reflector reports later lists when they are complete', async () => {
  const bench = await Bench.start({}, { pageSize: 1, isEager: true });
  const watch = await bench.watched('1', [thing('a', '1')]);
  await bench.tells(2);
  watch.write(GONE);
  (await bench.api.next()).answer(200, list('4', [thing('b', '2')], 'more'));
  const second = await bench.api.next();
  expect(bench.told).toEqual([]);
  second.answer(200, list('4', [thing('a', '3')]));
  expect(await bench.tells(2)).toEqual(['+ b@2', '> a@3']);
});

test('a list whose tokens expire though it was asked for whole is not begun anew without a pause', async () => {
  const bench = await Bench.start({}, { pageSize: 1 });
  (await bench.api.next()).answer(200, list('3', [thing('a', '1')], 'more'));
  (await bench.api.next()).refuse(410, 'Expired');
  (await bench.api.next()).answer(200, list('3', [thing('a', '1')], 'more'));
  (await bench.api.next()).refuse(410, 'Expired');
  expect(await bench.pause()).toBe(1200);
  expect(bench.hooks).toEqual(['failed Expired']);
});

test('a bookmark moves the place from which a broken watch goes on, without a new list', async () => {
  const bench = await Bench.start();
  const watch = await bench.watched('1', []);
  await bench.tells(1);
  watch.write(
    event('ADDED', thing('a', '2')),
    event('BOOKMARK', { metadata: { resourceVersion: '20' } }),
    event('ADDED', thing('b', '21')),
  );
  await bench.tells(2);
  watch.reset();
  expect(await bench.pause()).toBe(1200);
  const next = await bench.api.next();
  expect(next.query.get('resourceVersion')).toBe('21');
  next.open();
  await until(() => bench.reflector.state === 'synced');
  expect(bench.hooks).toContain('restarted error');
  next.write(event('ADDED', thing('c', '22')));
  expect(await bench.tells(1)).toEqual(['+ c@22']);
});

test('a watch that ends within an event is opened again where the last whole event was', async () => {
  const bench = await Bench.start();
  const watch = await bench.watched('1', []);
  watch.write(event('ADDED', thing('a', '2')), '{"type":"ADDED","object":{"metada').end();
  expect(await bench.tells(2)).toEqual(['synced', '+ a@2']);
  await bench.pause();
  expect((await bench.api.next()).query.get('resourceVersion')).toBe('2');
  expect(bench.hooks).toContain('failed NotJson');
});

test('a watch that the server ends in time is opened again at once, one that ends too soon after a pause', async () => {
  const bench = await Bench.start();
  const watch = await bench.watched('1', []);
  await until(() => bench.reflector.synced);
  await bench.clock.advance(60_000);
  watch.write(event('BOOKMARK', { metadata: { resourceVersion: '1' } })).end();
  const second = (await bench.api.next()).open();
  expect(bench.hooks).toEqual(['listed 0', 'restarted ended']);
  second.end();
  await until(() => bench.hooks.length === 3);
  expect(bench.api.pending).toBe(0);
  await bench.clock.advance(bench.clock.nextIn ?? 0);
  expect((await bench.api.next()).query.get('resourceVersion')).toBe('1');
});

test('a watch that ends too soon after a long failure waits no longer than any other, and long pauses show', async () => {
  const bench = await Bench.start();
  for (let attempt = 0; attempt < 5; attempt++) {
    (await bench.api.next()).answer(404, '404 page not found\n');
    await bench.pause();
  }
  (await bench.api.next()).answer(200, list('1', []));
  const seen: [number, string][] = [];
  for (let turn = 0; turn < 4; turn++) {
    const request = await bench.api.next();
    if (request.query.has('watch')) request.open().end();
    else {
      request.answer(200, list('1', []));
      (await bench.api.next()).open().end();
    }
    const ended = (): number => bench.hooks.filter((hook) => hook === 'restarted ended').length;
    await until(() => ended() > turn && bench.clock.timers === 1);
    seen.push([bench.clock.nextIn ?? 0, bench.reflector.state]);
    await bench.clock.advance(bench.clock.nextIn ?? 0);
  }
  expect(seen).toEqual([
    [1200, 'synced'],
    [2400, 'synced'],
    [4800, 'failing'],
    [9600, 'failing'],
  ]);
  await bench.api.next();
  expect(bench.reflector.state).toBe('synced');
});

test('a watch that falls silent is opened again; bytes of any kind keep it alive', async () => {
  const bench = await Bench.start({}, { idleMs: 150_000 });
  const watch = await bench.watched('1', []);
  await bench.tells(1);
  await until(() => bench.clock.nextIn === 150_000);
  await bench.clock.advance(149_000);
  watch.write(event('BOOKMARK', { metadata: { resourceVersion: '5' } }));
  await until(() => bench.clock.nextIn === 150_000);
  await bench.clock.advance(149_999);
  expect(bench.hooks).toEqual(['listed 0']);
  await bench.clock.advance(1);
  await watch.gone();
  expect((await bench.api.next()).query.get('resourceVersion')).toBe('5');
  expect(bench.hooks).toEqual(['listed 0', 'restarted idle']);
});

test('watches that end at once without an event: growing pauses, and every second time a new list', async () => {
  const bench = await Bench.start();
  const requests: string[] = [];
  const pauses: number[] = [];
  for (let turn = 0; turn < 7; turn++) {
    const request = await bench.api.next();
    requests.push(request.query.has('watch') ? 'watch' : 'list');
    if (!request.query.has('watch')) {
      request.answer(200, list(`${turn + 1}`, [thing('a', `${turn + 1}`, `${turn}`)]));
      continue;
    }
    request.open().end();
    pauses.push(await bench.pause('restarted ended'));
  }
  expect(requests).toEqual(['list', 'watch', 'watch', 'list', 'watch', 'watch', 'list']);
  expect(pauses).toEqual([1200, 2400, 4800, 9600]);
  expect(await bench.tells(4)).toEqual(['+0 a@1', 'synced', '0>3 a@4', '3>6 a@7']);
});

test.each([
  ['refused as invalid', (watch: Exchange) => watch.refuse(400, 'BadRequest')],
  ['answered 500', (watch: Exchange) => watch.refuse(500, 'InternalError')],
  [
    'ended by an error',
    (watch: Exchange) => watch.open().write(event('ERROR', { kind: 'Status', code: 500 })),
  ],
  ['cut off', (watch: Exchange) => watch.open().write('{"type":').reset()],
  ['no watch at all', (watch: Exchange) => watch.answer(200, list('1', []))],
])('a watch that is %s twice gives way to a new list', async (_, fail) => {
  const bench = await Bench.start();
  (await bench.api.next()).answer(200, list('1', [thing('a', '1', 'old')]));
  for (const __ of [1, 2]) {
    const watch = await bench.api.next();
    expect(watch.query.get('resourceVersion')).toBe('1');
    fail(watch);
    await bench.pause();
  }
  (await bench.api.next()).answer(200, list('9', [thing('a', '8', 'new')]));
  expect(await bench.tells(3)).toEqual(['+old a@1', 'synced', 'old>new a@8']);
});

test('an event between them is enough for watches that fail to go on from where they stood', async () => {
  const bench = await Bench.start();
  (await bench.api.next()).answer(200, list('1', []));
  for (const version of ['1', '2', '3', '4']) {
    const watch = await bench.api.next();
    expect(watch.query.get('resourceVersion')).toBe(version);
    watch.open().write(event('BOOKMARK', { metadata: { resourceVersion: `${Number(version) + 1}` } }));
    watch.end();
    await bench.pause('restarted ended');
  }
});

test.each([
  ['has no time', (watch: Exchange) => watch.refuse(429, 'TooManyRequests', { 'retry-after': '7' })],
  ['is not reached', (watch: Exchange) => watch.reset()],
  ['wants other credentials', (watch: Exchange) => watch.refuse(401, 'Unauthorized')],
  ['forbids it', (watch: Exchange) => watch.refuse(403, 'Forbidden')],
])('a server that %s is not asked for a list instead of a watch', async (_, fail) => {
  const bench = await Bench.start();
  (await bench.api.next()).answer(200, list('1', []));
  for (let attempt = 0; attempt < 4; attempt++) {
    const watch = await bench.api.next();
    expect(watch.query.get('resourceVersion')).toBe('1');
    fail(watch);
    await bench.pause();
  }
});

test('a 429 of a watch is waited for as long as it says', async () => {
  const bench = await Bench.start();
  (await bench.api.next()).answer(200, list('1', []));
  (await bench.api.next()).refuse(429, 'TooManyRequests', { 'retry-after': '7' });
  expect(await bench.pause()).toBe(7000);
  (await bench.api.next()).open();
});

test('two watches that were silent from the first: a list shows what they kept from us', async () => {
  const bench = await Bench.start({}, { idleMs: 150_000 });
  const watch = await bench.watched('100', [thing('a', '90', 'late')]);
  await bench.tells(2);
  await until(() => bench.clock.nextIn === 150_000);
  await bench.clock.advance(150_000);
  await watch.gone();
  const second = await bench.api.next();
  expect(second.query.get('resourceVersion')).toBe('100');
  second.open();
  await until(() => bench.clock.nextIn === 150_000);
  await bench.clock.advance(150_000);
  // As a server that was restored from a backup does: it has nothing to say on a version that it has not come to.
  (await bench.api.next()).answer(200, list('50', [thing('a', '40', 'early')]));
  expect(await bench.tells(1)).toEqual(['late>early a@40']);
});

test('a failing list is tried again with growing pauses of at most 30 s, and reported once', async () => {
  const bench = await Bench.start();
  const pauses: number[] = [];
  for (let attempt = 0; attempt < 7; attempt++) {
    (await bench.api.next()).refuse(500, 'InternalError');
    pauses.push(await bench.pause());
  }
  expect(pauses).toEqual([1200, 2400, 4800, 9600, 19_200, 22_500, 22_500]);
  expect(bench.reflector.state).toBe('failing');
  expect(bench.reflector.error).toBe('refused: InternalError');
  expect(bench.log.filter((line) => line.includes('cannot be followed'))).toHaveLength(1);
  (await bench.api.next()).answer(200, list('1', []));
  await bench.tells(1);
  expect(bench.reflector.state).toBe('synced');
  expect(bench.log.filter((line) => line.includes('followed again'))).toHaveLength(1);
});

test('the first request that succeeds after an outage ends the pauses of all: nothing has to time out', async () => {
  const bench = await Bench.start();
  const watch = await bench.watched('7', []);
  await bench.tells(1);
  watch.reset();
  for (let attempt = 0; attempt < 5; attempt++) {
    await bench.pause();
    (await bench.api.next()).reset();
  }
  await until(() => bench.clock.timers === 1);
  expect(bench.clock.nextIn).toBeGreaterThan(20_000);
  const renewal = bench.client.get(TYPE, 'ns', 'any');
  (await bench.api.next()).answer(200, {});
  await renewal;
  // No hand of the clock has moved.
  const again = await bench.api.next();
  expect(again.query.get('resourceVersion')).toBe('7');
  again.open().write(event('ADDED', thing('a', '8')));
  expect(await bench.tells(1)).toEqual(['+ a@8']);
});

test('of the first list alone each object is taken whole, when all of it is there', async () => {
  const taken: string[] = [];
  const first = (raw: unknown): void => {
    const { name, value } = parse(raw);
    if (name === 'broken') throw new Error('no content');
    taken.push(`${value} ${name}`);
  };
  const bench = await Bench.start({ first }, { metadataOnly: true, pageSize: 2 });
  const page = await bench.api.next();
  expect(page.headers.accept).not.toContain('PartialObjectMetadata');
  page.answer(200, list('5', [thing('a', '1', 'x'), thing('broken', '2')], 'more'));
  const last = await bench.api.next();
  expect(taken).toEqual([]);
  last.answer(200, list('5', [thing('c', '3', 'z')]));
  expect((await bench.tells(4)).at(-1)).toBe('synced');
  expect(taken).toEqual(['x a', 'z c']);
  expect(bench.hooks).toEqual(['listed 3', 'unreadable']);
  (await bench.api.next()).open().write(GONE);
  const again = await bench.api.next();
  expect(again.headers.accept).toContain('PartialObjectMetadata');
  again.answer(200, list('9', [thing('a', '8')]));
  expect(await bench.tells(3)).toHaveLength(3);
  expect(taken).toHaveLength(2);
});

test('a missing definition is said once, in a clear line, and waited for', async () => {
  const bench = await Bench.start();
  for (let attempt = 0; attempt < 3; attempt++) {
    (await bench.api.next()).answer(404, '404 page not found\n');
    await bench.pause();
  }
  const said = bench.log.filter((line) => line.includes('CustomResourceDefinition'));
  expect(said).toHaveLength(1);
  expect(said[0]).toContain('hibernateplans.v1alpha1.hibernation.dev is not served here');
  expect(bench.reflector.error).toMatch(/^hibernateplans\S+ is not served here: is its Custom/);
  (await bench.api.next()).answer(200, list('1', [thing('a', '1')]));
  expect(await bench.tells(2)).toEqual(['+ a@1', 'synced']);
});

test('after a watch of a definition that was removed everything is listed anew', async () => {
  const bench = await Bench.start();
  (await bench.api.next()).answer(200, list('30', [thing('a', '20', 'old')]));
  (await bench.api.next()).answer(404, '404 page not found\n');
  await bench.pause();
  (await bench.api.next()).answer(200, list('5', [thing('a', '4', 'new', 'other')]));
  expect(await bench.tells(4)).toEqual(['+old a@20', 'synced', '-old a@20', '+new a@4']);
  expect(bench.hooks).toContain('failed NotFound');
});

test('a handler that throws is reported, and the next change is told all the same', async () => {
  const seen: string[] = [];
  const bench = await Bench.start({
    changed: ({ name }) => {
      seen.push(name);
      if (name === 'a') throw new Error('oh no');
    },
  });
  const watch = await bench.watched('1', [thing('a', '1'), thing('b', '1')]);
  watch.write(event('MODIFIED', thing('a', '2')), event('ADDED', thing('c', '3')));
  await until(() => seen.length === 4);
  expect(seen).toEqual(['a', 'b', 'a', 'c']);
  expect(bench.hooks).toEqual(['listed 2', 'handler failed', 'handler failed']);
  expect(bench.log.filter((line) => line.includes('oh no'))).toHaveLength(2);
});

test('an object that cannot be read is named, and its last state is kept, in lists and in watches', async () => {
  const bench = await Bench.start();
  const watch = await bench.watched('3', [thing('a', '1', 'bad'), thing('b', '2', 'good')]);
  expect(await bench.tells(2)).toEqual(['+good b@2', 'synced']);
  expect(bench.log.some((line) => line.includes('"ns/a"') && line.includes('value: it is bad'))).toBe(true);
  watch.write(event('MODIFIED', thing('b', '4', 'bad')), GONE);
  const again = await bench.api.next();
  again.answer(200, list('6', [thing('b', '4', 'bad')]));
  const second = (await bench.api.next()).open();
  expect(bench.reflector.get('ns', 'b')?.value).toBe('good');
  second.write(event('DELETED', thing('b', '7', 'bad')));
  expect(await bench.tells(1)).toEqual(['-good b@2']);
});

test('an unreadable object that took the place of a known one deletes it', async () => {
  const bench = await Bench.start();
  const watch = await bench.watched('3', [thing('a', '1', 'good')]);
  await bench.tells(2);
  watch.write(GONE);
  (await bench.api.next()).answer(200, list('6', [thing('a', '5', 'bad', 'other')]));
  expect(await bench.tells(1)).toEqual(['-good a@1']);
});

test('a server that was restored from a backup is believed: its lists count though their versions are lower', async () => {
  const bench = await Bench.start();
  const watch = await bench.watched('100', [thing('a', '90', 'late')]);
  await bench.tells(2);
  watch.reset();
  await bench.pause();
  const message = 'Too large resource version: 100, current: 50';
  (await bench.api.next()).answer(504, { kind: 'Status', code: 504, reason: 'Timeout', message });
  await bench.pause();
  (await bench.api.next()).answer(200, list('50', [thing('a', '40', 'early')]));
  expect(await bench.tells(1)).toEqual(['late>early a@40']);
});

test('after a stop nothing is told, be it in the midst of a chunk', async () => {
  const stops: Promise<void>[] = [];
  const bench: Bench = await Bench.start({
    changed: ({ name }) => {
      bench.told.push(name);
      if (name === 'b') stops.push(bench.reflector.stop());
    },
  });
  const watch = await bench.watched('1', []);
  watch.write(
    ['a', 'b', 'c']
      .map((name, at) => `${JSON.stringify(event('ADDED', thing(name, `${at + 2}`)))}\n`)
      .join(''),
  );
  await until(() => stops.length === 1);
  await stops[0];
  await watch.gone();
  expect(bench.told).toEqual(['synced', 'a', 'b']);
  expect([...bench.reflector.objects()].map(({ name }) => name)).toEqual(['a', 'b']);
  expect(bench.clock.timers).toBe(0);
});

test('a handler that stops it in the midst of a list is told nothing more, that it is synced neither', async () => {
  const stops: Promise<void>[] = [];
  const bench: Bench = await Bench.start({
    changed: ({ name }) => {
      bench.told.push(name);
      stops.push(bench.reflector.stop());
    },
  });
  (await bench.api.next()).answer(200, list('1', [thing('a', '1'), thing('b', '1')]));
  await until(() => stops.length === 1);
  await stops[0];
  expect(bench.told).toEqual(['a']);
  expect(bench.reflector.synced).toBe(false);
  expect(bench.clock.timers).toBe(0);
  expect(bench.api.pending).toBe(0);
});

test('a stop during a pause ends it', async () => {
  const bench = await Bench.start();
  (await bench.api.next()).refuse(500, 'InternalError');
  await until(() => bench.reflector.state === 'failing');
  await bench.reflector.stop();
  expect(bench.clock.timers).toBe(0);
});

test('a refusal after a success is told as one that may pass, and as a missing right when it lasts', async () => {
  const bench = await Bench.start();
  (await bench.watched('7', [])).end();
  const said = (): string[] =>
    bench.log
      .map((line) => JSON.parse(line) as { level: number; msg: string })
      .map(({ level, msg }) => `${level} ${msg}`);
  while (!said().some((line) => line.includes('rights of our service account'))) {
    await until(() => api(bench) || bench.clock.timers > 0);
    if (api(bench)) (await bench.api.next()).refuse(403, 'Forbidden');
    else await bench.clock.advance(bench.clock.nextIn ?? 0);
  }
  expect(said()).toEqual([
    expect.stringMatching(/^30 .*until it has read its roles$/),
    expect.stringMatching(/^40 .*may not be listed and watched: see the rights of our service account$/),
  ]);
  expect(bench.clock.monotonic()).toBeGreaterThanOrEqual(10_000);
  expect(bench.reflector.error).toBe('refused: Forbidden');
});

const api = ({ api: { pending } }: Bench): boolean => pending > 0;
