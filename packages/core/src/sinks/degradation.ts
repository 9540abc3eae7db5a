import { RENDER_FAULTS } from '../render/template.ts';

/**
 * Problems that did not keep a message from arriving, by reason. The metric, the log, the conditions and the docs use this table.
 */
export const DEGRADATIONS = {
  ...RENDER_FAULTS,
  BlocksInvalid:
    'The output of the template is not blocks JSON within the limits; the preset layout was sent.',
  TemplateEmpty:
    'The output of the template has no visible text, and chats refuse such a message; plain text was sent.',
  MessageUnmade: 'The message could not be made as configured; a plainer one was sent.',
  MarkupInvalid:
    'The output of the template is too long for a message, and its markup cannot be parsed; it was cut and sent as plain text.',
  LinkInvalid: 'An annotation for a link is not a usable address; the message was sent without the link.',
  RejectedByReceiver: 'The receiver refused the message as it was; a plainer one was sent.',
  WebPageAnswered:
    'The receiver of a webhook answered 2xx with a web page, such as a proxy’s login page. By its status the message is delivered.',
  AnswerUnknown:
    'A webhook of a chat answered 2xx, and not as Slack does. The message counts as delivered. Some chats that accept Slack’s messages do so.',
  ChatMigrated: 'The group has become a supergroup with another id; the message went there.',
  TopicDeleted:
    'The topic of message_thread_id, or after the colon of chat_id, is not there; the message went to the General topic.',
  HistoryUnreadable:
    'The token may not read the channel’s history: after an unclear answer a message may be there twice.',
  HistoryUnavailable:
    'The channel’s history could not be read at that moment, or the chat has none for bots: after an unclear answer a message may be there twice.',
  RootNotUpdated: 'The status card of a thread could not be updated; its replies still arrive.',
  RootReplaced:
    'The first message of a thread, or a board, was deleted or can no longer be changed; it was posted again.',
} as const;

export type DegradationReason = keyof typeof DEGRADATIONS;

/** Logged, counted, and shown as an Event and in the notification's condition. The delivery goes on. */
export interface Degradation {
  readonly reason: DegradationReason;
  /** What happened in this case and what to do: one sentence, never a credential. */
  readonly message: string;
}

/** These concern the sink, not one kind of event: any message without a degradation ends them. */
export const SINK_WIDE: ReadonlySet<DegradationReason> = new Set([
  'WebPageAnswered',
  'AnswerUnknown',
  'ChatMigrated',
  'TopicDeleted',
  'HistoryUnreadable',
  'HistoryUnavailable',
  'RootNotUpdated',
  'RootReplaced',
]);

/** A message may be there twice after an unclear answer. */
export const HISTORY_RISKS: ReadonlySet<DegradationReason> = new Set([
  'HistoryUnreadable',
  'HistoryUnavailable',
]);

/** These remain although they show only at times: a new configuration ends them. */
export const LASTING: ReadonlySet<DegradationReason> = new Set(['HistoryUnreadable']);

/** The message says all, also what was sent. */
const WITH_ITS_MESSAGE: ReadonlySet<DegradationReason> = new Set([
  'TemplateMissing',
  'TemplateDoubtful',
  'OutputDoubtful',
]);

/** What is wrong, and what was sent instead. `happened`: false if only a check of the template found it. */
export const describeDegradation = ({ reason, message }: Degradation, happened = true): string =>
  reason in RENDER_FAULTS && !WITH_ITS_MESSAGE.has(reason)
    ? `${message}; plain text ${happened ? 'was' : 'will be'} sent instead`
    : message;

/** What is said of a message that was only tried: nothing was sent instead. */
export const tried = (message: string): string =>
  message.replace(/\bwas (cut and )?sent\b/g, 'would be $1sent');
