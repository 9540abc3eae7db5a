/** Simulators of receivers, for tests and demonstrations: they keep what they got, check it, and fail on request. */
export {
  startWebhookReceiver,
  type ReceiverStats,
  type WebhookReceiver,
  type WebhookReceiverOptions,
} from './server.ts';
export { describeRecord, type Answer, type WebhookRecord } from './record.ts';
export type { Fault, FaultName, FaultSettings, RetryAfter } from './fault.ts';
export type { FaultMatch, FaultRule, FaultRules } from './rules.ts';
export type { RecordPredicate } from './records.ts';
export type { SignatureStatus } from './signature.ts';
export type { After } from './timer.ts';
