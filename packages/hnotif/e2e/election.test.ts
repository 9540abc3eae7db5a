import { execFile, execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { CONFIG_MAPS } from '../src/cluster/objects.ts';
import { Candidates, clientOf } from './support/candidates.ts';
import { World } from './support/world.ts';

const LEASES = '/apis/coordination.k8s.io/v1/namespaces/default/leases';
const LEASE = `${LEASES}/hnotif`;

async function start(): Promise<{ world: World; candidates: Candidates }> {
  const world = await World.start({ crds: false });
  return { world, candidates: new Candidates(world) };
}

function missing(): string {
  try {
    execFileSync('kubectl', ['version', '--client'], { stdio: 'ignore' });
    return '';
  } catch {
    return 'kubectl is not installed';
  }
}
const reason = missing();

describe('the first process', () => {
  it('creates the Lease and leads; the next one stands by and names the leader', async () => {
    const { world, candidates } = await start();
    const a = await candidates.add('a');
    const term = await a.election.leading;
    const b = await candidates.add('b');
    const { spec, metadata } = await world.kube.get(LEASE);
    expect(spec).toEqual({
      holderIdentity: 'a',
      leaseDurationSeconds: 15,
      acquireTime: '2026-01-05T20:00:00.000000Z',
      renewTime: '2026-01-05T20:00:00.000000Z',
      leaseTransitions: 0,
    });
    const { creationTimestamp } = metadata as unknown as { creationTimestamp: string };
    expect(a.election.installedAt).toBe(Date.parse(creationTimestamp));
    expect(b.election.installedAt).toBe(Date.parse(creationTimestamp));
    expect([a.leads, b.leads]).toEqual([true, false]);
    expect(a.election.state()).toEqual({ ok: true, words: `leading, term ${term}` });
    expect(b.election.state()).toEqual({
      ok: true,
      words: 'standby, leader is a, which alone writes statuses',
    });
    await candidates.pass(60_000);
    expect([a.leads, b.leads]).toEqual([true, false]);
    expect((await world.kube.get(LEASE)).spec).toMatchObject({
      acquireTime: '2026-01-05T20:00:00.000000Z',
      renewTime: expect.stringMatching(/^2026-01-05T20:00:5[789]/) as string,
    });
  });

  it('renewals do not wait behind other requests', async () => {
    const { world, candidates } = await start();
    const client = await clientOf(world, { qps: 0.000_1, burst: 1 });
    await client.get(CONFIG_MAPS, 'default', 'none').catch(() => undefined);
    const a = await candidates.add('a', { client });
    await candidates.pass(30_000);
    expect(a.leads).toBe(true);
  });

  it.skipIf(reason !== '')(`is shown by kubectl${reason && ` (skipped: ${reason})`}`, async () => {
    const { world, candidates } = await start();
    await candidates.add('a');
    const home = await mkdtemp(join(tmpdir(), 'hnotif-kubectl-'));
    onTestFinished(() => rm(home, { recursive: true, force: true }));
    const env = { PATH: process.env.PATH, HOME: home, KUBECONFIG: await world.kubeconfig() };
    const { stdout } = await promisify(execFile)('kubectl', ['get', 'lease', 'hnotif'], { env });
    expect(stdout).toMatch(/^NAME +HOLDER +AGE\nhnotif +a +\d+s\n$/);
  });
});

describe('another process takes the Lease', () => {
  it('at once, if it was released', async () => {
    const { world, candidates } = await start();
    const a = await candidates.add('a');
    const b = await candidates.add('b');
    await a.election.release();
    expect([a.leads, a.election.lost.aborted]).toEqual([false, true]);
    expect((await world.kube.get(LEASE)).spec).toMatchObject({ holderIdentity: '', leaseDurationSeconds: 1 });
    await candidates.pass(2_500);
    expect(b.leads).toBe(true);
    expect((await world.kube.get(LEASE)).spec).toMatchObject({ holderIdentity: 'b', leaseTransitions: 1 });
    expect(await b.election.leading).toBe((await a.election.leading) + 1);
  });

  it('after its duration and not earlier, if its holder was killed', async () => {
    const { candidates } = await start();
    const a = await candidates.add('a');
    const b = await candidates.add('b');
    a.stopped = true;
    await candidates.pass(14_500);
    expect(b.leads).toBe(false);
    await candidates.pass(500);
    expect(b.leads).toBe(true);
  });

  it('only after the leader has stopped, if the leader cannot reach the API', async () => {
    const { candidates } = await start();
    const a = await candidates.add('a');
    const b = await candidates.add('b');
    await candidates.pass(5_000);
    a.fate = () => 'lost';
    await candidates.pass(7_500);
    expect([a.leads, a.election.lost.aborted]).toEqual([true, false]);
    await candidates.pass(2_500);
    // Nobody has asked it.
    expect(a.election.lost.aborted).toBe(true);
    expect(b.leads).toBe(false);
    await candidates.pass(7_500);
    expect([a.leads, b.leads]).toEqual([false, true]);
    const told = a.log.filter((line) => line.includes('Lease not read or written'));
    expect(told).toHaveLength(1);
  });

  it('if another holder was written into it', async () => {
    const { world, candidates } = await start();
    const a = await candidates.add('a');
    await world.kube.patch(LEASE, { spec: { holderIdentity: 'z', leaseTransitions: 7 } });
    await candidates.pass(2_500);
    expect([a.leads, a.election.lost.aborted]).toEqual([false, true]);
    expect(String(a.election.lost.reason)).toContain('z has taken it');
    await a.election.release();
    expect((await world.kube.get(LEASE)).spec).toMatchObject({ holderIdentity: 'z' });
  });

  it('with a higher term, if it was deleted: the leader stops, and a process that saw the holder waits', async () => {
    const { world, candidates } = await start();
    const a = await candidates.add('a');
    const b = await candidates.add('b');
    await candidates.pass(5_000);
    await world.kube.delete(LEASE);
    await candidates.pass(2_500);
    expect([a.election.lost.aborted, b.leads]).toEqual([true, false]);
    await candidates.pass(15_000);
    expect(b.leads).toBe(true);
    expect((await world.kube.get(LEASE)).spec).toMatchObject({ leaseTransitions: 1 });
    expect(await b.election.leading).toBeGreaterThan(await a.election.leading);
  });
});

describe('a leader goes on', () => {
  it('when the answer to a renewal is lost, but the write was done', async () => {
    const { world, candidates } = await start();
    const a = await candidates.add('a');
    const before = (await world.kube.get(LEASE)).metadata.resourceVersion;
    a.fate = (method) => (method === 'update' ? 'done, answer lost' : 'done');
    await candidates.pass(2_500);
    expect((await world.kube.get(LEASE)).metadata.resourceVersion).not.toBe(before);
    a.fate = () => 'done';
    await candidates.pass(20_000);
    expect([a.leads, a.election.lost.aborted]).toEqual([true, false]);
    expect((await world.kube.get(LEASE)).spec).toMatchObject({ holderIdentity: 'a', leaseTransitions: 0 });
  });

  it('when other clients changed the Lease, and keeps their fields', async () => {
    const { world, candidates } = await start();
    const a = await candidates.add('a');
    const labels = { team: 'platform' };
    await world.kube.patch(LEASE, { metadata: { labels }, spec: { strategy: 'OldestEmulationVersion' } });
    const before = (await world.kube.get(LEASE)).metadata.resourceVersion;
    // The renewal is refused once, and done in the same turn.
    let updates = 0;
    a.fate = (method) => (method === 'update' && ++updates > 2 ? 'lost' : 'done');
    await candidates.pass(2_500);
    const { metadata, spec } = await world.kube.get(LEASE);
    expect(metadata.resourceVersion).not.toBe(before);
    expect(metadata).toMatchObject({ labels });
    expect(spec).toMatchObject({ holderIdentity: 'a', strategy: 'OldestEmulationVersion' });
    expect(a.leads).toBe(true);
  });
});

describe('an unusable Lease', () => {
  it('is reported once and shown until it is usable', async () => {
    const { world, candidates } = await start();
    const a = await candidates.add('a', { namespace: 'later' });
    await candidates.pass(10_000);
    expect(a.log.filter((line) => line.includes('Lease not read or written'))).toHaveLength(1);
    expect(a.election.state()).toEqual({
      ok: false,
      words: 'standby, the Lease later/hnotif: namespaces "later" not found',
    });
    await world.namespace('later');
    await candidates.pass(2_500);
    expect(a.election.state()).toMatchObject({
      ok: true,
      words: expect.stringMatching(/^leading/) as string,
    });
    expect(a.log.join('')).toContain('Lease read and written again');
  });

  it('is ours in the next term, if the answer to the acquisition was lost', async () => {
    const { world, candidates } = await start();
    const a = await candidates.add('a');
    const b = await candidates.add('b');
    await a.election.release();
    b.fate = (method) => (method === 'update' ? 'done, answer lost' : 'done');
    await candidates.pass(2_500);
    expect(b.leads).toBe(false);
    expect((await world.kube.get(LEASE)).spec).toMatchObject({ holderIdentity: 'b', leaseTransitions: 1 });
    b.fate = () => 'done';
    await candidates.pass(2_500);
    expect(b.leads).toBe(true);
    expect((await world.kube.get(LEASE)).spec).toMatchObject({ holderIdentity: 'b', leaseTransitions: 2 });
  });
});
