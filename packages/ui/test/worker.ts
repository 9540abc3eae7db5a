import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { Answer, FromWorker, Job } from '../src/editor/job.ts';
import { uiFiles } from '../../../scripts/ui-files.ts';

/** A thread with the globals of a browser's worker alone, as far as Node can take its own away. */
const SCOPE = `
import { parentPort, workerData } from 'node:worker_threads';
globalThis.self = globalThis;
globalThis.postMessage = (message) => parentPort.postMessage(message);
parentPort.on('message', (data) => globalThis.onmessage({ data }));
for (const name of ['Buffer', 'process', 'require', 'setImmediate']) delete globalThis[name];
await import(workerData);
`;

export interface BundledWorker {
  answer(job: Job): Promise<Answer>;
  close(): Promise<void>;
}

/** The worker of the page, as browsers load it, in a thread of Node. */
export async function startBundledWorker(): Promise<BundledWorker> {
  const folder = await mkdtemp(join(tmpdir(), 'hnotif-worker-'));
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  for (const { name, contents } of (await uiFiles()).files) await writeFile(join(folder, name), contents);
  const entry = join(folder, 'scope.js');
  await writeFile(entry, SCOPE);
  const thread = new Worker(entry, { workerData: pathToFileURL(join(folder, 'worker.js')).href });
  const next = async (): Promise<FromWorker> => ((await once(thread, 'message')) as [FromWorker])[0];
  const ready = await next();
  if (ready.kind !== 'ready') throw new Error('the worker did not begin');
  return {
    async answer(job) {
      let got = next();
      thread.postMessage(job);
      let message = await got;
      if (message.kind === 'loading') {
        if ((await next()).kind !== 'ready') throw new Error('the worker did not load what it needs');
        got = next();
        thread.postMessage(job);
        message = await got;
      }
      if (message.kind !== 'answer')
        throw new Error(message.kind === 'failed' ? message.message : 'no answer');
      return message.answer;
    },
    async close() {
      await thread.terminate();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
