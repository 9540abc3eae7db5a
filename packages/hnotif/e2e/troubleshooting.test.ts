import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer as createHttpServer } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type dns from 'node:dns';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Controller } from '../src/controller/controller.ts';
import type { ControllerOptions } from '../src/controller/options.ts';
import { poll } from '@hnotif/core/lifecycle';
import type { NotificationStatus, SinkStatus } from '@hnotif/core/resources';
import { eventually } from '../../core/src/testing/eventually.ts';
import { testCertificate } from '../src/transport/testing/certificate.ts';
import { asked } from './support/command.ts';
import { TurnedClock } from '../../lab/src/turned-clock.ts';
import { GROUP, metricsOf, NAMESPACE, World } from './support/world.ts';

type Done = (error: Error | null, addresses?: readonly dns.LookupAddress[]) => void;

/** Names that end in `.invalid` do not exist; no other machine is asked. */
vi.mock('node:dns', async (original) => {
  const real = await original<typeof dns>();
  const lookup = (name: string, options: object, done: Done): void => {
    if (name.endsWith('.invalid')) done(Object.assign(new Error('no such name'), { code: 'ENOTFOUND' }));
    else real.lookup(name, { ...options, all: true }, done);
  };
  return { ...real, lookup };
});

const page = await readFile(join(import.meta.dirname, '../../../docs/troubleshooting.md'), 'utf8');
/** The rows of the page's tables: cause, what is seen where, remedy. */
const ROWS = page
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| Cause') && !line.startsWith('| ---'))
  .map((line) => line.split(/ *\| */).slice(1, -1));

/** The causes that have a test. */
const tested = new Set<string>();
/** The cause that is being tested. */
let causing = '';
/** The causes that `hnotif why` was asked about. */
const explained = new Set<string>();

/** The first three lines of `hnotif why` name the cause and the remedy. */
async function why(world: World, ...words: readonly (string | RegExp)[]): Promise<void> {
  const { out, err } = await asked(world, 'why', `--namespace=${NAMESPACE}`);
  expect(err).toEqual([]);
  const lines = out.slice(0, 3);
  for (const word of words) expect(lines.join('\n')).toMatch(word);
  explained.add(causing);
}

/** A cause of the page, brought about; the page must have each of the words that are seen. */
function cause(title: string, words: readonly string[], run: () => Promise<unknown>): void {
  tested.add(title);
  it(title, async () => {
    const [, seen = ''] = ROWS.find(([first]) => first === title) ?? [];
    for (const word of words) expect(seen).toContain(word);
    causing = title;
    await run();
    expect(explained).toContain(title);
  });
}

/** Sends that fail at once, and probes that come soon. */
const QUICK = { limits: { backoffMinMs: 1, backoffMaxMs: 5, probeMinMs: 50, probeMaxMs: 100 } };

interface Scene {
  readonly world: World;
  readonly controller: Controller;
  readonly clock: TurnedClock;
}

interface Wish {
  readonly config?: object | string;
  readonly onEvents?: readonly string[];
  readonly selector?: object;
  readonly options?: Partial<ControllerOptions>;
  /** Without it the secret is there. */
  readonly secret?: false;
  readonly before?: (world: World) => Promise<unknown> | undefined;
}

/** A notification `n` with one sink, a plan `orders`, and a controller with a clock that can be turned. */
async function scene(wish: Wish = {}): Promise<Scene> {
  const world = await World.start();
  const { onEvents = ['Start', 'Success', 'ExecutionProgress'], selector, config } = wish;
  if (wish.secret !== false)
    await world.secret('n', config !== undefined && typeof config !== 'string' ? config : (config ?? {}));
  await world.notification('n', { onEvents, ...(selector && { selector }) });
  await world.plan('orders', ['db'], { labels: { team: 'shop' } });
  await wish.before?.(world);
  const clock = new TurnedClock();
  // What hangs is not waited for at the end.
  const controller = await world.synced({ clock, drainTimeoutMs: 100, ...wish.options });
  return { world, controller, clock };
}

