import type { TestCertificate } from '../../../../hnotif/src/transport/testing/certificate.ts';
import { ok, startAnswering, type Answer, type ReceivedRequest } from '../../answering.ts';

/** A message as the raw client sends it. */
export interface RawMessage {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The paths of the webhooks whose messages are read. */
export const AUDIT = 'audit';
export const WATCH = 'watch';

/** Accepts messages of webhooks and chats, with the answers of their services. */
export interface Receiver {
  readonly origin: string;
  /** Its certificate (PEM); undefined: it speaks no TLS. */
  readonly cert: string | undefined;
  /** Since the last `clear`: all requests, and those of chats. */
  readonly requests: number;
  readonly chats: number;
  /** When the last request came (milliseconds since the epoch). */
  readonly lastAt: number;
  /** When a webhook first got the event of a plan (`namespace/name`) since the last `clear` (milliseconds since the epoch). */
  arrivedAt(sink: string, event: string, plan: string): number | undefined;
  /** The requests since the last `clear`, if they are recorded. */
  readonly recorded: readonly RawMessage[];
  /** Forgets all. `isRecording`: whether the next requests are recorded. */
  clear(isRecording?: boolean): void;
  close(): Promise<void>;
}

interface Payload {
  readonly context: {
    readonly event: string;
    readonly plan: { readonly namespace: string; readonly name: string };
  };
}

/** Headers that a client makes itself. */
const OF_CONNECTION = new Set(['connection', 'content-length', 'host', 'transfer-encoding', 'keep-alive']);

export async function startReceiver(tls?: TestCertificate): Promise<Receiver> {
  const arrivals = new Map<string, number>();
  const seen = { requests: 0, chats: 0, lastAt: 0, recorded: [] as RawMessage[] };
  let isRecorded = false;
  const chat = (path: string): string => {
    seen.chats++;
    if (path.startsWith('/bot')) return `{"ok":true,"result":{"message_id":${seen.chats}}}`;
    if (path === '/api/conversations.history') return '{"ok":true,"messages":[]}';
    return `{"ok":true,"channel":"C0000000001","ts":"17${String(seen.chats).padStart(8, '0')}.000100"}`;
  };
  const take = ({ path, headers, body }: ReceivedRequest): Answer => {
    seen.requests++;
    seen.lastAt = performance.timeOrigin + performance.now();
    if (isRecorded) {
      const sent = Object.entries(headers).filter(([name]) => !OF_CONNECTION.has(name));
      seen.recorded.push({ path, headers: Object.fromEntries(sent) as Record<string, string>, body });
    }
    if (/^\/(api|bot)/.test(path)) return ok(chat(path), 'application/json');
    if (path.startsWith('/services/')) seen.chats++;
    if (path !== `/${AUDIT}` && path !== `/${WATCH}`) return ok();
    const { event, plan } = (JSON.parse(body) as Payload).context;
    const key = `${path.slice(1)} ${event} ${plan.namespace}/${plan.name}`;
    if (!arrivals.has(key)) arrivals.set(key, seen.lastAt);
    return ok();
  };
  const { origin, close } = await startAnswering(take, { tls });
  return Object.assign(seen, {
    ...{ origin, cert: tls?.cert, close },
    arrivedAt: (sink: string, event: string, plan: string) => arrivals.get(`${sink} ${event} ${plan}`),
    clear(isRecording = false) {
      arrivals.clear();
      Object.assign(seen, { requests: 0, chats: 0, recorded: [] });
      isRecorded = isRecording;
    },
  });
}
