import { planSource, syntheticSource } from '@hnotif/core/rehearsal';
import { type Source, withExampleNotification } from '@hnotif/core/render';
import { ParseError, type SinkType, parsePlan } from '@hnotif/core/resources';
import { EventProblem, readEventJson } from './read-event-json.ts';
import type { EventChoice } from './work.ts';

/** An event as the worker gets it: with the plan, as the cluster has it. */
export type JobEvent =
  | Exclude<EventChoice, { from: 'plan' }>
  | (Extract<EventChoice, { from: 'plan' }> & { readonly object: unknown });

export const SINK_NAME = 'team-channel';

/** What the message is made of. Throws an `EventProblem`. */
export function sourceOf(event: JobEvent, type: SinkType): Source {
  switch (event.from) {
    case 'example': {
      const { kind, operation, targets, hostile } = event;
      const source = syntheticSource(kind, type, operation, targets, hostile);
      return { ...withExampleNotification(source), sinkName: SINK_NAME };
    }
    case 'plan':
      try {
        const source = planSource(event.kind, type, 'shutdown', parsePlan(event.object));
        return { ...withExampleNotification(source), sinkName: SINK_NAME };
      } catch (error) {
        if (error instanceof ParseError) throw new EventProblem(error.message);
        throw error;
      }
    case 'json':
      return readEventJson(event.text, SINK_NAME, type);
  }
}
