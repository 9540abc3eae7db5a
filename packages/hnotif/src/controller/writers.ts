import { EventRecorder } from '../cluster/event-recorder.ts';
import { JournalStore, type Written } from '../cluster/journal-store.ts';
import { StatusWriter } from '../cluster/status-writer.ts';
import { notificationsOf } from '@hnotif/core/resources';
import type { ServiceDeps } from './parts.ts';

/** What writes to the API server. */
export interface Writers {
  readonly statuses: StatusWriter;
  readonly events: EventRecorder;
  readonly journals: Pick<JournalStore, 'write' | 'remove'>;
}

/** Fields of a status that change with each message that arrives. */
const PACE: ReadonlySet<string> = new Set(['lastSuccess', 'observedAt']);

/** Makes the writers. Their results are counted in metrics. */
export function openWriters({ options, client, clock, log, metrics }: ServiceDeps): Writers {
  const store = new JournalStore(client, options.apiGroup);
  const counted = (written: Written): Written => {
    metrics.journalWrites.inc({ result: resultOf(written) });
    return written;
  };
  return {
    statuses: new StatusWriter({
      ...{ client, clock, log, intervalMs: options.statusIntervalMs, pace: PACE },
      type: notificationsOf(options.apiGroup),
      result: (result) => {
        metrics.statusWrites.inc({ result });
      },
    }),
    events: new EventRecorder({
      ...{ client, clock, log },
      dropped: (reason) => {
        metrics.kubeEventsDropped.inc({ reason });
      },
    }),
    journals: {
      write: (journal, signal) => store.write(journal, signal).then(counted),
      remove: (journal, signal) => store.remove(journal, signal).then(counted),
    },
  };
}

/** A write after which the object was read has failed if the API server answered with an error; else another write was first. */
const resultOf = (written: Written): Written['kind'] =>
  written.kind === 'there' && written.fault !== undefined ? 'failed' : written.kind;
