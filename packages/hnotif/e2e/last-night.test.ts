import { expect, it } from 'vitest';
import { command, type Answer } from './support/command.ts';
import { crds } from '@hnotif/core/resources';
import { entries, journalOf, type PlanJournal } from './support/journals.ts';
import { morningClock, morningWorld, runOf } from './support/morning.ts';
import { ALL } from '../../lab/src/nights.ts';
import { collection } from '../../lab/src/objects.ts';
import { GROUP, NAMESPACE, World } from './support/world.ts';

/** Two plans with two nights: `shop` is slower in the second one, and `depot` fails there. The sink `strict` refuses failures. */
async function twoNights(): Promise<World> {
  const world = await morningWorld();
  for (const sink of ['log', 'strict']) await world.secret(sink);
  await world.notification('ops', { onEvents: ALL, sinks: ['log'] });
  await world.notification('oncall', { onEvents: ['Failure'], sinks: ['strict'] });
  for (const plan of ['shop', 'depot', 'lab'])
    await world.plan(plan, ['db'], plan === 'depot' ? { spec: { behavior: { retries: 0 } } } : {});
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
    /^2026-01-05T20:05:00\S+ +depot +Failure: phase Error, shutdown, after 5 min: target db: no capacity; failed: db$/m,
  );

  // A delivery has an address: the webhook-id of its message, or the id of the event.
  const refused = world.receiver.records.find(({ path }) => path === '/strict');
  const message = await hnotif('trace', refused?.id ?? '');
  expect(message).toMatchObject({ exit: 0, err: [] });
  expect(message.out.slice(0, 10).join('\n')).toMatch(
    /^Event: +Failure of plan team-a\/depot\nId: +[a-z2-7]{12}\nTime: +2026-01-05T20:05:00Z\nOperation: +shutdown, after 5 min\nPhase: +Error\nError: +target db: no capacity\nFailed: +db\n\nSINK .*\noncall\/strict +failed +2026-01-06T\S+ +1 +[a-z2-7]{12} +BadRequest$/,
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
  // It has the same ids in the log and in the Kubernetes Event.
  const line = JSON.parse(await world.logged(/"delivery failed"/)) as Record<string, string>;
  expect(line).toMatchObject({ event: 'Failure', messageId: refused?.id });
  const { eventId = '' } = line;
  expect(eventId.startsWith(id)).toBe(true);
  await expect
    .poll(async () => JSON.stringify(await world.kube.get(collection(NAMESPACE, 'events'))))
    .toContain(`; the last: Failure of depot, id ${eventId}`);

  // A receiver knows no namespace.
  const everywhere = ['-A', `--kubeconfig=${await world.kubeconfig()}`];
  expect((await command(['trace', refused?.id ?? '', ...everywhere])).out[0]).toBe(message.out[0]);
  await world.addNamespace('team-b');
  await world.team('team-b').plan('depot');
  expect(await command(['trace', 'depot', ...everywhere])).toEqual({
    ...{ exit: 2, out: [] },
    err: ['error: plan depot is in the namespaces team-a, team-b: choose one with -n'],
  });

  const all = await hnotif('trace', 'b'.repeat(52));
  expect(all).toMatchObject({
    exit: 1,
    out: [],
    err: [
      expect.stringMatching(/^error: there is no plan b+ in namespace team-a, and no journal there knows/),
    ],
  });

  const night = await hnotif('night');
  expect(night).toMatchObject({ exit: 1, err: [] });
  expect(night.out.join('\n')).toBe(
    `The night of 2026-01-05, from noon to noon (UTC); it is not over
3 plans: 1 failed, 1 missing, 1 awake; 6 of 7 messages arrived

PLAN    STATE     SLEEP                       WAKE           TOLD     DIFFERENT
depot   failed    20:00, failed after 5 min   -              2 of 3   newly failed
lab     missing   -                           -              -        missing
shop    awake     20:00, 14 min               06:00, 2 min   4 of 4   newly slow

error depot: shutdown: target db: no capacity; failed: db
missing lab did not fall asleep; the night before it did at 20:00
slow shop took 14 min to fall asleep, 3 min the night before
not told oncall/strict: Failure of depot at 20:05: failed (BadRequest); hnotif replay ${id} sends it again`,
  );
  const before = await hnotif('night', '--date=2026-01-04', '--time-zone=Europe/Paris', '-o', 'json');
  expect(before.exit).toBe(0);
  expect(JSON.parse(before.out.join('\n'))).toMatchObject({
    ...{ from: '2026-01-04T11:00:00Z', isOver: true, notTold: [] },
    plans: ['depot', 'lab', 'shop'].map((plan) => ({ plan, state: 'awake', differences: [] })),
  });
  const calm = await hnotif('night', '--date=2026-01-02');
  expect(calm).toMatchObject({ exit: 0, err: [] });
  expect(calm.out[1]).toMatch(/^Nothing happened: /);
});

it('an API server with the older CRD drops the field of nights, and refuses nothing', async () => {
  const world = await World.start({ crds: false });
  const old = crds(GROUP, { withPlans: true }).map((crd): object => {
    const copy = structuredClone(crd);
    removeProperty(copy, 'nights');
    return copy;
  });
  await world.installCrds(old);
  await world.secret('n');
  await world.notification('n', { onEvents: ALL });
  await world.plan('orders');
  await world.synced();
  await world.hibernate('orders');
  await world.received(2);
  await journalOf(
    world,
    'orders',
    ({ entry }) =>
      entry.waiting === 0 && JSON.stringify(entry.outcomes).includes('PhaseChange n/n delivered'),
  );
  const { conditions } = await world.status('n', (status) => status.conditions !== undefined);
  expect(conditions).toContainEqual(expect.objectContaining({ type: 'Durable', status: 'True' }));
  const [{ entry }] = (await entries(world)) as [PlanJournal];
  expect(entry.nights).toBeUndefined();
});

/** Removes a property from all objects within a value. */
function removeProperty(value: unknown, name: string): void {
  if (typeof value !== 'object' || value === null) return;
  Reflect.deleteProperty(value, name);
  for (const each of Object.values(value)) removeProperty(each, name);
}

it.each([
  [['--date', '2026-02-30'], /Give a day as YYYY-MM-DD/],
  [
    ['--date', '2999-01-01'],
    /^error: the night of 2999-01-01 has not begun; give an earlier --date, or --last$/,
  ],
  [['--last', '--date', '2026-01-05'], /cannot be used with option/],
  [['--time-zone', 'Paris'], /Give a time zone such as UTC or Europe\/Paris/],
  [['-o', 'wide'], /Allowed choices are table, json, yaml/],
])('a night that cannot be shown is one error with the remedy: %j', async (args, message) => {
  const { exit, out, err } = await ask(await World.start())('night', ...args);
  expect({ exit, out }).toEqual({ exit: 2, out: [] });
  expect(err.join('\n')).toMatch(message);
});
