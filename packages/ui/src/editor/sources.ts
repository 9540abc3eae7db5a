import { planSource, syntheticSource } from '../../../hnotif/src/cli/offline/events.ts';
import type { Source } from '../../../hnotif/src/render/context.ts';
import { withExampleNotification } from '../../../hnotif/src/render/example.ts';
import { ParseError } from '../../../hnotif/src/resources/fields.ts';
import type { SinkType } from '../../../hnotif/src/resources/kinds.ts';
import { parsePlan } from '../../../hnotif/src/resources/parse-plan.ts';
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
