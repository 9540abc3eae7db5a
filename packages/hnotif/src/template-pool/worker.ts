/** A worker thread of the pool: runs batches of jobs, one job after the other, and reports its progress. */
import { readlinkSync } from 'node:fs';
import { setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { Compiled, TEMPLATE_LIMITS } from '@hnotif/core/render';
import type { Answer, Job, Message } from './job.ts';
import { run } from './run.ts';
import { threadTime, TICK_MS } from './thread-time.ts';

const port = parentPort;
if (port === null) throw new Error('this is not a program: the template pool starts it as a worker thread');

const post = (message: Message): void => {
  port.postMessage(message);
};
/** On Linux each thread has its own priority. */
const NICE = 10;
/** No template is that slow only because it is parsed and run for the first time (milliseconds). */
const SLOW_MS = 50;
let givesWay = false;

/** After a slow template this thread gives way to deliveries, and to the threads with fast templates, when the processors are busy. */
function giveWay(): void {
  if (givesWay) return;
  givesWay = true;
  try {
    // By its thread id: <process>/task/<thread>.
    setPriority(Number(readlinkSync('/proc/thread-self').split('/').at(-1)), NICE);
  } catch {
    // On other systems, or without permission, all threads have the same priority.
  }
}

const time = threadTime();
const compiled = new Compiled(time);

port.on('message', (jobs: readonly Job[]) => {
  const answers: Answer[] = [];
  const turnBegan = performance.now();
  let [began, worked] = [turnBegan, time()];
  for (const job of jobs) {
    // A message between threads costs more than a small template.
    const isNew = !compiled.has(job.id);
    if (isNew) post({ stage: 'compiling' });
    const rendered = run(job, compiled, () => {
      if (isNew || answers.length === 0) post({ stage: 'executing' });
    });
    const [ended, nowWorked] = [performance.now(), time()];
    // Not what it waited for a processor. The wall clock is exact for short work.
    const ms = Math.min(ended - began, nowWorked - worked + TICK_MS);
    answers.push({ rendered, ms });
    if (ms >= SLOW_MS) giveWay();
    if (ended - turnBegan >= TEMPLATE_LIMITS.turn.value) break;
    [began, worked] = [ended, nowWorked];
  }
  post({ stage: 'done', answers });
});
