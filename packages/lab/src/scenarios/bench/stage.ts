import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startPlane, type ForkedPlane, type Report } from '../../forked-plane.ts';
import { testCertificate } from '../../../../hnotif/src/transport/testing/certificate.ts';
import { ALL } from '../../objects.ts';
import { AT_ANY_PORT, BUNDLE, Process } from '../../process.ts';
import { appOf, type Scale } from '../../scale/objects.ts';
import type { Step } from '../../scale/night.ts';
import type { ScaleSink } from '../../scale/sinks.ts';
import { until, within } from '../../wait.ts';
import { THREAD } from './kinds.ts';
import { AUDIT, Receiver, WATCH } from './receiver.ts';

const POLL_MS = 100;
/** A part ends after this time. */
export const LIMIT_MS = 600_000;
/** For the process that creates the journals: it may send more requests than the measured one. */
const HURRIED = ['--kube-api-qps=2000', '--kube-api-burst=2000'];

const ENDS = ['Start', 'Success', 'Failure', 'Recovery'];

/** The sinks of most benchmarks: two webhooks for each namespace; and in the first one threads for few plans, because a chat accepts few updates of roots. */
export const WEBHOOKS = (origin: string): readonly ScaleSink[] => [
  { name: AUDIT, type: 'webhook', onEvents: ENDS, config: { url: `${origin}/${AUDIT}` } },
  { name: WATCH, type: 'webhook', onEvents: ALL, config: { url: `${origin}/${WATCH}` } },
  {
    ...{ name: 'chat', type: 'teamchat', onEvents: ENDS, config: THREAD },
    ...{ matchLabels: { app: appOf(0) }, firstOnly: true },
  },
];

/** Messages of the webhooks for one plan: for its Start, and for the rest of its night with this number of targets. */
export const MESSAGES_OF_START = 3;
export const messagesOfRest = (targets: number): number => 2 * targets + 3;

/** The measured process, and what is around it. */
export interface Stage {
  readonly plane: ForkedPlane;
  readonly hnotif: Process;
  readonly receiver: Receiver;
  /** Milliseconds from the start of hnotif until it had listed all plans. */
  readonly readyMs: number;
  /** Its processor time until then. */
  readonly readyCpuMs: number;
  /** The warnings and errors in its log so far. */
  readonly warnings: () => number;
}

export interface StageOptions {
  readonly scale: Scale;
  readonly sinks?: (origin: string) => readonly ScaleSink[];
  /** Whether the receiver speaks TLS; default false. */
  readonly tls?: boolean | undefined;
  /** After this time without a request hnotif counts as quiet (milliseconds). */
  readonly pauseMs: number;
  /** Flags of hnotif, besides those for receivers here. */
  readonly flags?: readonly string[];
  /** More flags of Node, for the measured process. */
  readonly node?: readonly string[];
  /** The measured build. Default: ours. */
  readonly bundle?: string;
}

/**
 * Creates a control plane with these plans, a receiver, and hnotif with its default flags. The journals exist, as after a day of service.
 * Everything ends when `run` has ended.
 */
