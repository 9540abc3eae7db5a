import { teamchatFault } from '@hnotif/receivers';
import { describe, expect, it } from 'vitest';
import { formatTime, begin, fail, poll, retry } from '@hnotif/core/lifecycle';
import { type NotificationStatus, REPLAY_ANNOTATION } from '@hnotif/core/resources';
import { ALONE, journalOf, pending } from './support/journals.ts';
import { asked, command } from './support/command.ts';
import { serving } from './support/process.ts';
import { applyRights, deployed, RBAC } from '../../lab/src/rights.ts';
import { barOf, Chat, heading, story } from './support/teamchat.ts';
import { contextOf, NAMESPACE, World } from './support/world.ts';

const HERE = `--namespace=${NAMESPACE}`;
const DB = [{ name: 'db', type: 'rds' }];

/** Asks as a user does. */
const told = (world: World, ...args: readonly string[]) => asked(world, ...args, HERE);

/** A notification `n` of starts and ends for the sinks `n` and `well`. The receiver refuses the messages of `n`. */
async function refusing() {
  const world = await World.start();
  for (const name of ['n', 'well']) await world.secret(name);
  await world.notification('n', { onEvents: ['Start', 'Success', 'Failure'], sinks: ['n', 'well'] });
  await world.plan('orders');
  const mend = world.receiver.faults.add({ match: { path: '/n' }, fault: { kind: 'status', status: 400 } });
  return { world, mend };
}

const lost = ({ sinks = [] }: NotificationStatus): number =>
  sinks.flatMap(({ dropped = [] }) => dropped).reduce((sum, { count }) => sum + count, 0);

/** The ids that the sink `n` was sent, and whether it took them. */
const idsAt = (world: World, accepted: boolean): readonly string[] =>
  world.receiver.records
    .filter((record) => record.path === '/n' && record.answered.accepted === accepted)
    .map(({ id }) => id);

/** What `hnotif replay` writes. */
const ask = async (world: World): Promise<string> => {
  const request = JSON.stringify({ at: formatTime(Date.now()), plan: 'orders' });
  const metadata = { annotations: { [REPLAY_ANNOTATION]: request } };
  await world.kube.patch(world.notificationPath('n'), { metadata });
  return request;
};

/** A night whose Start and Success arrived at one sink and were lost at another one, which accepts messages now. */
async function lostAndMended(): Promise<World> {
  const { world, mend } = await refusing();
  await world.synced();
  await world.hibernate('orders');
  await world.succeeds('orders');
  await world.status('n', (status) => lost(status) === 2);
  await world.received(2, 'well');
  // The command reads how deliveries ended from the journal, which is written after the status.
  await pending(world, 'orders', 0);
  mend();
  return world;
}

