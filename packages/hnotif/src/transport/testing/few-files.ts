import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { FairSemaphore } from '@hnotif/core/fair';
import { Transport } from '../client.ts';
import { connectionLimit } from '../connection-limit.ts';

/*
 * connection-limit.test.ts runs this in a process of its own with few files. One namespace sends to many origins that hang, another one
 * to an origin that answers. Each request holds a permit, as in dispatch/. Then all files are taken.
 */

const warned: string[] = [];
const transport = new Transport({ allowInsecureHttp: true, warn: (reason) => warned.push(reason) });
const limit = connectionLimit();
const permits = new FairSemaphore(limit);

const send = async (owner: string, url: URL): Promise<unknown> => {
  if (!(await permits.acquire(owner))) return 'none';
  const reply = await transport.post({ url, owner, headers: {}, body: '' });
  permits.release(owner);
  return reply.kind === 'answer' ? reply.status : reply.reason;
};

// One server. Each of its addresses is another origin.
const server = createServer((request, response) => {
  if (request.url === '/answers') response.end();
  else if (++hanging === limit / 2) allHang();
});
let hanging = 0;
let allHang: () => void = () => undefined;
const hung = new Promise<void>((resolve) => (allHang = resolve));
server.listen(0, '0.0.0.0');
await once(server, 'listening');
const { port } = server.address() as AddressInfo;

for (let index = 1; index <= 60; index++)
  void send('hangs', new URL(`http://127.0.1.${index}:${port}/hangs`));
await hung;
const answered = await send('answers', new URL(`http://127.0.0.1:${port}/answers`));

const files: number[] = [];
try {
  for (;;) files.push(openSync('/dev/null', 'r'));
} catch {
  // No file is left.
}
const exhausted = await send('answers', new URL(`http://127.0.2.1:${port}/answers`));
for (const file of files) closeSync(file);
process.stdout.write(JSON.stringify({ limit, hanging, answered, exhausted, warned }), () => process.exit());
