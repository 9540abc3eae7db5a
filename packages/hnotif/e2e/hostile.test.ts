import { describe, expect, it } from 'vitest';
import type { Clock } from '@hnotif/core/clock';
import type { Controller } from '../src/controller/controller.ts';
import type { NotificationStatus } from '@hnotif/core/resources';
import { settle } from '../../core/src/testing/clock.ts';
import { answer, endless, Hostile, type Attack } from './support/hostile.ts';
import { TurnedClock } from '../../lab/src/turned-clock.ts';
import { World } from './support/world.ts';

type Row = NonNullable<NotificationStatus['sinks']>[number];

interface Case {
  /** The sink's name. */
  readonly name: string;
  readonly attack: Attack;
  /** What the sink's row says in the end: a reason, or that all is well. */
  readonly reason: string | undefined;
  /** Requests for the two events: where the first is put off, those for it alone. */
  readonly requests: number;
}

/** A message is sent once and at most three times more. */
const OFTEN = 4;

const GROUPS: readonly { readonly what: string; readonly cases: readonly Case[] }[] = [
  {
    what: 'answer too much or nonsense',
    cases: [
      {
        name: 'success-without-end',
        attack: endless('HTTP/1.1 200 OK\r\n\r\n', 'x'),
        reason: undefined,
        requests: 2,
      },
      {
        name: 'excuses-without-end',
        attack: endless('HTTP/1.1 500 No\r\n\r\n', 'x'),
        reason: 'ServerError',
        requests: OFTEN,
      },
      {
        name: 'headers-without-end',
        attack: endless('HTTP/1.1 200 OK\r\n', `x: ${'x'.repeat(1_000)}\r\n`),
        reason: 'BadAnswer',
        requests: OFTEN,
      },
      {
        name: 'announcements-without-end',
        attack: endless('', 'HTTP/1.1 102 Processing\r\n\r\n'),
        reason: 'BadAnswer',
        requests: OFTEN,
      },
      { name: 'garbage', attack: answer('\0garbage\r\n\r\n'), reason: 'BadAnswer', requests: OFTEN },
      {
        name: 'upgrade',
        attack: answer('HTTP/1.1 101 Go\r\n\r\n'),
        reason: 'BadAnswer',
        requests: OFTEN,
      },
      {
        name: 'reset',
        attack: (socket) => socket.resetAndDestroy(),
        reason: 'ConnectionLost',
        requests: OFTEN,
      },
    ],
  },
  {
    what: 'never answer or drip a byte at a time',
    cases: [
      {
        name: 'silence',
        attack: (_, stuck) => void setImmediate(stuck),
        reason: 'TimedOut',
        requests: OFTEN,
      },
      {
        name: 'drip',
        attack: (socket, stuck) => {
          let written = 0;
          const drip = (): void => {
            if (written === 1_000) stuck();
            else if (!socket.destroyed)
              socket.write('HTTP/1.1 200 OK\r\nx'[written++] ?? 'x', () => setImmediate(drip));
          };
          drip();
        },
        reason: 'TimedOut',
        requests: OFTEN,
      },
    ],
  },
  {
    what: 'refuse with an endless chunk',
    cases: [
      {
        name: 'chunk',
        attack: endless('HTTP/1.1 403 No\r\ntransfer-encoding: chunked\r\n\r\n1;', 'x'),
        reason: 'Forbidden',
        requests: 1,
      },
    ],
  },
];

interface Stage {
  readonly world: World;
  readonly controller: Controller;
  readonly hostiles: readonly Hostile[];
}

/** A plan's night that one receiver gets which is well, beside others which are not. */
async function nightBeside(cases: readonly Pick<Case, 'name' | 'attack'>[], clock: Clock): Promise<Stage> {
  const world = await World.start();
  const hostiles = await Promise.all(cases.map(({ attack }) => Hostile.start(attack)));
  for (const [index, { name }] of cases.entries())
    await world.configure(name, {
      url: hostiles[index]?.url,
      headers: { Authorization: 'Bearer canary-4f1d' },
    });
  await world.secret('well');
  const sinks = ['well', ...cases.map(({ name }) => name)];
  await world.notification('n', { onEvents: ['Start', 'Success'], sinks });
  await world.plan('orders');
  // The clock is turned: no probe comes by it.
  const limits = { backoffMinMs: 1, backoffMaxMs: 2, probeMinMs: 3_600_000, probeMaxMs: 3_600_000 };
  const controller = await world.synced({ clock, drainTimeoutMs: 100, limits });
  await world.hibernate('orders');
  await world.succeeds('orders');
  await world.received(2, 'well');
  return { world, controller, hostiles };
}

/** The rows of the status once every hostile sink has come to its end, and the one that is well. */
async function rowsOf(
  world: World,
  cases: readonly Pick<Case, 'name' | 'reason'>[],
): Promise<Map<string, Row>> {
  const ended = (row: Row | undefined, reason: string | undefined): boolean =>
    reason === undefined ? row?.lastSuccess !== undefined : row?.consecutiveFailures === 1;
  const rows = (status: NotificationStatus): Map<string, Row> =>
    new Map(status.sinks?.map((row) => [row.name, row]));
  return rows(
    await world.status('n', (status) => {
      const known = rows(status);
      return [{ name: 'well', reason: undefined }, ...cases].every(({ name, reason }) =>
        ended(known.get(name), reason),
      );
    }),
  );
}