describe('hnotif replay', () => {
  it('sends failed deliveries again under the same ids, and nothing else; then nothing is left', async () => {
    const world = await lostAndMended();
    const dry = await told(world, 'replay', 'orders', '--dry-run');
    expect(dry).toMatchObject({ exit: 0, err: [] });
    expect(dry.out.join('\n')).toMatch(/n\/n +Success +\S+Z +failed \w+ +WouldBeSent\n/);
    expect(dry.out.at(-1)).toBe('a dry run: nothing was sent');
    const run = await told(world, 'replay', 'orders');
    expect(run).toMatchObject({ exit: 0, err: [] });
    expect(run.out).toEqual([
      expect.stringMatching(/^SINK +EVENT +ENDED +WAS +NOW$/),
      expect.stringMatching(/^n\/n +Start +20\S+Z +failed \w+ +Sent$/),
      expect.stringMatching(/^n\/n +Success +20\S+Z +failed \w+ +Sent$/),
      '2 deliveries are sent again; hnotif why plan/orders follows them',
    ]);
    const records = await world.received(2, 'n');
    expect(records.map((record) => contextOf(record).event)).toEqual(['Start', 'Success']);
    expect(idsAt(world, true)).toEqual(idsAt(world, false));
    const { items } = await world.kube.get(`/api/v1/namespaces/${NAMESPACE}/events`);
    expect(JSON.stringify(items)).toContain('2 deliveries are sent again under the same ids');
    await world.status('n', (status) => lost(status) === 0);
    expect(await told(world, 'replay', 'orders')).toEqual({
      ...{ exit: 1, out: [] },
      err: [
        'error: nothing failed or was dropped of plan orders, as far as its journal knows; see hnotif trace orders',
      ],
    });
    const all = await told(world, 'replay', 'orders', '--all', '--sink', 'well', '-o', 'json');
    expect(JSON.parse(all.out.join('\n'))).toMatchObject([{ notification: 'n', answer: { sent: 2 } }]);
    const again = await world.received(4, 'well');
    const ids = again.map(({ id }) => id);
    expect(ids.slice(2)).toEqual(ids.slice(0, 2));
    expect(idsAt(world, true)).toHaveLength(2);
  });

  it('accepts the id of one event, in the form that its receiver got or that hnotif trace shows', async () => {
    const world = await lostAndMended();
    const [start = '', success = ''] = idsAt(world, false);
    const run = await told(world, 'replay', success);
    expect(run).toMatchObject({ exit: 0, err: [] });
    expect(run.out.slice(1)).toEqual([
      expect.stringMatching(/^n\/n +Success +20\S+Z +failed \w+ +Sent$/),
      '1 delivery is sent again; hnotif why plan/orders follows them',
    ]);
    await world.received(1, 'n');
    expect(idsAt(world, true)).toEqual([success]);
    const arrived = (event: string) =>
      journalOf(world, 'orders', ({ entry }) =>
        JSON.stringify(entry?.nights).includes(`${event} n/n delivered`),
      );
    await arrived('Success');

    // It names the message, which is sent to its sink again, and not to the other one.
    expect(await told(world, 'replay', success)).toMatchObject({ exit: 0, err: [] });
    await world.received(2, 'n');
    expect(idsAt(world, true)).toEqual([success, success]);
    expect(world.receiver.records.filter(({ path }) => path === '/well')).toHaveLength(2);

    const traced = await told(world, 'trace', start);
    expect(traced.out.filter((line) => line.startsWith('n/'))).toEqual([
      expect.stringMatching(/^n\/n +failed +/),
    ]);
    const [, event = ''] = /^Id: +([a-z2-7]{12})$/m.exec(traced.out.join('\n')) ?? [];
    expect((await told(world, 'replay', 'orders', '--id', event)).exit).toBe(0);
    await world.received(3, 'n');
    expect(idsAt(world, true)).toEqual([success, success, start]);
    await arrived('Start');
    expect((await told(world, 'replay', event)).err).toEqual([
      `error: nothing of event ${event} failed or was dropped: n/n delivered, n/well delivered; --all sends what arrived again`,
    ]);
    expect((await told(world, 'replay', event, '--all', '--sink', 'well')).exit).toBe(0);
    await world.received(3, 'well');
  });

  it('reports events that the plan does not show any more, and sends the rest', async () => {
    const { world, mend } = await refusing();
    await world.synced();
    await world.write('orders', (status, at) => begin(status, 'shutdown', 'c1', DB, at));
    await world.write('orders', (status, at) => {
      const failed = poll(status, [{ target: 'db', state: 'Failed' }], at);
      return fail({ ...failed, retryCount: 3 }, 'no rights', at);
    });
    await world.status('n', (status) => lost(status) === 2);
    await world.write('orders', retry);
    mend();
    const { exit, out } = await told(world, 'replay', 'orders', '--notification', 'n', '--since', '1h');
    expect(exit).toBe(1);
    expect(out.join('\n')).toMatch(
      /n\/n +Start .* Sent\nn\/n +Failure .* NotDerivable\nNotDerivable: The status/,
    );
    expect((await world.received(1, 'n')).map((record) => contextOf(record).event)).toEqual(['Start']);
  });

  it('sends a lost Start into the thread of its run, whose card keeps the newer state', async () => {
    const chat = await Chat.start({ onEvents: ['Start', 'ExecutionProgress', 'Success'] });
    const { receiver, world } = chat;
    const mend = receiver.faults.add({ fault: teamchatFault('msg_too_long') });
    await world.hibernate('orders');
    await world.status('n', (status) => lost(status) === 1);
    mend();
    chat.clock.turn(60_000);
    await world.write('orders', (status, at) =>
      poll(status, [{ target: 'db', state: 'Completed' }], at + 60_000),
    );
    await chat.threads([1]);
    expect(await told(world, 'replay', 'orders')).toMatchObject({ exit: 0, err: [] });
    const [root] = await chat.threads([2]);
    expect(root?.replies.map(heading)).toEqual([
      'Target Progress: db (rds) -> Completed',
      expect.stringMatching(/Starting/),
    ]);
    chat.clock.turn(60_000);
    await world.succeeds('orders');
    await chat.threads([3]);
    await chat.shows(/Completed/);
    expect(chat.in().flatMap((each) => story(each, barOf))).toEqual(['[██████████] 1/1']);
  });

  it('survives a kill of the leader before its answer, and before the messages are sent', async () => {
    const { world, mend } = await refusing();
    const first = await serving(world, ALONE);
    await world.hibernate('orders');
    await world.succeeds('orders');
    await journalOf(world, 'orders', ({ entry }) => JSON.stringify(entry.nights).split('failed').length > 2);
    await first.end('SIGKILL');
    mend();
    const up = world.receiver.faults.add({ match: { path: '/n' }, fault: { kind: 'status', status: 503 } });
    const mute = world.cluster.faults.add({
      ...{ resource: 'hibernatenotifications/status', verb: 'patch' },
      effect: { kind: 'status', code: 503 },
    });
    const request = await ask(world);
    const second = await serving(world, ALONE);
    await pending(world, 'orders', 2);
    await second.end('SIGKILL');
    mute();
    await serving(world, ALONE);
    const { replay } = await world.status('n', (status) => status.replay?.request === request);
    expect(replay?.deliveries?.map(({ result }) => result)).toEqual(['Waits', 'Waits']);
    up();
    await world.secret('n', { headers: { 'x-new': '1' } });
    await world.received(2, 'n');
    expect(new Set(idsAt(world, true))).toEqual(new Set(idsAt(world, false)));
    expect(idsAt(world, true)).toHaveLength(2);
  });

  it('can be requested by an annotation, too; an invalid one gets an answer, and costs no message', async () => {
    const { world } = await refusing();
    await world.synced();
    const metadata = { annotations: { [REPLAY_ANNOTATION]: 'orders' } };
    await world.kube.patch(world.notificationPath('n'), { metadata });
    const { replay } = await world.status('n', (status) => status.replay !== undefined);
    expect(replay).toMatchObject({ request: 'orders', reason: 'MalformedRequest', sent: 0 });
    await world.hibernate('orders');
    await world.received(1, 'well');
  });

  it('without a running hnotif says so, and the next one carries it out', async () => {
    const { world, mend } = await refusing();
    const controller = await world.synced();
    await world.hibernate('orders');
    await world.status('n', (status) => lost(status) === 1);
    await controller.stop();
    mend();
    const { exit, err } = await told(world, 'replay', 'orders');
    expect(exit).toBe(1);
    expect(err).toEqual([
      expect.stringMatching(/^error: no instance is active: .*; the request stays: the next hnotif/),
    ]);
    await world.synced();
    await world.received(1, 'n');
    expect(idsAt(world, true)).toEqual(idsAt(world, false));
  });

  it('needs only the right to patch the notification, and says so if that is missing', async () => {
    const world = await World.start({ cluster: { tls: true, auth: true } });
    const { cluster, kube } = world;
    const kubeconfigOf = (user: string, groups: readonly string[] = []): Promise<string> =>
      world.file(user, cluster.kubeconfig({ token: cluster.users.token(user, { groups }) }));
    await applyRights(kube, await deployed('tenant-roles.yaml'));
    const bind = (name: string): Promise<unknown> =>
      kube.post(`${RBAC}/namespaces/${NAMESPACE}/rolebindings`, {
        metadata: { name },
        subjects: [{ kind: 'User', name: 'tenant' }],
        roleRef: { kind: 'ClusterRole', name },
      });
    await bind('hnotif-view');
    await world.secret('n');
    await world.notification('n', { onEvents: ['Start'] });
    await world.plan('orders');
    world.receiver.faults.add({ fault: { kind: 'status', status: 400 }, times: 1 });
    await world.synced({ kubeconfig: await kubeconfigOf('boss', ['system:masters']) });
    await world.hibernate('orders');
    await world.status('n', (status) => lost(status) === 1);
    const tenant = await kubeconfigOf('tenant');
    const run = (...args: readonly string[]) => command(['replay', ...args, HERE, `--kubeconfig=${tenant}`]);
    expect(await run('orders')).toMatchObject({
      exit: 3,
      err: [expect.stringMatching(/hibernateplans cannot be listed .*; or give --notification/)],
    });
    expect(await run('orders', '--notification', 'n')).toMatchObject({
      exit: 3,
      err: [expect.stringMatching(/n cannot be changed .* ask for the role hnotif-edit$/)],
    });
    const [id = ''] = world.receiver.records.map((record) => record.id);
    expect(await run(id)).toMatchObject({
      exit: 3,
      err: [
        expect.stringMatching(
          /cannot be listed .*; or give the plan, .*: hnotif replay PLAN --id [a-z2-7]{52} /,
        ),
      ],
    });
    await bind('hnotif-edit');
    expect(await run('nosuch', '--notification', 'n')).toMatchObject({
      exit: 1,
      err: [expect.stringMatching(/^error: n: plan nosuch: There is no such plan/)],
    });
    expect(await run('orders', '--notification', 'n', '--id', id)).toMatchObject({ exit: 0, err: [] });
    await world.received(1, 'n');
  });

  describe('an error is reported in one line', () => {
    it.each([
      [['nosuch'], 1, /^error: there is no plan nosuch in namespace team-a; hnotif get plans -A lists/],
      [['orders', '--notification', 'nosuch'], 1, /^error: there is no notification nosuch; see hnotif get$/],
      [['orders', '--notification', 'shop'], 1, /^error: shop does not select plan orders: .*team/],
      [['other'], 1, /^error: no notification selects plan other; see hnotif why plan\/other$/],
      [['orders', '--sink', 'nosuch'], 1, /^error: there is no sink nosuch; .* have n\/n, n\/well$/],
      [['orders', '--failed', '--all'], 2, /'--failed' cannot be used with .*'--all'/],
      [['orders', '--since', 'soon'], 2, /--since.*'soon' is invalid/],
      [['orders', '--id', 'Nosuch'], 2, /--id.*'Nosuch' is invalid. Give the id of a message/],
      [
        ['orders', '--id', 'a'.repeat(52)],
        1,
        /^error: no journal knows an event with the id a+, or the plan/,
      ],
      [
        ['b'.repeat(52), '--id', 'a'.repeat(52)],
        1,
        /^error: there is no plan b+ in namespace team-a; hnotif get/,
      ],
      [
        ['a'.repeat(52)],
        1,
        /^error: there is no plan a+ in namespace team-a, and no journal there knows an event or a message/,
      ],
      [['notification/n'], 2, /^error: notification\/n is no plan/],
      [[], 2, /missing required argument 'plan\|id'/],
    ] as const)('%j: exit %i', async (args, exit, message) => {
      const { world } = await refusing();
      await world.secret('shop');
      await world.notification('shop', { onEvents: ['Start'], selector: { matchLabels: { team: 'shop' } } });
      await world.kube.patch(world.notificationPath('n'), {
        spec: {
          selector: { matchLabels: {}, matchExpressions: [{ key: 'lonely', operator: 'DoesNotExist' }] },
        },
      });
      await world.plan('other', ['db'], { labels: { lonely: 'yes' } });
      expect(await told(world, 'replay', ...args)).toEqual({
        exit,
        out: [],
        err: [expect.stringMatching(message)],
      });
    });

    it('when the notification is muted', async () => {
      const { world } = await refusing();
      await world.kube.patch(world.notificationPath('n'), { spec: { suspend: true } });
      const muted = /n is muted, and a muted notification is not replayed; unmute it first: hnotif unmute n$/;
      expect(await told(world, 'replay', 'orders', '--notification', 'n')).toEqual({
        ...{ exit: 1, out: [] },
        err: [expect.stringMatching(muted)],
      });
      const { err } = await told(world, 'replay', 'orders');
      expect(err).toEqual([
        expect.stringMatching(muted),
        'error: all notifications of plan orders are muted; see hnotif get',
      ]);
    });
  });
});
