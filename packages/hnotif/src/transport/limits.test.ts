import { getEventListeners, once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { Worker } from 'node:worker_threads';
import { expect, onTestFinished, test } from 'vitest';
import { ManualClock, settle } from '../../../core/src/testing/clock.ts';
import { clientEnds, post, serve, transport } from './testing/server.ts';

test('a silent receiver times out, and may have the request', async () => {
  const clock = new ManualClock();
  const { url, server } = await serve(() => {});
  const reply = post(transport({ clock }), url);
  await once(server, 'request');
  expect(clock.nextIn).toBe(10_000);
  await clock.advance(10_000);
  expect(await reply).toMatchObject({ kind: 'failed', reason: 'TimedOut', sent: true });
  expect(clock.timers).toBe(0);
});

/** A receiver on a thread of its own. It answers when the flag is 1, and sets it to 2 when the answer is on its way. */
const RECEIVER = `
const { createServer } = require('node:http');
const { parentPort, workerData: flag } = require('node:worker_threads');
const server = createServer((request, response) => {
  request.resume().on('end', () => {
    parentPort.postMessage('arrived');
    Atomics.wait(flag, 0, 0);
    response.end('taken', () => {
      Atomics.store(flag, 0, 2);
      Atomics.notify(flag, 0);
    });
  });
});
server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));
`;

test('an answer that arrived while the process was paused counts, also after the time limit', async () => {
  let reachLimit = (): void => undefined;
  const clock = Object.assign(new ManualClock(), {
    after(_: number, run: () => void): () => void {
      reachLimit = run;
      return () => undefined;
    },
  });
  const flag = new Int32Array(new SharedArrayBuffer(4));
  const receiver = new Worker(RECEIVER, { eval: true, workerData: flag });
  onTestFinished(async () => {
    await receiver.terminate();
  });
  const [port] = (await once(receiver, 'message')) as [number];
  const reply = post(transport({ clock }), new URL(`http://127.0.0.1:${port}/`));
  await once(receiver, 'message');
  // As a timer of a process that was paused. Nothing else runs here until the answer has arrived.
  setTimeout(() => {
    Atomics.store(flag, 0, 1);
    Atomics.notify(flag, 0);
    Atomics.wait(flag, 0, 1);
    reachLimit();
  });
  expect(await reply).toMatchObject({ kind: 'answer', status: 200, body: 'taken' });
});

test('a slow body is cut at the time limit of the request', async () => {
  const clock = new ManualClock();
  const read = clientEnds();
  let written = 0;
  const { url } = await serve((_request, response) => {
    response.writeHead(500);
    response.write('so f', () => (written = response.socket?.bytesWritten ?? 0));
  });
  const reply = post(transport({ clock }), url, { timeoutMs: 700 });
  while (written === 0) await settle();
  await read(written);
  await clock.advance(700);
  expect(await reply).toMatchObject({ kind: 'answer', status: 500, body: 'so f', truncated: true });
});

test('a request that waits for a free connection times out, and is never sent', async () => {
  const clock = new ManualClock();
  const bodies: string[] = [];
  const held: (() => void)[] = [];
  const { url, server } = await serve((request, response) => {
    request.setEncoding('utf8');
    request.on('data', (body: string) => bodies.push(body));
    request.on('end', () => held.push(() => response.end()));
  });
  const client = transport({ clock });
  const first = Array.from({ length: 128 }, () => post(client, url, { timeoutMs: 60_000 }));
  while (bodies.length < 128) await settle();
  const late = post(client, url, { timeoutMs: 50, body: 'late' });
  await clock.advance(50);
  expect(await late).toMatchObject({ kind: 'failed', reason: 'ConnectTimeout', sent: false });
  while (held.length < 128) await settle();
  for (const answer of held.splice(0)) answer();
  for (const reply of await Promise.all(first)) expect(reply).toMatchObject({ kind: 'answer' });
  server.once('request', (_request, response) => response.end());
  expect(await post(client, url)).toMatchObject({ kind: 'answer' });
  expect(bodies).not.toContain('late');
});

test('close() ends running requests', async () => {
  const { url, server } = await serve(() => {});
  const client = transport();
  const reply = post(client, url);
  await once(server, 'request');
  await client.close();
  expect(await reply).toMatchObject({ kind: 'failed', reason: 'Closed', sent: true });
});

test('the caller may abort a request, before and while it runs', async () => {
  const { url, server } = await serve(() => {});
  const client = transport();
  expect(await post(client, url, { signal: AbortSignal.abort() })).toMatchObject({
    reason: 'Aborted',
    sent: false,
  });
  const controller = new AbortController();
  const reply = post(client, url, { signal: controller.signal });
  const [request] = (await once(server, 'request')) as [IncomingMessage];
  const closed = once(request.socket, 'close');
  controller.abort();
  await closed;
  expect(await reply).toMatchObject({ kind: 'failed', reason: 'Aborted', sent: true });
});

test('one signal may be used for many requests, and keeps no listener of them', async () => {
  const { url } = await serve((_request, response) => response.end());
  const { signal } = new AbortController();
  const warnings: string[] = [];
  const onWarning = ({ name }: Error): void => void warnings.push(name);
  process.on('warning', onWarning);
  const client = transport();
  await Promise.all(Array.from({ length: 20 }, () => post(client, url, { signal })));
  await settle();
  process.off('warning', onWarning);
  expect(warnings).toEqual([]);
  expect(getEventListeners(signal, 'abort')).toHaveLength(0);
});

test('an idle connection is closed at the time that its receiver announces', async () => {
  const { url, server } = await serve((_request, response) => {
    response.setHeader('keep-alive', 'timeout=3').end();
  });
  const client = transport({ clock: new ManualClock() });
  const connection = once(server, 'connection') as Promise<[Socket]>;
  await post(client, url);
  await once((await connection)[0], 'close');
  while (client.connections > 0) await settle();
  expect(await post(client, url)).toMatchObject({ status: 200 });
});

test('the connection that is idle longest is closed for another origin', async () => {
  const closed: number[] = [];
  const origins = await Promise.all(
    [0, 1, 2].map((index) =>
      serve((request, response) => {
        request.socket.once('close', () => closed.push(index));
        response.end();
      }),
    ),
  );
  const client = transport({ connections: 2 });
  for (const { url } of origins) {
    expect(await post(client, url)).toMatchObject({ status: 200 });
    // A connection is idle only after some turns of the event loop.
    await settle();
    expect(client.connections).toBeLessThanOrEqual(2);
  }
  while (closed.length === 0) await settle();
  expect(closed).toEqual([0]);
});

test('after close() a post fails as closed', async () => {
  const { url } = await serve((_request, response) => response.end());
  const client = transport();
  await post(client, url);
  await client.close();
  expect(await post(client, url)).toMatchObject({ kind: 'failed', reason: 'Closed', sent: false });
});
