/**
 * A worker whose templates are commands, for what no template can bring about: `endless`, `exit`, `throw`, `hog`, `die-once FILE`;
 * any other is answered with the number of the thread. It says one stage alone, so that a test that has seen its timer has seen all.
 */
const code = `
import { parentPort, threadId } from 'node:worker_threads';
import { existsSync, writeFileSync } from 'node:fs';
const say = (message) => parentPort.postMessage(message);
parentPort.on('message', ({ template: { text } }) => {
  say({ stage: 'executing' });
  const [command, file] = text.split(' ');
  if (command === 'endless') for (;;);
  if (command === 'exit') process.exit(3);
  if (command === 'throw') throw new Error('thrown in the worker');
  if (command === 'hog') for (const all = []; ; ) all.push(new Array(100_000).fill(all.length));
  if (command === 'die-once' && !existsSync(file)) {
    writeFileSync(file, '');
    process.exit(4);
  }
  say({ stage: 'done', rendered: { ok: true, text: String(threadId) } });
});`;

export const workerOf = (code: string): URL => new URL(`data:text/javascript,${encodeURIComponent(code)}`);

export const FAKE_WORKER = workerOf(code);
