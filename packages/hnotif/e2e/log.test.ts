import { describe, expect, it } from 'vitest';
import { evening } from '../../lab/src/nights.ts';
import { World } from './support/world.ts';

/** The lines of the log about this sink that a person should look at, in their order. */
const linesOf = (world: World, sink: string): readonly Record<string, unknown>[] =>
  world.log
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter(({ level, sink: about }) => about === sink && (level === 'warn' || level === 'error'));

describe('the log', () => {
  it('names the first failed delivery with reason and number of requests, and then counts the next ones', async () => {
    const world = await World.start();
    world.receiver.faults.add({
      match: { path: '/strict' },
      fault: { kind: 'status', status: 400, body: 'no such field' },
    });
    await world.secret('strict');
    await world.notification('n', { onEvents: ['Start', 'Success'], sinks: ['strict'] });
    for (const plan of ['orders', 'users', 'stock']) await world.plan(plan);
    const controller = await world.synced();
    for (const plan of ['orders', 'users', 'stock']) {
      await world.hibernate(plan);
      await world.succeeds(plan);
    }
    await expect.poll(() => controller.totals().failed).toBe(6);
    await controller.stop();
    const about = {
      ...{ level: 'error', notification: 'team-a/n', reason: 'BadRequest' },
      ...{ detail: expect.stringMatching(/400.*no such field/) as string, requests: 1 },
    };
    const [first, ...others] = linesOf(world, 'strict').filter(({ level }) => level === 'error');
    expect(first).toMatchObject({ ...about, msg: 'delivery failed', plan: 'team-a/orders', event: 'Start' });
    const number = others.reduce((sum, { count }) => sum + Number(count), 0);
    expect(number).toBe(5);
    for (const line of others)
      expect(line).toMatchObject({
        ...{ ...about, msg: 'deliveries failed' },
        since: expect.stringMatching(/^\d{4}-/) as string,
      });
  });

  it('names each problem with a template, with reason and place', async () => {
    const world = await World.start();
    const templates = {
      parse: 'line one\n{{ if .Event }}',
      run: 'line one\n{{ index .Targets 9 }}',
    };
    await world.templates('texts', templates);
    const names = [...Object.keys(templates), 'missing'];
    for (const name of names) await world.secret(name, { enable_renderer: true });
    await world.notification('n', {
      onEvents: ['Failure'],
      sinks: names.map((name) => ({ name, templateRef: { name: 'texts', key: name } })),
    });
    await world.plan('orders', ['db', 'vm'], { spec: { behavior: { retries: 0 } } });
    await world.synced();
    await evening(world, 'orders');
    await world.received(3);
    for (const [sink, reason, detail] of [
      ['parse', 'TemplateParseFailed', /^template texts\/parse, line 2.*unexpected EOF/],
      ['run', 'TemplateExecutionFailed', /^template texts\/run, line 2, column 4: .*index out of range/],
      ['missing', 'TemplateMissing', /config map team-a\/texts has no key missing/],
    ] as const) {
      await world.logged(new RegExp(`"sink":"${sink}".*"reason":"${reason}"`));
      const about = { notification: 'team-a/n', plan: 'team-a/orders', event: 'Failure' };
      expect(linesOf(world, sink), sink).toContainEqual(
        expect.objectContaining({
          ...about,
          level: 'warn',
          msg: 'message degraded',
          reason,
          detail: expect.stringMatching(detail) as string,
        }),
      );
    }
  });
});
