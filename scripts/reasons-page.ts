import { DROP_REASONS } from '../packages/hnotif/src/dispatch/reasons.ts';
import {
  DURABLE_REASONS,
  EVENT_REASONS,
  READY_REASONS,
  WAIT_REASONS,
  type ReasonText,
} from '../packages/hnotif/src/explain/reasons.ts';
import { FINDING_REASONS } from '../packages/hnotif/src/explain/finding-reasons.ts';
import { REPLAY_REASONS, REPLAY_RESULTS } from '@hnotif/core/resources';
import { DEGRADATIONS } from '../packages/core/src/sinks/degradation.ts';
import { code, table } from './markdown.ts';

const withRemedy = (reasons: Readonly<Record<string, ReasonText>>): string =>
  table(
    ['reason', 'meaning', 'what to do'],
    Object.entries(reasons).map(([reason, { meaning, remedy }]) => [code(reason), meaning, remedy]),
  );

const sentences = (reasons: Readonly<Record<string, string>>, head = 'reason'): string =>
  table(
    [head, 'meaning, and what to do'],
    Object.entries(reasons).map(([reason, text]) => [code(reason), text]),
  );

/** `docs/reference/reasons.md`. */
export const reasonsPage =
  (): string => `<!-- Written by scripts/docs.ts from the tables of reasons in the code: change those, then run
node --import tsx scripts/docs.ts -->

# Reasons

The words that conditions, rows of sinks, Events, metrics, the log and \`hnotif why\` use. Reasons of receivers and of
connections to them are in [receivers.md](../receivers.md). [troubleshooting.md](../troubleshooting.md) begins with what is
seen.

## Ready

Of the condition \`Ready\`. It also has the reasons of waits, and those of receivers.

${withRemedy(READY_REASONS)}

## Waits

Why deliveries wait, where the receiver is not the reason: in \`status.sinks[].reason\` and \`hnotif_sinks_waiting\`.

${withRemedy(WAIT_REASONS)}

## Durable

Of the condition \`Durable\`, and of \`hnotif_plans_undurable\`. Other reasons are those of the API server, such as
\`Forbidden\`; the message says what to do.

${withRemedy(DURABLE_REASONS)}

## Events

Of Kubernetes Events. They also have the reasons of waits and degradations.

${withRemedy(EVENT_REASONS)}

## Drops

Why a delivery was dropped without a failed attempt: in \`status.sinks[].dropped\` and \`hnotif_deliveries_dropped_total\`. A
delivery that failed has the reason of its receiver.

${sentences(DROP_REASONS)}

## Degradations

Why a message arrived in a plainer form, or what needs attention though it arrived.

${sentences(DEGRADATIONS)}

## Replays

Of \`status.replay\`:

${sentences(REPLAY_REASONS)}

Of its rows:

${sentences(REPLAY_RESULTS, 'result')}

## hnotif why

Findings of \`hnotif why\` that have no reason above.

${withRemedy(FINDING_REASONS)}
`;
