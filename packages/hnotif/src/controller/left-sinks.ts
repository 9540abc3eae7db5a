import type { LeftSink } from '../dispatch/dispatcher.ts';
import { waitingInWords } from '../status/words.ts';

/** The most sinks that a stop names. */
const NAMED = 5;

/** The deliveries that wait while the process stops, for a log line: how many, for which sinks, and why. */
export const waitingFor = (sinks: readonly LeftSink[]) => ({
  deliveries: sinks.reduce((sum, { wait }) => sum + wait.waiting, 0),
  sinks: [
    ...sinks.slice(0, NAMED).map(({ to: { namespace, notification, sink }, wait }) => {
      const why = `${waitingInWords(wait)}: ${wait.reason}: ${wait.message}`;
      return `${namespace}/${notification}, sink ${sink}: ${why}`;
    }),
    ...(sinks.length > NAMED ? [`and ${sinks.length - NAMED} more`] : []),
  ],
});
