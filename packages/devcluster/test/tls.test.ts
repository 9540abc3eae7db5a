import { once } from 'node:events';
import type { RequestOptions } from 'node:https';
import { Agent, request } from 'node:https';
import { connect } from 'node:net';
import type { TLSSocket } from 'node:tls';

import { expect, it } from 'vitest';

import type { DevCluster } from '../src/index.ts';
import { startDevCluster } from '../src/index.ts';
import { MAPS, start } from './support.ts';

/** Code and body of an answer, over a new connection. */
function get(cluster: DevCluster, path: string, options: RequestOptions = {}): Promise<[number, string]> {
  return new Promise((resolve, reject) => {
    const asked = request(cluster.url + path, { agent: false, ca: cluster.ca, ...options }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => (text += part));
      response.on('end', () => {
        resolve([response.statusCode ?? 0, text]);
      });
      response.on('error', reject);
    });
    asked.on('error', reject);
    asked.end();
  });
}

const code = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? String(error);

it('serves HTTPS under the names of its certificate, to those who trust its authority', async () => {
  const { cluster } = await start({ tls: true });
  expect(cluster.url).toBe(`https://127.0.0.1:${cluster.port}`);
  expect(cluster.kubeconfig()).toContain(Buffer.from(cluster.ca ?? '').toString('base64'));
  expect((await get(cluster, '/healthz'))[0]).toBe(200);
  expect((await get(cluster, '/healthz', { servername: 'localhost' }))[0]).toBe(200);
  expect(await get(cluster, '/healthz', { servername: 'elsewhere' }).catch(code)).toBe(
    'ERR_TLS_CERT_ALTNAME_INVALID',
  );
  const { cluster: other } = await start({ tls: true });
  expect(await get(cluster, '/healthz', { ca: other.ca }).catch(code)).toMatch(/CERT_IN_CHAIN|VERIFY_LEAF/);
});

it('knows a client by a certificate of its authority: CN and O', async () => {
  const { cluster } = await start({ tls: true, auth: true });
  const { users } = cluster;
  const admin = users.certificate('admin', { groups: ['crew', 'system:masters'] });
  expect((await get(cluster, MAPS, admin))[0]).toBe(200);
  const [refused, why] = await get(cluster, MAPS, users.certificate('plain', { groups: ['crew'] }));
  expect([refused, why]).toEqual([403, expect.stringContaining('User \\"plain\\" cannot list')]);
  expect((await get(cluster, MAPS))[0]).toBe(401);
  const { cluster: other } = await start({ tls: true });
  const foreign = other.users.certificate('admin', { groups: ['system:masters'] });
  expect((await get(cluster, MAPS, foreign))[0]).toBe(401);
  // With both, the certificate counts.
  const headers = { authorization: `Bearer ${users.token('plain')}` };
  expect((await get(cluster, MAPS, { ...admin, headers }))[0]).toBe(200);
  expect((await get(cluster, MAPS, { ...foreign, headers }))[0]).toBe(403);
});

it('knows a client again that resumes its session, and nobody by having one', async () => {
  const { cluster } = await start({ tls: true, auth: true });
  const { cluster: other } = await start({ tls: true });
  const group = { groups: ['system:masters'] };
  const token = { authorization: `Bearer ${cluster.users.token('admin', group)}` };
  for (const [options, expected] of [
    [{}, 401],
    [{ headers: token }, 200],
    [cluster.users.certificate('admin', group), 200],
    [other.users.certificate('admin', group), 401],
  ] as const) {
    const agent = new Agent({ keepAlive: false });
    let resumed = 0;
    agent.on('keylog', (_, socket: TLSSocket) => {
      if (socket.isSessionReused()) resumed++;
    });
    for (let times = 0; times < 3; times++)
      expect((await get(cluster, MAPS, { ...options, agent }))[0]).toBe(expected);
    expect(resumed).toBeGreaterThan(0);
  }
});

it('resets and goes away beneath TLS, too', async () => {
  const { cluster } = await start({ tls: true });
  cluster.faults.add({ times: 1, effect: { kind: 'reset', when: 'before' } });
  expect(await get(cluster, MAPS).catch(code)).toBe('ECONNRESET');
  const watch = get(cluster, `${MAPS}?watch=1`).catch(code);
  while (cluster.stats().watchers === 0) await get(cluster, '/healthz');
  await cluster.goAway();
  expect(await watch).toBe('ECONNRESET');
  expect(await get(cluster, MAPS).catch(code)).toBe('ECONNREFUSED');
  await cluster.comeBack();
  expect((await get(cluster, MAPS))[0]).toBe(200);
});

it('closes although a client has not finished its handshake', async () => {
  const cluster = await startDevCluster({ tls: true });
  const socket = connect(cluster.port, '127.0.0.1');
  await once(socket, 'connect');
  await get(cluster, '/healthz');
  const closed = once(socket, 'close');
  await Promise.all([cluster.close(), closed]);
});

it('issues no certificates without an authority', async () => {
  const { cluster } = await start();
  expect(cluster.ca).toBeUndefined();
  expect(() => cluster.users.certificate('a')).toThrow('need a cluster with `tls: true`');
});
