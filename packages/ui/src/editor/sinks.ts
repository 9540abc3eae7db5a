import { SINK_TYPES, type SinkType } from '@hnotif/core/resources';
import { EXAMPLES, type SinkExample } from '@hnotif/core/sinks';

export type SinkId = (typeof EXAMPLES)[SinkType][number]['id'];

interface SinkChoice extends SinkExample {
  readonly id: SinkId;
  readonly type: SinkType;
}

/** The sinks to choose from. */
export const SINKS: readonly SinkChoice[] = SINK_TYPES.flatMap((type) =>
  EXAMPLES[type].map((example) => ({ ...example, type })),
);

/** By its id; the first one, where no sink has it. */
export function sinkChoice(id: SinkId): SinkChoice {
  const choice = SINKS.find((each) => each.id === id) ?? SINKS[0];
  if (choice === undefined) throw new TypeError('there is no sink');
  return choice;
}
