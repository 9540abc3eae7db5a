import type { LeftSink } from '../dispatch/dispatcher.ts';
import { waitingInWords } from '../status/words.ts';

/** The most sinks that a stop names. */
const NAMED = 5;

/** The deliveries that a stop leaves. */
export const countLeft = (sinks: readonly LeftSink[]): number =>
  sinks.reduce((sum, { wait }) => sum + wait.waiting, 0);

/** How many deliveries wait for each sink, and why. */
export const namesOfLeft = (sinks: readonly LeftSink[]): string[] => [
  ...sinks.slice(0, NAMED).map(({ to, wait }) => {
    const { namespace, notification, sink } = to;
    const { reason, message } = wait;
    return `${namespace}/${notification}, sink ${sink}: ${waitingInWords(wait)}: ${reason}: ${message}`;
  }),
  ...(sinks.length > NAMED ? [`and ${sinks.length - NAMED} more`] : []),
];
