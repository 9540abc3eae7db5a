/**
 * Nights of 200 plans that change at once, for each kind of sink, from the write of a status to the receiver: messages a second, processor
 * time and journal writes of hnotif from the bundle. Beside it undici alone, with the same requests to the same receiver.
 */
import { Pool } from 'undici';
import { added, aim, median } from '../../figures.ts';
import { ALL } from '../../objects.ts';
import { STEPS } from '../../scale/night.ts';
import { type Kind, KINDS } from './kinds.ts';
import type { RawMessage } from './receiver.ts';
import { onStage, type Part, part } from './stage.ts';

/**
 * Sends messages with undici alone, `connections` at a time on as many connections. An answer counts when its body is read. Rejects if an
 * answer is not 200.
 */
async function sendRaw(
  { origin, cert }: { readonly origin: string; readonly cert: string | undefined },
  messages: readonly RawMessage[],
  connections: number,
): Promise<void> {
  const pool = new Pool(origin, { connections, pipelining: 1, connect: { ca: cert } });
  let next = 0;
  const loop = async (): Promise<void> => {
    for (let message = messages[next++]; message !== undefined; message = messages[next++]) {
      const { statusCode, body } = await pool.request({ method: 'POST', ...message });
      await body.text();
      if (statusCode !== 200) throw new Error(`the receiver answered ${statusCode}`);
    }
  };
  await Promise.all(Array.from({ length: connections }, loop));
  await pool.close();
}

const SCALE = { plans: 200, namespaces: 4, cycles: 0, targets: 10 };
/** The notifications of each namespace. */
const SINKS = ['one', 'two'];
/** Start, two of each target's progress, Success, and two of the phase. */
const EVENTS = 2 * SCALE.targets + 4;
const MESSAGES = SCALE.plans * EVENTS * SINKS.length;
const STEP_MS = 50;
const QUIET_MS = 500;
const ROUNDS = 5;
const CONNECTIONS = 64;

interface Round extends Part {
  /** The time of undici for the same requests (milliseconds), and their number. */
  readonly rawMs: number;
  readonly requests: number;
}

async function measure(kind: Kind, node: readonly string[]): Promise<void> {
  const { type, template, tls } = kind;
  const rounds: Round[] = [];
  const sinks = (origin: string) =>
    SINKS.map((name) => ({ name, type, template, onEvents: ALL, config: kind.config(origin) }));
  await onStage({ scale: SCALE, sinks, tls, pauseMs: QUIET_MS, node }, async (stage) => {
    const { receiver } = stage;
    receiver.clear(true);
    const options = { steps: STEPS, overMs: STEP_MS, messages: MESSAGES, quietMs: QUIET_MS };
    // The first round is a warm-up. Its requests are those of undici.
    let messages = receiver.recorded;
    for (let round = 0; round <= ROUNDS; round++) {
      messages = round === 0 ? receiver.recorded : messages;
      const measured = await part(stage, { ...options, round });
      const begun = performance.now();
      await sendRaw(receiver, messages, CONNECTIONS);
      const rawMs = performance.now() - begun;
      receiver.clear();
      if (round > 0) rounds.push({ ...measured, rawMs, requests: messages.length });
    }
  });
  const of = (figure: (round: Round) => number): number => median(rounds.map(figure));
  const rate = of(({ tookMs }) => (1000 * MESSAGES) / tookMs);
  const raw = of(({ rawMs, requests }) => (1000 * requests) / rawMs);
  const writes = added(rounds.map(({ counts }) => counts));
  const journals = [...writes].filter(([what]) => what.includes(' hibernatenotificationjournals'));
  const perEvent = journals.reduce((sum, [, count]) => sum + count, 0) / ROUNDS / (SCALE.plans * EVENTS);
  console.log(
    `${kind.name.padEnd(26)} undici ${raw.toFixed(0).padStart(6)}/s   hnotif ${rate.toFixed(0).padStart(6)}/s ` +
      `${of(({ hnotifMs }) => (1000 * hnotifMs) / MESSAGES).toFixed(0)} µs of CPU each   ratio ${(rate / raw).toFixed(2)}   ` +
      `${of(({ requests }) => requests / MESSAGES).toFixed(2)} requests a message   ${perEvent.toFixed(3)} journal writes an event   ` +
      aim('every message has arrived', rounds.length === ROUNDS),
  );
}

export async function throughput(node: readonly string[]): Promise<void> {
  console.log(`${MESSAGES} messages of ${SCALE.plans} plans a round; medians of ${ROUNDS} rounds`);
  for (const kind of KINDS) await measure(kind, node);
}
