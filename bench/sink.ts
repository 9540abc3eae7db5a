import { startForked } from './forked.ts';

/** The counts of the receiver since the last call. */
export interface SinkReport {
  readonly requests: number;
  /** Processor time it used, milliseconds. */
  readonly cpuMs: number;
}

/** The receiver in its process, for the benchmark. */
export interface Sink {
  readonly origin: string;
  /** The counts since the last call. Starts at 0 again. */
  report(): Promise<SinkReport>;
  stop(): Promise<void>;
}

/** Starts a receiver in another process: one that answers 200 at once, or one that never answers. */
export async function startSink(kind: 'counting' | 'mute'): Promise<Sink> {
  const { started, ask, stop } = await startForked('sink-process', kind);
  return {
    origin: `http://127.0.0.1:${(started as { readonly port: number }).port}`,
    report: async () => (await ask('report')) as SinkReport,
    stop,
  };
}
