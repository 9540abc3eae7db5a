import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { begin, poll, succeed, type TargetChange } from '@hnotif/core/lifecycle';
import type { NotificationStatus } from '@hnotif/core/resources';
import { pending } from './support/journals.ts';
import { asked, command } from './support/command.ts';
import { notificationObject } from '../../lab/src/objects.ts';
import { Chat, heading } from './support/teamchat.ts';
import { TurnedClock } from '../../lab/src/turned-clock.ts';
import { contextOf, metricsOf, NAMESPACE, World } from './support/world.ts';

const HOUR_MS = 3_600_000;

const readyOf = ({ conditions = [] }: NotificationStatus) => conditions.find(({ type }) => type === 'Ready');
const suspended = (status: NotificationStatus): boolean => readyOf(status)?.reason === 'Suspended';

/** A notification `n` of starts and ends, and one beside it that always sends. */
async function served(spec: object = {}): Promise<World> {
  const world = await World.start();
  for (const name of ['n', 'other']) {
    await world.secret(name);
    await world.notification(name, { onEvents: ['Start', 'Success'] });
  }
  await world.kube.patch(world.notificationPath('n'), { spec });
  await world.plan('orders');
  return world;
}

const ask = (world: World, ...args: readonly string[]) => asked(world, ...args, `--namespace=${NAMESPACE}`);

describe('a suspended notification', () => {
  it('sends nothing; due messages are dropped, counted and shown, without a warning; then it sends again', async () => {
    const world = await served({ suspend: true, suspendReason: 'migration' });
    const controller = await world.synced();
    const status = await world.status('n', suspended);
    expect(readyOf(status)).toMatchObject({
      status: 'True',
      message: expect.stringMatching(
        /^suspended until spec\.suspend is removed \(migration\): new deliveries are dropped/,
      ) as string,
    });
    await world.hibernate('orders');
    await world.received(1, 'other');
    const dropped = await world.status('n', ({ sinks }) => sinks?.[0]?.dropped !== undefined);
    expect(dropped.sinks?.[0]?.dropped).toMatchObject([{ reason: 'suspended', count: 1 }]);
    expect(await metricsOf(controller)).toMatch(
      /^hnotif_deliveries_dropped_total\{.*notification="n".*reason="suspended"\} 1$/m,
    );
    const { items } = await world.kube.get(`/api/v1/namespaces/${NAMESPACE}/events`);
    expect(JSON.stringify(items)).not.toContain('DeliveryDropped');
    await world.kube.patch(world.notificationPath('n'), { spec: { suspend: false } });
    await world.status('n', (now) => !suspended(now));
    await world.succeeds('orders');
    const [record] = await world.received(1, 'n');
    expect(contextOf(record!).event).toBe('Success');
  });

  it('drops messages that wait when it begins at their next attempt, and the next process does not send them either', async () => {
    const world = await served();
    const mend = world.receiver.faults.add({ match: { path: '/n' }, fault: { kind: 'status', status: 503 } });
    const quick = { limits: { backoffMinMs: 1, backoffMaxMs: 5, probeMinMs: 20, probeMaxMs: 40 } };
    const first = await world.synced(quick);
    await world.hibernate('orders');
    await world.status('n', ({ sinks }) => sinks?.[0]?.state === 'Parked');
    await world.kube.patch(world.notificationPath('n'), { spec: { suspend: true } });
    await world.status('n', ({ sinks }) => sinks?.[0]?.dropped?.[0]?.reason === 'suspended');
    await pending(world, 'orders', 0);
    await first.stop();
    mend();
    await world.kube.patch(world.notificationPath('n'), { spec: { suspend: null } });
    await world.synced(quick);
    await world.succeeds('orders');
    const records = await world.received(1, 'n');
    expect(
      records.filter(({ answered }) => answered.accepted).map((record) => contextOf(record).event),
    ).toEqual(['Success']);
  });

  it('shows until when; a time that has passed has no effect', async () => {
    const clock = new TurnedClock();
    const until = new Date(Date.now() + HOUR_MS).toISOString();
    const world = await served({ suspend: true, suspendUntil: until });
    await world.synced({ clock });
    expect(readyOf(await world.status('n', suspended))?.message).toMatch(/^suspended until 20\d\d-/);
    await world.kube.patch(world.notificationPath('n'), { spec: { suspendUntil: '2026-01-05T20:00:00Z' } });
    await world.status('n', (now) => !suspended(now));
    await world.hibernate('orders');
    await world.received(1, 'n');
  });

  it('ends by the API server’s clock, in deliveries and in the status, if the clock of the machine is hours ahead', async () => {
    const clock = new TurnedClock();
    clock.turn(2 * HOUR_MS);
    const until = new Date(Date.now() + HOUR_MS).toISOString();
    const world = await served({ suspend: true, suspendUntil: until });
    await world.synced({ clock });
    await world.hibernate('orders');
    const { sinks, ...status } = await world.status('n', (now) => now.sinks?.[0]?.dropped !== undefined);
    expect(sinks?.[0]?.dropped).toMatchObject([{ reason: 'suspended', count: 1 }]);
    expect(readyOf(status)?.reason).toBe('Suspended');
  });

  it('with an invalid time is refused by the API server', async () => {
    const world = await served();
    await expect(
      world.kube.patch(world.notificationPath('n'), { spec: { suspend: true, suspendUntil: 'tomorrow' } }),
    ).rejects.toThrow(/suspendUntil/);
  });
});

