import type { WebhookRecord } from '@hnotif/receivers';

/** The context of a webhook's payload. */
export interface Context {
  readonly event: string;
  readonly plan: {
    readonly name: string;
    readonly namespace: string;
    readonly labels: Record<string, string>;
    readonly annotations: Record<string, string>;
  };
  readonly timestamp: string;
  readonly phase: string;
  readonly previousPhase?: string;
  readonly operation: string;
  readonly cycleId: string;
  readonly retryCount?: number;
  readonly errorMessage?: string;
  readonly sinkName: string;
  readonly sinkType: string;
  readonly targets?: {
    readonly name: string;
    readonly state: string;
    readonly connector: Record<string, string>;
  }[];
  readonly targetExecution?: { readonly name: string; readonly state: string; readonly message: string };
}

export const contextOf = (record: WebhookRecord): Context => (record.json as { context: Context }).context;

/** An event in a few words, for comparison in most tests. */
export function inWords(record: WebhookRecord): string {
  const { event, phase, previousPhase = '', targetExecution } = contextOf(record);
  if (targetExecution !== undefined) return `${event} ${targetExecution.name} ${targetExecution.state}`;
  return event === 'PhaseChange' ? `${event} ${previousPhase} ${phase}` : event;
}
