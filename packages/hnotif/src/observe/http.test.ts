import { connect } from 'node:net';
import { once } from 'node:events';
import { afterEach, describe, expect, it } from 'vitest';
import { healthRoutes, type Checks } from './health.ts';
import { ListenError, startObserveServer, type ObserveServer, type Route } from './http.ts';

const servers: ObserveServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

async function serve(routes: Readonly<Record<string, Route>>): Promise<ObserveServer> {
  const server = await startObserveServer({ flag: '--health-address', host: '127.0.0.1', port: 0, routes });
  servers.push(server);
  return server;
}

const metrics: Route = () => Promise.resolve({ status: 200, contentType: 'text/x; v=1', body: 'hé 1\n' });

describe('the observe server', () => {
  it('answers GET with body and type, HEAD with the same head', async () => {
    const { url } = await serve({ '/metrics': metrics });
    const got = await fetch(`${url}/metrics?name=x`);
    expect([got.status, got.headers.get('content-type'), await got.text()]).toEqual([
      200,
      'text/x; v=1',
      'hé 1\n',
    ]);
    const head = await fetch(`${url}/metrics`, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, '6', '']);
  });

  it('says 404 to other paths and 405 to other methods', async () => {
    const { url } = await serve({ '/metrics': metrics });
    for (const path of ['/', '/metrics/', '/constructor', '/%2e%2e'])
      expect((await fetch(url + path)).status).toBe(404);
    const posted = await fetch(`${url}/metrics`, { method: 'POST', body: 'x' });
    expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });

  it('answers 500 when a route fails, and goes on', async () => {
    const { url } = await serve({ '/bad': () => Promise.reject(new Error('no')), '/metrics': metrics });
    expect((await fetch(`${url}/bad`)).status).toBe(500);
    expect((await fetch(`${url}/metrics`)).status).toBe(200);
  });

  it('names port and flag when the port is taken', async () => {
    const { port } = await serve({});
    const second = startObserveServer({ flag: '--metrics-address', host: '127.0.0.1', port, routes: {} });
    await expect(second).rejects.toThrow(ListenError);
    await expect(second).rejects.toThrow(
      `cannot listen on 127.0.0.1:${port}: the port is taken by another program; choose another with --metrics-address`,
    );
  });

  it('ends open connections when it is closed', async () => {
    const server = await startObserveServer({
      flag: '',
      host: '127.0.0.1',
      port: 0,
      routes: { '/m': metrics },
    });
    const socket = connect(server.port, '127.0.0.1');
    socket.on('error', () => {});
    const closed = new Promise((resolve) => socket.once('close', resolve));
    await once(socket, 'connect');
    // Half a request: without an end, the server would wait for the rest.
    socket.write('GET /m HTTP/1.1\r\n');
    await server.close();
    socket.resume();
    await closed;
    expect(socket.closed).toBe(true);
  });
});

describe('health', () => {
  const ask = async (checks: Checks, path: string) => {
    const { url } = await serve(healthRoutes(() => checks));
    const answer = await fetch(url + path);
    return [answer.status, await answer.text()];
  };

  it('is ready when every check is well, and lists them', async () => {
    const election = { ok: true, words: 'standby, leader is a' };
    const checks = { cluster: () => undefined, plans: () => undefined, election: () => election };
    expect(await ask(checks, '/readyz')).toEqual([
      200,
      '[+]cluster ok\n[+]plans ok\n[+]election standby, leader is a\nreadyz check passed\n',
    ]);
    expect(await ask({ ...checks, election: () => ({ ...election, ok: false }) }, '/readyz')).toEqual([
      503,
      '[+]cluster ok\n[+]plans ok\n[-]election standby, leader is a\nreadyz check failed\n',
    ]);
  });

  it('is not ready when one is not, and says which and why', async () => {
    const checks = { cluster: () => undefined, plans: () => 'not synced: 403' };
    expect(await ask(checks, '/readyz')).toEqual([
      503,
      '[+]cluster ok\n[-]plans not synced: 403\nreadyz check failed\n',
    ]);
  });

  it('asks at each request', async () => {
    let reason: string | undefined = 'starting';
    const { url } = await serve(healthRoutes(() => ({ cluster: () => reason })));
    expect((await fetch(`${url}/readyz`)).status).toBe(503);
    reason = undefined;
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
  });

  it('lives whatever the checks say', async () => {
    expect(await ask({ cluster: () => 'gone' }, '/healthz')).toEqual([
      200,
      '[+]ping ok\nhealthz check passed\n',
    ]);
  });
});