describe('a suspended notification with tellAfterSuspend', () => {
  const waiting = ({ sinks }: NotificationStatus): boolean => sinks?.[0]?.state === 'Blocked';

  it('drops the Start, and sends the Success when the suspension is over; until then the status shows that it waits', async () => {
    const world = await served({ suspend: true, tellAfterSuspend: true });
    await world.synced();
    const status = await world.status('n', suspended);
    expect(readyOf(status)?.message).toMatch(/dropped, but Success and Failure wait and are sent after it/);
    await world.hibernate('orders');
    await world.succeeds('orders');
    const { sinks } = await world.status('n', waiting);
    expect(sinks?.[0]).toMatchObject({
      ...{ waiting: 1, reason: 'Suspended', dropped: [{ reason: 'suspended', count: 1 }] },
      message: expect.stringMatching(/hnotif unmute/) as string,
    });
    const { items } = await world.kube.get(`/api/v1/namespaces/${NAMESPACE}/events`);
    expect(JSON.stringify(items)).not.toContain('"Warning"');
    expect(await ask(world, 'unmute', 'n')).toMatchObject({ exit: 0 });
    const records = await world.received(1, 'n');
    expect(records.map((record) => contextOf(record).event)).toEqual(['Success']);
    await world.status('n', (now) => !waiting(now));
  });

  it('sends it also when the suspension ends by its time, and when another process serves by then', async () => {
    const until = new Date(Date.now() + HOUR_MS).toISOString();
    const world = await served({ suspend: true, suspendUntil: until, tellAfterSuspend: true });
    const first = await world.synced();
    await world.hibernate('orders');
    await world.succeeds('orders');
    await pending(world, 'orders', 1);
    await first.stop();
    await world.kube.patch(world.notificationPath('n'), { spec: { suspendUntil: '2026-01-05T20:00:00Z' } });
    await world.synced();
    const records = await world.received(1, 'n');
    expect(records.map((record) => contextOf(record).event)).toEqual(['Success']);
  });

  it('is set by hnotif mute, and stays until it is changed', async () => {
    const world = await served();
    const option = async () => (await world.kube.get(world.notificationPath('n'))).spec?.tellAfterSuspend;
    await ask(world, 'mute', 'n', '--tell-after');
    expect(await option()).toBe(true);
    await ask(world, 'unmute', 'n');
    await ask(world, 'mute', 'n');
    expect(await option()).toBe(true);
    await ask(world, 'mute', 'n', '--no-tell-after');
    expect(await option()).toBeUndefined();
  });
});

