import type { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { ManualClock, settle } from '../../../core/src/testing/clock.ts';
import { post, serveRaw, transport } from './testing/server.ts';

/** Writes `text` again and again until the other end has gone. */
function flood(socket: Socket, text: string): void {
  const more = (): void => {
    while (!socket.destroyed && socket.write(text));
  };
  socket.on('drain', more);
  more();
}

const CHUNKED = 'HTTP/1.1 500 No\r\ntransfer-encoding: chunked\r\n\r\n';

test.each([
  ['headers', 'HTTP/1.1 200 OK\r\n', `x: ${'x'.repeat(10_000)}\r\n`],
  ['one header', 'HTTP/1.1 200 OK\r\nx: ', 'x'.repeat(10_000)],
  ['one header’s name', 'HTTP/1.1 200 OK\r\n', 'x'.repeat(10_000)],
  ['announcements of an answer', '', 'HTTP/1.1 102 Processing\r\n\r\n'],
])('%s without end: a bad answer', async (_what, begin, more) => {
  const url = await serveRaw((socket) => {
    socket.write(begin);
    flood(socket, more);
  });
  expect(await post(transport(), url)).toMatchObject({ kind: 'failed', reason: 'BadAnswer', sent: true });
});

test('trailers without end cut the body short', async () => {
  const url = await serveRaw((socket) => {
    socket.write(`${CHUNKED}2\r\nno\r\n0\r\n`);
    flood(socket, `x: ${'x'.repeat(10_000)}\r\n`);
  });
  expect(await post(transport(), url)).toMatchObject({ status: 500, body: 'no', truncated: true });
});

test.each([
  ['a reason phrase', 'HTTP/1.1 200 ', 'x'.repeat(1_000), { reason: 'TimedOut', sent: true }],
  ['an extension of a chunk', `${CHUNKED}1;`, 'x'.repeat(1_000), { status: 500, body: '', truncated: true }],
])('%s without end is skipped until the time limit', async (_what, begin, more, reply) => {
  const clock = new ManualClock();
  let socketOf: (socket: Socket) => void = () => {};
  const accepted = new Promise<Socket>((resolve) => (socketOf = resolve));
  const url = await serveRaw((socket) => {
    socket.write(begin);
    flood(socket, more);
    socketOf(socket);
  });
  const replied = post(transport({ clock }), url);
  const socket = await accepted;
  while (socket.bytesWritten < 20_000_000) await settle();
  await clock.advance(10_000);
  expect(await replied).toMatchObject(reply);
});

test('a head that comes byte by byte ends at the time limit', async () => {
  const clock = new ManualClock();
  const answer = 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n';
  let written = 0;
  const url = await serveRaw((socket) => {
    const drip = (): void => {
      if (written < answer.length - 1) socket.write(answer[written++] ?? '', drip);
    };
    drip();
  });
  const reply = post(transport({ clock }), url);
  while (written < answer.length - 1) {
    await clock.advance(9_999 / answer.length);
    await settle();
  }
  await clock.advance(10_000);
  expect(await reply).toMatchObject({ kind: 'failed', reason: 'TimedOut', sent: true });
});
