import type { EventFacts, FailedTargets } from '@hnotif/core/lifecycle';
import { durationInWords } from '../status/words.ts';

/** `phase Error, shutdown, after 14 min: no capacity; failed: db (no capacity) and 2 more` */
export function factsInWords({ error, failed, operation, phase, took }: EventFacts): string {
  const state = [
    ...(phase === '' ? [] : [`phase ${phase}`]),
    ...(operation === '' ? [] : [operation]),
    ...(took === undefined || took === 0 ? [] : [`after ${durationInWords(1_000 * took)}`]),
  ].join(', ');
  const why = [
    ...(error === undefined ? [] : [error]),
    ...(failed === undefined ? [] : [`failed: ${failedInWords(failed, error)}`]),
  ].join('; ');
  return [state, why].filter((part) => part !== '').join(': ');
}

/** `db (no capacity), cache and 2 more`; without messages that the error repeats. */
export function failedInWords({ count, first }: FailedTargets, error = ''): string {
  const named = first
    .map(({ name, message }) => (error.includes(message.replace(/…$/, '')) ? name : `${name} (${message})`))
    .join(', ');
  return count > first.length ? `${named} and ${count - first.length} more` : named;
}
