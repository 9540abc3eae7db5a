import { ONCE, PAGE, type Proofs, refused, REPEATED, unclear, TABLE } from './proof.ts';

const TEAMS = (status: number): string =>
  `Webhook message delivery failed with error: Microsoft Teams endpoint returned HTTP error ${status} with ContextId tcid=1.`;

/**
 * An incoming webhook in channel mode. Other chats accept Slack's messages and answer in their own way. A message to a webhook has no id by
 * which a chat could drop a duplicate, so a success of an unknown form is not repeated.
 * https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks
 * https://github.com/slackapi/node-slack-sdk/issues/2615 https://github.com/prometheus/alertmanager/issues/3546
 */
export const CHANNEL_PROOFS: Proofs = {
  ok: { answer: '200 and `ok`', proves: 'arrived', then: ONCE, examples: [[200, 'ok']] },
  agreed: {
    answer:
      '2xx and JSON whose `ok` or `success` is true (Slack’s `triggers` and `workflows` addresses, Rocket.Chat)',
    proves: 'arrived',
    then: ONCE,
    examples: [
      [200, '{"ok":true}'],
      [200, '{"success":true}'],
    ],
  },
  denied: {
    answer:
      '2xx and an error word of the table of its answers, as text or under `error` of JSON, or JSON whose `ok` or `success` is false',
    proves: 'did not arrive',
    then: TABLE,
    examples: [
      [200, 'no_service'],
      [200, '{"ok":false,"error":"invalid_blocks"}'],
      [200, '{"success":false,"error":"Invalid integration id or token provided."}'],
    ],
  },
  relayed: {
    answer: '2xx and `Webhook message delivery failed` with `HTTP error` and a status (Microsoft Teams)',
    proves: 'did not arrive',
    then: 'as the table of its answers says of that status',
    examples: [
      [200, TEAMS(429)],
      [200, TEAMS(413)],
    ],
  },
  page: {
    answer: '2xx and a web page',
    proves: 'did not arrive',
    then: 'quarantines the sink (`NotAChat`): a login page or a proxy answers such a page',
    examples: [[200, PAGE]],
  },
  foreign: {
    answer:
      'another 2xx, also without a body (Discord’s address for Slack, Microsoft Teams), or with another word under `error`',
    proves: 'arrived',
    then: ONCE,
    degradation: 'AnswerUnknown',
    examples: [
      [204, ''],
      [202, '1'],
      [200, 'Message sent'],
      [200, '{"id":"7"}'],
      [200, '{"error":"oops"}'],
    ],
  },
  unclear: unclear(REPEATED),
  refused: refused('invalid_payload'),
};

/** The Web API, in thread mode. https://docs.slack.dev/apis/web-api/#responses */
export const THREAD_PROOFS: Proofs = {
  ok: {
    answer: '2xx and JSON with `"ok": true`',
    proves: 'arrived',
    then: ONCE,
    examples: [[200, '{"ok":true,"channel":"C0THREAD","ts":"1767643200.000100"}']],
  },
  denied: {
    answer: '2xx and JSON with `"ok": false`, except the two words below',
    proves: 'did not arrive',
    then: TABLE,
    examples: [[200, '{"ok":false,"error":"not_in_channel"}']],
  },
  perhaps: {
    answer: '`internal_error`, `fatal_error`',
    proves: 'may have arrived',
    then: 'looks for the message in the history, and sends it if it is not there',
    examples: [[200, '{"ok":false,"error":"internal_error"}']],
  },
  page: {
    answer: '2xx and a web page',
    proves: 'did not arrive',
    then: 'quarantines the sink (`NotAChat`)',
    examples: [[200, PAGE]],
  },
  unreadable: {
    answer: 'another 2xx',
    proves: 'may have arrived',
    then: 'looks for the message in the history, and sends it if it is not there',
    examples: [[200, 'OK']],
  },
  unclear: unclear('looks for the message in the history, and sends it if it is not there'),
  refused: refused('{"ok":false,"error":"invalid_arguments"}'),
};

/** The Bot API. https://core.telegram.org/bots/api#making-requests */
export const BOTCHAT_PROOFS: Proofs = {
  ok: {
    answer: '200 and JSON with `"ok": true`',
    proves: 'arrived',
    then: ONCE,
    examples: [[200, '{"ok":true,"result":{"message_id":7}}']],
  },
  denied: {
    answer: 'JSON with `"ok": false`',
    proves: 'did not arrive',
    then: TABLE,
    examples: [
      [400, '{"ok":false,"error_code":400,"description":"Bad Request: chat not found"}'],
      [200, '{"ok":false,"error_code":403,"description":"Forbidden: bot was kicked from the group chat"}'],
    ],
  },
  page: {
    answer: '2xx and a web page',
    proves: 'did not arrive',
    then: 'sent again (`NotAChat`)',
    examples: [[200, PAGE]],
  },
  unreadable: {
    answer: 'another 2xx: every Bot API answers with `ok`, so another service has answered',
    proves: 'may have arrived',
    then: REPEATED,
    examples: [
      [200, 'ok'],
      [204, ''],
    ],
  },
  unclear: unclear(REPEATED),
  refused: refused('{"ok":false}'),
};

/** Any webhook. https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md */
export const WEBHOOK_PROOFS: Proofs = {
  success: {
    answer: '2xx, whatever the body is',
    proves: 'arrived',
    then: ONCE,
    examples: [
      [200, 'ok'],
      [204, ''],
      [200, '{"ok":false}'],
      [202, '<p>queued</p>'],
    ],
  },
  page: {
    answer: '2xx and a web page with the type `text/html`',
    proves: 'arrived',
    then: ONCE,
    degradation: 'WebPageAnswered',
    examples: [[200, PAGE]],
  },
  unclear: unclear('sent again with the same `webhook-id`, by which the receiver can drop the duplicate'),
  refused: refused(''),
};

/** All tables, by their titles. */
export const PROOFS: Readonly<Record<string, Proofs>> = {
  'An incoming webhook of teamchat': CHANNEL_PROOFS,
  'The Web API of teamchat': THREAD_PROOFS,
  'The Bot API of botchat': BOTCHAT_PROOFS,
  'A webhook': WEBHOOK_PROOFS,
};
