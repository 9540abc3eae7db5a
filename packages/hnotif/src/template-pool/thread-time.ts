import { openSync, readSync } from 'node:fs';
import { workTime } from '@hnotif/gotemplate';

/** A reading is late by up to one tick of the kernel's timer (milliseconds). */
export const TICK_MS = 10;

/**
 * The clock of the calling thread's CPU time (milliseconds). Linux tells it to Node 20, too: it is the first number of `schedstat`, in
 * nanoseconds. Elsewhere it is the engine's `workTime`.
 */
export function threadTime(): () => number {
  const read = 'threadCpuUsage' in process ? undefined : schedstat();
  // A kernel without these statistics shows zeros.
  return read === undefined || read() === 0 ? workTime : read;
}

function schedstat(): (() => number) | undefined {
  try {
    // An open file belongs to the thread that opened it.
    const file = openSync('/proc/thread-self/schedstat', 'r');
    const bytes = Buffer.alloc(64);
    return () => parseInt(bytes.toString('latin1', 0, readSync(file, bytes, 0, bytes.length, 0))) / 1e6;
  } catch {
    return undefined;
  }
}
