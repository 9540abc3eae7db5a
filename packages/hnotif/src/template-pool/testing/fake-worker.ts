/**
 * A worker whose templates are commands, for what no template can do: `endless`, `exit`, `throw`, `hog`, `die-once FILE`, `surroundings`,
 * `large MS` and `took ANYTHING MS` (the time that it reports), `count` (the jobs of this command so far), `batch` (the jobs of its batch).
 * Any other is answered with the number of the thread. A job takes 1 ms, if it does not say otherwise, and a turn ends after 5 ms.
 * It reports one stage only, so that a test that has seen the timer of that stage has seen the last one.
 */
const code = `
import { parentPort, resourceLimits, threadId } from 'node:worker_threads';
import { existsSync, writeFileSync } from 'node:fs';
let count = 0;
const answer = (template, jobs) => {
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
    return { rendered, ms: Number(file) };
  }
  if (command === 'count') count++;
  const ms = command === 'took' ? Number(template.text.split(' ').at(-1)) : 1;
  const limits = resourceLimits.maxOldGenerationSizeMb + resourceLimits.maxYoungGenerationSizeMb;
  const texts = { count, batch: jobs.length, surroundings: JSON.stringify([limits, process.env]) };
  return { rendered: { ok: true, text: String(texts[command] ?? threadId) }, ms };
};
parentPort.on('message', (jobs) => {
  parentPort.postMessage({ stage: 'executing' });
  const answers = [];
  for (let left = 5; left > 0 && answers.length < jobs.length; left -= answers.at(-1).ms)
    answers.push(answer(jobs[answers.length].template, jobs));
  parentPort.postMessage({ stage: 'done', answers });
});`;

export const workerOf = (code: string): URL => new URL(`data:text/javascript,${encodeURIComponent(code)}`);

export const FAKE_WORKER = workerOf(code);
