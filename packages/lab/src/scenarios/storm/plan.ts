import { createHash } from 'node:crypto';
import type { Plan } from '@hnotif/core/resources';
import type { Seen } from './checker.ts';

/** The label that each change of the writer sets. */
export const LABEL = 'storm';
/** The annotation that holds a long text now and then. */
export const TEXT = 'storm/text';

/** The parts of a plan that the checker compares. */
export function seenOf({ namespace, name, uid, resourceVersion, labels, annotations, status }: Plan): Seen {
  const text = annotations[TEXT] ?? '';
  const digest = text === '' ? '' : createHash('sha256').update(text).digest('hex').slice(0, 8);
  return { namespace, name, uid, resourceVersion, value: `${labels[LABEL]} ${status.cycleId} ${digest}` };
}
