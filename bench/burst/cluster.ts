import { startForked } from '../forked.ts';
import type { Scale } from '../scale/objects.ts';
import type { Step } from './night.ts';
import type { Requests } from './requests.ts';

export interface Setting {
  readonly scale: Scale;
  /** The origin of the receiver. */
  readonly origin: string;
  /** Whether the sinks are a channel and a board for each namespace. Default: webhooks, and some threads. */
  readonly boards?: boolean;
}

export interface Started {
  readonly kubeconfig: string;
  /** The plans as `namespace/name`, in the order in which they are written. */
  readonly keys: readonly string[];
}

/** One write of each plan, spread evenly over this time (milliseconds). */
export interface Play {
  readonly kind: 'play';
  readonly step: Step;
  readonly round: number;
  readonly overMs: number;
}

export type Asked = Play | { readonly kind: 'report' };

export interface Played {
  /** When the status of each plan was written, in the order of `keys` (milliseconds since the epoch). */
  readonly writtenAt: readonly number[];
}

/** Since the last report. */
export interface Report extends Requests {
  /** Processor time, milliseconds. */
  readonly cpuMs: number;
}

/** The control plane and the operator, in another process. One call at a time. */
export interface Cluster extends Started {
  play(step: Step, round: number, overMs: number): Promise<Played>;
  report(): Promise<Report>;
  stop(): Promise<void>;
}

export async function startCluster(setting: Setting): Promise<Cluster> {
  const { started, ask, stop } = await startForked('burst-cluster', JSON.stringify(setting));
  return {
    ...(started as Started),
    play: async (step, round, overMs) =>
      (await ask({ kind: 'play', step, round, overMs } satisfies Asked)) as Played,
    report: async () => (await ask({ kind: 'report' } satisfies Asked)) as Report,
    stop,
  };
}