describe('a notification with a muteSchedule', () => {
  const monday = (time: string): number => Date.parse(`2026-01-05T${time}:00Z`);
  // Paris is an hour ahead of UTC.
  const evening = {
    ...{ weekdays: ['monday:friday'], location: 'Europe/Paris' },
    times: [{ startTime: '20:00', endTime: '22:00' }],
  };

  /** A world in which it is this time for the API server, the operator and the controller, until it is turned. */
  async function servedAt(time: string, spec: object = {}) {
    const clock = new TurnedClock();
    clock.turn(monday(time) - clock.now());
    const world = await World.start({ now: () => clock.now() });
    await world.secret('n');
    await world.notification('n', { onEvents: ['Start', 'Success'] });
    await world.kube.patch(world.notificationPath('n'), { spec: { muteSchedule: [evening], ...spec } });
    await world.plan('orders');
    await world.synced({ clock });
    const muted = ({ conditions = [] }: NotificationStatus): boolean =>
      readyOf({ conditions })?.reason === 'MutedBySchedule';
    return { clock, world, muted };
  }

  it('sends nothing while an interval holds, and says so, and until when; then it sends by itself', async () => {
    const { clock, muted, world } = await servedAt('19:30');
    expect(readyOf(await world.status('n', muted))).toMatchObject({
      status: 'True',
      message: expect.stringMatching(
        /^muted by spec\.muteSchedule until 2026-01-05T21:00:00Z: new deliveries are dropped; change spec\.muteSchedule to send sooner; /,
      ) as string,
    });
    await world.hibernate('orders');
    const { sinks } = await world.status('n', (now) => now.sinks?.[0]?.dropped !== undefined);
    expect(sinks?.[0]?.dropped).toMatchObject([{ reason: 'suspended', count: 1 }]);
    const { items } = await world.kube.get(`/api/v1/namespaces/${NAMESPACE}/events`);
    expect(JSON.stringify(items)).not.toContain('DeliveryDropped');
    clock.turn(monday('21:00') - clock.now());
    await world.status('n', (now) => !muted(now));
    await world.succeeds('orders');
    const records = await world.received(1, 'n');
    expect(records.map((record) => contextOf(record).event)).toEqual(['Success']);
  });

  it('is muted, not failing, and has lost nothing: in describe, why and doctor', async () => {
    const { muted, world } = await servedAt('19:30');
    await world.status('n', muted);
    await world.hibernate('orders');
    const { sinks } = await world.status('n', (now) => now.sinks?.[0]?.dropped !== undefined);
    expect(sinks?.[0]).not.toHaveProperty('reason');
    expect((await ask(world, 'describe', 'n')).out.join('\n')).toMatch(/^n +webhook +n +Muted +0 /m);
    const why = (await ask(world, 'why', 'n')).out.join('\n');
    expect(why).toMatch(/^note n\/n: 1 delivery was left out, the last .*: The notification was suspended/m);
    expect(why).not.toMatch(/^warning|lost|replay/m);
    const doctor = await ask(world, 'doctor', 'n', '--allow-insecure-http');
    expect(doctor.out.join('\n')).not.toMatch(/lost|left out/);
  });

  it('holds beyond the end of a mute: mute and why name both ends', async () => {
    const { muted, world } = await servedAt('19:30');
    await world.status('n', muted);
    const ends = /until 2026-01-05T19:4\d:\d\dZ, then spec\.muteSchedule holds until 2026-01-05T21:00:00Z/;
    expect((await ask(world, 'mute', 'n', '--for', '10m')).out[0]).toMatch(
      new RegExp(`^n sends nothing ${ends.source}$`),
    );
    expect((await ask(world, 'why', 'n')).out.join('\n')).toMatch(
      new RegExp(`^note n: suspended ${ends.source}: new deliveries are dropped`, 'm'),
    );
  });

  it('begins by itself, also for the status', async () => {
    const { clock, muted, world } = await servedAt('18:30');
    await world.status('n', (now) => readyOf(now)?.reason === 'SinksReady');
    await world.hibernate('orders');
    await world.status('n', ({ sinks }) => sinks?.[0]?.lastSuccess !== undefined);
    clock.turn(monday('19:00') - clock.now());
    await world.status('n', muted);
    await world.succeeds('orders');
    await world.status('n', (now) => now.sinks?.[0]?.dropped?.[0]?.count === 1);
  });

  it('with tellAfterSuspend sends the Success at its end', async () => {
    const { clock, muted, world } = await servedAt('19:30', { tellAfterSuspend: true });
    await world.status('n', muted);
    await world.hibernate('orders');
    await world.succeeds('orders');
    await world.status('n', ({ sinks }) => sinks?.[0]?.state === 'Blocked');
    clock.turn(monday('21:00') - clock.now());
    const records = await world.received(1, 'n');
    expect(records.map((record) => contextOf(record).event)).toEqual(['Success']);
  });

  it('is named by why, unmute and replay, which do not end it; without it, the notification sends at once', async () => {
    const { muted, world } = await servedAt('19:30');
    await world.status('n', muted);
    const until =
      /muted by spec\.muteSchedule until 2026-01-05T21:00:00Z: new deliveries are dropped; change /;
    expect((await ask(world, 'why', 'n')).out.join('\n')).toMatch(
      new RegExp(`^note n: ${until.source}`, 'm'),
    );
    expect((await ask(world, 'unmute', 'n')).out.join('\n')).toMatch(new RegExp(`^n is ${until.source}`));
    const replay = await ask(world, 'replay', 'orders', '--notification', 'n');
    expect([replay.exit, replay.err.join('\n')]).toEqual([1, expect.stringMatching(until)]);
    await world.kube.patch(world.notificationPath('n'), { spec: { muteSchedule: null } });
    await world.status('n', (now) => !muted(now));
    await world.hibernate('orders');
    await world.received(1, 'n');
  });

  it.each<[object, RegExp]>([
    [
      { weekdays: ['sat'] },
      /weekdays\[0\]: must be a day such as saturday, or a range such as monday:friday/,
    ],
    [
      { times: [{ startTime: '8:00', endTime: '18:00' }] },
      /startTime: must be a time such as 08:00, at most 24:00/,
    ],
    [
      { times: [{ startTime: '22:00', endTime: '06:00' }] },
      /endTime: expected a time after startTime; for a night, /,
    ],
    [{}, /weekdays: is missing; set it to a day such as saturday, .*; or set times/],
    [
      { weekdays: ['monday'], location: 'Europe/Pariss' },
      /location: expected a time zone such as Europe\/Paris/,
    ],
    [{ weekday: ['monday'], times: evening.times }, /weekday: is not known.*; did you mean weekdays\?/],
    [{ weekdays: [], times: evening.times }, /weekdays: must have 1 to 7 entries/],
    [{ times: Array(9).fill(evening.times[0]) }, /times: must have 1 to 8 entries/],
  ])('%j is refused by validate, with the remedy', async (interval, message) => {
    const { spec, ...rest } = notificationObject('n', { onEvents: ['Start'] }) as { spec: object };
    const text = stringify({ ...rest, spec: { ...spec, muteSchedule: [interval] } }, { version: '1.1' });
    const { out } = await command(['validate', '-'], text);
    const found = out.filter((line) => !line.includes('[reference]'));
    expect(found).toEqual([expect.stringMatching(message)]);
    expect(found[0]).toMatch(/spec\.muteSchedule\[0\]/);
  });

  it.each([
    { weekdays: ['sat'] },
    { times: [{ startTime: '22:00', endTime: '06:00' }] },
    { times: [{ startTime: '08:00', endTime: '24:30' }] },
    {},
    { weekdays: ['monday'], location: 'Paris!' },
  ])('%j is refused by the API server', async (interval) => {
    const world = await served();
    const change = { spec: { muteSchedule: [interval] } };
    await expect(world.kube.patch(world.notificationPath('n'), change)).rejects.toThrow(/muteSchedule/);
  });
});

