import { connect, type Socket } from 'node:net';
import { once } from 'node:events';
import { afterEach, describe, expect, it } from 'vitest';
import { healthRoutes, type Checks } from './health.ts';
import {
  ListenError,
  startObserveServer,
  type ObserveServer,
  type ObserveServerOptions,
  type Route,
} from './http.ts';
import { ManualClock } from '../../../core/src/testing/clock.ts';

const servers: ObserveServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

async function serve(
  routes: Readonly<Record<string, Route>>,
  more: Partial<ObserveServerOptions> = {},
): Promise<ObserveServer> {
  const address = { flag: '--health-address', host: '127.0.0.1', port: 0 };
  const server = await startObserveServer({ ...address, routes, ...more });
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

/** A raw connection; its errors are its end. */
async function dial(port: number, host = '127.0.0.1', localAddress?: string): Promise<Raw> {
  const socket = connect({ port, host, ...(localAddress !== undefined && { localAddress }) });
  socket.on('error', () => {});
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  await once(socket, 'connect');
  return { socket, closed };
}

interface Raw {
  readonly socket: Socket;
  readonly closed: Promise<void>;
}

const GET = 'GET /m HTTP/1.1\r\nHost: a\r\n\r\n';

describe('a hostile client of the observe server', () => {
  it('that pipelines requests and takes no answer is cut off after a few of them', async () => {
    let answers = 0;
    const big = Buffer.alloc(1_000_000, 'x');
    const route: Route = () => {
      answers++;
      return { status: 200, contentType: 'text/plain', body: big };
    };
    const { port } = await serve({ '/m': route });
    const { socket } = await dial(port);
    socket.pause();
    socket.write(GET.repeat(100_000));
    // A client that does not read learns only by writing that it was cut off.
    while (!socket.destroyed) {
      socket.write(GET);
      await new Promise(setImmediate);
    }
    expect(answers).toBeLessThanOrEqual(4);
  });

  it('may pipeline a few, and gets all its answers', async () => {
    const { port } = await serve({ '/m': metrics });
    const { socket } = await dial(port);
    let text = '';
    socket.on('data', (chunk) => (text += String(chunk)));
    for (let round = 1; round <= 3; round++) {
      socket.write(GET.repeat(4));
      while (text.split('hé 1').length - 1 < 4 * round) await once(socket, 'data');
    }
    socket.destroy();
  });

  it.each([1, 2])('that does not take answer %i is cut off when its time is over', async (nth) => {
    const clock = new ManualClock();
    let asked: () => void = () => undefined;
    const reached = new Promise<void>((resolve) => (asked = resolve));
    const big = Buffer.alloc(50_000_000);
    let count = 0;
    const route: Route = () => {
      if (++count === nth) asked();
      return { status: 200, contentType: 'text/plain', body: count === nth ? big : 'small' };
    };
    const { port } = await serve({ '/m': route }, { clock });
    const { socket, closed } = await dial(port);
    socket.pause();
    socket.write(GET.repeat(nth));
    await reached;
    await clock.advance(9_999);
    expect(socket.destroyed).toBe(false);
    await clock.advance(10_000);
    socket.resume();
    await closed;
    expect(socket.bytesRead).toBeLessThan(big.length);
    expect(clock.timers).toBe(0);
  });

  it('that opens connections without end ends its own; another address is answered', async () => {
    const { port } = await serve({ '/m': metrics }, { maxConnections: 4 });
    const other = await dial(port, '127.0.0.1', '127.0.0.2');
    const own = await Promise.all(Array.from({ length: 20 }, () => dial(port)));
    await Promise.race(own.map(({ closed }) => closed));
    other.socket.write(GET);
    const [answer] = (await once(other.socket, 'data')) as [Buffer];
    expect(String(answer)).toContain('HTTP/1.1 200');
    for (const { socket } of [other, ...own]) socket.destroy();
  });

  it('is answered on its newest connection, however many it holds', async () => {
    const { port, url } = await serve({ '/m': metrics }, { maxConnections: 4 });
    const held = await Promise.all(Array.from({ length: 20 }, () => dial(port)));
    expect((await fetch(`${url}/m`)).status).toBe(200);
    for (const { socket } of held) socket.destroy();
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
