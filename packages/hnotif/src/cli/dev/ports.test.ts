import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { Ports } from './ports.ts';

const HOST = '127.0.0.1';

async function listen(port: number): Promise<number> {
  const server = createServer().listen(port, HOST);
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

it('a port that is in use is passed over, and named', async () => {
  const taken = await listen(0);
  const ports = new Ports();
  const got = await ports.listen('metrics', taken, listen);
  expect(got).toBeGreaterThan(taken);
  expect(ports.moved).toEqual([{ name: 'metrics', wanted: taken, got }]);
});

it('two who look at the same moment get a port each', async () => {
  const wanted = await listen(0);
  const [one, two] = [new Ports(), new Ports()];
  const got = await Promise.all([one, two].map((ports) => ports.listen('metrics', wanted, listen)));
  expect(new Set(got).size).toBe(2);
});

it('no port is given out twice, even when it is free again', async () => {
  const ports = new Ports();
  const wanted = await listen(0);
  const start = (port: number) => (port === wanted ? listen(port) : Promise.resolve(port));
  const got = [await ports.listen('a', wanted, start), await ports.listen('b', wanted, start)];
  expect(new Set(got).size).toBe(2);
  expect(ports.moved.map(({ name }) => name)).toEqual(['a', 'b']);
});

it('0 is any free port, for each that asks', async () => {
  const ports = new Ports();
  const start = (port: number) => Promise.resolve(port);
  expect([await ports.listen('a', 0, start), await ports.listen('b', 0, start)]).toEqual([0, 0]);
  expect(ports.moved).toEqual([]);
});

it('another fault than a taken port is told as it is', async () => {
  const start = () => Promise.reject(new Error('no'));
  await expect(new Ports().listen('a', 8_000, start)).rejects.toThrow('no');
  await expect(new Ports().listen('a', 65_535, start, () => true)).rejects.toThrow(
    'no port from 65535 to 65535 is free for a',
  );
});