/** Whatever waits is looked at: time goes by until the status is as wanted. */
async function waited(
  { world, clock }: Scene,
  wanted: (row: SinkStatus) => boolean,
  turn = (): void => {
    clock.turn(1_000);
  },
): Promise<NotificationStatus> {
  const timer = setInterval(turn, 20);
  try {
    return await world.status('n', ({ sinks }) => sinks?.some(wanted) === true);
  } finally {
    clearInterval(timer);
  }
}

const readyz = async ({ healthUrl }: Controller): Promise<string> =>
  (await fetch(`${healthUrl}/readyz`)).text();

const readyOf = ({ conditions }: NotificationStatus) => conditions?.find(({ type }) => type === 'Ready');

const ready = async (world: World, reason: string) =>
  readyOf(await world.status('n', (status) => readyOf(status)?.reason === reason));

async function event(world: World, reason: string): Promise<string> {
  const path = `/api/v1/namespaces/${NAMESPACE}/events`;
  return eventually(async () => {
    const { items } = (await world.kube.get(path)) as unknown as {
      items: { reason: string; message: string }[];
    };
    const found = items.find((item) => item.reason === reason);
    if (found === undefined) throw new Error(`no Event ${reason}`);
    return found.message;
  });
}

describe('no event is for the notification', () => {
  cause('The selector matches no plan', ['NoPlanMatches', 'no plan matches', 'did you mean'], async () => {
    const { world } = await scene({ selector: { matchLabels: { team: 'shops' } } });
    expect((await ready(world, 'NoPlanMatches'))?.message).toContain(
      'no plan matches; the only plan is orders: its label team is shop, not shops (did you mean shop?)',
    );
    await why(world, 'did you mean shop', 'NoPlanMatches');
    await world.notification('typo', { onEvents: ['Start'], selector: { matchLabels: { tema: 'shop' } } });
    const typo = await world.status('typo', (status) => readyOf(status)?.message.includes('tema') === true);
    expect(readyOf(typo)?.message).toContain('it has no label tema=shop (did you mean team?)');
    await world.kube.patch(world.planPath('orders'), { metadata: { labels: { team: 'shops' } } });
    expect(await ready(world, 'SinksReady')).toBeDefined();
  });

  cause('The plan is in another namespace', ['NoPlanMatches', 'the namespace has no plan'], async () => {
    const { world } = await scene();
    await world.kube.delete(world.planPath('orders'));
    expect((await ready(world, 'NoPlanMatches'))?.message).toContain('the namespace has no plan');
    await why(world, 'the namespace has no plan', 'NoPlanMatches');
  });

  cause(
    '`onEvents` does not list the event',
    ['hnotif_events_total', 'hnotif_deliveries_submitted_total'],
    async () => {
      const { world, controller } = await scene({ onEvents: ['Failure'] });
      const { metadata } = await world.hibernate('orders');
      await controller.seen(NAMESPACE, 'orders', metadata.resourceVersion);
      const metrics = await metricsOf(controller);
      expect(metrics).toContain('hnotif_events_total{event="Start"} 1\n');
      expect(metrics).not.toMatch(/^hnotif_deliveries_submitted_total\{/m);
      await why(world, /note n: Start, PhaseChange of orders are not in onEvents \(Failure\): add those/);
    },
  );

  cause(
    'The layout of the sink leaves out progress that is not an end',
    ['hnotif_deliveries_suppressed_total'],
    async () => {
      const world = await World.start();
      const chat = await world.teamchat();
      await world.configure('n', { webhook_url: chat.webhookUrl(), format: 'json' });
      await world.notification('n', {
        onEvents: ['ExecutionProgress'],
        sinks: [{ name: 'n', type: 'teamchat' }],
      });
      await world.plan('orders');
      const controller = await world.synced();
      await world.hibernate('orders');
      await world.write('orders', (status, at) => poll(status, [{ target: 'db', state: 'Running' }], at));
      await expect
        .poll(() => metricsOf(controller))
        .toMatch(/^hnotif_deliveries_suppressed_total\{.*event="ExecutionProgress".*\} \d+$/m);
      // Outcomes are stored when something else is.
      await eventually(() =>
        why(world, /n\/n: ExecutionProgress of orders was left out.*block_layout: auto/),
      );
    },
  );
});

describe('the sink is not set up', () => {
  cause('The secret is missing', ['SecretMissing'], async () => {
    const { world } = await scene({ secret: false });
    expect(await ready(world, 'SecretMissing')).toMatchObject({ status: 'False' });
    await why(world, /n\/n: secret team-a\/n does not exist: create it/);
  });

  cause('The secret has no key `config`', ['SecretKeyMissing'], async () => {
    const { world } = await scene({ secret: false });
    const secret = {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'n' },
      stringData: { settings: '{}' },
    };
    await world.kube.post(`/api/v1/namespaces/${NAMESPACE}/secrets`, secret);
    expect(await ready(world, 'SecretKeyMissing')).toMatchObject({ status: 'False' });
    await why(world, /n\/n: secret team-a\/n has no key config: put/);
  });

  cause('The configuration is not valid', ['ConfigInvalid'], async () => {
    const { world } = await scene({ config: JSON.stringify({ ulr: 'https://hooks.example.com' }) });
    expect((await ready(world, 'ConfigInvalid'))?.message).toMatch(/url/);
    await why(world, /n\/n: secret n, key config: .*url/);
  });

  cause('The address is not a public one', ['ConfigInvalid', '--egress-allow'], async () => {
    const { world } = await scene({ config: { url: 'https://10.0.0.1/hook' }, options: { egressAllow: [] } });
    expect((await ready(world, 'ConfigInvalid'))?.message).toContain('--egress-allow');
    await why(world, '--egress-allow');
  });
});

