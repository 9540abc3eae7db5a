import { RENDER_FAULTS } from '../render/template.ts';

/**
 * What happened to a message on its way that did not keep it from arriving, by reason. One table: the metric's `reason`,
 * the log, the conditions and the documentation are fed from it.
 */
export const DEGRADATIONS = {
  ...RENDER_FAULTS,
  BlocksInvalid:
    'The output of the template is no blocks JSON within the limits; the preset layout was sent.',
  TemplateEmpty: 'The template gave nothing that can be seen, which no chat takes; plain text was sent.',
  MessageUnmade: 'The message could not be made as it should be; a plainer one was sent.',
  MarkupInvalid:
    'The output of the template is too long for a message, and its markup cannot be parsed; it was cut and sent as plain text.',
  LinkInvalid: 'An annotation for a link is no usable address; the message was sent without the link.',
  RejectedByReceiver: 'The receiver refused the message as it was; a plainer one was sent.',
  WebPageAnswered:
    'The receiver of a webhook answered 2xx with a web page, such as a proxy’s login page. By its status the message is delivered.',
  ChatMigrated: 'The group has become a supergroup with another id; the message went there.',
  HistoryUnreadable:
    'The token may not read the channel’s history: after an unclear answer a message may be there twice.',
  HistoryUnavailable:
    'The channel’s history could not be read at that moment: after an unclear answer a message may be there twice.',
  RootNotUpdated: 'The status card of a thread could not be updated; its replies arrive all the same.',
} as const;

export type DegradationReason = keyof typeof DEGRADATIONS;

/** Told, logged, counted and shown in the notification's condition; the delivery goes on. */
export interface Degradation {
  readonly reason: DegradationReason;
  /** What happened in this case and what to do: one sentence, never a credential. */
  readonly message: string;
}

/** What is said of the sink, not of one kind of event: any message that arrives without a notice ends it. */
export const SINK_WIDE: ReadonlySet<DegradationReason> = new Set([
  'WebPageAnswered',
  'ChatMigrated',
  'HistoryUnreadable',
  'HistoryUnavailable',
  'RootNotUpdated',
]);

/** What shows at certain moments only and is there all the same: another configuration ends it. */
export const LASTING: ReadonlySet<DegradationReason> = new Set(['HistoryUnreadable']);

/** The notice as people are told: what is wrong, and what was sent instead; `happened`: false where only a look at a template found it. */
export const describeDegradation = ({ reason, message }: Degradation, happened = true): string =>
  reason in RENDER_FAULTS && reason !== 'TemplateMissing' && reason !== 'TemplateDoubtful'
    ? `${message}; plain text ${happened ? 'was' : 'will be'} sent instead`
    : message;