export async function onStage<T>(options: StageOptions, run: (stage: Stage) => Promise<T>): Promise<T> {
  const { scale, sinks = WEBHOOKS, pauseMs, flags = [], node = [], bundle = BUNDLE } = options;
  const receiver = await Receiver.start(options.tls === true ? testCertificate('receiver') : undefined);
  const plane = await startPlane({ scale, sinks: sinks(receiver.origin) });
  const ca = join(plane.folder, 'ca.crt');
  await writeFile(ca, receiver.cert ?? '');
  const trust = receiver.cert === undefined ? [] : [`--ca-file=${ca}`, '--egress-allow=127.0.0.1/32'];
  const origins = [`--chat-api-url=${receiver.origin}/api`, `--bot-api-url=${receiver.origin}`];
  const args = [
    ...['run', `--kubeconfig=${plane.kubeconfig}`, '--lease-namespace=default', ...AT_ANY_PORT],
    ...['--drain-timeout=1s', '--allow-insecure-http', ...origins, ...trust, ...flags],
  ];
  let warnings = 0;
  const onLine = (line: string): void => void (warnings += Number(/"level":"(warn|error)/.test(line)));
  const start = async (more: readonly string[], own: readonly string[]) => {
    const begun = Date.now();
    const logFile = join(plane.folder, 'controller.log');
    const hnotif = new Process([...args, ...more], { bundle, node: own, logFile, onLine });
    const servedAt = await within(LIMIT_MS, 'the start of hnotif', hnotif.serving);
    if (servedAt === undefined) throw new Error('hnotif has ended');
    const cpuMs = await hnotif.cpuMs();
    await quiet(plane, pauseMs);
    return { hnotif, readyMs: servedAt - begun, readyCpuMs: cpuMs };
  };
  try {
    await (await start(HURRIED, [])).hnotif.end('SIGTERM');
    warnings = 0;
    const measured = await start([], node);
    receiver.clear();
    try {
      return await run({ plane, receiver, warnings: () => warnings, ...measured });
    } finally {
      await measured.hnotif.end('SIGTERM');
    }
  } finally {
    await plane.close();
    await receiver.close();
  }
}

/** Resolves with the requests, when none has come for this time. */
export function quiet(plane: ForkedPlane, ms: number): Promise<Report> {
  const begun = Date.now();
  const look = async (): Promise<Report | false> => {
    const report = await plane.report();
    return Date.now() - Math.max(begun, report.lastAt) > ms && report;
  };
  const what = 'the work of hnotif after the last message';
  return until(look, { what, limitMs: LIMIT_MS, everyMs: POLL_MS });
}

type Counts = Report['counts'];

export const JOURNAL_WRITES = /^(create|patch|update) hibernatenotificationjournals/;

/** The number of requests of these kinds. */
export const sumOf = (counts: Counts, wanted = /./): number =>
  Object.entries(counts).reduce((all, [what, count]) => all + (wanted.test(what) ? count : 0), 0);

/** A part of a night. */
export interface Part extends Pick<Report, 'counts' | 'refused'> {
  /** From the first write to the last arrival (milliseconds). */
  readonly tookMs: number;
  /** From the write of a status to the arrival, milliseconds: of the last step, by the webhooks whose messages are read. */
  readonly took: readonly number[];
  /** Processor time, milliseconds. */
  readonly clusterMs: number;
  readonly hnotifMs: number;
  /** The number of requests to the chats. */
  readonly chats: number;
}

export interface PartOptions {
  readonly round: number;
  readonly steps: readonly Step[];
  /** Each step is spread over this time (milliseconds). */
  readonly overMs: number;
  /** It waits for this number of requests, and then for the quiet. */
  readonly messages: number;
  readonly quietMs: number;
}

/** Plays some steps of all plans. */
export async function part({ plane, hnotif, receiver }: Stage, options: PartOptions): Promise<Part> {
  const { round, steps, overMs, messages, quietMs } = options;
  const { cpuMs: before } = await hnotif.busy();
  await plane.clear();
  let writtenAt: readonly number[] = [];
  const begun = performance.timeOrigin + performance.now();
  for (const step of steps) ({ writtenAt } = await plane.play({ step, round, overMs }));
  const what = `the arrival of ${messages} messages`;
  await until(() => receiver.requests >= messages, { what, limitMs: LIMIT_MS, everyMs: POLL_MS });
  const tookMs = receiver.lastAt - begun;
  const { counts, refused, cpuMs: clusterMs } = await quiet(plane, quietMs);
  const { cpuMs: after } = await hnotif.busy();
  const event = steps.at(-1) ?? '';
  const took = plane.keys.flatMap((plan, index) =>
    [AUDIT, WATCH].flatMap((sink) => {
      const at = receiver.arrivedAt(sink, event, plan);
      return at === undefined ? [] : [at - (writtenAt[index] ?? NaN)];
    }),
  );
  const result = {
    ...{ counts, refused, tookMs, took, clusterMs },
    ...{ hnotifMs: after - before, chats: receiver.chats },
  };
  receiver.clear();
  return result;
}
