/**
 * Each kind of sink, from `submit()` to the receiver's recorded 2xx: deliveries a second and processor time, compared with undici alone
 * for the same requests. Service and raw client alternate in short rounds, so other load of the machine affects both alike.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { systemClock } from '@hnotif/core/clock';
import { TemplatePool } from '../packages/hnotif/src/template-pool/pool.ts';
import { costOf, deliverAll, type Cost } from './deliver.ts';
import { aim, median, within } from './figures.ts';
import { KINDS, WEBHOOK, type Kind } from './kinds.ts';
import { nights, type Spread } from './night.ts';
import { sendRaw, type RawMessage } from './raw-client.ts';
import { startSink, type Sink } from './sink.ts';
import type { Submission } from './submission.ts';

/** Deliveries of a round. */
const ROUND = 6_144;
const WARM_UP_ROUNDS = 2;
const ROUNDS = 9;
/** 16 requests of each sink may be in flight: four sinks fill the 64 of one origin. */
const LOAD: Spread = { notifications: 4, plans: 64 };
const CONNECTIONS = 64;
const LIMIT_MS = 60_000;

const templates = new TemplatePool({ clock: systemClock });

interface Pair {
  readonly raw: Cost;
  readonly service: Cost;
  /** How much of the time the receiver's process was busy while the service sent, 0 to 1. */
  readonly receiverBusy: number;
}

function take(count: number): Submission[] {
  const source = nights(LOAD);
  return Array.from({ length: count }, () => source.next().value as Submission);
}

/** What the service sends to a kind of sink for these; threads bring their root up to date now and then, too. */
async function messagesOf(
  kind: Kind,
  origin: string,
  submissions: readonly Submission[],
): Promise<RawMessage[]> {
  const record: RawMessage[] = [];
  await deliverAll({ origin, kindOf: () => kind, record }, submissions);
  return record;
}

async function measure(kind: Kind, sink: Sink): Promise<void> {
  const { origin } = sink;
  const submissions = take(ROUND).map((submission) => ({ ...submission, sinkType: kind.type }));
  const messages = await messagesOf(kind, origin, submissions);
  const pair = async (): Promise<Pair> => {
    await sink.report();
    const raw = await costOf(() => sendRaw(origin, messages, CONNECTIONS));
    await received(sink, messages.length);
    const service = await deliverAll({ origin, kindOf: () => kind, templates }, submissions);
    return { raw, service, receiverBusy: (await received(sink, ROUND)) / service.tookMs };
  };
  for (let round = 0; round < WARM_UP_ROUNDS; round++) await pair();
  const pairs: Pair[] = [];
  for (let round = 0; round < ROUNDS; round++) pairs.push(await within(LIMIT_MS, 'a round', pair()));
  show(kind, messages, pairs);
}

/** Checks that the receiver got at least this number of requests. Returns the processor time of it, in milliseconds. */
async function received(sink: Sink, least: number): Promise<number> {
  const { requests, cpuMs } = await sink.report();
  if (requests < least) throw new Error(`the receiver has ${requests} requests of ${least}`);
  return cpuMs;
}

function show(kind: Kind, messages: readonly RawMessage[], pairs: readonly Pair[]): void {
  const of = (figure: (pair: Pair) => number): number => median(pairs.map(figure));
  const perSecond = (cost: (pair: Pair) => Cost): string =>
    of((pair) => (ROUND / cost(pair).tookMs) * 1000)
      .toFixed(0)
      .padStart(6);
  const micros = (cost: (pair: Pair) => Cost): string =>
    of((pair) => (cost(pair).cpuMs * 1000) / ROUND)
      .toFixed(1)
      .padStart(6);
  const bytes = messages.reduce((sum, { body }) => sum + Buffer.byteLength(body), 0) / messages.length;
  const rate = of(({ raw, service }) => raw.tookMs / service.tookMs);
  const cpu = of(({ raw, service }) => raw.cpuMs / service.cpuMs);
  console.log(
    `${kind.name.padEnd(26)} ${(messages.length / ROUND).toFixed(2)} requests of ${bytes.toFixed(0).padStart(4)} bytes each  ` +
      `undici ${perSecond(({ raw }) => raw)}/s ${micros(({ raw }) => raw)} µs   ` +
      `hnotif ${perSecond(({ service }) => service)}/s ${micros(({ service }) => service)} µs   ` +
      `ratio ${rate.toFixed(2)}, of CPU ${cpu.toFixed(2)}   ` +
      `receiver ${(of(({ receiverBusy }) => receiverBusy) * 100).toFixed(0)} % busy` +
      (kind === WEBHOOK ? `   ${aim('ratio 0.8', rate >= 0.8)}` : ''),
  );
}

/** Each kind has a process of its own, so that it is not measured beside the garbage of another one. */
async function measureAlone(kind: Kind): Promise<void> {
  const child = spawn(process.execPath, [...process.execArgv, fileURLToPath(import.meta.url), kind.name], {
    stdio: 'inherit',
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) process.exitCode = 1;
}

const only = KINDS.find(({ name }) => name === process.argv[2]);
if (only === undefined) {
  console.log(
    `${ROUND} deliveries a round, ${LOAD.notifications} sinks, ${LOAD.plans} plans, ${CONNECTIONS} connections; ` +
      `medians of ${ROUNDS} rounds; µs are processor time for a delivery`,
  );
  for (const kind of KINDS) await measureAlone(kind);
} else {
  const sink = await startSink('counting');
  try {
    await measure(only, sink);
  } finally {
    await Promise.all([sink.stop(), templates.close()]);
  }
}