describe('the threads of a suspended notification', () => {
  const targets = ['db', 'vm'].map((name) => ({ name, type: 'rds' }));

  async function chatting(spec: object = {}) {
    const chat = await Chat.start({
      onEvents: ['Start', 'ExecutionProgress', 'Success'],
      prepare: async (world) => {
        await world.plan('orders', ['db', 'vm']);
        await world.kube.patch(world.notificationPath('n'), { spec });
      },
    });
    const { world } = chat;
    return {
      chat,
      begin: () => world.write('orders', (status, at) => begin(status, 'shutdown', 'c1', targets, at)),
      complete: (...names: readonly string[]) => {
        const changes = names.map((target): TargetChange => ({ target, state: 'Completed' }));
        return world.write('orders', (status, at) => poll(status, changes, at));
      },
      succeed: () => world.write('orders', succeed),
      suspend: async (suspend: boolean) => {
        await world.kube.patch(world.notificationPath('n'), { spec: { suspend } });
        await world.status('n', (now) => suspended(now) === suspend);
      },
      dropped: (count: number) => world.status('n', ({ sinks }) => sinks?.[0]?.dropped?.[0]?.count === count),
    };
  }

  it('an earlier thread continues afterwards; its card shows the changes of the suspension', async () => {
    const night = await chatting();
    await night.begin();
    await night.chat.threads([1]);
    await night.suspend(true);
    await night.complete('db');
    await night.dropped(1);
    await night.suspend(false);
    await night.complete('vm');
    await night.succeed();
    const [root] = await night.chat.threads([3]);
    expect(root?.replies.map(heading)).toEqual([
      'Hibernation Starting (2 targets)',
      'Target Progress: vm (rds) -> Completed',
      'Hibernation Completed',
    ]);
    await night.chat.shows(/2\/2|2 completed/);
    await night.chat.stop();
  });

  it('hnotif replay sends the dropped messages into the thread, and completes the card', async () => {
    const night = await chatting();
    const { world } = night.chat;
    await night.begin();
    await night.chat.threads([1]);
    await night.suspend(true);
    await night.complete('db', 'vm');
    await night.succeed();
    await night.dropped(3);
    await night.suspend(false);
    expect(await ask(world, 'replay', 'orders')).toMatchObject({ exit: 0, err: [] });
    const [root] = await night.chat.threads([4]);
    expect(root?.replies.map(heading)).toEqual([
      'Hibernation Starting (2 targets)',
      'Target Progress: db (rds) -> Completed',
      'Target Progress: vm (rds) -> Completed',
      'Hibernation Completed',
    ]);
    await night.chat.stop();
    expect(night.chat.in().map(heading)).toEqual(['Hibernation Completed']);
  });
});

