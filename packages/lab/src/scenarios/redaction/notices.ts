import type { DegradationReason } from '@hnotif/core/sinks';
import type { Mode } from './modes.ts';
import { api, type Outcome, plain, receiverOf, refusal } from './outcomes.ts';
import type { Answer, ReceivedRequest } from '../../answering.ts';

/** How a message comes to arrive otherwise than was wished. */
export interface NoticeCause {
  /** Name of the mode in which. */
  readonly mode: string;
  /** The sink's custom template. */
  readonly template?: string;
  /** The key that `templateRef` names; default: the one of `template`. */
  readonly key?: string;
  /** Before it is taken; undefined: it is taken. */
  readonly answer?: (echo: string, count: number, request: ReceivedRequest) => Answer | undefined;
  readonly told?: 'notice' | 'brief notice' | 'doubt';
}

const first =
  (answer: (echo: string) => Answer) =>
  (echo: string, count: number): Answer | undefined =>
    count === 0 ? answer(echo) : undefined;

const migrated = (description: string): Answer =>
  refusal(400, description, { migrate_to_chat_id: -1_009_999_999_999 });

/** The answer to the first message is lost, and the history of the channel has this error. */
const withHistory =
  (error: string) =>
  (echo: string, count: number, { path }: ReceivedRequest): Answer | undefined => {
    if (count === 0) return { kind: 'reset' };
    return path.includes('/conversations.') ? api(error, echo) : undefined;
  };

/** How each notice is caused; a text: why it cannot be here. */
export const NOTICE_CAUSES: Readonly<Record<DegradationReason, NoticeCause | string>> = {
  TemplateMissing: { mode: 'webhook with a template', key: 'absent' },
  TemplateParseFailed: { mode: 'webhook with a template', template: '{{ if }}' },
  TemplateDoubtful: {
    mode: 'webhook with a template',
    template: '{{ if eq .Event "Failure" }}{{ .PlanName }}{{ end }}',
    told: 'doubt',
  },
  OutputDoubtful: { mode: 'teamchat, text', template: '{{ .Plan.Annotations.nosuch }}' },
  TemplateExecutionFailed: { mode: 'teamchat, text', template: '{{ fail .Plan.Name }}' },
  TemplateTimedOut: 'the limit of CPU time ends it: redaction-thrown.test.ts shows it',
  TemplateTooLarge: { mode: 'botchat, MarkdownV2', template: '{{ repeat 999999999 .Event }}' },
  TemplateSuspended: 'it takes seconds of work, and its text is made of names of templates and of numbers',
  TemplateWorkerFailed: 'a fault of the worker, which has nothing of the sink’s configuration',
  BlocksInvalid: { mode: 'teamchat, json', template: 'no JSON' },
  TemplateEmpty: { mode: 'teamchat, text', template: '{{ "" }}' },
  MessageUnmade: 'a fault of our own, of which the error’s name alone is told',
  MarkupInvalid: { mode: 'botchat, HTML', template: `<b>${'x'.repeat(5_000)}` },
  LinkInvalid: 'it names the annotation and its object, and nothing of its value',
  RejectedByReceiver: {
    mode: 'botchat, HTML',
    answer: first((echo) => refusal(400, `Bad Request: can't parse entities: ${echo}`)),
  },
  WebPageAnswered: {
    mode: 'webhook, signed',
    answer: (echo) => plain(200, `<html>${echo}</html>`, 'text/html'),
  },
  AnswerUnknown: {
    mode: 'teamchat, text',
    answer: (echo) => plain(202, `! ${echo}`),
  },
  ChatMigrated: {
    mode: 'botchat, MarkdownV2',
    answer: first((echo) => migrated(`upgraded to a supergroup ${echo}`)),
  },
  TopicDeleted: {
    mode: 'botchat, in a topic',
    answer: first((echo) => refusal(400, `Bad Request: message thread not found ${echo}`)),
  },
  HistoryUnreadable: { mode: 'teamchat, thread', answer: withHistory('missing_scope') },
  HistoryUnavailable: {
    mode: 'teamchat, thread',
    answer: withHistory('invalid_cursor'),
    told: 'brief notice',
  },
  RootNotUpdated: {
    mode: 'teamchat, thread',
    answer: (echo, _, { path }) => (path.includes('/chat.update') ? api('missing_scope', echo) : undefined),
  },
  RootReplaced: 'it names only the plan or the night, and nothing that a receiver says',
};

/** The templates of the notices, by reason. */
export const NOTICE_TEMPLATES: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(NOTICE_CAUSES).flatMap(([reason, cause]) =>
    typeof cause === 'string' || cause.template === undefined ? [] : [[reason, cause.template]],
  ),
);

/** As what becomes of a message in a mode. */
export const noticed = (reason: string, { answer, told = 'notice' }: NoticeCause, mode: Mode): Outcome => ({
  name: 'notice',
  reason,
  told,
  answer: (echo, count, request) => answer?.(echo, count, request) ?? receiverOf(mode).taken,
});

/** The receiver asks to be left alone for a while, and then takes the message. */
export function throttled(mode: Mode): Outcome {
  const { taken, outcomes } = receiverOf(mode);
  const { reason = 'RateLimited' } = outcomes.find(({ name }) => /^(status |[\d/]*)429\b/.test(name)) ?? {};
  const asks = (echo: string): Answer =>
    mode.type === 'botchat' ? refusal(429, echo, { retry_after: 20 }) : plain(429, echo);
  return {
    ...{ name: 'throttled', reason, told: 'pause' },
    answer: (echo, count) => {
      const answer = count > 0 ? taken : asks(echo);
      if (count > 0 || answer.kind !== 'answer') return answer;
      return { ...answer, headers: { ...answer.headers, 'retry-after': '20' } };
    },
  };
}
