import { basename, dirname, join } from 'node:path';
import { Writable } from 'node:stream';
import { describe, expect, it, onTestFinished } from 'vitest';
import { systemClock } from '@hnotif/core/clock';
import { findAccess } from '../src/cluster/access.ts';
import { ElectionThread, type ElectionThreadOptions } from '../src/cluster/election-thread.ts';
import { createLog } from '../src/observe/log.ts';
import { pending, subscribed } from './support/journals.ts';
import type { KubeObject } from '../../lab/src/kube.ts';
import { AT_ANY_PORT, QUICK_LEASE, type Run, hnotif, readyz } from './support/process.ts';
import { World } from './support/world.ts';

const LEASE = '/apis/coordination.k8s.io/v1/namespaces/default/leases/hnotif';
const RENEW_DEADLINE_MS = 4_000;
/** Short, and long enough for a busy machine. */
const TIMING = { leaseDurationMs: 6_000, renewDeadlineMs: RENEW_DEADLINE_MS, retryPeriodMs: 200 };

interface LeaseSpec {
  readonly holderIdentity: string;
  readonly renewTime: string;
  readonly leaseTransitions: number;
}

const specIn = ({ spec }: KubeObject): LeaseSpec => spec as unknown as LeaseSpec;

const specOf = async (world: World): Promise<LeaseSpec> => specIn(await world.kube.get(LEASE));

/** Resolves with the Lease once it is as wanted. */
const until = async (world: World, wanted: (spec: LeaseSpec) => boolean): Promise<LeaseSpec> =>
  specIn(await world.kube.until(dirname(LEASE), basename(LEASE), (lease) => wanted(specIn(lease))));

/** An election of this process, whose main thread is the test's. */
async function elected(
  world: World,
  more: Partial<ElectionThreadOptions> = {},
): Promise<{ election: ElectionThread; log: string[] }> {
  const log: string[] = [];
  const destination = new Writable({
    write: (line, _, done) => {
      log.push(String(line));
      done();
    },
  });
  const election = new ElectionThread({
    ...TIMING,
    source: await findAccess({ kubeconfig: await world.kubeconfig(), env: {} }),
    ...{ env: {}, userAgent: 'hnotif/test', namespace: 'default', name: 'hnotif', identity: 'a' },
    log: createLog({ format: 'json', level: 'info', destination }),
    ...more,
  });
  onTestFinished(() => election.release(AbortSignal.abort()));
  election.start();
  return { election, log };
}

/** Resolves with why leadership was lost. */
async function loss({ lost }: ElectionThread): Promise<string> {
  if (!lost.aborted) await new Promise((resolve) => lost.addEventListener('abort', resolve, { once: true }));
  return (lost.reason as Error).message;
}

