import { faultInWords } from '@hnotif/judges';
import { isRaw, type Notification, type SinkEntry } from '@hnotif/core/resources';
import {
  exampleSource,
  withNotification,
  sameForAll,
  visiblePart,
  type TemplateSource,
} from '@hnotif/core/render';
import {
  tried,
  type Degradation,
  type DegradationReason,
  SINKS,
  type Delivery,
  type ReadySink,
} from '@hnotif/core/sinks';

/** Problems of an example's message that real messages have, too. The others may come from the example, or from a busy worker. */
const CERTAIN: ReadonlySet<DegradationReason> = new Set(['BlocksInvalid', 'MarkupInvalid', 'TemplateEmpty']);

type Subscription = Pick<Notification, 'onEvents' | 'labels'>;

interface Rehearsed {
  readonly template: TemplateSource;
  readonly subscription: string;
  readonly fault: Promise<Degradation | undefined>;
}

/** The last result of each sink. */
const REHEARSED = new WeakMap<ReadySink, Rehearsed>();

/**
 * Why the messages of a template would be replaced by plainer ones; undefined: nothing was found. Makes the messages of an example night
 * before the first real one, and asks the receiver's judge: a receiver that would refuse them is reported hours before. Once for each
 * template, configuration, choice of events and labels. Never rejects.
 */
export function templateFaultOf(
  sink: ReadySink,
  entry: SinkEntry,
  template: TemplateSource,
  { onEvents, labels }: Subscription,
): Promise<Degradation | undefined> {
  const subscription = JSON.stringify([onEvents, labels]);
  const before = REHEARSED.get(sink);
  if (before?.template === template && before.subscription === subscription) return before.fault;
  const fault = rehearse(sink, entry, template, { onEvents, labels }).catch(() => undefined);
  REHEARSED.set(sink, { template, subscription, fault });
  return fault;
}

async function rehearse(
  sink: ReadySink,
  { name: sinkName, type }: SinkEntry,
  template: TemplateSource,
  subscription: Subscription,
): Promise<Degradation | undefined> {
  const shown: string[] = [];
  for (const kind of subscription.onEvents) {
    const source = withNotification(exampleSource(kind, type, 'shutdown'), subscription);
    const { event, plan } = source;
    if (sink.suppresses(event)) continue;
    const delivery: Delivery = {
      ...{ id: event.id, event, plan, sinkName, template },
      progress: { level: 0, unclearSince: undefined },
    };
    const made = await sink.rehearse?.(delivery, new AbortController().signal);
    if (made === undefined) return undefined;
    const { degradation } = made;
    if (degradation !== undefined && CERTAIN.has(degradation.reason)) return doubt(degradation.message);
    const { judge, receiver } = SINKS[type];
    const verdict = degradation === undefined ? judge(made.content, { template, source }) : undefined;
    if (verdict?.kind === 'refused') {
      const words = faultInWords(verdict.faults[0]);
      return doubt(
        `template ${template.name}, ${kind}: ${receiver} would refuse it: ${words}; a plainer message is sent then`,
      );
    }
    // One without a template's output differs.
    shown.push(degradation === undefined && isRaw(made.content) ? visiblePart(made.content) : kind);
  }
  const same = sameForAll(shown);
  return same === undefined
    ? undefined
    : { reason: 'OutputDoubtful', message: `template ${template.name}: ${same}` };
}

const doubt = (message: string): Degradation => ({
  reason: 'TemplateDoubtful',
  message: `${tried(message)} (tried with an example)`,
});
