export { type StoredRow, isOfOpenNight, storedRow } from './board/memory.ts';
export { hasEnded } from './board/row.ts';
export { PARSE_MODES } from './botchat/markup/markup.ts';
export { folded, kindOf } from './config.ts';
export {
  type ChatLook,
  type OutputRules,
  type SecretFiles,
  type SinkReading,
  notesAt,
} from './definition.ts';
export {
  type Degradation,
  type DegradationReason,
  LASTING,
  SINK_WIDE,
  describeDegradation,
  tried,
} from './degradation.ts';
export type { SinkDeps, SinkSettings } from './deps.ts';
export { EXAMPLES, type SinkExample } from './examples.ts';
export { parseJson } from './json.ts';
export type { MemoryKey, SavePriority, SinkMemory } from './memory.ts';
export type { Cause, OnChange, Outcome } from './outcome.ts';
export { eventMarker, markerOf } from './teamchat/thread/marker.ts';
export { RateLimiter } from './rate-limiter.ts';
export type { Rate, RateLimits, Slots } from './rate.ts';
export { SINKS, filesOf, readSink, textOf } from './registry.ts';
export { PAUSES, type RetryLimits, decide } from './retry.ts';
export { FORMER_PROCESS } from './roots/post-root.ts';
export type { Delivery, Progress, ReadySink } from './sink.ts';
export { channelIdNotes, unreadableByName } from './teamchat/channel-id.ts';
export { staleRoot } from './teamchat/thread/root-store.ts';
export { addressOfRoot } from './teamchat/thread/root.ts';
export { Threads } from './teamchat/thread/threads.ts';
export type { Origin } from './value-at.ts';
