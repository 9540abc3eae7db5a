import type { Controller } from '../../src/controller/controller.ts';
import { World } from './world.ts';

/**
 * A plan `orders` at rest, a notification `ops` with a sink that gets everything and a sink that is down, and a notification `others`
 * that does not match.
 */
export async function oneSinkDown(): Promise<{ readonly world: World; readonly controller: Controller }> {
  const world = await World.start();
  await world.secret('good');
  await world.secret('down', { url: 'http://127.0.0.1:1/hook' });
  await world.notification('ops', { onEvents: ['Start', 'Success'], sinks: ['good', 'down'] });
  await world.notification('others', { onEvents: ['Start'], selector: { matchLabels: { team: 'shop' } } });
  await world.plan('orders', ['db'], { labels: { team: 'shops' } });
  const controller = await world.synced({
    limits: { backoffMinMs: 1, backoffMaxMs: 5, probeMinMs: 3_600_000, probeMaxMs: 3_600_000 },
    drainTimeoutMs: 0,
  });
  return { world, controller };
}
