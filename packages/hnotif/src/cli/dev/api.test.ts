import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { Api, CONNECTIONS } from './api.ts';

it('a thousand plans are written over a few connections', async () => {
  const sockets = new Set<unknown>();
  const server = createServer((request, response) => {
    sockets.add(request.socket);
    request.resume().once('end', () => response.end('{"metadata":{"resourceVersion":"7"}}'));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const api = new Api(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  onTestFinished(() => api.close());
  const plans = Array.from({ length: 1_000 }, (_, index) => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: `plan-${index}`, namespace: 'n', uid: String(index) },
  }));
  const versions = await Promise.all(plans.map((plan) => api.patchStatus(plan, { phase: 'Active' })));
  expect(new Set(versions)).toEqual(new Set(['7']));
  expect(sockets.size).toBeLessThanOrEqual(CONNECTIONS);
});
