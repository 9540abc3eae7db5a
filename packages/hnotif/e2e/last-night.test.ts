import { expect, it } from 'vitest';
import { command, type Answer } from './support/command.ts';
import { journalOf } from './support/journals.ts';
import { morningClock, morningWorld, runOf } from './support/morning.ts';
import { ALL } from './support/nights.ts';
import { NAMESPACE, type World } from './support/world.ts';

/** Two plans with two nights: `shop` is slower in the second one, and `depot` fails there. The sink `strict` refuses failures. */
async function twoNights(): Promise<World> {
  const world = await morningWorld();
  for (const sink of ['log', 'strict']) await world.secret(sink);
  await world.notification('ops', { onEvents: ALL, sinks: ['log'] });
  await world.notification('oncall', { onEvents: ['Failure'], sinks: ['strict'] });
  for (const plan of ['shop', 'depot', 'lab'])
    await world.plan(plan, ['db'], plan === 'depot' ? { behavior: { retries: 0 } } : {});
  await world.synced({ clock: morningClock });
  for (const plan of ['shop', 'depot', 'lab']) {
    await runOf(world, plan, { at: '2026-01-04T20:00:00Z', minutes: 3 });
    await runOf(world, plan, { operation: 'wakeup', at: '2026-01-05T06:00:00Z', minutes: 2 });
  }
  world.receiver.faults.add({ match: { path: '/strict' }, fault: { kind: 'status', status: 400 } });
  await runOf(world, 'shop', { at: '2026-01-05T20:00:00Z', minutes: 14 });
  await runOf(world, 'shop', { operation: 'wakeup', at: '2026-01-06T06:00:00Z', minutes: 2 });
  await runOf(world, 'depot', { at: '2026-01-05T20:00:00Z', minutes: 5, error: 'no capacity' });
  await journalOf(
    world,
    'depot',
    ({ entry }) => entry.waiting === 0 && JSON.stringify(entry.nights).includes('oncall/strict failed'),
  );
  await journalOf(
    world,
    'shop',
    ({ entry }) => entry.waiting === 0 && JSON.stringify(entry.nights).split(' Success ').length > 4,
  );
  return world;
}

const ask =
  (world: World) =>
  async (...args: readonly string[]): Promise<Answer> =>
    command([...args, `--kubeconfig=${await world.kubeconfig()}`, `--namespace=${NAMESPACE}`]);

it('what happened last night is told in the morning: from the journal, whatever came since', async () => {
  const world = await twoNights();
  const hnotif = ask(world);

  // The events of both nights are still there, beside the progress, and say why a plan failed.
  const trace = (await hnotif('trace', 'depot')).out.join('\n');
  expect(trace).toMatch(/^2026-01-04T20:00:00\S+ +depot +Start: phase Hibernating, shutdown$/m);
  expect(trace).toMatch(
    /^2026-01-05T20:05:00\S+ +depot +Failure: phase Error, shutdown, after 5 min: target db: no capacity; failed: db \(no capacity\)$/m,
  );

  // A delivery has an address: the webhook-id of its message, or the id of the event.
  const refused = world.receiver.records.find(({ path }) => path === '/strict');
  const message = await hnotif('trace', refused?.id ?? '');
  expect(message).toMatchObject({ exit: 0, err: [] });
  expect(message.out.slice(0, 10).join('\n')).toMatch(
    /^Event: +Failure of plan team-a\/depot\nId: +[a-z2-7]{12}\nTime: +2026-01-05T20:05:00Z\nOperation: +shutdown, after 5 min\nPhase: +Error\nError: +target db: no capacity\nFailed: +db \(no capacity\)\n\nSINK .*\noncall\/strict +failed +2026-01-06T\S+ +1 +[a-z2-7]{12} +BadRequest$/,
  );
  const id = /^Id: +(\S+)$/m.exec(message.out.join('\n'))?.[1] ?? '';
  const event = JSON.parse((await hnotif('trace', id, '-o', 'json')).out.join('\n')) as Record<
    string,
    unknown
  >;
  expect(event).toMatchObject({
    ...{ namespace: 'team-a', plan: 'depot', event: 'Failure', id },
    facts: { operation: 'shutdown', phase: 'Error', took: 300, error: 'target db: no capacity' },
    deliveries: expect.toSatisfy((rows: readonly { sink: string; state: string }[]) =>
      ['log delivered', 'strict failed'].every((end) =>
        rows.some(({ sink, state }) => `${sink} ${state}` === end),
      ),
    ) as unknown,
  });
  const all = await hnotif('trace', 'b'.repeat(52));
  expect(all).toMatchObject({
    exit: 1,
    out: [],
    err: [
      expect.stringMatching(/^error: there is no plan b+ in namespace team-a, and no journal there knows/),
    ],
  });
});
