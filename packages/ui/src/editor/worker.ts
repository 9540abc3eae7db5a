/** Makes messages beside the page: whatever a template does, the page goes on, and the worker can be ended. */
import '../common/jitless.ts';
import { loadZones, zonesAreMissing } from './browser/zone-data.ts';
import { answer, type FromWorker, type Job } from './job.ts';

/** What of a worker's global scope is used here. */
interface Scope {
  onmessage: ((event: { readonly data: Job }) => void) | null;
  postMessage(message: FromWorker): void;
}

const scope = self as unknown as Scope;

scope.onmessage = ({ data }) => {
  work(data).catch((error: unknown) => {
    scope.postMessage({ kind: 'failed', message: error instanceof Error ? error.message : String(error) });
  });
};

async function work(job: Job): Promise<void> {
  const made = await answer(job);
  if (!zonesAreMissing()) {
    scope.postMessage({ kind: 'answer', answer: made });
    return;
  }
  scope.postMessage({ kind: 'loading' });
  await loadZones();
  scope.postMessage({ kind: 'ready' });
}

scope.postMessage({ kind: 'ready' });
