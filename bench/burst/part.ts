import { setTimeout as sleep } from 'node:timers/promises';
import type { HnotifProcess } from '../scale/process.ts';
import type { Cluster, Report } from './cluster.ts';
import type { Step } from './night.ts';
import { AUDIT, WATCH } from './objects.ts';
import type { Receiver } from './receiver.ts';

const POLL_MS = 100;
/** A part ends after this time. */
const LIMIT_MS = 180_000;

/** The measured process, and the processes around it. */
export interface Stage {
  readonly cluster: Cluster;
  readonly hnotif: HnotifProcess;
  readonly receiver: Receiver;
}

/** A part of a night. */
export interface Part {
  readonly counts: ReadonlyMap<string, number>;
  readonly refused: number;
  /** From the write of a status to the arrival, milliseconds, sorted: of the Starts, or of the Successes. */
  readonly took: readonly number[];
  /** Processor time, milliseconds. */
  readonly clusterMs: number;
  readonly hnotifMs: number;
  /** The number of requests to the chats. */
  readonly chats: number;
}

/** Resolves with the requests, when none has come for this time. */
export async function quiet(cluster: Cluster, ms: number): Promise<Report> {
  const until = Date.now() + LIMIT_MS;
  const reports: Report[] = [];
  const begun = Date.now();
  for (;;) {
    const report = await cluster.report();
    reports.push(report);
    if (Date.now() - Math.max(begun, report.lastAt) > ms) break;
    if (Date.now() > until) {
      console.log(
        `  hnotif still asked ${LIMIT_MS / 1000} s after the last message: that counts in the next part`,
      );
      break;
    }
    await sleep(POLL_MS);
  }
  return reports.reduce((all, { counts, refused, lastAt, cpuMs }) => ({
    counts: Object.fromEntries(added([new Map(Object.entries(all.counts)), new Map(Object.entries(counts))])),
    ...{ refused: all.refused + refused, lastAt, cpuMs: all.cpuMs + cpuMs },
  }));
}

/** Plays some steps of all plans. Waits for this number of messages and for `quietMs` without a request. */
export async function part(
  { cluster, hnotif, receiver }: Stage,
  round: number,
  steps: readonly Step[],
  overMs: number,
  messages: number,
  quietMs: number,
): Promise<Part> {
  receiver.clear();
  const cpu = await hnotif.cpuMs();
  await cluster.report();
  let writtenAt: readonly number[] = [];
  for (const step of steps) ({ writtenAt } = await cluster.play(step, round, overMs));
  const until = Date.now() + LIMIT_MS;
  while (receiver.messages < messages) {
    if (Date.now() > until)
      throw new Error(`${receiver.messages} of ${messages} messages came within ${LIMIT_MS / 1000} s`);
    await sleep(POLL_MS);
  }
  const { counts, refused, cpuMs } = await quiet(cluster, quietMs);
  const event = steps.at(-1) ?? '';
  const took = cluster.keys.flatMap((plan, index) =>
    [AUDIT, WATCH].map((sink) => (receiver.arrivedAt(sink, event, plan) ?? NaN) - (writtenAt[index] ?? NaN)),
  );
  if (took.some(Number.isNaN)) throw new Error(`${event} of a plan has not arrived`);
  return {
    counts: new Map(Object.entries(counts)),
    ...{ refused, took, clusterMs: cpuMs, hnotifMs: (await hnotif.cpuMs()) - cpu, chats: receiver.chats },
  };
}

export function added(counts: readonly ReadonlyMap<string, number>[]): Map<string, number> {
  const sum = new Map<string, number>();
  for (const each of counts) for (const [what, count] of each) sum.set(what, (sum.get(what) ?? 0) + count);
  return sum;
}
