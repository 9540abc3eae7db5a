import { describe, expect, it, onTestFinished } from 'vitest';
import { ContentReader } from '../cluster/contents.ts';
import { FakeApi } from '../cluster/testing/fake-api.ts';
import { NO_CONNECTOR } from '../resources/connectors.ts';
import type { Notification } from '../resources/notification.ts';
import { ManualClock } from '../testing/clock.ts';
import { anEvent } from '../testing/events.ts';
import { aNotification } from '../testing/notifications.ts';
import { aPlan } from '../testing/plans.ts';
import { sinkSettings } from '../testing/sinks.ts';
import { Transport } from '../transport/client.ts';
import { Sinks } from './sinks.ts';

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
  const shared = { client: api.client(clock), clock, ttlMs: 1_000 };
  const sinks = new Sinks({
    clock,
    secrets: new ContentReader('secrets', shared),
    templates: new ContentReader('configmaps', shared),
    deps: sinkSettings({ transport, clock }),
    notification: () => world.notification,
    view: ({ labels, annotations }) => ({ labels, annotations, connector: () => NO_CONNECTOR }),
    ttlMs: 5_000,
    renewed: () => undefined,
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
  return { api, clock, sinks, world, serve, resolve };
}

const GOOD = '{"url":"https://receiver.test/hook"}';

describe('a sink at a delivery', () => {
  it('is read again after its time only', async () => {
    const { clock, serve, resolve } = await rig();
    const first = resolve();
    await serve(GOOD);
    expect(await first.resolution).toMatchObject({ kind: 'ready' });
    await clock.advance(4_999);
    expect(resolve().asked).toBe(false);
    await clock.advance(1);
    const again = resolve();
    expect(again.asked).toBe(true);
    await serve(GOOD);
    expect(await again.resolution).toMatchObject({ kind: 'ready' });
  });

  it('that refuses every message costs a look at its secret in a second, no more', async () => {
    const { clock, sinks, serve, resolve } = await rig();
    const first = resolve();
    await serve(GOOD);
    await first.resolution;
    for (let delivery = 0; delivery < 10; delivery++) {
      sinks.rejected(to);
      expect(resolve().asked).toBe(false);
      await clock.advance(99);
    }
    await clock.advance(10);
    sinks.rejected(to);
    const mended = resolve();
    expect(mended.asked).toBe(true);
    await serve('{"url":"https://mended.test/hook"}', '8');
    expect(await mended.resolution).toMatchObject({ kind: 'ready', sink: { origin: 'https://mended.test' } });
  });

  it('whose secret or key is missing may be waited for: it may be about to be replaced', async () => {
    const { api, clock, sinks, resolve } = await rig();
    const missing = resolve();
    (await api.next()).refuse(404, 'NotFound');
    expect(await missing.resolution).toMatchObject({
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

  it('whose configuration is wrong cannot be waited for', async () => {
    const { serve, resolve } = await rig();
    const wrong = resolve();
    await serve('{}');
    expect(await wrong.resolution).toMatchObject({
      outcome: { kind: 'rejected-configuration', reason: 'ConfigInvalid' },
    });
  });

  it('that was forgotten is read anew', async () => {
    const { clock, sinks, serve, resolve } = await rig();
    const first = resolve();
    await serve(GOOD);
    await first.resolution;
    await clock.advance(1_000);
    sinks.keep({ namespace: 'team-a', name: 'all' }, aNotification().sinks);
    expect(resolve().asked).toBe(false);
    sinks.keep({ namespace: 'team-a', name: 'all' }, []);
    const anew = resolve();
    expect(anew.asked).toBe(true);
    await serve(GOOD);
    await anew.resolution;
  });

  it('that was deleted while it was read is not remembered', async () => {
    const { clock, world, serve, resolve } = await rig();
    const first = resolve();
    world.notification = undefined;
    await serve(GOOD);
    await first.resolution;
    await clock.advance(1_000);
    expect(await resolve().resolution).toEqual({ kind: 'unsubscribed' });
    world.notification = aNotification();
    const anew = resolve();
    expect(anew.asked).toBe(true);
    await serve(GOOD);
    await anew.resolution;
  });
});
