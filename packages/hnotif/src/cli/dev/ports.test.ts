import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { Ports } from './ports.ts';

const HOST = '127.0.0.1';

/** A port that was free a moment ago, with others after it. */
async function listening(): Promise<number> {
  const server = createServer().listen(0, HOST);
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

it('a port that somebody listens on is passed over, and told', async () => {
  const taken = await listening();
  const ports = new Ports(HOST);
  const got = await ports.take('metrics', taken);
  expect(got).toBeGreaterThan(taken);
  expect(ports.moved).toEqual([{ name: 'metrics', wanted: taken, got }]);
});

it('no port is given out twice, though nobody listens on it yet', async () => {
  const taken = await listening();
  const ports = new Ports(HOST);
  const got = [await ports.take('a', taken), await ports.take('b', taken), await ports.take('c', taken)];
  expect(new Set(got).size).toBe(3);
  expect(ports.moved.map(({ name }) => name)).toEqual(['a', 'b', 'c']);
});

it('0 is any free port, for each that asks', async () => {
  const ports = new Ports(HOST);
  expect([await ports.take('a', 0), await ports.take('b', 0)]).toEqual([0, 0]);
  expect(ports.moved).toEqual([]);
});

it('a range without a free port is an error that names it', async () => {
  const ports = new Ports(HOST);
  const first = await ports.take('a', 65_535).catch(() => undefined);
  if (first !== undefined) expect(first).toBe(65_535);
  await expect(ports.take('b', 65_535)).rejects.toThrow('no port from 65535 to 65535 is free for b');
});