describe('receivers that', () => {
  it.each(GROUPS)('$what delay no other receiver, and the status says so', async ({ cases }) => {
    const clock = new TurnedClock();
    const { world, controller, hostiles } = await nightBeside(cases, clock);
    // Only now, so that the time limit never meets a request to the one that is well.
    const delivered = cases.some(({ reason }) => reason === undefined) ? 4 : 2;
    while (controller.totals().delivered < delivered) await settle();
    for (const hostile of hostiles)
      hostile.onStuck(() => {
        clock.turn(10_000);
      });
    const rows = await rowsOf(world, cases);
    expect(Object.fromEntries(cases.map(({ name }) => [name, rows.get(name)?.reason]))).toEqual(
      Object.fromEntries(cases.map(({ name, reason }) => [name, reason])),
    );
    expect(hostiles.map(({ requests }) => requests)).toEqual(cases.map(({ requests }) => requests));
    expect(JSON.stringify([...rows.values()])).not.toContain('canary');
    expect(rows.get('well')).toMatchObject({ consecutiveFailures: 0 });
    expect(world.receiver.records.map(({ attempt }) => attempt)).toEqual([1, 1]);
  });

  it('redirect to an internal address: that address gets no request', async () => {
    const inside = await Hostile.start(answer('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'));
    const cases = [301, 302, 303, 307, 308].map((code) => ({
      name: `redirect-${code}`,
      attack: answer(`HTTP/1.1 ${code} Go\r\nlocation: ${inside.url}\r\ncontent-length: 0\r\n\r\n`),
      reason: 'Redirected',
    }));
    const { world, hostiles } = await nightBeside(cases, new TurnedClock());
    const rows = await rowsOf(world, cases);
    for (const { name, reason } of cases) {
      expect(rows.get(name)?.reason).toBe(reason);
      expect(rows.get(name)?.message).toContain('redirects are not followed');
    }
    expect(hostiles.map(({ requests }) => requests)).toEqual(cases.map(() => 1));
    expect(inside.requests).toBe(0);
  });
});

describe('a configuration that', () => {
  const REFUSED: readonly (readonly [name: string, config: object, words: RegExp])[] = [
    ['names-metadata', { url: 'https://169.254.169.254/latest/meta-data' }, /url: .*metadata/],
    ['hides-it-in-a-number', { url: 'https://2852039166/' }, /url: .*metadata/],
    ['hides-it-in-ipv6', { url: 'https://[::ffff:169.254.169.254]/' }, /url: .*metadata/],
    ['wants-plain-http', { url: 'http://10.0.0.1/' }, /url: .*use https/],
    ['holds-a-password', { url: 'https://me:canary@host.example/' }, /url: holds a user name/],
    ['smuggles-a-header', { headers: { 'X-A': 'canary\r\nX-B: 1' } }, /headers\.X-A: holds a line break/],
    ['sets-the-host', { headers: { Host: 'canary' } }, /headers\.Host: may not be set/],
  ];

  it('leads to an internal address, or injects headers, is refused with a clear message, and nothing is sent', async () => {
    const world = await World.start();
    for (const [name, config] of REFUSED) {
      await world.secret(name, config);
      await world.notification(name, { onEvents: ['Start'] });
    }
    await world.secret('well');
    await world.notification('well', { onEvents: ['Start'] });
    await world.plan('orders');
    await world.synced();
    for (const [name, , words] of REFUSED) {
      const { conditions } = await world.status(name, (status) => status.conditions?.[0]?.status === 'False');
      expect(conditions?.[0]?.message).toMatch(words);
      expect(conditions?.[0]?.message).not.toContain('canary');
    }
    await world.hibernate('orders');
    await world.received(1, 'well');
    for (const [name] of REFUSED)
      await world.status(name, ({ sinks }) => sinks?.[0]?.consecutiveFailures === 1);
    expect(world.receiver.records).toHaveLength(1);
    expect(world.log.join('')).not.toContain('canary');
  });

  it('has an address without TLS is refused, and nothing is sent', async () => {
    const world = await World.start();
    const chat = await world.teamchat();
    await world.secret('hook');
    await world.configure('chat', { webhook_url: chat.webhookUrl() });
    const sinks = ['hook', { name: 'chat', type: 'teamchat' }] as const;
    await world.notification('n', { onEvents: ['Start'], sinks });
    await world.plan('orders');
    await world.synced({ allowInsecureHttp: false });
    await world.hibernate('orders');
    for (const sink of ['hook', 'chat'])
      await world.logged(new RegExp(`"sink":"${sink}".*"msg":"sink quarantined"`));
    const { conditions } = await world.status('n', (status) => status.conditions?.[0]?.status === 'False');
    expect(conditions?.[0]?.message).toMatch(
      /sink hook: .*url: only https .*sink chat: .*webhook_url: only https/,
    );
    expect([...world.receiver.records, ...chat.records]).toEqual([]);
  });
});
