import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { Kube } from './kube.ts';

/** A server that cuts the connection of its first request, and answers the others. */
async function cutting(): Promise<{ readonly kube: Kube; readonly asked: string[] }> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.method ?? '');
    if (asked.length === 1) request.socket.resetAndDestroy();
    else response.writeHead(200, { 'content-type': 'application/json' }).end('{"metadata":{}}');
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { kube: new Kube(`http://127.0.0.1:${(server.address() as AddressInfo).port}`), asked };
}

it('a patch whose connection was cut is sent again', async () => {
  const { kube, asked } = await cutting();
  await kube.patch('/plan', { status: {} });
  expect(asked).toEqual(['PATCH', 'PATCH']);
});

it('an object is not created twice', async () => {
  const { kube, asked } = await cutting();
  await expect(kube.post('/plans', {})).rejects.toThrow('fetch failed');
  expect(asked).toEqual(['POST']);
});
