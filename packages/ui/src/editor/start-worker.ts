import type { FromWorker, Job } from './job.ts';
import { openWorker } from './open-worker.ts';
import type { WorkerEvents, WorkerLike } from './runner.ts';

/** Starts the worker of the page. */
export function startWorker({ said, broke }: WorkerEvents): WorkerLike {
  const worker = openWorker();
  worker.addEventListener('message', ({ data }: MessageEvent<FromWorker>) => {
    said(data);
  });
  worker.addEventListener('error', broke);
  return {
    post: (job: Job) => {
      worker.postMessage(job);
    },
    end: () => {
      worker.terminate();
    },
  };
}
