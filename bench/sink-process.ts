/**
 * The receiver of the benchmarks, in a process of its own: notes the id of each message and answers 200. With the
 * argument `mute` it takes every connection, reads, and never answers. Speaks with its parent by messages: see
 * `sink.ts`.
 */
import { createServer, type Server as HttpServer } from 'node:http';
import { createServer as createTcpServer, type AddressInfo, type Server } from 'node:net';
import type { SinkReport } from './sink.ts';

const ids = new Set<string>();
let requests = 0;
let cpu = process.cpuUsage();

function counting(): HttpServer {
  return createServer({ keepAliveTimeout: 0 }, (req, res) => {
    req.resume();
    req.on('end', () => {
      const id = req.headers['webhook-id'];
      requests++;
      if (typeof id === 'string') ids.add(id);
      res.writeHead(200, { 'content-length': 2 });
      res.end('ok');
    });
  });
}

function mute(): Server {
  return createTcpServer((socket) => {
    socket.on('error', () => {});
    socket.resume();
  });
}

function report(): SinkReport {
  const used = process.cpuUsage(cpu);
  const result = { requests, distinct: ids.size, cpuMs: (used.user + used.system) / 1000 };
  ids.clear();
  requests = 0;
  cpu = process.cpuUsage();
  return result;
}

const server = process.argv[2] === 'mute' ? mute() : counting();
server.listen(0, '127.0.0.1', () => {
  process.send?.({ port: (server.address() as AddressInfo).port });
});
process.on('message', () => process.send?.(report()));
// The parent has ended, or wants us to.
process.on('disconnect', () => process.exit());
