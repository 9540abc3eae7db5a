/** Simulators of receivers, for tests and demonstrations. They store and check requests, and fail on request. */
export {
  startWebhookReceiver,
  type WebhookReceiver,
  type WebhookReceiverOptions,
  type WebhookStats,
} from './webhook/receiver.ts';
export { describeRecord, type WebhookRecord } from './webhook/record.ts';
export type { SignatureStatus } from './webhook/signature.ts';
export { startTeamchatReceiver, type TeamchatOptions, type TeamchatReceiver } from './teamchat/receiver.ts';
export { describeTeamchatRecord, type TeamchatRecord } from './teamchat/record.ts';
export type { Metadata } from './teamchat/message.ts';
export { checkTeamchatMessage, type MessageCheck } from './teamchat/check.ts';
export type { Entity, EntityKind } from '@hnotif/judges/slack';
export { teamchatFault, type TeamchatFaultOptions } from './teamchat/fault.ts';
export type { TeamchatRates } from './teamchat/limiter.ts';
export type { TokenSettings } from './teamchat/tokens.ts';
export { WEBHOOK_ERRORS, type WebhookError, type WebhookSettings } from './teamchat/webhook.ts';
export type { ChannelSettings } from './teamchat/workspace.ts';
export { startBotchatReceiver, type BotchatOptions, type BotchatReceiver } from './botchat/receiver.ts';
export { describeBotchatRecord, type BotchatRecord } from './botchat/record.ts';
export { botchatFault, botchatFlood } from './botchat/fault.ts';
export type { BotchatRates } from './botchat/flood.ts';
export type { ChatSettings, ChatType, Standing, Topic } from './botchat/chat.ts';
export type { Refusal } from './botchat/refusal.ts';
export { startMsteamsReceiver, type MsteamsOptions, type MsteamsReceiver } from './msteams/receiver.ts';
export { describeMsteamsRecord, type MsteamsRecord } from './msteams/record.ts';
export * from './view/index.ts';
export type { Receiver, ReceiverOptions, ReceiverStats } from './receiver.ts';
export type { Answer, RequestRecord } from './record.ts';
export type { Fault, FaultName, FaultSettings, RetryAfter } from './fault.ts';
export type { FaultMatch, FaultRule, FaultRules } from './rules.ts';
export type { RecordPredicate } from './records.ts';
export type { After } from './timer.ts';
