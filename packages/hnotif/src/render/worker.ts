/** A worker thread of the pool: takes one job after the other, and says how far it is. */
import { readlinkSync } from 'node:fs';
import { setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { Compiled } from './compile.ts';
import type { Job, Message } from './job.ts';
import { run } from './run.ts';

const port = parentPort;
if (port === null) throw new Error('this is no program: the pool of templates starts it as a worker thread');

const say = (message: Message): void => {
  port.postMessage(message);
};
/** Templates of tenants come after deliveries where there are fewer processors than threads that want one. */
const NICE = 10;

try {
  // On Linux a thread has a priority of its own, by the number under which the system knows it: <process>/task/<thread>.
  setPriority(Number(readlinkSync('/proc/thread-self').split('/').at(-1)), NICE);
} catch {
  // Elsewhere, or where that is not permitted, all threads have the same.
}

const compiled = new Compiled();

port.on('message', (job: Job) => {
  say({ stage: 'compiling' });
  const begun = performance.now();
  const rendered = run(job, compiled, () => {
    say({ stage: 'executing' });
  });
  say({ stage: 'done', rendered, ms: performance.now() - begun });
});
