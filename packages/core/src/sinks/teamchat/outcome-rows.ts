import { OWN_MESSAGE, type OutcomeRow } from '../outcome-table.ts';

type Rows = Readonly<Record<string, OutcomeRow>>;

const configuration = (reason: string, remedy: string): OutcomeRow => ({
  kind: 'rejected-configuration',
  reason,
  remedy,
});
const payload = (reason: string, remedy: string, otherwise = remedy): OutcomeRow => ({
  kind: 'rejected-payload',
  reason,
  remedy,
  otherwise,
});
/** A message that the chat refuses for what is in it: `remedy` is for the author of the template that made it. */
const content = (reason: string, remedy: string): OutcomeRow => payload(reason, remedy, OWN_MESSAGE);
const transient = (reason: string, remedy: string): OutcomeRow => ({ kind: 'transient', reason, remedy });
const throttled = (reason: string, remedy: string): OutcomeRow => ({ kind: 'throttled', reason, remedy });
const ambiguous = (reason: string, remedy: string): OutcomeRow => ({ kind: 'ambiguous', reason, remedy });

const MAY_PASS = 'it may pass by itself; see https://status.slack.com';
const TEMPLATE = 'correct the template';
const SHORTEN = "shorten the template's output";
const SLOWER = 'ask for fewer events in onEvents, or lower rate_limit';
const POLICY = 'ask an owner of the workspace to allow it, or choose another channel';

/** What both ways of posting may answer. https://docs.slack.dev/reference/methods/chat.postMessage#errors */
const BOTH: Rows = {
  invalid_blocks: content('InvalidBlocks', TEMPLATE),
  invalid_blocks_format: content('InvalidBlocks', TEMPLATE),
  invalid_attachments: content('InvalidAttachments', TEMPLATE),
  too_many_attachments: content('TooManyAttachments', `a message takes 100 attachments; ${SHORTEN}`),
  attachment_payload_limit_exceeded: content('MessageTooLong', SHORTEN),
  msg_blocks_too_long: content('MessageTooLong', SHORTEN),
  msg_too_long: content('MessageTooLong', SHORTEN),
  no_text: content('NoText', "the message is empty; let the template's output have text"),
  channel_not_found: configuration(
    'ChannelNotFound',
    'the channel is gone or private; check channel_id, or invite the app to the channel',
  ),
  is_archived: configuration('ChannelArchived', 'unarchive the channel or choose another one'),
  channel_is_archived: configuration('ChannelArchived', 'unarchive the channel or choose another one'),
  posting_to_general_channel_denied: configuration('PostingDenied', POLICY),
  restricted_action: configuration('PostingDenied', POLICY),
  ratelimited: throttled('RateLimited', SLOWER),
  rate_limited: throttled('RateLimited', SLOWER),
  service_unavailable: transient('ServiceUnavailable', MAY_PASS),
};

/**
 * Bodies of an incoming webhook's answers, which are plain text.
 * https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks#handling-errors
 */
const WEBHOOK: Rows = {
  ...BOTH,
  invalid_payload: content('InvalidPayload', TEMPLATE),
  missing_text_or_fallback_or_attachments: content('NoText', "let the template's output have text or blocks"),
  user_not_found: configuration(
    'UserNotFound',
    'the member to whom webhook_url belongs is gone; make a new webhook',
  ),
  channel_not_found: configuration(
    'ChannelNotFound',
    'the channel of webhook_url is gone; make a webhook for another one',
  ),
  action_prohibited: configuration('PostingDenied', POLICY),
  invalid_token: configuration(
    'InvalidWebhook',
    'webhook_url is not valid any more; make a new one and put it into the secret',
  ),
  no_active_hooks: configuration(
    'WebhookDisabled',
    'webhook_url was switched off; make a new one and put it into the secret',
  ),
  no_service: configuration(
    'WebhookRemoved',
    'webhook_url was removed or is mistyped; make a new one and put it into the secret',
  ),
  no_service_id: configuration('WebhookRemoved', 'webhook_url is mistyped; copy it again'),
  no_team: configuration(
    'WorkspaceGone',
    'the workspace of webhook_url is gone; make a webhook in another one',
  ),
  team_disabled: configuration(
    'WorkspaceGone',
    'the workspace of webhook_url is switched off; ask its owner',
  ),
  rollup_error: transient('ServerError', MAY_PASS),
};

