/** Simulators of receivers, for tests and demonstrations: they keep what they got, check it, and fail on request. */
export {
  startWebhookReceiver,
  type WebhookReceiver,
  type WebhookReceiverOptions,
  type WebhookStats,
} from './webhook/receiver.ts';
export { describeRecord, type WebhookRecord } from './webhook/record.ts';
export type { SignatureStatus } from './webhook/signature.ts';
export type { Receiver, ReceiverOptions, ReceiverStats } from './receiver.ts';
export type { Answer, RequestRecord } from './record.ts';
export type { Fault, FaultName, FaultSettings, RetryAfter } from './fault.ts';
export type { FaultMatch, FaultRule, FaultRules } from './rules.ts';
export type { RecordPredicate } from './records.ts';
export type { After } from './timer.ts';
