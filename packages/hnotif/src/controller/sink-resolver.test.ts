import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { ContentReader } from '../cluster/content-reader.ts';
import { FakeApi } from '../cluster/testing/fake-api.ts';
import { NO_CONNECTOR, type Notification } from '@hnotif/core/resources';
import { ManualClock } from '../../../core/src/testing/clock.ts';
import { anEvent } from '../../../core/src/testing/events.ts';
import { aNotification } from '../../../core/src/testing/notifications.ts';
import { aPlan } from '../../../core/src/testing/plans.ts';
import { sinkSettings } from '../../../core/src/testing/sinks.ts';
import { Transport } from '../transport/client.ts';
import { certificateOf } from '../transport/testing/certificate.ts';
import { SinkResolver } from './sink-resolver.ts';

const to = { namespace: 'team-a', notification: 'all', sink: 'ops' };
const submission = {
  to,
  sinkType: 'webhook',
  event: anEvent('Start', 1),
  plan: { current: aPlan() },
} as const;

async function rig() {
  const api = await FakeApi.start();
  const clock = new ManualClock();
  const transport = new Transport({});
  onTestFinished(() => transport.close());
  const world: { notification: Notification | undefined } = { notification: aNotification() };
  const renewed: string[] = [];
  const shared = { client: api.client(clock), clock, ttlMs: 1_000 };
  const secrets = new ContentReader('secrets', shared);
  const sinks = new SinkResolver({
    serverNow: () => clock.now(),
    clock,
    secrets,
    templates: new ContentReader('configmaps', shared),
    deps: sinkSettings({ transport, clock }),
    notifications: { get: () => world.notification },
    connectors: {
      view: ({ labels, annotations }) => ({ labels, annotations, connector: () => NO_CONNECTOR }),
    },
    gracePeriods: { has: () => false },
    ttlMs: 5_000,
    listener: { renewed: ({ sink }) => renewed.push(sink) },
  });
  const serve = async (config: string, resourceVersion = '7'): Promise<void> => {
    const data = { config: Buffer.from(config).toString('base64') };
    (await api.next()).answer(200, { metadata: { resourceVersion }, data });
  };
  /** What a delivery finds; `asked` says whether it waits for the API server. */
  const resolve = () => {
    const resolution = sinks.resolve(submission);
    return { asked: resolution instanceof Promise, resolution: Promise.resolve(resolution) };
  };
  /** A delivery that waits for the API server, which answers so. */
  const found = async (answer: () => Promise<void>) => {
    const { asked, resolution } = resolve();
    expect(asked).toBe(true);
    await answer();
    return resolution;
  };
  const refuse = async (status: number, reason: string): Promise<void> => {
    (await api.next()).refuse(status, reason);
  };
  return { api, clock, secrets, sinks, world, serve, resolve, found, refuse, renewed };
}

const GOOD = '{"url":"https://receiver.test/hook"}';

it('a suspended notification sends nothing, and its secret is not read, until its time has come', async () => {
  const { clock, world, serve, resolve } = await rig();
  world.notification = aNotification({ suspension: { until: clock.now() + 60_000, reason: '' } });
  expect(await resolve().resolution).toEqual({ kind: 'suspended' });
  await clock.advance(60_000);
  const { asked, resolution } = resolve();
  expect(asked).toBe(true);
  await serve(GOOD);
  expect((await resolution).kind).toBe('ready');
});

it.each([
  [60_000, 60_000],
  [48 * 3_600_000, 3_600_000],
  [undefined, 3_600_000],
])(
  'one that tells afterwards is looked at again when its time has come, in %s ms: within %s ms',
  async (left, sendsEndsInMs) => {
    const { clock, world, resolve } = await rig();
    const until = left === undefined ? undefined : clock.now() + left;
    world.notification = aNotification({ suspension: { until, reason: '', tellsAfter: true } });
    expect(await resolve().resolution).toEqual({ kind: 'suspended', sendsEndsInMs });
  },
);

/** Half an hour after the beginning of the tests. */
const expiring = certificateOf({ names: ['ca'], until: '260105203000Z' });

describe('a configuration that a receiver refused', () => {
  it.each([
    ['7', []],
    ['8', ['ops']],
  ])('is found again after a restart, or another one: version %s', async (version, told) => {
    const { sinks, world, serve, renewed } = await rig();
    const row = { name: 'ops', consecutiveFailures: 1, refused: 'webhook/ops/7' };
    world.notification = aNotification({ status: { sinks: [row] } });
    const look = sinks.check(to);
    await serve(GOOD, version);
    await look;
    expect(renewed).toEqual(told);
    expect(sinks.version(to)).toBe(`webhook/ops/${version}`);
  });
});

