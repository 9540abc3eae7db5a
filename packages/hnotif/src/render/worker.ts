/** A worker thread of the pool: runs one job after the other, and reports its progress. */
import { readlinkSync } from 'node:fs';
import { setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { Compiled } from './compile.ts';
import type { Job, Message } from './job.ts';
import { run } from './run.ts';

const port = parentPort;
if (port === null) throw new Error('this is not a program: the template pool starts it as a worker thread');

const post = (message: Message): void => {
  port.postMessage(message);
};
/** On a busy processor deliveries come before templates. */
const NICE = 4;

try {
  // On Linux each thread has its own priority, set by its thread id: <process>/task/<thread>.
  setPriority(Number(readlinkSync('/proc/thread-self').split('/').at(-1)), NICE);
} catch {
  // On other systems, or without permission, all threads have the same priority.
}

const compiled = new Compiled();

port.on('message', (job: Job) => {
  // A message between threads costs more than a small template.
  if (!compiled.has(job.id)) post({ stage: 'compiling' });
  const begun = performance.now();
  const rendered = run(job, compiled, () => {
    post({ stage: 'executing' });
  });
  post({ stage: 'done', rendered, ms: performance.now() - begun });
});
