import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AUDIT, WATCH } from './objects.ts';

/** Accepts messages of webhooks and chats, with the answers of their services. */
export interface Receiver {
  readonly origin: string;
  /** Messages of the webhooks, since the last `clear`. */
  readonly messages: number;
  /** Requests of chats, since the last `clear`. */
  readonly chats: number;
  /** When a webhook first got the event of a plan (`namespace/name`) since the last `clear` (milliseconds since the epoch). */
  arrivedAt(sink: string, event: string, plan: string): number | undefined;
  clear(): void;
  close(): void;
}

interface Payload {
  readonly context: {
    readonly event: string;
    readonly plan: { readonly namespace: string; readonly name: string };
  };
}

export async function startReceiver(): Promise<Receiver> {
  const arrivals = new Map<string, number>();
  let messages = 0;
  let chats = 0;
  const webhook = (path: string, body: string, now: number): void => {
    messages++;
    const { event, plan } = (JSON.parse(body) as Payload).context;
    const key = `${path.slice(1)} ${event} ${plan.namespace}/${plan.name}`;
    if (!arrivals.has(key)) arrivals.set(key, now);
  };
  const chat = (path: string): string => {
    chats++;
    if (path === '/api/conversations.history') return '{"ok":true,"messages":[]}';
    return `{"ok":true,"channel":"C0000000001","ts":"17${String(chats).padStart(8, '0')}.000100"}`;
  };
  const server = createServer({ keepAliveTimeout: 0 }, (req, res) => {
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => {
      const now = performance.timeOrigin + performance.now();
      const path = req.url ?? '';
      const isWebhook = path === `/${AUDIT}` || path === `/${WATCH}`;
      res.writeHead(200, { 'content-type': 'application/json' }).end(isWebhook ? 'ok' : chat(path));
      if (isWebhook) webhook(path, Buffer.concat(chunks).toString(), now);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get messages() {
      return messages;
    },
    get chats() {
      return chats;
    },
    arrivedAt: (sink, event, plan) => arrivals.get(`${sink} ${event} ${plan}`),
    clear() {
      arrivals.clear();
      messages = 0;
      chats = 0;
    },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
