/**
 * The receiver of the benchmarks, in a separate process: counts messages and answers 200, in the form of the service at the requested
 * address. With the argument `mute` it accepts every connection, reads, and never answers. Exchanges messages with its parent: see
 * `sink.ts`.
 */
import { createServer, type Server as HttpServer } from 'node:http';
import { createServer as createTcpServer, type AddressInfo, type Server } from 'node:net';
import type { SinkReport } from './sink.ts';

let requests = 0;
let cpu = process.cpuUsage();

function counting(): HttpServer {
  return createServer({ keepAliveTimeout: 0 }, (req, res) => {
    req.resume();
    req.on('end', () => {
      requests++;
      const [type, body] = answerTo(req.url ?? '');
      res.writeHead(200, { 'content-type': type, 'content-length': body.length });
      res.end(body);
    });
  });
}

/** Content type and body: ASCII. */
function answerTo(path: string): readonly [type: string, body: string] {
  if (path.startsWith('/bot')) return ['application/json', `{"ok":true,"result":{"message_id":${requests}}}`];
  if (path === '/api/conversations.history') return ['application/json', '{"ok":true,"messages":[]}'];
  if (path.startsWith('/api/')) {
    const ts = `17${String(requests).padStart(8, '0')}.000100`;
    return ['application/json', `{"ok":true,"channel":"C0000000001","ts":"${ts}"}`];
  }
  return ['text/plain', 'ok'];
}

function mute(): Server {
  return createTcpServer((socket) => {
    socket.on('error', () => {});
    socket.resume();
  });
}

function report(): SinkReport {
  const used = process.cpuUsage(cpu);
  const result = { requests, cpuMs: (used.user + used.system) / 1000 };
  requests = 0;
  cpu = process.cpuUsage();
  return result;
}

const server = process.argv[2] === 'mute' ? mute() : counting();
server.listen(0, '127.0.0.1', () => {
  process.send?.({ port: (server.address() as AddressInfo).port });
});
process.on('message', () => process.send?.(report()));
// The parent has ended, or wants this process to end.
process.on('disconnect', () => process.exit());