describe('a sink at a delivery', () => {
  it('is read again only after its time', async () => {
    const { clock, serve, resolve, found } = await rig();
    expect(await found(() => serve(GOOD))).toMatchObject({ kind: 'ready' });
    await clock.advance(4_999);
    expect(resolve().asked).toBe(false);
    await clock.advance(1);
    expect(await found(() => serve(GOOD))).toMatchObject({ kind: 'ready' });
  });

  it('is read again once for all deliveries at the same time', async () => {
    const { clock, secrets, serve, resolve, found } = await rig();
    await found(() => serve(GOOD));
    await clock.advance(5_000);
    const read = vi.spyOn(secrets, 'read');
    const asking = Array.from({ length: 100 }, resolve);
    await serve(GOOD);
    for (const { resolution } of asking) expect(await resolution).toMatchObject({ kind: 'ready' });
    expect(read).toHaveBeenCalledTimes(1);
    expect(resolve().asked).toBe(false);
    await clock.advance(5_000);
    expect(resolve().asked).toBe(true);
    expect(read).toHaveBeenCalledTimes(2);
  });

  it('that was refused during a read is read again', async () => {
    const { clock, sinks, serve, resolve, found } = await rig();
    await found(() => serve(GOOD));
    await clock.advance(5_000);
    const before = resolve();
    sinks.rejected(to);
    const mended = resolve();
    await serve(GOOD);
    await serve('{"url":"https://mended.test/hook"}', '8');
    await before.resolution;
    expect(await mended.resolution).toMatchObject({ kind: 'ready', sink: { origin: 'https://mended.test' } });
  });

  it('that refuses every message costs at most one read of its secret per second', async () => {
    const { clock, sinks, serve, resolve, found } = await rig();
    await found(() => serve(GOOD));
    for (let delivery = 0; delivery < 10; delivery++) {
      sinks.rejected(to);
      expect(resolve().asked).toBe(false);
      await clock.advance(99);
    }
    await clock.advance(10);
    sinks.rejected(to);
    expect(await found(() => serve('{"url":"https://mended.test/hook"}', '8'))).toMatchObject({
      kind: 'ready',
      sink: { origin: 'https://mended.test' },
    });
  });

  it('whose secret or key is missing makes deliveries wait: the secret may be replaced now', async () => {
    const { api, clock, sinks, resolve, found, refuse } = await rig();
    expect(await found(() => refuse(404, 'NotFound'))).toMatchObject({
      kind: 'unready',
      outcome: { kind: 'transient', reason: 'SecretMissing' },
    });
    await clock.advance(1_000);
    const empty = resolve();
    (await api.next()).answer(200, { metadata: { resourceVersion: '7' }, data: {} });
    expect(await empty.resolution).toMatchObject({
      outcome: { kind: 'transient', reason: 'SecretKeyMissing' },
    });
    expect(await sinks.check(to)).toMatchObject({ ok: false, reason: 'SecretKeyMissing' });
  });

  it('is used while its secret cannot be read again', async () => {
    const { clock, serve, found, refuse } = await rig();
    await found(() => serve(GOOD));
    await clock.advance(5_000);
    expect(await found(() => refuse(500, 'InternalError'))).toMatchObject({
      kind: 'ready',
      sink: { origin: 'https://receiver.test' },
    });
    await clock.advance(5_000);
    expect(await found(() => refuse(404, 'NotFound'))).toMatchObject({
      kind: 'unready',
      outcome: { reason: 'SecretMissing' },
    });
  });

  it('that was never read makes deliveries wait, and the condition says why', async () => {
    const { api, clock, sinks, found, refuse } = await rig();
    expect(await found(() => refuse(500, 'InternalError'))).toEqual({
      kind: 'unready',
      outcome: { kind: 'wait', forMs: 5_000 },
    });
    await clock.advance(5_000);
    const check = sinks.check(to);
    (await api.next()).refuse(500, 'InternalError');
    expect(await check).toMatchObject({ ok: false, reason: 'SecretUnavailable' });
  });

  it('is used when the API server does not answer for two seconds', async () => {
    const { api, clock, serve, resolve, found } = await rig();
    await found(() => serve(GOOD));
    await clock.advance(5_000);
    const away = resolve();
    const held = await api.next();
    await clock.advance(2_000);
    expect(await away.resolution).toMatchObject({ kind: 'ready', sink: { origin: 'https://receiver.test' } });
    held.refuse(500, 'InternalError');
  });

  it('that was read from another secret is reported to the listener', async () => {
    const { clock, serve, renewed, found } = await rig();
    await found(() => serve(GOOD));
    await clock.advance(5_000);
    await found(() => serve(GOOD));
    expect(renewed).toEqual([]);
    await clock.advance(5_000);
    await found(() => serve('{"url":"https://mended.test/hook"}', '8'));
    expect(renewed).toEqual(['ops']);
  });

  it('that could not be read or parsed is reported to the listener when it changes', async () => {
    const { api, clock, serve, resolve, renewed } = await rig();
    const read = async (answer: () => Promise<void>): Promise<void> => {
      const found = resolve();
      await answer();
      await found.resolution;
      await clock.advance(5_000);
    };
    const missing = async (): Promise<void> => {
      (await api.next()).refuse(404, 'NotFound');
    };
    await read(missing);
    await read(missing);
    expect(renewed).toHaveLength(0);
    await read(() => serve('{}', '7'));
    expect(renewed).toHaveLength(1);
    await read(() => serve('{}', '7'));
    expect(renewed).toHaveLength(1);
    await read(() => serve(GOOD, '8'));
    expect(renewed).toHaveLength(2);
    await read(async () => {
      (await api.next()).refuse(500, 'InternalError');
    });
    await read(() => serve(GOOD, '8'));
    expect(renewed).toHaveLength(2);
  });

  it('whose configuration is too long is refused', async () => {
    const { serve, found } = await rig();
    expect(await found(() => serve('x'.repeat(65_537)))).toMatchObject({
      outcome: {
        kind: 'rejected-configuration',
        reason: 'ConfigInvalid',
        message: expect.stringMatching(
          /^secret team-a\/[^ ]+, key config has 65,537 bytes, and at most 65,536 are read/,
        ) as string,
      },
    });
  });

  it('whose certificate expires is told at the next check, although its secret has not changed', async () => {
    const { api, clock, sinks } = await rig();
    const checked = async (): Promise<unknown> => {
      const check = sinks.check(to);
      const texts = { config: '{"url":"https://receiver.test/"}', 'ca.crt': expiring.cert };
      const data = Object.fromEntries(
        Object.entries(texts).map(([key, text]) => [key, Buffer.from(text).toString('base64')]),
      );
      (await api.next()).answer(200, { metadata: { resourceVersion: '7' }, data });
      return check;
    };
    expect(await checked()).toMatchObject({ ok: true, notes: [] });
    await clock.advance(3_600_000);
    expect(await checked()).toMatchObject({ notes: ['ca.crt: expired at 2026-01-05T20:30:00Z; renew it'] });
  });

  it('whose configuration is wrong is refused', async () => {
    const { serve, found } = await rig();
    expect(await found(() => serve('{}'))).toMatchObject({
      outcome: { kind: 'rejected-configuration', reason: 'ConfigInvalid' },
    });
  });

  it('that was forgotten is read again', async () => {
    const { clock, sinks, serve, resolve, found } = await rig();
    await found(() => serve(GOOD));
    await clock.advance(1_000);
    expect(resolve().asked).toBe(false);
    sinks.forget(to);
    await found(() => serve(GOOD));
  });

  it('is read for each delivery when the configurations of its namespace fill their part of the memory, and a check says so', async () => {
    const { sinks, serve, world } = await rig();
    const all = Array.from({ length: 160 }, (_, at) => ({ ...aNotification().sinks[0]!, name: `s${at}` }));
    world.notification = aNotification({ sinks: all });
    const asks = (namespace: string, sink: string): boolean =>
      sinks.resolve({ to: { ...to, namespace, sink }, plan: { current: aPlan() } }) instanceof Promise;
    const readAll = async (namespace: string): Promise<void> => {
      const read = all.map(({ name }) => sinks.check({ ...to, namespace, sink: name }));
      await serve(`{"url":"https://receiver.test/hook"${' '.repeat(60_000)}}`);
      await Promise.all(read);
    };
    await readAll('team-a');
    await readAll('team-b');
    expect([asks('team-a', 's0'), asks('team-b', 's0')]).toEqual([false, false]);
    expect([asks('team-a', 's159'), asks('team-b', 's159')]).toEqual([true, true]);
    expect(await sinks.check({ ...to, sink: 's159' })).toMatchObject({
      ok: true,
      notes: [expect.stringMatching(/^the configurations of its namespace have 8,\d{3},\d{3} bytes/)],
    });
    expect(await sinks.check({ ...to, sink: 's0' })).toMatchObject({ ok: true, notes: [] });
    for (const { name } of all.slice(0, 120)) sinks.forget({ ...to, sink: name });
    await sinks.check({ ...to, sink: 's159' });
    expect(asks('team-a', 's159')).toBe(false);
  });

  it('that was deleted during a read is not remembered', async () => {
    const { clock, world, serve, resolve, found } = await rig();
    const first = resolve();
    world.notification = undefined;
    await serve(GOOD);
    await first.resolution;
    await clock.advance(1_000);
    expect(await resolve().resolution).toEqual({ kind: 'unsubscribed' });
    world.notification = aNotification();
    await found(() => serve(GOOD));
  });
});

