import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { ManualClock } from '../../../core/src/testing/clock.ts';
import { clientEnds, post, serveRaw, transport } from './testing/server.ts';

const HEAD = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n';
const MIB = 1024 * 1024;

setFlagsFromString('--expose_gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Bytes in use, inside the heap and outside. */
function held(): number {
  collectGarbage();
  const { arrayBuffers, heapUsed } = process.memoryUsage();
  return arrayBuffers + heapUsed;
}

test('only the body of an answer stays in memory, however it is framed', async () => {
  // One byte of body in each 64 KiB; the client must skip the rest.
  const wrapped = Buffer.from(`1;${'x'.repeat(64 * 1024)}\r\ny\r\n`);
  let left = 64 * MIB;
  const url = await serveRaw((socket) => {
    const more = (): void => {
      do left -= wrapped.length;
      while (socket.write(wrapped) && left > 0);
    };
    socket.on('drain', more);
    socket.write(HEAD, more);
  });
  const clock = new ManualClock();
  const read = clientEnds();
  const before = held();
  const reply = post(transport({ clock }), url);
  await read(64 * MIB);
  // Another thread frees garbage, and may be late.
  await expect.poll(() => held() - before).toBeLessThan(16 * MIB);
  await clock.advance(10_000);
  expect(await reply).toMatchObject({ kind: 'answer', truncated: true });
});

test('a thousand bodies in chunks of one byte take as much memory as others', async () => {
  const body = 'y'.repeat(4_000);
  const singly = Buffer.from(HEAD + body.replaceAll('y', '1\r\ny\r\n'));
  const urls = await Promise.all(
    Array.from({ length: 16 }, () => serveRaw((socket) => void socket.write(singly))),
  );
  const clock = new ManualClock();
  const read = clientEnds();
  const client = transport({ clock });
  const before = held();
  const replies = urls.flatMap((url) => Array.from({ length: 64 }, () => post(client, url)));
  await read(singly.length, replies.length);
  await expect.poll(() => held() - before).toBeLessThan(128 * MIB);
  await clock.advance(10_000);
  for (const reply of await Promise.all(replies))
    expect(reply).toMatchObject({ kind: 'answer', body, truncated: true });
});
