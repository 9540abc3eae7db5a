import { isRaw, type Notification, type SinkEntry, parsePlan } from '@hnotif/core/resources';
import { matches } from '@hnotif/core/routing';
import { folded, parseJson, SINKS, textOf, type ReadySink } from '@hnotif/core/sinks';
import { syntheticSource } from '@hnotif/core/rehearsal';
import type { Manifest } from './manifests.ts';
import type { Objects } from './objects.ts';

/** With more plans, a message for each event is hard to read. */
const MANY_PLANS = 20;

/**
 * What a night costs with a message for each event, if a board is better; undefined: it is not, or the sink has none. Only plans that are
 * given count.
 */
export function boardAdvice(
  manifest: Manifest,
  { onEvents, selector }: Pick<Notification, 'onEvents' | 'selector'>,
  entry: SinkEntry,
  config: string | Uint8Array,
  sink: ReadySink,
  objects: Objects,
): string | undefined {
  if (!('delivery_mode' in SINKS[entry.type].schema.shape)) return undefined;
  const mode = deliveryMode(config);
  if (mode === 'board') return undefined;
  // A plan without a name cannot be parsed.
  const named = objects.allBeside(manifest, 'HibernatePlan').filter(({ name }) => name !== '');
  if (named.length <= MANY_PLANS) return undefined;
  const plans = named
    .map(({ object }) => parsePlan(object))
    .filter(({ labels }) => matches(selector, labels));
  if (plans.length <= MANY_PLANS) return undefined;
  const ofTarget = (['Running', 'Completed'] as const).filter((state) => sends(sink, entry, state)).length;
  let messages = 0;
  for (const { targets } of plans) {
    if (onEvents.includes('Start')) messages++;
    if (onEvents.includes('ExecutionProgress')) messages += ofTarget * targets.length;
    if (onEvents.includes('Success')) messages++;
    if (onEvents.includes('PhaseChange')) messages += 2;
  }
  // Failures alone make no noise in a good night.
  if (messages === 0) return undefined;
  const threads = mode === 'thread' ? ` in ${plans.length} threads` : '';
  const took = inWords(messages / (sink.rates[0]?.perSecond ?? 1));
  return `sink ${entry.name}: ${plans.length} plans match, so a night without failures has ${messages} messages${threads}, which the rate limit sends in ${took}; "delivery_mode": "board" shows the night in one message, which is updated (docs/howto/many-plans.md)`;
}

function deliveryMode(config: string | Uint8Array): unknown {
  const json = parseJson(textOf(config) ?? '');
  return json.ok && isRaw(json.value) ? folded(json.value.delivery_mode) : undefined;
}

/** Whether it sends the progress of a target in this state. */
function sends(sink: ReadySink, { type }: SinkEntry, state: string): boolean {
  const { event } = syntheticSource('ExecutionProgress', type, 'shutdown', 1);
  const [target] = event.targets;
  return !sink.suppresses({ ...event, targetExecution: target && { ...target, state } });
}

/** `24 seconds`, `17 minutes`. */
const inWords = (seconds: number): string =>
  seconds < 120 ? `${Math.ceil(seconds)} seconds` : `${Math.ceil(seconds / 60)} minutes`;
