import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { within } from './figures.ts';

/** What the receiver has counted since it was asked last. */
export interface SinkReport {
  readonly requests: number;
  /** Different `webhook-id`s among them. */
  readonly distinct: number;
  /** Processor time it used, milliseconds. */
  readonly cpuMs: number;
}

/** The receiver in its process, seen from the benchmark. */
export interface Sink {
  readonly origin: string;
  /** What it got since the last call; begins counting anew. */
  report(): Promise<SinkReport>;
  stop(): Promise<void>;
}

/** Starts a receiver in another process: one that answers 200 at once, or one that never answers. */
export async function startSink(kind: 'counting' | 'mute'): Promise<Sink> {
  const child = fork(new URL('./sink-process.mjs', import.meta.url), [kind]);
  const [started] = (await answerOf(child)) as [{ port: number }];
  return {
    origin: `http://127.0.0.1:${started.port}`,
    async report() {
      const answer = answerOf(child);
      child.send('report');
      const [report] = (await answer) as [SinkReport];
      return report;
    },
    async stop() {
      const ended = once(child, 'exit');
      child.disconnect();
      await ended;
    },
  };
}

function answerOf(child: ChildProcess): Promise<unknown[]> {
  return within(10_000, 'the receiver’s answer', once(child, 'message'));
}