const NEW_TOKEN = "make a new one in the app's settings and put it into the secret";
const GONE = 'the message is gone or frozen; a new one takes its place';
/** "It's possible some aspect of the operation succeeded before the error was raised": the pages of the methods. */
const MAY_HAVE_POSTED =
  'the message may have been posted; the fault may pass by itself, see https://status.slack.com';

/** The `error` of a Web API answer. https://docs.slack.dev/reference/methods, the pages of the methods in use. */
const API: Rows = {
  ...BOTH,
  // Who we are.
  invalid_auth: configuration(
    'InvalidToken',
    `bot_token is not valid, or this address may not use it; ${NEW_TOKEN}`,
  ),
  not_authed: configuration('InvalidToken', `bot_token did not arrive; ${NEW_TOKEN}`),
  token_expired: configuration('InvalidToken', `bot_token has expired; ${NEW_TOKEN}, without token rotation`),
  token_revoked: configuration('InvalidToken', `bot_token was revoked; ${NEW_TOKEN}`),
  account_inactive: configuration(
    'InvalidToken',
    `bot_token belongs to an app or workspace that is gone; ${NEW_TOKEN}`,
  ),
  bot_not_found: configuration('InvalidToken', `the bot of bot_token is gone; ${NEW_TOKEN}`),
  not_allowed_token_type: configuration(
    'WrongTokenType',
    'bot_token is another kind of token; give the bot token, which begins with xoxb-',
  ),
  // What we may do.
  missing_scope: configuration(
    'MissingScope',
    "add the scope to the app's bot scopes and install the app again; it needs chat:write at least",
  ),
  no_permission: configuration(
    'NoPermission',
    'add chat:write to the bot scopes of the app and invite it to the channel',
  ),
  not_in_channel: configuration(
    'NotInChannel',
    'invite the bot: write /invite @app in the channel of channel_id',
  ),
  access_denied: configuration('PostingDenied', POLICY),
  restricted_action_read_only_channel: configuration('PostingDenied', `the channel is read-only; ${POLICY}`),
  restricted_action_thread_only_channel: configuration(
    'PostingDenied',
    `the channel takes replies alone; ${POLICY}`,
  ),
  restricted_action_non_threadable_channel: configuration(
    'PostingDenied',
    'the channel has no threads; choose another one or delivery_mode channel',
  ),
  channel_type_not_supported: configuration(
    'ChannelNotSupported',
    'choose an ordinary channel for channel_id',
  ),
  invalid_channel: configuration(
    'ChannelNotFound',
    'channel_id is not a channel of the workspace; copy its ID from the channel details',
  ),
  messages_tab_disabled: configuration(
    'MessagesDisabled',
    "channel_id is the app's own tab, which is off; choose a channel",
  ),
  team_access_not_granted: configuration(
    'WorkspaceNotGranted',
    'install the app in the workspace of the channel',
  ),
  team_not_found: configuration(
    'WorkspaceGone',
    'the workspace of bot_token is gone; make an app in another one',
  ),
  ekm_access_denied: configuration('PostingSuspended', 'the administrators have suspended posting; ask them'),
  enterprise_is_restricted: configuration(
    'PostingDenied',
    'install the app in a workspace of the organization and give the bot_token of there',
  ),
  accesslimited: configuration(
    'PostingDenied',
    'the method may not be called from this network; ask the administrators',
  ),
  two_factor_setup_required: configuration(
    'PostingDenied',
    'two-factor authentication must be set up for the account first',
  ),
  external_channel_migrating: transient(
    'ChannelMigrating',
    'the channel is being moved; it may pass by itself',
  ),
  org_login_required: transient('WorkspaceMigrating', 'the workspace is being moved; it may pass by itself'),
  team_added_to_org: transient('WorkspaceMigrating', 'the workspace is being moved; it may pass by itself'),
  as_user_not_supported: content('Rejected', TEMPLATE),
  invalid_arguments: content('InvalidArguments', TEMPLATE),
  markdown_text_conflict: content('InvalidArguments', TEMPLATE),
  invalid_metadata_format: payload('InvalidMetadata', 'report it: hnotif makes the metadata itself'),
  invalid_metadata_schema: payload('InvalidMetadata', 'report it: hnotif makes the metadata itself'),
  metadata_too_large: payload('InvalidMetadata', 'report it: hnotif makes the metadata itself'),
  metadata_must_be_sent_from_app: payload(
    'InvalidMetadata',
    'give the bot token of an app, which begins with xoxb-: with another one lost messages are not found again',
  ),
  slack_connect_file_link_sharing_blocked: content(
    'PostingDenied',
    `files may not be shared in this channel; ${TEMPLATE}`,
  ),
  // What we want to change.
  message_not_found: payload('MessageNotFound', GONE),
  thread_not_found: payload('MessageNotFound', GONE),
  invalid_thread_ts: payload('MessageNotFound', GONE),
  cannot_reply_to_message: payload('MessageNotFound', GONE),
  cant_update_message: payload('MessageFrozen', GONE),
  edit_window_closed: payload('MessageFrozen', GONE),
  is_inactive: configuration('ChannelArchived', 'unarchive the channel or choose another one'),
  // What may pass.
  message_limit_exceeded: transient(
    'MessageLimitExceeded',
    "the workspace has reached its plan's limit of messages; see what else posts there",
  ),
  request_timeout: transient(
    'RequestTimeout',
    'the request did not arrive whole; look at the network and proxies in between',
  ),
  internal_error: ambiguous('InternalError', MAY_HAVE_POSTED),
  fatal_error: ambiguous('InternalError', MAY_HAVE_POSTED),
};

