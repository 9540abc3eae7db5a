import type { WebhookRecord } from '@hnotif/receivers';
import type { WebhookPayload } from '../../core/src/sinks/webhook/message.ts';

/** The context of a webhook's payload. */
export type Context = WebhookPayload['context'];

export const contextOf = (record: WebhookRecord): Context => (record.json as { context: Context }).context;

/** An event in a few words, for comparison in most tests. */
export function inWords(record: WebhookRecord): string {
  const { event, phase, previousPhase = '', targetExecution } = contextOf(record);
  if (targetExecution !== undefined) return `${event} ${targetExecution.name} ${targetExecution.state}`;
  return event === 'PhaseChange' ? `${event} ${previousPhase} ${phase}` : event;
}