describe('the receiver accepts nothing', () => {
  cause(
    'The receiver refuses the credential',
    ['Quarantined', 'SinkQuarantined', 'Ready=False'],
    async () => {
      const { world } = await scene({ options: QUICK });
      world.receiver.faults.add({ fault: { kind: 'status', status: 401 } });
      await world.hibernate('orders');
      expect(await ready(world, 'Unauthorized')).toMatchObject({ status: 'False' });
      expect(await event(world, 'SinkQuarantined')).toContain('401');
      await why(world, /error n\/n: quarantined, 1 waits.*401/, 'Unauthorized');
    },
  );

  cause('The name of the receiver does not exist', ['NameNotFound', 'Parked', 'Ready=False'], async () => {
    const { world } = await scene({ config: { url: 'http://hooks.invalid/x' }, options: QUICK });
    await world.hibernate('orders');
    expect(await ready(world, 'NameNotFound')).toMatchObject({ status: 'False' });
    expect(await event(world, 'SinkParked')).toContain('NameNotFound');
    await why(world, /error n\/n: parked, 1 waits.*hooks\.invalid/);
  });

  cause('The receiver is down', ['Parked', 'SinkParked', 'Ready=False'], async () => {
    const { world } = await scene({ config: { url: 'http://127.0.0.1:1/x' }, options: QUICK });
    await world.hibernate('orders');
    const status = await world.status('n', ({ sinks }) => sinks?.[0]?.state === 'Parked');
    expect(status).toMatchObject({ waiting: 1, sinks: [{ reason: 'ConnectionRefused', waiting: 1 }] });
    expect(await ready(world, 'ConnectionRefused')).toMatchObject({ status: 'False' });
    await why(world, /error n\/n: parked, 1 waits since .*ConnectionRefused/);
  });

  cause('The certificate of the receiver is refused', ['CertificateRefused', 'TlsFailed'], async () => {
    // Nothing vouches for its certificate.
    const server = createServer(testCertificate('localhost'));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => {
      server.close();
    });
    const { port } = server.address() as AddressInfo;
    const { world } = await scene({ config: { url: `https://127.0.0.1:${port}/x` }, options: QUICK });
    await world.hibernate('orders');
    expect(await ready(world, 'CertificateRefused')).toMatchObject({ status: 'False' });
    await why(world, /error n\/n: parked.*--ca-file.*CertificateRefused/);
  });

  cause('The receiver does not answer', ['Late', 'ReceiverSlow', 'DeliveriesLate'], async () => {
    const it = await scene();
    it.world.receiver.faults.add({ fault: { kind: 'hang' } });
    await it.world.hibernate('orders');
    await it.world.receiver.waitFor((records) => records.length > 0);
    // After ten seconds the request is over, and its failure is the reason.
    const status = await waited(it, ({ state }) => state === 'Late', it.clock.everRarer(1_000));
    expect(readyOf(status)).toMatchObject({ status: 'True', reason: 'DeliveriesLate' });
    await why(it.world, /waiting n\/n: late, 1 waits.*ReceiverSlow/);
  });

  cause('The receiver asks to wait', ['Paused', 'Throttled'], async () => {
    const it = await scene();
    it.world.receiver.faults.add({
      fault: { kind: 'status', status: 429, headers: { 'retry-after': '600' } },
    });
    await it.world.hibernate('orders');
    const status = await waited(it, ({ state }) => state === 'Paused');
    expect(readyOf(status)?.reason).toBe('Throttled');
    await why(it.world, /waiting n\/n: paused, 1 waits.*next try in 10 min: the receiver answered 429/);
  });

  cause("A login page answers in the receiver's place", ['MessagesDegraded', 'WebPageAnswered'], async () => {
    let page = true;
    const proxy = createHttpServer((request, response) => {
      request.resume();
      response.setHeader('content-type', 'text/html; charset=utf-8');
      response.end(page ? '<!doctype html><title>Log in</title>' : 'ok');
    }).listen(0, '127.0.0.1');
    onTestFinished(() => {
      proxy.close();
    });
    await once(proxy, 'listening');
    const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/`;
    const { world, controller } = await scene({ config: { url } });
    await world.hibernate('orders');
    expect((await ready(world, 'MessagesDegraded'))?.message).toContain(
      'the receiver answered 200 with an HTML page: is url',
    );
    expect(await event(world, 'WebPageAnswered')).toContain('sink n: the receiver answered 200');
    await why(world, /warning n: .*HTML page: is url/);
    await expect.poll(() => controller.totals()).toMatchObject({ delivered: 1, failed: 0 });
    page = false;
    await world.succeeds('orders');
    expect(await ready(world, 'SinksReady')).toMatchObject({ status: 'True' });
  });

  cause(
    'The receiver refuses this message',
    ['DeliveryFailed', 'hnotif_deliveries_failed_total'],
    async () => {
      const { world, controller } = await scene();
      world.receiver.faults.add({ fault: { kind: 'status', status: 400, body: 'no such field' } });
      await world.hibernate('orders');
      expect(await event(world, 'DeliveryFailed')).toContain('no such field');
      expect(await metricsOf(controller)).toMatch(
        /^hnotif_deliveries_failed_total\{.*reason="BadRequest"\} 1$/m,
      );
      await world.status('n', ({ sinks }) => sinks?.[0]?.reason === 'BadRequest');
      await why(world, /error n\/n: .*no such field.*BadRequest/);
    },
  );
});

describe('messages wait, or are given up', () => {
  cause('The rate limit of the sink makes messages late', ['Behind', 'RateLimited'], async () => {
    const world = await World.start();
    await world.botchat();
    await world.configure('n', {
      token: '123456:canary-bot-token-of-thirty-five-x',
      chat_id: 4711,
      rate_limit: { rate: 1, unit: 'minute', burst: 1 },
    });
    await world.notification('n', {
      onEvents: ['Start', 'PhaseChange'],
      sinks: [{ name: 'n', type: 'botchat' }],
    });
    for (const plan of ['a', 'b', 'c']) await world.plan(plan);
    const clock = new TurnedClock();
    const controller = await world.synced({ clock });
    for (const plan of ['a', 'b', 'c']) await world.hibernate(plan);
    const status = await waited({ world, controller, clock }, ({ state }) => state === 'Behind');
    expect(readyOf(status)).toMatchObject({
      reason: 'RateLimited',
      message: expect.stringContaining('coalesce_progress') as string,
    });
    await why(world, /waiting n\/n: behind, \d+ wait.*coalesce_progress.*RateLimited/);
  });

  cause('The namespace has its share of requests in flight', ['Blocked', 'NamespaceOverShare'], async () => {
    const it = await scene({ options: { limits: { requestsPerOrigin: 2 } } });
    const { world } = it;
    world.receiver.faults.add({ fault: { kind: 'hang' } });
    for (const plan of ['a', 'b', 'c']) {
      await world.plan(plan, ['db'], { labels: { team: 'shop' } });
      await world.secret(plan);
      await world.notification(plan, { onEvents: ['Start'] });
    }
    for (const plan of ['a', 'b', 'c']) await world.hibernate(plan);
    await world.receiver.waitFor((records) => records.length > 0);
    const turn = it.clock.everRarer(1_000);
    await expect
      .poll(() => {
        turn();
        return metricsOf(it.controller);
      })
      .toMatch(/^hnotif_sinks_waiting\{.*state="blocked",reason="NamespaceOverShare"\} 1$/m);
    const path = `/apis/${GROUP}/v1alpha1/namespaces/${NAMESPACE}/hibernatenotifications`;
    await expect
      .poll(async () => {
        turn();
        return JSON.stringify(await world.kube.get(path));
      })
      .toContain('NamespaceOverShare');
    await why(world, /waiting \w+\/\w+: blocked, 3 wait.*correct or remove the sinks.*NamespaceOverShare/);
  });

  cause('A message waited for too long', ['dropped', 'expired', 'DeliveryDropped'], async () => {
    const { world } = await scene({ options: { ...QUICK, maxAgeMs: 300 } });
    world.receiver.faults.add({ fault: { kind: 'status', status: 503 } });
    await world.hibernate('orders');
    await world.status('n', ({ sinks }) => sinks?.[0]?.dropped?.[0]?.reason === 'expired');
    expect(await event(world, 'DeliveryDropped')).toContain('expired');
    await why(world, /n\/n: 1 delivery was lost, the last .* It waited longer/);
  });

  cause(
    'A process was killed before it reported how a delivery ended',
    ['DeliveryFailed', 'earlier process'],
    async () => {
      const { world, controller } = await scene();
      world.receiver.faults.add({ fault: { kind: 'status', status: 400 } });
      await world.hibernate('orders');
      await world.status('n', ({ sinks }) => sinks?.[0]?.consecutiveFailures === 1);
      await controller.stop();
      // As a process leaves it that is killed between the journal's write and the status's.
      const sinks = [{ name: 'n', consecutiveFailures: 0 }];
      await world.kube.patch(`${world.notificationPath('n')}/status`, { status: { sinks } });
      await world.synced();
      const status = await world.status('n', (now) => now.sinks?.[0]?.consecutiveFailures === 1);
      expect(status.sinks?.[0]?.message).toContain('earlier process');
      await why(world, /error n\/n: .*earlier process/);
    },
  );
});

describe('hnotif does not serve', () => {
  const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

  cause('The definition of plans is missing', ['PlansNotFollowed', 'CustomResourceDefinition'], async () => {
    const it = await scene();
    await it.world.kube.delete(`${CRDS}/hibernateplans.${GROUP}`);
    const timer = setInterval(() => {
      it.clock.turn(1_000);
    }, 20);
    const condition = await ready(it.world, 'PlansNotFollowed').finally(() => {
      clearInterval(timer);
    });
    expect(condition).toMatchObject({ status: 'False' });
    expect(condition?.message).toContain('CustomResourceDefinition');
    await why(it.world, /error n: .*CustomResourceDefinition.*PlansNotFollowed/);
  });

  cause(
    'The namespace is not watched, or hnotif has no rights there',
    ['READY', 'OBSERVED', '/readyz'],
    async () => {
      const world = await World.start();
      await world.notification('n', { onEvents: ['Start'] });
      const elsewhere = await world.synced({ watchNamespaces: ['team-b'] });
      expect((await world.kube.get(world.notificationPath('n'))).status).toBeUndefined();
      await why(
        world,
        /^served by /,
        /error n: no hnotif has written its status: add its namespace to --watch-namespaces/,
      );
      await elsewhere.stop();
      const effect = { kind: 'status', code: 403 } as const;
      world.cluster.faults.add({ namespace: NAMESPACE, effect });
      const controller = await world.controller({ watchNamespaces: [NAMESPACE] });
      await expect.poll(() => readyz(controller)).toMatch(/\[-\]notifications team-a: /);
    },
  );

  cause('No hnotif runs', ['READY', 'OBSERVED'], async () => {
    const world = await World.start();
    await world.notification('n', { onEvents: ['Start'] });
    expect((await world.kube.get(world.notificationPath('n'))).status).toBeUndefined();
    const controller = await world.synced();
    const { observedAt = '' } = await world.status('n', (status) => status.observedAt !== undefined);
    await controller.stop();
    expect(Date.now() - Date.parse(observedAt)).toBeLessThan(3_600_000);
    await why(
      world,
      /^no instance is active: the Lease hnotif in namespace default was released .* look at the pods/,
    );
  });

  cause('Another hnotif leads', ['standby', '/readyz'], async () => {
    const world = await World.start();
    await world.synced();
    const second = await world.controller();
    await world.logged(/"msg":"standing by"/);
    await expect.poll(() => readyz(second)).toMatch(/standby, leader is \S+, which alone writes statuses/);
    await why(world, /^served by \S+ since \S+, last heard \d+ s ago/);
  });

  cause('A stop takes long', ['the stop waits for deliveries', 'the stop leaves deliveries'], async () => {
    const { world, controller } = await scene();
    world.receiver.faults.add({ fault: { kind: 'hang' } });
    await world.hibernate('orders');
    await world.receiver.waitFor((records) => records.length > 0);
    await controller.stop();
    await why(
      world,
      /waiting n\/n: late, 1 waits since .*: hnotif has stopped; the next process sends what waits/,
    );
    for (const msg of ['the stop waits for deliveries', 'the stop leaves deliveries'])
      expect(await world.logged(new RegExp(`"msg":"${msg}"`))).toMatch(
        /sink n: 1 delivery waits: ReceiverSlow/,
      );
  });

  cause('The API server is away', ['/readyz', 'hnotif_watch_restarts_total'], async () => {
    const { world, controller } = await scene();
    world.cluster.faults.add({ effect: { kind: 'reset', when: 'before' } });
    world.cluster.faults.cutWatches('reset');
    await expect.poll(() => readyz(controller)).toMatch(/readyz check failed/);
    expect(await metricsOf(controller)).toMatch(/^hnotif_watch_restarts_total\{.*\} \d+$/m);
    const { exit, err } = await asked(world, 'why');
    expect(exit).toBe(3);
    expect(err).toEqual([expect.stringMatching(/^error: hibernatenotifications cannot be listed/)]);
    explained.add(causing);
    world.cluster.faults.clear();
  });
});

it('every row of the page has a test, and there are at least twenty', () => {
  expect(ROWS.map(([title]) => title)).toEqual([...tested]);
  expect(ROWS.length).toBeGreaterThanOrEqual(20);
});