const GATEWAY = 'a gateway in front of the chat got no answer from it; it may pass by itself';

/**
 * What a status means where no known word stands in the body; others of its hundred mean what the last ones say. `credential` and
 * `address`: the names of the settings that hold them.
 */
const statusesOf = (credential: string, address: string): Readonly<Record<number, OutcomeRow>> => ({
  400: content('BadRequest', TEMPLATE),
  401: configuration('Unauthorized', `check ${credential}`),
  403: configuration('Forbidden', `check ${credential}, and whether a proxy refuses the chat`),
  404: configuration('NotFound', `check ${address} and any proxy`),
  405: configuration('MethodNotAllowed', `check ${address} and any proxy`),
  407: configuration('ProxyUnauthorized', "check the proxy's credentials"),
  408: transient('RequestTimeout', MAY_PASS),
  410: configuration(
    'Gone',
    credential === address
      ? `${address} is not served any more; make a new one`
      : `nothing is served there any more; check ${address}`,
  ),
  413: content('MessageTooLong', SHORTEN),
  425: transient('TooEarly', MAY_PASS),
  429: throttled('RateLimited', SLOWER),
  502: ambiguous('BadGateway', GATEWAY),
  503: transient('ServiceUnavailable', MAY_PASS),
  504: ambiguous('GatewayTimeout', GATEWAY),
});

/** Where no row has the status. */
const othersOf = (address: string) => ({
  redirect: configuration('Redirected', `redirects are not followed; check ${address} and any proxy`),
  other4xx: payload('Rejected', 'look up in the documentation of the chat what it answers'),
  other5xx: transient('ServerError', MAY_PASS),
});

/**
 * What teamchat's answers mean, to an incoming webhook and of the Web API. `words`: the word of the error; `statuses`: where no known word
 * came; then the rows for what is in neither. The documentation is made from it.
 */
export const ROWS = {
  webhook: {
    words: WEBHOOK,
    statuses: statusesOf('webhook_url', 'webhook_url'),
    ...othersOf('webhook_url'),
    /** A success that is a web page. */
    page: configuration(
      'NotAChat',
      'a web page answered, not the chat, so a proxy or a login stands before it; check webhook_url and any proxy',
    ),
  },
  api: {
    words: API,
    statuses: statusesOf('bot_token', '--chat-api-url'),
    ...othersOf('--chat-api-url'),
    /** A page where the Web API should be. */
    page: configuration('NotAChat', 'a web page answered, not the chat; check --chat-api-url and any proxy'),
    /** A success that cannot be read. */
    unreadable: ambiguous(
      'BadAnswer',
      'the answer is none of the Web API; check --chat-api-url and any proxy',
    ),
  },
} as const satisfies Record<string, Record<string, OutcomeRow | Rows | Readonly<Record<number, OutcomeRow>>>>;
