import type { TestCertificate } from '../../../../hnotif/src/transport/testing/certificate.ts';
import type { WebhookPayload } from '../../../../core/src/sinks/webhook/message.ts';
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

/** Headers that a client makes itself. */
const OF_CONNECTION = new Set(['connection', 'content-length', 'host', 'transfer-encoding', 'keep-alive']);

/** Accepts messages of webhooks and chats, with the answers of their services. */
export class Receiver {
  /** Since the last `clear`: all requests, and those of chats… */
  requests = 0;
  chats = 0;
  /** …and what they were, if they are recorded. */
  recorded: RawMessage[] = [];
  /** When the last request came (milliseconds since the epoch). */
  lastAt = 0;
  origin = '';
  /** Its certificate (PEM); undefined: it speaks no TLS. */
  readonly cert: string | undefined;
  close = (): Promise<void> => Promise.resolve();
  #isRecording = false;
  readonly #arrivals = new Map<string, number>();

  private constructor(cert: string | undefined) {
    this.cert = cert;
  }

  static async start(tls?: TestCertificate): Promise<Receiver> {
    const receiver = new Receiver(tls?.cert);
    return Object.assign(receiver, await startAnswering((request) => receiver.#take(request), { tls }));
  }

  /** When a webhook first got the event of a plan (`namespace/name`) since the last `clear` (milliseconds since the epoch). */
  arrivedAt(sink: string, event: string, plan: string): number | undefined {
    return this.#arrivals.get(`/${sink} ${event} ${plan}`);
  }

  /** Forgets all. `isRecording`: whether the next requests are recorded. */
  clear(isRecording = false): void {
    this.#arrivals.clear();
    [this.requests, this.chats, this.recorded, this.#isRecording] = [0, 0, [], isRecording];
  }

  #take({ path, headers, body }: ReceivedRequest): Answer {
    this.requests++;
    this.lastAt = performance.timeOrigin + performance.now();
    if (this.#isRecording) {
      const sent = Object.entries(headers).filter(([name]) => !OF_CONNECTION.has(name));
      this.recorded.push({ path, headers: Object.fromEntries(sent) as Record<string, string>, body });
    }
    if (/^\/(api|bot)/.test(path)) return ok(this.#chat(path), 'application/json');
    if (path.startsWith('/services/')) this.chats++;
    if (path !== `/${AUDIT}` && path !== `/${WATCH}`) return ok();
    const { event, plan } = (JSON.parse(body) as WebhookPayload).context;
    const key = `${path} ${event} ${plan.namespace}/${plan.name}`;
    if (!this.#arrivals.has(key)) this.#arrivals.set(key, this.lastAt);
    return ok();
  }

  #chat(path: string): string {
    this.chats++;
    if (path.startsWith('/bot')) return `{"ok":true,"result":{"message_id":${this.chats}}}`;
    if (path === '/api/conversations.history') return '{"ok":true,"messages":[]}';
    return `{"ok":true,"channel":"C0000000001","ts":"17${String(this.chats).padStart(8, '0')}.000100"}`;
  }
}
