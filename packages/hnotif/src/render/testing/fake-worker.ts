/**
 * A worker whose templates are commands, for what no template can bring about: `endless`, `exit`, `throw`, `hog`,
 * `die-once FILE`, `surroundings`, `large MS` and `took ANYTHING MS` (which it says it took), `count` (how many jobs of this command it has had); any other is
 * answered with the number of the thread. It says one stage alone, so that a test that has seen that stage's timer has seen the last one.
 */
const code = `
import { parentPort, resourceLimits, threadId } from 'node:worker_threads';
import { existsSync, writeFileSync } from 'node:fs';
const say = (message) => parentPort.postMessage(message);
let count = 0;
parentPort.on('message', ({ template }) => {
  say({ stage: 'executing' });
  const [command, file] = template.text.split(' ');
  if (command === 'endless') for (;;);
  if (command === 'exit') process.exit(3);
  if (command === 'throw') throw new Error('thrown in the worker');
  if (command === 'hog') for (const all = []; ; ) all.push(new Array(100_000).fill(all.length));
  if (command === 'die-once' && !existsSync(file)) {
    writeFileSync(file, '');
    process.exit(4);
  }
  if (command === 'large') {
    const rendered = { ok: false, reason: 'TemplateTooLarge', message: 'too large' };
    return say({ stage: 'done', rendered, ms: Number(file) });
  }
  if (command === 'count') count++;
  const ms = command === 'took' ? Number(template.text.split(' ').at(-1)) : 1;
  const text = command === 'count' ? count : command === 'surroundings' ? JSON.stringify([resourceLimits.maxOldGenerationSizeMb + resourceLimits.maxYoungGenerationSizeMb, process.env]) : threadId;
  say({ stage: 'done', rendered: { ok: true, text: String(text) }, ms });
});`;

export const workerOf = (code: string): URL => new URL(`data:text/javascript,${encodeURIComponent(code)}`);

export const FAKE_WORKER = workerOf(code);
