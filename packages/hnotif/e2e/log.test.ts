import { describe, expect, it } from 'vitest';
import { evening } from './support/nights.ts';
import { World } from './support/world.ts';

/** The lines of the log about this sink that a person should look at, in their order. */
const linesOf = (world: World, sink: string): readonly Record<string, unknown>[] =>
  world.log
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter(({ level, sink: about }) => about === sink && (level === 'warn' || level === 'error'));

describe('the log', () => {
  it('tells of each failed delivery which, why, and after how many requests', async () => {
    const world = await World.start();
    world.receiver.faults.add({
      match: { path: '/strict' },
      fault: { kind: 'status', status: 400, body: 'no such field' },
    });
    await world.secret('strict');
    await world.notification('n', { onEvents: ['Start', 'Success'], sinks: ['strict'] });
    await world.plan('orders');
    await world.synced();
    await world.hibernate('orders');
    await world.finish('orders');
    await world.logged(/"event":"Success".*"msg":"delivery failed"/);
    expect(linesOf(world, 'strict')).toMatchObject(
      ['Start', 'Success'].map((event) => ({
        level: 'error',
        msg: 'delivery failed',
        notification: 'team-a/n',
        plan: 'team-a/orders',
        event,
        reason: expect.any(String) as string,
        detail: expect.stringMatching(/400.*no such field/) as string,
        requests: 1,
      })),
    );
  });

  it('tells of each problem with a template which, why, and where in it', async () => {
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
      ['run', 'TemplateExecutionFailed', /^template texts\/run, line 2, column 3: .*index out of range/],
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
