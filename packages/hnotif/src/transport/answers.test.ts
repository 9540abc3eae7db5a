import { gzipSync } from 'node:zlib';
import type { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { post, serve, serveRaw, transport } from './testing/server.ts';

const CHUNKED = 'HTTP/1.1 500 No\r\ntransfer-encoding: chunked\r\n\r\n';

test.each([
  ['unasked 100', 'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'],
  ['an upgrade', 'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\nhello'],
  ['an upgrade to nothing', 'HTTP/1.1 101 Switching Protocols\r\n\r\nhello'],
  ['a status below 100', 'HTTP/1.1 099 No\r\ncontent-length: 0\r\n\r\n'],
  ['HTTP/0.9', '<html>hello</html>'],
  ['HTTP/2', 'HTTP/2 200\r\n\r\n'],
  ['bytes of no kind', '\x16\x03\x01\x00\x05\x01\x00\x00\x01\x00'],
  ['a negative length', 'HTTP/1.1 200 OK\r\ncontent-length: -5\r\n\r\n'],
  ['two lengths', 'HTTP/1.1 200 OK\r\ncontent-length: 5\r\ncontent-length: 6\r\n\r\nhello!'],
  ['a length beyond all numbers', `HTTP/1.1 200 OK\r\ncontent-length: ${'9'.repeat(30)}\r\n\r\n`],
  [
    'a length and chunks',
    'HTTP/1.1 200 OK\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
  ],
  ['NUL in a header', 'HTTP/1.1 200 OK\r\nx: a\0b\r\ncontent-length: 0\r\n\r\n'],
  ['a header over two lines', 'HTTP/1.1 200 OK\r\nx\r\n y: z\r\ncontent-length: 0\r\n\r\n'],
])('%s is a bad answer, and the receiver may have the message', async (_what, bytes) => {
  const url = await serveRaw((socket) => void socket.write(bytes, 'latin1'));
  expect(await post(transport(), url)).toMatchObject({ kind: 'failed', reason: 'BadAnswer', sent: true });
});

test.each([
  [
    'an upgrade',
    'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n',
    /100 or 101/,
  ],
  ['an unasked 100', 'HTTP/1.1 100 Continue\r\n\r\n', /100 or 101/],
  ['announcements', 'HTTP/1.1 102 Processing\r\n\r\n'.repeat(101), /more than 100 times/],
  ['a huge head', `HTTP/1.1 200 OK\r\nx: ${'x'.repeat(100_000)}\r\n\r\n`, /head .* longer than 16 KiB/],
  ['a status of no kind', 'HTTP/1.1 000 No\r\n\r\n', /not HTTP; is this the right port\?$/],
])('the error of %s says what is wrong', async (_what, bytes, words) => {
  const url = await serveRaw((socket) => void socket.write(bytes, 'latin1'));
  const reply = await post(transport(), url);
  expect(reply).toMatchObject({ reason: 'BadAnswer', message: expect.stringMatching(words) as string });
  if (!words.source.includes('not HTTP'))
    expect(reply).not.toMatchObject({ message: expect.stringContaining('not HTTP') as string });
});

test.each([
  ['a body where none may be', 'HTTP/1.1 204 No Content\r\ncontent-length: 5\r\n\r\nhello', 204],
  ['a body after a 304', 'HTTP/1.1 304 Not Modified\r\ncontent-length: 5\r\n\r\nhello', 304],
  ['a chunk of no size', `${CHUNKED}zz\r\n`, 500],
  ['a chunk beyond all sizes', `${CHUNKED}ffffffffffffffffff\r\n`, 500],
  ['nothing after the head', 'HTTP/1.1 403 No\r\ncontent-length: 9\r\n\r\n', 403],
  ['a status of its own making', 'HTTP/1.1 999 Well\r\ncontent-length: 9\r\n\r\n', 999],
])('%s keeps the status, and the body is incomplete', async (_what, bytes, status) => {
  const url = await serveRaw((socket) => void socket.end(bytes));
  expect(await post(transport(), url)).toMatchObject({ kind: 'answer', status, body: '', truncated: true });
});

test('a hundred informational answers may come before the answer', async () => {
  const url = await serveRaw((socket) => {
    socket.end(
      `${'HTTP/1.1 102 Processing\r\n\r\n'.repeat(100)}HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n`,
    );
  });
  expect(await post(transport(), url)).toMatchObject({ kind: 'answer', status: 200 });
});

test('names of headers that every JavaScript object has are ordinary names', async () => {
  const names = ['__proto__', 'constructor', 'hasOwnProperty', 'toString'];
  const head = [...names, ...names].map((name) => `${name}: x\r\n`).join('');
  const url = await serveRaw((socket) => {
    socket.write(`HTTP/1.1 200 OK\r\n${head}retry-after: 5\r\ncontent-length: 0\r\n\r\n`);
  });
  const reply = await post(transport(), url);
  expect(reply).toMatchObject({ kind: 'answer', status: 200, headers: { 'retry-after': '5' } });
  expect({}).not.toHaveProperty('retry-after');
});

test('an answer that comes before its request is not the answer to the next request', async () => {
  let connections = 0;
  const seen = new Set<Socket>();
  const url = await serveRaw((socket) => {
    if (!seen.has(socket)) connections++;
    seen.add(socket);
    socket.write(
      `HTTP/1.1 20${connections} OK\r\ncontent-length: 0\r\n\r\nHTTP/1.1 500 Evil\r\ncontent-length: 0\r\n\r\n`,
    );
  });
  const client = transport();
  expect(await post(client, url)).toMatchObject({ status: 201 });
  expect(await post(client, url)).toMatchObject({ status: 202 });
});

test('an answer before the whole message was read is the answer', async () => {
  const url = await serveRaw((socket) => {
    socket.pause();
    socket.write('HTTP/1.1 413 Too Large\r\ncontent-length: 2\r\n\r\nno');
  });
  const reply = await post(transport(), url, { body: 'x'.repeat(32 * 1024 * 1024) });
  expect(reply).toMatchObject({ kind: 'answer', status: 413, body: 'no' });
});

test('a compressed body is not decompressed', async () => {
  const bomb = gzipSync(Buffer.alloc(20_000_000));
  const { url } = await serve((_request, response) => {
    response.writeHead(400, { 'content-encoding': 'gzip' }).end(bomb);
  });
  const reply = await post(transport(), url);
  expect(reply).toMatchObject({ kind: 'answer', status: 400, truncated: false });
  expect(reply.kind === 'answer' && reply.body.length).toBeLessThanOrEqual(bomb.length);
});