describe('a sink with a template', () => {
  const templateRef = { name: 'texts', key: 'template.gotpl' };
  const RENDERED = '{"url":"https://receiver.test/hook","enable_renderer":true}';

  async function templated(config = RENDERED) {
    const setup = await rig();
    const notification = aNotification();
    setup.world.notification = {
      ...notification,
      sinks: notification.sinks.map((sink) => ({ ...sink, templateRef })),
    };
    const found = setup.resolve();
    await setup.serve(config);
    const text = async (template: string, resourceVersion = '1'): Promise<void> => {
      const exchange = await setup.api.next();
      expect(exchange.path).toBe('/api/v1/namespaces/team-a/configmaps/texts');
      exchange.answer(200, { metadata: { resourceVersion }, data: { 'template.gotpl': template } });
    };
    return { ...setup, found, text };
  }

  it('reads it with its configuration, and again after its time', async () => {
    const { clock, found, serve, resolve, text, renewed } = await templated();
    await text('one');
    expect(await found.resolution).toMatchObject({
      template: { name: 'texts/template.gotpl', text: 'one' },
      degradation: undefined,
    });
    await clock.advance(5_000);
    const again = resolve();
    await serve(RENDERED);
    await text('two', '2');
    expect(await again.resolution).toMatchObject({ template: { text: 'two' } });
    expect(renewed).toEqual(['ops']);
  });

  it('that is too long is not read, and fails with the reason', async () => {
    const { found, text } = await templated();
    await text('x'.repeat(65_537));
    expect(await found.resolution).toMatchObject({
      kind: 'ready',
      template: {
        text: '',
        tooLarge:
          ': config map team-a/texts, key template.gotpl has 65,537 characters, and at most 65,536 are read: shorten the template',
      },
    });
  });

  it('holds it once for any number of reads, and releases it when the sink is deleted', async () => {
    const { clock, sinks, found, serve, resolve, text } = await templated();
    await text('one');
    const first = await found.resolution;
    await clock.advance(5_000);
    const again = resolve();
    await serve(RENDERED);
    await text('one', '2');
    const templateOf = (resolution: typeof first) =>
      resolution.kind === 'ready' ? resolution.template : undefined;
    expect(templateOf(await again.resolution)).toBe(templateOf(first));
    sinks.forget(to);
    await clock.advance(5_000);
    const anew = resolve();
    await serve(RENDERED);
    await text('one', '3');
    const later = templateOf(await anew.resolution);
    expect(later).toEqual(templateOf(first));
    expect(later).not.toBe(templateOf(first));
  });

  it('that does not exist has the built-in message and a degradation', async () => {
    const { api, found } = await templated();
    (await api.next()).refuse(404, 'NotFound');
    expect(await found.resolution).toMatchObject({
      kind: 'ready',
      template: undefined,
      degradation: {
        reason: 'TemplateMissing',
        message:
          'config map team-a/texts does not exist: create it, or correct templateRef; until then the built-in template is used',
      },
    });
  });

  it('that cannot be read now uses the last one, or waits', async () => {
    const { api, clock, found, serve, resolve, text } = await templated();
    (await api.next()).refuse(500, 'InternalError');
    expect(await found.resolution).toMatchObject({ outcome: { kind: 'wait', forMs: 5_000 } });
    await clock.advance(5_000);
    const there = resolve();
    await serve(RENDERED);
    await text('one');
    await there.resolution;
    await clock.advance(5_000);
    const away = resolve();
    await serve(RENDERED);
    (await api.next()).refuse(500, 'InternalError');
    expect(await away.resolution).toMatchObject({ template: { text: 'one' } });
  });

  it('that has no effect is not read, and a check says so', async () => {
    const { api, found, sinks } = await templated('{"url":"https://receiver.test/hook"}');
    expect(await found.resolution).toMatchObject({ template: undefined, degradation: undefined });
    expect(api.pending).toBe(0);
    expect(await sinks.check(to)).toMatchObject({
      notes: ['templateRef has no effect: enable_renderer is not true in the configuration; set it there'],
      faults: [],
      templateIgnored: 'enable_renderer is not true in the configuration; set it there',
    });
  });
});
