import { expect, test } from 'vitest';
import { ManualClock } from '../../../core/src/testing/clock.ts';
import { post, serve, serveRaw, transport } from './testing/server.ts';

test('an answer comes with status, lower-cased headers and body', async () => {
  const seen: string[] = [];
  const { url } = await serve((request, response) => {
    request.setEncoding('utf8');
    request.on('data', (text: string) => seen.push(text));
    request.on('end', () => {
      seen.push(request.method ?? '', request.url ?? '', String(request.headers['content-type']));
      response.writeHead(201, { 'X-Thing': 'one', 'Set-Cookie': ['a', 'b'] }).end('grüße');
    });
  });
  const reply = await post(transport(), url);
  expect(reply).toMatchObject({ kind: 'answer', status: 201, body: 'grüße', truncated: false });
  expect(reply).toMatchObject({ headers: { 'x-thing': 'one', 'set-cookie': 'a, b' } });
  expect(seen).toEqual(['hello', 'POST', '/hook?a=b', 'text/plain']);
});

test('a body of bytes is sent as it is', async () => {
  const { url } = await serve((request, response) => {
    request.on('data', (bytes: Buffer) => response.end(bytes.toString('hex')));
  });
  const bytes = new Uint8Array([0, 1, 0xff]);
  expect(await transport().post({ url, owner: 'team-a', headers: {}, body: bytes })).toMatchObject({
    body: '0001ff',
  });
});

test('connections are kept and reused', async () => {
  const ports = new Set<number | undefined>();
  const { url } = await serve((request, response) => {
    ports.add(request.socket.remotePort);
    request.resume().on('end', () => response.end());
  });
  const client = transport();
  for (let index = 0; index < 20; index++) await post(client, url);
  // After its answer a connection is unused for one turn of the event loop. So two connections take turns.
  expect(ports.size).toBeLessThanOrEqual(2);
});

test('at most 128 connections are opened to one origin, and waiting requests are sent later', async () => {
  let open = 0;
  let most = 0;
  const waiting: (() => void)[] = [];
  const { url } = await serve((request, response) => {
    most = Math.max(most, ++open);
    const answer = (): void => {
      open--;
      response.end();
    };
    request.resume().on('end', () => {
      if (most < 128) waiting.push(answer);
      else {
        for (const held of waiting.splice(0)) held();
        answer();
      }
    });
  });
  const client = transport();
  const replies = await Promise.all(Array.from({ length: 200 }, () => post(client, url)));
  expect(replies.every((reply) => reply.kind === 'answer')).toBe(true);
  expect(most).toBe(128);
});

test('a redirect is an answer and is not followed', async () => {
  let requests = 0;
  const { url } = await serve((_request, response) => {
    requests++;
    response.writeHead(307, { location: '/elsewhere' }).end();
  });
  const reply = await post(transport(), url);
  expect(reply).toMatchObject({ kind: 'answer', status: 307, headers: { location: '/elsewhere' } });
  expect(requests).toBe(1);
});

test('informational answers are not the answer', async () => {
  const url = await serveRaw((socket) => {
    socket.write('HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n');
  });
  const reply = await post(transport(), url);
  expect(reply).toMatchObject({ kind: 'answer', status: 204, headers: {} });
  expect(reply.kind === 'answer' && reply.headers).not.toHaveProperty('link');
});

test('a connection that is lost after an informational answer has given no answer', async () => {
  const url = await serveRaw((socket) => socket.end('HTTP/1.1 102 Processing\r\n\r\n'));
  expect(await post(transport(), url)).toMatchObject({
    kind: 'failed',
    reason: 'ConnectionLost',
    sent: true,
  });
});

test('a body is read up to 64 KiB, and a body without end does not hold the request', async () => {
  const { url } = await serve((_request, response) => {
    const more = (): void => {
      while (!response.destroyed && response.write('x'.repeat(10_000)));
    };
    response.on('drain', more);
    more();
  });
  // The clock does not move: the request does not end by the time limit.
  const reply = await post(transport({ clock: new ManualClock() }), url);
  expect(reply).toMatchObject({ kind: 'answer', status: 200, truncated: true });
  expect(reply.kind === 'answer' && reply.body.length).toBe(64 * 1024);
});

test('a body of exactly 64 KiB is whole', async () => {
  const { url } = await serve((_request, response) => response.end('x'.repeat(64 * 1024)));
  const reply = await post(transport(), url);
  expect(reply).toMatchObject({ truncated: false });
  expect(reply.kind === 'answer' && reply.body.length).toBe(64 * 1024);
});

test('an answer with an incomplete body is an answer: its status counts', async () => {
  const url = await serveRaw((socket) => {
    socket.end('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf');
  });
  expect(await post(transport(), url)).toMatchObject({
    kind: 'answer',
    status: 200,
    body: 'half',
    truncated: true,
  });
});
