import { startWebhookReceiver, type WebhookReceiver } from '@hnotif/receivers';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Controller } from '../src/controller/controller.ts';
import { pending, subscribedIn } from './support/journals.ts';
import { ALL, nightOf, ticking } from '../../lab/src/nights.ts';
import { StillClock, TurnedClock } from '../../lab/src/turned-clock.ts';
import { contextOf, inWords, NAMESPACE, World } from './support/world.ts';

const HOUR_MS = 3_600_000;
const YEARS_MS = 10 * 365 * 24 * HOUR_MS;

/** Makes the wall clock jump, as NTP or an operator does; time goes on as it did. */
function jumping<C extends TurnedClock>(clock: C): C & { jump(ms: number): void } {
  const now = clock.now.bind(clock);
  let jumped = 0;
  return Object.assign(clock, {
    now: () => now() + jumped,
    jump: (ms: number) => {
      jumped += ms;
    },
  });
}

const JUMPS: readonly (readonly [string, number])[] = [
  ['ten years ahead', YEARS_MS],
  ['back to 1970', -Date.now()],
];

/** A webhook that is not signed: a signature of another time is refused, as it has to be. */
async function unsigned(world: World): Promise<WebhookReceiver> {
  const receiver = await startWebhookReceiver();
  onTestFinished(() => receiver.close());
  await world.configure('n', { url: receiver.url });
  return receiver;
}

async function served(
  clock: TurnedClock,
  onEvents: readonly string[],
): Promise<{ world: World; receiver: WebhookReceiver; controller: Controller }> {
  const world = await World.start();
  const receiver = await unsigned(world);
  await world.notification('n', { onEvents });
  await world.plan('orders', ['db', 'vm']);
  const controller = await world.synced({ clock });
  await world.status('n', ({ conditions }) => conditions?.[0]?.status === 'True');
  return { world, receiver, controller };
}

/** What follows from what was logged has happened by then. */
const roundTrip = async ({ healthUrl }: Controller): Promise<void> => {
  await (await fetch(`${healthUrl}/healthz`)).text();
};

describe('a wall clock that jumps', () => {
  it('changes nothing in a night: the same events, once, in order, at the times of the plan', async () => {
    const nights: (readonly string[])[] = [];
    for (const jumps of [[0], [HOUR_MS, -2 * HOUR_MS, YEARS_MS, -Date.now(), HOUR_MS]]) {
      const clock = jumping(new TurnedClock());
      const { world, receiver } = await served(clock, ALL);
      ticking(world);
      const { now } = world;
      const begun = now();
      let writes = 0;
      world.now = () => {
        clock.jump(jumps[writes++ % jumps.length] ?? 0);
        return now();
      };
      await nightOf(world, 'orders');
      const records = await receiver.waitFor((all) => all.length === 19 && all);
      const isOfThePlan = ({ event }: { event: string }): boolean => event !== 'ExecutionProgress';
      nights.push([
        ...records.map(inWords),
        ...records
          .map(contextOf)
          .filter(isOfThePlan)
          .map(({ event, timestamp }) => `${event} ${Date.parse(timestamp) - begun}`),
      ]);
    }
    expect(nights[1]?.slice(0, 19)).toEqual(nights[0]?.slice(0, 19));
    const stamped = (night: readonly string[] | undefined): string[] =>
      (night ?? []).slice(19).filter((line) => /^(Start|Recovery)/.test(line));
    expect(stamped(nights[1])).toEqual(stamped(nights[0]));
  });

  it.each(JUMPS)('%s neither ends nor extends a pause that a receiver requested', async (_, jump) => {
    const clock = jumping(new StillClock());
    const { world, receiver, controller } = await served(clock, ['Start']);
    receiver.faults.add({
      fault: { kind: 'status', status: 429, retryAfter: { inSeconds: 60 } },
      times: 1,
    });
    await world.hibernate('orders');
    await world.logged(/"outcome":"throttled"/);
    await roundTrip(controller);
    clock.jump(jump);
    clock.turn(59_000);
    await world.plan('other');
    const { metadata } = await world.hibernate('other');
    await controller.seen(NAMESPACE, 'other', metadata.resourceVersion);
    // A request of this moment would be under way before ours is answered.
    await roundTrip(controller);
    expect(receiver.records).toHaveLength(1);
    clock.turn(1_000);
    await receiver.waitFor((records) => records.length === 3);
  });

  it.each(JUMPS)('%s delays no retry, no status, and no token of a rate limit', async (_, jump) => {
    const clock = jumping(new StillClock());
    const world = await World.start();
    const chat = await world.teamchat();
    const rate_limit = { rate: 1, unit: 'minute', burst: 1 };
    await world.configure('n', { webhook_url: chat.webhookUrl('/services/n'), rate_limit });
    await world.notification('n', { onEvents: ['Start'], sinks: [{ name: 'n', type: 'teamchat' }] });
    await world.plan('orders');
    const controller = await world.synced({ clock });
    chat.faults.add({ fault: { kind: 'status', status: 503 }, times: 1 });
    await world.hibernate('orders');
    await world.logged(/"outcome":"transient"/);
    await roundTrip(controller);
    clock.jump(jump);
    // The retry's back-off, then the token that it needs.
    clock.turn(5_000);
    clock.turn(60_000);
    await chat.waitFor((records) => records.some(({ answered }) => answered.accepted));
    // The answer must have been read: otherwise the turn of the clock ends its request.
    await expect.poll(() => controller.totals().delivered).toBe(1);
    clock.turn(60_000);
    const at = clock.now();
    const { sinks } = await world.status('n', (status) => status.sinks?.[0]?.lastSuccess !== undefined);
    // As the clock of the machine has it, right or wrong.
    expect(Math.abs(Date.parse(sinks?.[0]?.lastSuccess ?? '') - at)).toBeLessThan(HOUR_MS / 2);
  });
});