describe('hnotif mute and unmute', () => {
  it('write it, and why reports it', async () => {
    const world = await served();
    await world.synced();
    await world.status('n', ({ conditions }) => conditions !== undefined);
    const muted = await ask(world, 'mute', 'n', '--for', '2h', '--reason', 'migration');
    expect(muted).toEqual({
      exit: 0,
      out: [
        expect.stringMatching(/^n sends nothing until 20\S+Z$/),
        'the deliveries until then are dropped; --tell-after keeps Success and Failure',
      ],
      err: [],
    });
    await world.status('n', suspended);
    const why = await ask(world, 'why', 'n');
    expect(why.out.join('\n')).toMatch(
      /^note n: suspended until 20\S+Z \(migration\): new deliveries are dropped/m,
    );
    expect(await ask(world, 'unmute', 'n')).toEqual({ exit: 0, out: ['n sends again'], err: [] });
    const { spec } = (await world.kube.get(world.notificationPath('n'))) as { spec: object };
    expect(Object.keys(spec).filter((key) => key.startsWith('suspend'))).toEqual([]);
  });

  it.each([
    [
      ['mute', 'nosuch'],
      1,
      /^error: there is no notification nosuch in namespace team-a; hnotif get -A lists/,
    ],
    [['mute', 'n', '--for', 'soon'], 2, /--for.*'soon' is invalid.*duration/],
    [['mute', 'n', '--for', '900ms'], 2, /--for.*'900ms' is invalid.*1s or more/],
    [['mute', 'n', '--for', '99999999999h'], 2, /--for.* is invalid.*at most 1000000h/],
    [['mute', 'n', '--for', '9000h'], 2, /^error: --for is longer than a year; leave it out/],
    [['mute'], 2, /missing required argument 'notification'/],
    [['mute', 'n', '--reason', 'x'.repeat(257)], 2, /--reason has more than 256 characters/],
  ] as const)('%j: one line, exit %i', async (args, exit, message) => {
    const world = await World.start();
    expect(await ask(world, ...args)).toEqual({ exit, out: [], err: [expect.stringMatching(message)] });
  });
});
