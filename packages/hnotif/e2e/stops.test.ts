import { execFile, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { chmod, open, writeFile } from 'node:fs/promises';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { NotificationStatus } from '@hnotif/core/resources';
import { LOOPBACK_FLAGS } from '../../lab/src/loopback.ts';
import {
  AT_ANY_PORT,
  BUNDLE,
  type Run,
  hanging,
  hnotif,
  readMetric,
  serving,
  stopped,
} from './support/process.ts';
import { contextOf, metricsOf, NAMESPACE, World } from './support/world.ts';
import { temporary } from './support/temporary.ts';

const never = new Promise<never>(() => undefined);

/** A notification `n` of every start, and a plan. */
async function served(): Promise<World> {
  const world = await World.start();
  await world.secret('n');
  await world.notification('n', { onEvents: ['Start', 'Success'] });
  await world.plan('orders');
  return world;
}

/** A promise, and what resolves it. */
function gate(): { readonly opened: Promise<void>; open(): void } {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

async function folder(): Promise<string> {
  const path = await temporary();
  return path;
}

async function namedPipe(folder: string): Promise<string> {
  const path = join(folder, randomUUID());
  await promisify(execFile)('mkfifo', [path]);
  return path;
}

/** Who gives the Lease back would wait for long. */
const PATIENT = ['--renew-deadline=100s', '--lease-duration=120s', '--drain-timeout=1h'];

/** The first signal and, once it is seen, the second. */
async function twice(run: Run): Promise<void> {
  run.kill('SIGTERM');
  await run.line(/"msg":"stopping"/);
  run.kill('SIGTERM');
}

/** Accepts connections. With a `port` it passes everything to that one and back, until it falls silent. */
async function silentServer(
  port?: number,
): Promise<{ readonly port: number; readonly reached: Promise<unknown>; fallSilent(): void }> {
  const sockets = new Set<Socket>();
  let silent = port === undefined;
  const keep = (socket: Socket): void => {
    sockets.add(socket.on('error', () => undefined));
  };
  const server = createServer((socket) => {
    keep(socket);
    if (silent || port === undefined) return;
    const onward = connect(port, '127.0.0.1');
    keep(onward);
    socket.on('data', (data) => !silent && onward.write(data));
    onward.on('data', (data) => !silent && socket.write(data));
    socket.on('close', () => onward.destroy());
  }).listen(0, '127.0.0.1');
  const reached = once(server, 'connection');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return {
    ...{ port: (server.address() as AddressInfo).port, reached },
    fallSilent: () => {
      silent = true;
    },
  };
}

describe('a signal before hnotif serves', () => {
  it.each([
    ['the list of notifications', { verb: 'list', resource: 'hibernatenotifications' }],
    ['the opening of a watch', { verb: 'watch' }],
  ] as const)('ends it while the API server holds %s', async (_, where) => {
    const world = await served();
    world.cluster.faults.add({ ...where, effect: { kind: 'delay', until: never } });
    const run = await world.process([]);
    await run.line(/"msg":"started"/);
    await expect.poll(() => world.cluster.faults.hits, { interval: 20 }).toBeGreaterThan(0);
    run.kill('SIGTERM');
    expect(await run.exit).toBe(0);
    expect(stopped(run)).toMatchObject({ msg: 'stopped', delivered: 0, dropped: 0 });
  });

  it('ends it while a credential plugin runs, and ends the plugin too', async () => {
    const world = await served();
    const path = await folder();
    // As long as anything that the plugin has started lives, the pipe is open.
    const pipe = await namedPipe(path);
    const plugin = join(path, 'plugin');
    await writeFile(plugin, `#!/bin/sh\nexec 3>${pipe}\necho asked >&3\nsleep 600\n`);
    await chmod(plugin, 0o755);
    const kubeconfig = join(path, 'config');
    await writeFile(kubeconfig, execConfig(world.cluster.url, plugin));
    const run = hnotif(['run', `--kubeconfig=${kubeconfig}`, ...AT_ANY_PORT]);
    const held = createReadStream(pipe);
    const closed = once(held, 'end');
    await once(held, 'data');
    held.resume();
    run.kill('SIGTERM');
    expect(await run.exit).toBe(0);
    expect(stopped(run)).toMatchObject({ msg: 'stopped' });
    await closed;
  });

  it('is remembered while it starts: it serves nothing, and exits 0; a third one ends it at once', async () => {
    const world = await served();
    const path = await folder();
    const start = async (): Promise<Run & { write(): Promise<void>; close(): Promise<void> }> => {
      // Nobody opens a pipe to write before somebody reads: by then the process is in the middle of its start.
      const pipe = await namedPipe(path);
      const run = hnotif(['run', `--kubeconfig=${pipe}`, ...AT_ANY_PORT]);
      const file = await open(pipe, 'w');
      const write = async (): Promise<void> => {
        await file.writeFile(world.cluster.kubeconfig());
        await file.close();
      };
      return Object.assign(run, { write, close: () => file.close() });
    };
    const kept = await start();
    kept.kill('SIGTERM');
    await kept.line(/"signal":"SIGTERM","msg":"stopping"/);
    await kept.write();
    expect(await kept.exit).toBe(0);
    expect(stopped(kept)).toMatchObject({ msg: 'stopped' });

    const ended = await start();
    for (const [signal, line] of [
      ['SIGINT', /"msg":"stopping"/],
      ['SIGTERM', /"msg":"stopping at once"/],
      ['SIGTERM', /"msg":"ended in the middle of the stop"/],
    ] as const) {
      ended.kill(signal);
      await ended.line(line);
    }
    expect(await ended.exit).toBe('SIGTERM');
    await ended.close();
  });
});

describe('a signal during a delivery', () => {
  it('lets the delivery end, counts it, and writes status and Events before the exit with 0', async () => {
    const world = await served();
    // A second one comes to its failure only after the signal.
    await world.secret('late');
    await world.notification('late', { onEvents: ['Start'] });
    const run = await serving(world);
    await world.status('late', ({ conditions }) => conditions?.[0]?.status === 'True');
    const secret = gate();
    world.cluster.faults.add({
      ...{ verb: 'get', resource: 'secrets', name: 'late' },
      effect: { kind: 'delay', until: secret.opened },
    });
    world.receiver.faults.add({ match: { path: '/n' }, fault: { kind: 'hang' }, times: 1 });
    world.receiver.faults.add({ match: { path: '/late' }, fault: { kind: 'status', status: 400 } });
    await world.hibernate('orders');
    await hanging(world);
    run.kill('SIGTERM');
    await run.line(/"msg":"stopping"/);
    secret.open();
    await world.receiver.waitFor((records) => records.some(({ path }) => path === '/late'));
    world.receiver.release();
    expect(await run.exit).toBe(0);
    expect(stopped(run)).toMatchObject({ msg: 'stopped', delivered: 1, failed: 1, dropped: 0 });
    const status = (name: string) => world.kube.get(world.notificationPath(name));
    expect((await status('n')).status).toMatchObject({
      sinks: [{ lastSuccess: expect.any(String) as string, consecutiveFailures: 0 }],
    });
    expect((await status('late')).status).toMatchObject({ sinks: [{ consecutiveFailures: 1 }] });
    const events = await world.kube.get(`/api/v1/namespaces/${NAMESPACE}/events`);
    expect(events.items).toMatchObject([
      { reason: 'DeliveryFailed', message: expect.stringContaining('400') as string },
    ]);
  });

  it('sends waiting messages in order, and accepts no new ones', async () => {
    const world = await served();
    const run = await serving(world);
    world.receiver.faults.add({ fault: { kind: 'hang' }, times: 1 });
    await world.hibernate('orders');
    await hanging(world);
    await world.succeeds('orders');
    await world.plan('late');
    // The watch tells of one plan after the other: once this is known, so is what came before.
    await readMetric(run, /^hnotif_plans 2$/m);
    run.kill('SIGHUP');
    await run.line(/"msg":"stopping"/);
    await world.hibernate('late');
    world.receiver.release();
    expect(await run.exit).toBe(0);
    expect(world.receiver.records.map((record) => contextOf(record).event)).toEqual(['Start', 'Success']);
    expect(stopped(run)).toMatchObject({ delivered: 2, dropped: 0 });
  });
});

describe('messages that cannot be sent in time', () => {
  it('are left in the journal when --drain-timeout is over: a receiver that hangs, and one that asked for a pause', async () => {
    const world = await World.start();
    const sinks = ['hangs', 'pauses'];
    for (const sink of sinks) await world.secret(sink);
    await world.notification('n', { onEvents: ['Start', 'Success'], sinks });
    await world.plan('orders');
    const run = await serving(world, '--drain-timeout=100ms');
    world.receiver.faults.add({ match: { path: '/hangs' }, fault: { kind: 'hang' } });
    const pause = { kind: 'status', status: 429, retryAfter: { inSeconds: 600 } } as const;
    world.receiver.faults.add({ match: { path: '/pauses' }, fault: pause });
    await world.hibernate('orders');
    await world.receiver.waitFor((records) =>
      sinks.every((sink) => records.some(({ path }) => path === `/${sink}`)),
    );
    await world.succeeds('orders');
    await readMetric(run, /^hnotif_queue_deliveries 4$/m);
    run.kill('SIGTERM');
    expect(await run.exit).toBe(0);
    expect(stopped(run)).toMatchObject({ delivered: 0, failed: 0, dropped: 0, left: 4 });
  });

  it('behind a rate limit are sent as far as the time allows, and the rest is left', async () => {
    const world = await World.start();
    const chat = await world.teamchat();
    const rate = { rate: 20, unit: 'second', burst: 1 };
    await world.configure('quick', { webhook_url: chat.webhookUrl('/services/q'), rate_limit: rate });
    const slow = { ...rate, rate: 1, unit: 'minute' };
    await world.configure('slow', { webhook_url: chat.webhookUrl('/services/s'), rate_limit: slow });
    await world.notification('chats', {
      onEvents: ['Start'],
      sinks: [
        { name: 'quick', type: 'teamchat' },
        { name: 'slow', type: 'teamchat' },
      ],
    });
    const plans = ['a', 'b', 'c', 'd', 'e'];
    for (const plan of plans) await world.plan(plan);
    const controller = await world.synced({ drainTimeoutMs: 1_000 });
    for (const plan of plans) await world.hibernate(plan);
    await expect.poll(() => metricsOf(controller)).toMatch(/^hnotif_deliveries_submitted_total\{.*\} 10$/m);
    await controller.stop();
    expect(controller.totals()).toMatchObject({ delivered: 6, failed: 0, dropped: 0 });
    expect(controller.pending()).toBe(4);
  });

  it('are logged for each sink with number and reason, when the stop begins to wait and at its end', async () => {
    const world = await World.start();
    const sinks = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
    for (const sink of sinks) await world.secret(sink);
    await world.notification('n', { onEvents: ['Start', 'Success'], sinks });
    await world.plan('orders');
    const controller = await world.synced({ drainTimeoutMs: 100 });
    world.receiver.faults.add({ match: { path: '/a' }, fault: { kind: 'status', status: 401 } });
    world.receiver.faults.add({ fault: { kind: 'hang' } });
    await world.hibernate('orders');
    await world.logged(/"sink":"a".*"msg":"sink quarantined"/);
    await world.receiver.waitFor((records) => records.length === sinks.length);
    await world.succeeds('orders');
    await expect.poll(() => metricsOf(controller)).toMatch(/^hnotif_queue_deliveries 14$/m);
    await controller.stop();
    const lines = world.log.map((line) => JSON.parse(line) as { msg: string; sinks: string[] });
    const waits = lines.find(({ msg }) => msg === 'the stop waits for deliveries');
    expect(waits).toMatchObject({ level: 'info', deliveries: 12, seconds: 0 });
    expect(waits?.sinks).toEqual([
      ...['b', 'c', 'd', 'e', 'f'].map(
        (sink): string =>
          expect.stringMatching(
            `^team-a/n, sink ${sink}: 2 deliveries wait: ReceiverSlow: the receiver answers`,
          ) as string,
      ),
      'and 1 more',
    ]);
    const left = lines.find(({ msg }) => msg === 'the stop leaves deliveries');
    expect(left).toMatchObject({ level: 'warn', deliveries: 14 });
    expect(left?.sinks[0]).toMatch(/^team-a\/n, sink a: 2 deliveries wait: Unauthorized: .*401/);
    expect(left?.sinks.at(-1)).toBe('and 2 more');
  });

  it('are left at once after a second signal; the log says so, the exit code is that of a stop', async () => {
    const world = await served();
    const run = await serving(world, '--drain-timeout=1h');
    world.receiver.faults.add({ fault: { kind: 'hang' } });
    await world.hibernate('orders');
    await hanging(world);
    run.kill('SIGINT');
    await run.line(/"level":"info".*"signal":"SIGINT","msg":"stopping"/);
    run.kill('SIGTERM');
    expect(await run.exit).toBe(0);
    expect(run.stderr.join('\n')).toMatch(/"level":"warn".*"signal":"SIGTERM","msg":"stopping at once"/);
    expect(stopped(run)).toMatchObject({ msg: 'stopped', delivered: 0, dropped: 0, left: 1 });
  });

  it.each(['http', 'https'])(
    'a second signal does not wait for a server that accepts %s and never answers',
    async (scheme) => {
      const silent = await silentServer();
      const kubeconfig = join(await folder(), 'config');
      await writeFile(kubeconfig, config(`${scheme}://127.0.0.1:${silent.port}`, { token: 'none' }));
      const run = hnotif(['run', `--kubeconfig=${kubeconfig}`, ...AT_ANY_PORT, ...PATIENT]);
      await run.line(/"msg":"started"/);
      await silent.reached;
      await twice(run);
      expect(await run.exit).toBe(0);
      expect(stopped(run)).toMatchObject({ msg: 'stopped' });
    },
    90_000,
  );

  it('a second signal does not wait for a server that no longer answers', async () => {
    const world = await served();
    const silent = await silentServer(Number(new URL(world.cluster.url).port));
    const kubeconfig = await world.kubeconfig(`http://127.0.0.1:${silent.port}`);
    const run = hnotif([
      ...['run', `--kubeconfig=${kubeconfig}`, ...LOOPBACK_FLAGS],
      ...[...AT_ANY_PORT, ...PATIENT],
    ]);
    await run.line(/"msg":"serving"/);
    world.receiver.faults.add({ fault: { kind: 'hang' } });
    await world.hibernate('orders');
    await hanging(world);
    silent.fallSilent();
    await twice(run);
    expect(await run.exit).toBe(0);
    expect(stopped(run)).toMatchObject({ msg: 'stopped', delivered: 0, dropped: 0, left: 1 });
  }, 90_000);
});

describe('an uncaught error', () => {
  const CANARY = 'canary-7e1b';

  /** Makes the process fail at a SIGUSR2. */
  async function faulty(world: World, how: string, ...args: string[]): Promise<Run> {
    const preload = join(await folder(), 'fault.mjs');
    const error = `Object.assign(new Error('planted'), { headers: { authorization: 'Bearer ${CANARY}' } })`;
    await writeFile(preload, `process.on('SIGUSR2', () => { ${how.replace('ERROR', error)} });\n`);
    const run = hnotif(
      [
        ...['run', `--kubeconfig=${await world.kubeconfig()}`, ...LOOPBACK_FLAGS],
        ...[...AT_ANY_PORT, ...args],
      ],
      { NODE_OPTIONS: `--import=${preload}` },
    );
    await run.line(/"msg":"serving"/);
    return run;
  }

  it.each([
    ['a rejection', 'void Promise.reject(ERROR);'],
    ['an exception', 'setImmediate(() => { throw ERROR; });'],
  ])(
    '%s is reported with its stack, waiting deliveries are sent, and the process exits with 1',
    async (_, how) => {
      const world = await served();
      const run = await faulty(world, how);
      world.receiver.faults.add({ fault: { kind: 'hang' }, times: 1 });
      await world.hibernate('orders');
      await hanging(world);
      run.kill('SIGUSR2');
      const line = await run.line(/"level":"fatal"/);
      world.receiver.release();
      expect(await run.exit).toBe(1);
      expect(JSON.parse(line)).toMatchObject({
        msg: 'fault of our own: the process ends, so that a new one begins afresh',
        err: { type: 'Error', message: 'planted', stack: expect.stringContaining('fault.mjs') as string },
      });
      expect(stopped(run)).toMatchObject({ msg: 'stopped', delivered: 1, dropped: 0 });
      expect([...run.stderr, ...run.stdout].join('\n')).not.toContain(CANARY);
      for (const each of run.stderr) expect(() => JSON.parse(each) as unknown).not.toThrow();
    },
  );

  it('a series of them ends the process', async () => {
    const world = await served();
    const run = await faulty(world, 'setInterval(() => { throw ERROR; }, 1);');
    world.receiver.faults.add({ fault: { kind: 'hang' } });
    await world.hibernate('orders');
    await hanging(world);
    run.kill('SIGUSR2');
    expect(await run.exit).toBe(1);
    expect(run.stderr.filter((line) => line.includes('"level":"fatal"'))).toHaveLength(10);
  });
});

describe('a log that cannot be written', () => {
  it('stops nothing when its reader has gone: deliveries continue, and the lost lines are counted', async () => {
    const world = await served();
    const run = await serving(world, '--log-level=debug');
    run.closeOutput('stderr');
    run.closeOutput('stdout');
    await world.hibernate('orders');
    await world.received(1);
    await readMetric(run, /^hnotif_log_lines_lost_total [1-9]/m);
    await world.succeeds('orders');
    await world.received(2);
    await world.status('n', ({ sinks }) => sinks?.[0]?.lastSuccess !== undefined);
    run.kill('SIGTERM');
    expect(await run.exit).toBe(0);
  });

  it.skipIf(!existsSync('/dev/full'))('stops nothing when the disk is full', async () => {
    const world = await served();
    const kubeconfig = await world.kubeconfig();
    const full = await open('/dev/full', 'w');
    const [metrics, health] = [await freePort(), await freePort()];
    const child = spawn(
      process.execPath,
      [
        ...[BUNDLE, 'run', `--kubeconfig=${kubeconfig}`, '--allow-insecure-http', ...world.addresses],
        ...[`--metrics-address=127.0.0.1:${metrics}`, `--health-address=127.0.0.1:${health}`],
      ],
      { env: { PATH: process.env.PATH, HOME: '/nonexistent' }, stdio: ['ignore', full.fd, full.fd] },
    );
    onTestFinished(() => {
      child.kill('SIGKILL');
    });
    const exit = once(child, 'exit');
    await full.close();
    const ready = (): Promise<boolean> =>
      fetch(`http://127.0.0.1:${health}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      );
    await expect.poll(async () => (await ready()) || child.exitCode !== null, { interval: 20 }).toBe(true);
    await world.hibernate('orders');
    await world.received(1);
    const text = await (await fetch(`http://127.0.0.1:${metrics}/metrics`)).text();
    expect(text).toMatch(/^hnotif_log_lines_lost_total [1-9]/m);
    child.kill('SIGTERM');
    expect(await exit).toEqual([0, null]);
  });
});

/** A port that was free just now. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

const config = (server: string, user: object): string =>
  JSON.stringify({
    ...{ apiVersion: 'v1', kind: 'Config', 'current-context': 'c' },
    clusters: [{ name: 'c', cluster: { server } }],
    contexts: [{ name: 'c', context: { cluster: 'c', user: 'u' } }],
    users: [{ name: 'u', user }],
  });

const execConfig = (server: string, command: string): string =>
  config(server, {
    exec: { apiVersion: 'client.authentication.k8s.io/v1', command, interactiveMode: 'Never' },
  });

describe('a status after a stop', () => {
  it('shows the messages that wait for the next process, and why', async () => {
    const world = await World.start();
    await world.secret('down', { url: 'http://127.0.0.1:1/hook' });
    await world.secret('slow');
    await world.notification('n', { onEvents: ['Start'], sinks: ['down', 'slow'] });
    await world.plan('orders');
    world.receiver.faults.add({ fault: { kind: 'hang' } });
    const controller = await world.synced({
      limits: { backoffMinMs: 1, backoffMaxMs: 5, probeMinMs: 3_600_000, probeMaxMs: 3_600_000 },
      drainTimeoutMs: 0,
    });
    await world.hibernate('orders');
    await world.receiver.waitFor((records) => records.length > 0);
    await world.status('n', ({ sinks }) => sinks?.[0]?.state === 'Parked');
    await controller.stop();
    const { status } = await world.kube.get(world.notificationPath('n'));
    expect(status).toMatchObject({
      waiting: 2,
      sinks: [
        { name: 'down', state: 'Parked', waiting: 1, reason: 'ConnectionRefused' },
        // On a slow machine its request may have ended before.
        {
          name: 'slow',
          state: 'Late',
          waiting: 1,
          reason: expect.stringMatching(/^(HnotifStopped|TimedOut)$/) as string,
        },
      ],
    });
    expect((status as NotificationStatus).conditions?.[0]).toMatchObject({
      type: 'Ready',
      reason: 'DeliveriesFailing',
    });
    world.receiver.faults.clear();
    await world.synced();
    await world.received(1, 'slow');
    const after = await world.status('n', ({ sinks }) => sinks?.[1]?.lastSuccess !== undefined);
    expect(after.sinks?.[1]).not.toHaveProperty('state');
  });
});
