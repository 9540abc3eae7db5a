import { type DegradationReason, SINKS } from '@hnotif/core/sinks';
import { ANSWERS } from '../../../../core/src/sinks/botchat/outcome-rows.ts';
import { ROWS } from '../../../../core/src/sinks/teamchat/outcome-rows.ts';
import { SINK_TYPES } from '@hnotif/core/resources';
import { STATUSES } from '../../../../core/src/sinks/webhook/outcomes.ts';
import type { Mode } from './modes.ts';
import { api, type Outcome, plain, refusal } from './outcomes.ts';
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

const JSON_TYPE = 'application/json';

/** What a kind of receiver says that has taken a message, and its reason for a pause. */
interface Manners {
  readonly taken: Answer;
  readonly throttled: string | undefined;
  /** Of a body that asks for a pause. Default: what it echoes. */
  readonly asJson?: (echo: string) => string;
}

const MANNERS: ReadonlyMap<Mode['answers'], Manners> = new Map<Mode['answers'], Manners>([
  ...SINK_TYPES.flatMap((type) => {
    const { hook } = SINKS[type];
    return hook === undefined
      ? []
      : [[type, { taken: plain(...hook.success), throttled: hook.statuses[429]?.reason }] as const];
  }),
  ['webhook', { taken: plain(200, ''), throttled: STATUSES[429]?.reason }],
  ['channel', { taken: plain(200, 'ok'), throttled: ROWS.webhook.statuses[429]?.reason }],
  [
    'thread',
    {
      taken: plain(200, '{"ok":true,"channel":"C0","ts":"1700000000.000100"}', JSON_TYPE),
      throttled: ROWS.api.statuses[429]?.reason,
    },
  ],
  [
    'botchat',
    {
      taken: plain(200, '{"ok":true,"result":{"message_id":1,"chat":{"id":-100}}}', JSON_TYPE),
      throttled: ANSWERS.find(({ codes }) => codes.includes(429))?.reason,
      asJson: (description) =>
        JSON.stringify({ ok: false, error_code: 429, description, parameters: { retry_after: 20 } }),
    },
  ],
]);

function mannersOf({ name, answers }: Mode): Manners {
  const manners = MANNERS.get(answers);
  if (manners === undefined) throw new Error(`mode ${name} has no answers`);
  return manners;
}

const first =
  (answer: (echo: string) => Answer) =>
  (echo: string, count: number): Answer | undefined =>
    count === 0 ? answer(echo) : undefined;

const migrated = (description: string): Answer =>
  plain(
    400,
    JSON.stringify({
      ok: false,
      error_code: 400,
      description,
      parameters: { migrate_to_chat_id: -1_009_999_999_999 },
    }),
    JSON_TYPE,
  );

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
  HistoryUnreadable: {
    mode: 'teamchat, thread',
    answer: (echo, count, { path }) =>
      count === 0
        ? { kind: 'reset' }
        : path.includes('/conversations.')
          ? api('missing_scope', echo)
          : undefined,
  },
  HistoryUnavailable: {
    mode: 'teamchat, thread',
    answer: (echo, count, { path }) =>
      count === 0
        ? { kind: 'reset' }
        : path.includes('/conversations.')
          ? api('invalid_cursor', echo)
          : undefined,
    told: 'brief notice',
  },
  RootNotUpdated: {
    mode: 'teamchat, thread',
    answer: (echo, _, { path }) => (path.includes('/chat.update') ? api('missing_scope', echo) : undefined),
  },
  RootReplaced: 'it names only the plan or the night, and nothing that a receiver says',
};

/** As what becomes of a message in a mode. */
export const noticed = (reason: string, { answer, told = 'notice' }: NoticeCause, mode: Mode): Outcome => ({
  name: 'notice',
  reason,
  told,
  answer: (echo, count, request) => answer?.(echo, count, request) ?? mannersOf(mode).taken,
});

/** The receiver asks to be left alone for a while, and then takes the message. */
export function throttled(mode: Mode): Outcome {
  const { taken, throttled: reason = 'RateLimited', asJson } = mannersOf(mode);
  return {
    name: 'throttled',
    reason,
    told: 'pause',
    answer: (echo, count) => {
      if (count > 0) return taken;
      const answer = asJson === undefined ? plain(429, echo) : plain(429, asJson(echo), JSON_TYPE);
      return answer.kind === 'answer'
        ? { ...answer, headers: { ...answer.headers, 'retry-after': '20' } }
        : answer;
    },
  };
}
