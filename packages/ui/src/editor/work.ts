import { type EventKind, EVENT_KINDS } from '@hnotif/core/resources';
import { SINKS, type SinkId } from './sinks.ts';

export const OPERATIONS = ['shutdown', 'wakeup'] as const;
export const TARGET_COUNTS = [0, 3, 100] as const;

/** The event that the message is about. */
export type EventChoice =
  | {
      readonly from: 'example';
      readonly kind: EventKind;
      readonly operation: (typeof OPERATIONS)[number];
      readonly targets: (typeof TARGET_COUNTS)[number];
      /** Whether names and errors are texts that are markup, or a mention, in some chat. */
      readonly hostile: boolean;
    }
  | {
      readonly from: 'plan';
      readonly kind: EventKind;
      readonly namespace: string;
      readonly name: string;
    }
  | { readonly from: 'json'; readonly text: string };

/** All that a user does in the editor: the address of the page keeps it. */
export interface Work {
  readonly template: string;
  readonly sink: SinkId;
  readonly event: EventChoice;
}

export const EXAMPLE_EVENT: Extract<EventChoice, { from: 'example' }> = {
  ...{ from: 'example', kind: 'Failure', operation: 'shutdown', targets: 3, hostile: false },
};

/** The event that a link to the editor asks for, such as that of a delivery: `plan=shop/checkout&kind=Failure`. Undefined: it asks for none. */
export function eventOfLink({ plan, kind }: Readonly<Record<string, string>>): EventChoice | undefined {
  const [, namespace, name] = /^([^/]{1,253})\/([^/]{1,253})$/.exec(plan ?? '') ?? [];
  return namespace === undefined ? undefined : readEvent({ from: 'plan', namespace, name, kind });
}

/** Reads what an address kept. What it does not know is the first choice; undefined: there is no template. */
export function readWork(raw: unknown): Work | undefined {
  const { template, sink, event } = fieldsOf(raw);
  if (typeof template !== 'string') return undefined;
  return {
    template,
    sink: oneOf(
      SINKS.map(({ id }) => id),
      sink,
    ),
    event: readEvent(fieldsOf(event)),
  };
}

function readEvent(fields: Readonly<Record<string, unknown>>): EventChoice {
  const { from, operation, targets, hostile, namespace, name, text } = fields;
  const kind = EVENT_KINDS.find((each) => each === fields.kind) ?? 'Failure';
  if (from === 'json' && typeof text === 'string') return { from, text };
  if (from === 'plan' && typeof namespace === 'string' && typeof name === 'string')
    return { from, kind, namespace, name };
  return {
    from: 'example',
    kind,
    operation: oneOf(OPERATIONS, operation),
    targets: TARGET_COUNTS.find((each) => each === targets) ?? 3,
    hostile: hostile === true,
  };
}

const fieldsOf = (raw: unknown): Readonly<Record<string, unknown>> =>
  typeof raw === 'object' && raw !== null ? { ...raw } : {};

const oneOf = <T>(all: readonly [T, ...T[]] | readonly T[], wanted: unknown): T => {
  const found = all.find((each) => each === wanted) ?? all[0];
  if (found === undefined) throw new TypeError('there is no choice');
  return found;
};