/** Holds up the main thread, with all its timers and connections. */
function block(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

interface Blockable {
  readonly run: Run;
  readonly block: () => Promise<void>;
  readonly goOn: () => Promise<void>;
}

it('an unusable Lease is reported once, and shown until it is usable; then others that wait for the API server need not ask', async () => {
  const world = await World.start({ crds: false });
  let mended = (): void => undefined;
  const again = new Promise<void>((resolve) => (mended = resolve));
  const { election, log } = await elected(world, { namespace: 'later', mended });
  await expect
    .poll(() => election.state())
    .toEqual({
      ok: false,
      words: 'standby, the Lease later/hnotif: namespaces "later" not found',
    });
  await world.addNamespace('later');
  await again;
  await election.leading;
  expect(log.filter((line) => line.includes('Lease not read or written'))).toHaveLength(1);
  expect(log.join('')).toContain('Lease read and written again');
});

describe('a controller whose main thread is blocked', () => {
  /** Stands still from a SIGUSR2 until a file is there. */
  async function blockable(world: World): Promise<Blockable> {
    const goesOn = join(dirname(await world.kubeconfig()), 'go-on');
    const text = `import { existsSync, writeSync } from 'node:fs';
      import { isMainThread } from 'node:worker_threads';
      if (isMainThread) process.on('SIGUSR2', () => {
        writeSync(2, '"msg":"blocked"\\n');
        const cell = new Int32Array(new SharedArrayBuffer(4));
        while (!existsSync(${JSON.stringify(goesOn)})) Atomics.wait(cell, 0, 0, 20);
        writeSync(2, '"msg":"goes on"\\n');
      });`;
    const preload = await world.file('block.mjs', text);
    const run = hnotif(
      [
        ...['run', `--kubeconfig=${await world.kubeconfig()}`, '--allow-insecure-http'],
        ...[...AT_ANY_PORT, ...QUICK_LEASE],
      ],
      { NODE_OPTIONS: `--import=${preload}` },
    );
    await run.line(/"msg":"serving"/);
    return {
      run,
      block: async () => {
        run.kill('SIGUSR2');
        await run.line(/"msg":"blocked"/);
      },
      goOn: async () => {
        await world.file('go-on', '');
      },
    };
  }

  it('renews its Lease meanwhile, and continues to lead and to deliver', async () => {
    const world = await subscribed();
    const { run, block, goOn } = await blockable(world);
    const other = await world.process([...QUICK_LEASE]);
    await other.line(/"msg":"standing by"/);
    await block();
    const before = await specOf(world);
    const enough = Date.parse(before.renewTime) + TIMING.leaseDurationMs;
    await until(world, ({ renewTime }) => Date.parse(renewTime) > enough);
    expect(other.stderr.join('\n')).not.toContain('"msg":"leading"');
    await goOn();
    await world.hibernate('orders');
    await world.received(2);
    expect(await readyz(run)).toEqual([200, expect.stringMatching(/^\[\+\]leader leading/)]);
    const { holderIdentity, leaseTransitions } = before;
    expect(await specOf(world)).toMatchObject({ holderIdentity, leaseTransitions });
    run.kill('SIGTERM');
    expect(await run.exit).toBe(0);
    await other.line(/"msg":"leading"/);
  });

  it('that could not renew it meanwhile sends nothing when it continues, and exits 1', async () => {
    const world = await subscribed();
    const { run, block, goOn } = await blockable(world);
    const { holderIdentity: first } = await specOf(world);
    await pending(world, 'orders', 0);
    await block();
    // What it is to tell waits for it, in its watch.
    await world.hibernate('orders');
    const renewals = world.cluster.faults.add({
      verb: 'update',
      resource: 'leases',
      effect: { kind: 'reset', when: 'before' },
    });
    const other = await world.process([...QUICK_LEASE]);
    // It has seen the same for the lease duration: longer than the deadline of the first.
    await other.line(/"msg":"Lease not read or written/);
    renewals();
    await until(world, ({ holderIdentity }) => holderIdentity !== first);
    await world.received(2);
    const sent = world.receiver.records.length;
    await goOn();
    expect(await run.exit).toBe(1);
    expect(run.stderr.join('\n')).toMatch(/"reason":"the Lease is lost: .*"msg":"lost leadership; exiting"/);
    expect(world.receiver.records).toHaveLength(sent);
  });
});

describe('a thread that cannot renew the Lease', () => {
  it('is known at once to a main thread that was blocked, without a message', async () => {
    const world = await World.start({ crds: false });
    const { election } = await elected(world);
    await election.leading;
    expect(election.isLeader()).toBe(true);
    // The API server is in this thread.
    block(RENEW_DEADLINE_MS);
    expect(election.isLeader()).toBe(false);
    expect([election.lost.aborted, election.state().ok]).toEqual([true, false]);
    expect(await loss(election)).toBe('it could not be renewed for 4000 ms');
  });
});

describe('an election in a thread', () => {
  it('leads, reads the Lease on request, and releases it', async () => {
    const world = await World.start({ crds: false });
    const { election, log } = await elected(world);
    expect(election.state()).toEqual({
      ok: false,
      words: 'the Lease default/hnotif has not been read yet',
    });
    expect(await election.check()).toBe('moved');
    const term = await election.leading;
    expect(election.state()).toEqual({ ok: true, words: `leading, term ${term}` });
    const { metadata, spec } = await world.kube.get(LEASE);
    const time = expect.stringMatching(/^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/) as string;
    expect(spec).toEqual({
      ...{ holderIdentity: 'a', leaseDurationSeconds: 6, leaseTransitions: 0 },
      ...{ acquireTime: time, renewTime: time },
    });
    const { creationTimestamp } = metadata as unknown as { creationTimestamp: string };
    expect(election.installedAt).toBe(Date.parse(creationTimestamp));
    expect(await election.check()).toBe('held');
    const away = world.cluster.faults.add({
      ...{ verb: 'get', resource: 'leases' },
      effect: { kind: 'reset', when: 'before' },
    });
    expect(await election.check()).toBe('unknown');
    away();
    await election.release();
    expect([election.isLeader(), election.lost.aborted]).toEqual([false, true]);
    expect((await specOf(world)).holderIdentity).toBe('');
    expect(log.map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual([
      'leading',
      'Lease released',
    ]);
    expect(await election.check()).toBe('moved');
  });

  it('ends when another process has taken the Lease, and names it', async () => {
    const world = await World.start({ crds: false });
    const { election } = await elected(world);
    await election.leading;
    await world.kube.patch(LEASE, { spec: { holderIdentity: 'z', leaseTransitions: 7 } });
    expect(await election.check()).toBe('moved');
    expect(await loss(election)).toBe('z has taken it');
    expect(election.isLeader()).toBe(false);
    await election.release();
    expect((await specOf(world)).holderIdentity).toBe('z');
  });

  it('stands by, and names the leader', async () => {
    const world = await World.start({ crds: false });
    const { election: first } = await elected(world);
    await first.leading;
    const { election: second } = await elected(world, { identity: 'b' });
    await expect
      .poll(() => second.state())
      .toEqual({ ok: true, words: 'standby, leader is a, which alone writes statuses' });
    expect([second.isLeader(), second.lost.aborted]).toEqual([false, false]);
    await first.release();
    expect(await second.leading).toBe((await first.leading) + 1);
  });

  it('stops to renew the Lease when the main thread gives no sign of life', async () => {
    const world = await World.start({ crds: false });
    const dead = { ...systemClock, after: () => () => undefined };
    const { election: first } = await elected(world, { clock: dead, silenceMs: 1_000 });
    const { election: second } = await elected(world, { identity: 'b' });
    expect(await loss(first)).toBe('the main thread has not run for 1 s');
    expect(first.isLeader()).toBe(false);
    await second.leading;
  });

  it('keeps the Lease for a main thread that runs', async () => {
    const world = await World.start({ crds: false });
    const { election } = await elected(world, { silenceMs: 4_000 });
    await election.leading;
    const enough = Date.parse((await specOf(world)).renewTime) + 5_000;
    await until(world, ({ renewTime }) => Date.parse(renewTime) > enough);
    expect([election.isLeader(), election.lost.aborted]).toEqual([true, false]);
  });

  it('loses leadership when its thread ends', async () => {
    const world = await World.start({ crds: false });
    const worker = new URL(`data:text/javascript,setImmediate(() => { throw new Error('planted') })`);
    const { election } = await elected(world, { worker });
    expect(await loss(election)).toBe('the thread that renews it has ended: planted');
    expect(await election.check()).toBe('moved');
    expect(election.state()).toEqual({ ok: false, words: 'lost leadership' });
    await election.release();
  });
});
