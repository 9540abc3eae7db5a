/**
 * Nights of 200 plans that change at once, for each kind of sink, from the write of a status to the receiver: messages a second, processor
 * time and journal writes of hnotif from the bundle. Beside it undici alone, with the same requests to the same receiver.
 */
import { Pool } from 'undici';
import { ALL } from '../../objects.ts';
import { STEPS } from '../../scale/night.ts';
import { KINDS } from './kinds.ts';
import type { RawMessage, Receiver } from './receiver.ts';
import { roundsOf, type Bench } from './sheet.ts';
import { onStage, part, sumOf, JOURNAL_WRITES } from './stage.ts';

const SCALE = { plans: 200, namespaces: 4, cycles: 0, targets: 10 };
/** The notifications of each namespace. */
const SINKS = ['one', 'two'];
/** Start, two of each target's progress, Success, and two of the phase. */
const EVENTS = SCALE.plans * (2 * SCALE.targets + 4);
const MESSAGES = EVENTS * SINKS.length;
const NIGHT = { steps: STEPS, overMs: 50, messages: MESSAGES, quietMs: 500 };
const CONNECTIONS = 64;

/** Sends messages with undici alone. An answer counts when its body is read. Resolves with its time (milliseconds). */
async function sendRaw({ origin, cert }: Receiver, messages: readonly RawMessage[]): Promise<number> {
  const begun = performance.now();
  const pool = new Pool(origin, { connections: CONNECTIONS, pipelining: 1, connect: { ca: cert } });
  let next = 0;
  const loop = async (): Promise<void> => {
    for (let message = messages[next++]; message !== undefined; message = messages[next++]) {
      const { statusCode, body } = await pool.request({ method: 'POST', ...message });
      await body.text();
      if (statusCode !== 200) throw new Error(`the receiver answered ${statusCode}`);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, loop));
  await pool.close();
  return performance.now() - begun;
}

export const throughput: Bench = {
  question: 'every sink and form of message beside the raw client: messages a second, CPU of each',
  async measure(note, node) {
    for (const { name: kind, config, tls, ...sink } of KINDS) {
      const sinks = (origin: string) =>
        SINKS.map((name) => ({ ...sink, name, onEvents: ALL, config: config(origin) }));
      await onStage({ scale: SCALE, sinks, tls, pauseMs: NIGHT.quietMs, node }, async (stage) => {
        const { receiver } = stage;
        receiver.clear(true);
        // The first round is a warm-up. Its requests are those of undici.
        const messages = receiver.recorded;
        await part(stage, { ...NIGHT, round: 0 });
        for (let round = 1; round <= roundsOf(5); round++) {
          const { counts, hnotifMs, tookMs } = await part(stage, { ...NIGHT, round });
          const raw = (1_000 * messages.length) / (await sendRaw(receiver, messages));
          receiver.clear();
          const rate = (1_000 * MESSAGES) / tookMs;
          note(kind, {
            'undici, requests a second': raw,
            'hnotif, messages a second': rate,
            ratio: rate / raw,
            'CPU of a message (µs)': (1_000 * hnotifMs) / MESSAGES,
            'requests a message': messages.length / MESSAGES,
            'journal writes an event': sumOf(counts, JOURNAL_WRITES) / EVENTS,
            'warnings in the log': stage.warnings(),
          });
        }
      });
    }
  },
};