describe('messages that wait when another process takes over', () => {
  const HOURS = [2 * HOUR_MS, -2 * HOUR_MS, YEARS_MS];
  /** What a process and the API server take the time for (milliseconds more than it is), before and after the change. */
  const CASES: readonly (readonly [string, (jump: number) => readonly [own: number, server: number][]])[] = [
    [
      'our clock has jumped',
      (jump) => [
        [0, 0],
        [jump, 0],
      ],
    ],
    [
      'the clock of the former process was wrong',
      (jump) => [
        [jump, 0],
        [0, 0],
      ],
    ],
    [
      'the clock of the API server has jumped',
      (jump) => [
        [0, 0],
        [0, jump],
      ],
    ],
  ];

  it.each(CASES.flatMap(([name, of]) => HOURS.map((jump) => [name, jump / HOUR_MS, of(jump)] as const)))(
    'keep their age although %s, by %d h',
    async (_, __, times) => {
      let server = 0;
      const world = await subscribedIn({ cluster: { now: () => Date.now() + server } });
      const receiver = await unsigned(world);
      const silence = receiver.faults.add({ fault: { kind: 'hang' } });
      const [before = [0, 0], after = [0, 0]] = times;
      const start = async ([own, theirs]: readonly [number, number]): Promise<Controller> => {
        server = theirs;
        const clock = jumping(new TurnedClock());
        clock.jump(own);
        return world.synced({ clock, drainTimeoutMs: 0, leaderElect: true });
      };
      const first = await start(before);
      await world.hibernate('orders');
      await world.succeeds('orders');
      await pending(world, 'orders', 5);
      await first.stop();
      silence();
      const second = await start(after);
      await pending(world, 'orders', 0);
      expect(second.totals()).toMatchObject({ delivered: 5, dropped: 0 });
    },
  );

  it('a plan that was created while no process served is sent from its beginning, with a clock two hours ahead or behind', async () => {
    for (const jump of [2 * HOUR_MS, -2 * HOUR_MS]) {
      let later = 0;
      const world = await World.start({ cluster: { now: () => Date.now() + later } });
      const receiver = await unsigned(world);
      await world.notification('n', { onEvents: ['Start'] });
      const first = await world.synced();
      await first.stop();
      later = 60_000;
      await world.plan('orders');
      await world.hibernate('orders');
      const clock = jumping(new TurnedClock());
      clock.jump(jump);
      await world.synced({ clock, leaderElect: true });
      await receiver.waitFor((records) => records.length === 1);
    }
  });
});
