import { WEBHOOK_BOT } from './render.ts';
import { isForm, mediaType, parseForm, parseJson } from '../body.ts';
import type { PlainAnswer, Request } from '../decision.ts';
import { parse, type SlackError } from '@hnotif/judges/slack';
import { checkTeamchatMessage } from './check.ts';
import type { Context } from './context.ts';
import { refuse, type Refusal, type Ruling } from './ruling.ts';
import { isFields, type Fields } from '@hnotif/judges/slack';

/**
 * The errors of incoming webhooks and their statuses.
 * https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks, "Handling errors"
 */
export const WEBHOOK_ERRORS = {
  invalid_payload: 400,
  user_not_found: 400,
  invalid_blocks: 400,
  invalid_blocks_format: 400,
  // Not documented; reported in practice (slackapi/java-slack-sdk#415).
  invalid_attachments: 400,
  no_text: 400,
  missing_text_or_fallback_or_attachments: 400,
  too_many_attachments: 400,
  action_prohibited: 403,
  invalid_token: 403,
  posting_to_general_channel_denied: 403,
  channel_not_found: 404,
  no_active_hooks: 404,
  no_service: 404,
  no_service_id: 404,
  no_team: 404,
  team_disabled: 404,
  channel_is_archived: 410,
  rate_limited: 429,
  rollup_error: 500,
} as const;

export type WebhookError = keyof typeof WEBHOOK_ERRORS;

export interface WebhookSettings {
  /** The ID of the channel it posts to. Default: the first channel. */
  readonly channel?: string;
  /** The error for its requests. Default: none. */
  readonly refused?: WebhookError;
}

/** The words of webhooks for errors that have other names in the Web API. */
const CONTENT_ERRORS: Readonly<Record<SlackError, WebhookError>> = {
  invalid_json: 'invalid_payload',
  invalid_arguments: 'invalid_payload',
  invalid_blocks_format: 'invalid_blocks_format',
  invalid_blocks: 'invalid_blocks',
  // Unknown for webhooks. A message that a channel would refuse must not pass here.
  msg_blocks_too_long: 'invalid_blocks',
  invalid_attachments: 'invalid_attachments',
  too_many_attachments: 'too_many_attachments',
  no_text: 'no_text',
};

/** The bot that incoming webhooks post as: chat.update cannot change their messages. */

/** A message by incoming webhook, and its result. */
export function handleWebhook(
  request: Request,
  settings: WebhookSettings | undefined,
  context: Context,
): { readonly params: Fields; readonly ruling: Ruling } {
  const payload = payloadOf(request);
  return { params: payload ?? {}, ruling: decide() };

  function decide(): Ruling {
    const { workspace, limiter } = context;
    if (settings === undefined) return refuse('no_service');
    if (settings.refused !== undefined) return refuse(settings.refused);
    const retryAfter = limiter.message(request.path);
    if (retryAfter > 0) return refuse('rate_limited', { retryAfter });
    if (payload === undefined || request.method !== 'POST') return refuse('invalid_payload');
    const channel = workspace.channel(settings.channel ?? '');
    if (channel === undefined) return refuse('channel_not_found');
    if (channel.archived) return refuse('channel_is_archived');
    const check = checkTeamchatMessage(payload);
    const { error, errors, entities, content, warnings } = check;
    if (error !== undefined) return refuse(CONTENT_ERRORS[error], { errors, entities });
    const { thread_ts: threadTs } = payload;
    const root = typeof threadTs === 'string' ? workspace.root(channel.id, threadTs) : undefined;
    return {
      error: undefined,
      takes: true,
      warnings,
      entities,
      act: () => ({
        body: {},
        message: workspace.post(channel.id, root?.ts, {
          author: WEBHOOK_BOT,
          content,
          entities,
          metadata: undefined,
        }),
      }),
    };
  }
}

/** JSON, or JSON in a form's field `payload`. Undefined for all others. */
function payloadOf({ headers, body }: Request): Fields | undefined {
  if (!body.complete) return undefined;
  const type = headers['content-type'];
  const json =
    mediaType(type) === 'application/json'
      ? parseJson(body.bytes).json
      : isForm(type)
        ? parse(parseForm(body.bytes.toString())?.payload ?? '')
        : undefined;
  return isFields(json) ? json : undefined;
}

/** `ok`, or the error code, as text. JSON for too many requests. */
export function webhookAnswer(refusal: Refusal | undefined): PlainAnswer {
  if (refusal === undefined) return { status: 200, headers: TEXT, body: 'ok' };
  const { error, retryAfter } = refusal;
  if (retryAfter !== undefined)
    return {
      status: 429,
      headers: { 'retry-after': String(retryAfter) },
      body: JSON.stringify({ retry_after: retryAfter, ok: false, error }),
    };
  return { status: WEBHOOK_ERRORS[error as WebhookError], headers: TEXT, body: error };
}

const TEXT = { 'content-type': 'text/html' };
