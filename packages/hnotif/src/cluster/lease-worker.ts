/** The worker thread of an `ElectionThread`: an `Election` with a client of its own. */
import { parentPort, workerData } from 'node:worker_threads';
import { systemClock } from '@hnotif/core/clock';
import { garbageCollection } from '../garbage.ts';
import { openAccess } from './access-source.ts';
import { KubeClient } from './client.ts';
import { Election } from './election.ts';
import type { LeaseJob, LeaseReport, LeaseRequest } from './election-thread.ts';
import { LeaseMemory } from './lease-memory.ts';

/** By then the modules are loaded, and the Lease is read (milliseconds). */
const STARTED_MS = 5_000;

const port = parentPort;
if (port === null) throw new Error('this is not a program: the election starts it as a worker thread');

const say = (report: LeaseReport): void => {
  port.postMessage(report);
};
const { memory: buffer, source, env, userAgent, silenceMs, ...options } = workerData as LeaseJob;
const clock = systemClock;
const memory = new LeaseMemory(buffer);
const client = new KubeClient({ access: await openAccess(source, { clock, env }), clock, userAgent });
const hurry = new AbortController();

const log =
  (level: 'info' | 'warn') =>
  (fields: object, message: string): void => {
    say({ kind: 'log', level, fields, message });
  };

let lastSent = '';
const election = new Election({
  ...options,
  ...{ client, clock, memory },
  log: { info: log('info'), warn: log('warn') },
  objection: () =>
    clock.monotonic() - memory.signOfLife > silenceMs
      ? `the main thread has not run for ${silenceMs / 1000} s`
      : undefined,
  mended: () => {
    say({ kind: 'mended' });
  },
  turned: () => {
    const standing = election.state();
    const { installedAt } = election;
    if (lastSent === (lastSent = `${installedAt} ${standing.words}`)) return;
    say({ kind: 'standing', standing, installedAt });
  },
});
election.lost.addEventListener('abort', () => {
  say({ kind: 'lost', why: (election.lost.reason as Error).message });
});
void election.leading.then((term) => {
  say({ kind: 'leading', term, installedAt: election.installedAt });
});

port.on('message', (request: LeaseRequest) => {
  switch (request.do) {
    case 'check':
      void election.check().then((check) => {
        say({ kind: 'checked', id: request.id, check });
      });
      return;
    case 'release':
      void release();
      return;
    case 'hurry':
      hurry.abort();
  }
});
election.start();
// A third of its heap is garbage of the start, which V8 would not collect for hours.
clock.after(STARTED_MS, () => {
  garbageCollection()({ type: 'major', flavor: 'last-resort' });
});

async function release(): Promise<void> {
  await election.release(hurry.signal);
  await client.close();
  say({ kind: 'released' });
}
