import { KINDS } from '../kinds.ts';
import { API, appOf, hash, uidOf } from '../scale/objects.ts';

/** The notifications of each namespace. Both match all of its plans and send to a webhook. */
export const AUDIT = 'audit';
export const WATCH = 'watch';
/** One more notification, in the first namespace: threads of a chat. It matches few plans, because a chat accepts few updates of roots. */
const CHAT = 'chat';
const CHAT_PLANS = { app: appOf(0) };

const ALL_PLANS = { 'app.kubernetes.io/managed-by': 'argocd' };
const ENDS = ['Start', 'Success', 'Failure', 'Recovery'];
const ALL = [...ENDS, 'PhaseChange', 'ExecutionProgress'];
const THREAD = KINDS.find(({ name }) => name === 'teamchat thread');

/** Messages of the webhooks for one plan: for its Start, and for the rest of its night with this number of targets. */
export const MESSAGES_OF_START = 3;
export const messagesOfRest = (targets: number): number => 2 * targets + 3;

/** The notifications of a namespace and their secrets, by resource. `origin`: the origin of the receiver. */
export function sinksOf(
  namespace: string,
  origin: string,
  isFirst: boolean,
): [resource: string, object: object][] {
  return [
    ...sinkOf(namespace, AUDIT, 'webhook', ALL_PLANS, ENDS, { url: `${origin}/${AUDIT}` }),
    ...sinkOf(namespace, WATCH, 'webhook', ALL_PLANS, ALL, { url: `${origin}/${WATCH}` }),
    ...(isFirst && THREAD !== undefined
      ? sinkOf(namespace, CHAT, 'teamchat', CHAT_PLANS, ENDS, THREAD.config(origin, ADDRESS))
      : []),
  ];
}

/** The channel of a namespace's board. */
export const boardChannel = (index: number): string => `C0BOARD${String(index).padStart(3, '0')}`;
export const BOARD_TOKEN = 'xoxb-000000000000-bench';

/** A message for each event in a channel, and a board, of all plans of the namespace. */
export function chatsOf(
  namespace: string,
  origin: string,
  index: number,
): [resource: string, object: object][] {
  const channel = {
    webhook_url: `${origin}/services/T0/B0/${namespace}`,
    rate_limit: { rate: 1e6, unit: 'second', burst: 1e6 },
  };
  const board = {
    delivery_mode: 'board',
    bot_token: BOARD_TOKEN,
    channel_id: boardChannel(index),
    format: 'json',
  };
  return [
    ...sinkOf(namespace, 'channel', 'teamchat', ALL_PLANS, ALL, channel),
    ...sinkOf(namespace, 'board', 'teamchat', ALL_PLANS, ALL, board),
  ];
}

const ADDRESS = { namespace: '', notification: CHAT, sink: CHAT };

function sinkOf(
  namespace: string,
  name: string,
  type: string,
  matchLabels: Readonly<Record<string, string>>,
  onEvents: readonly string[],
  config: object,
): [resource: string, object: object][] {
  const metadata = (kind: string): object => ({
    ...{ name, namespace, uid: uidOf(hash(`${kind} ${namespace}/${name}`)), generation: 1 },
    creationTimestamp: '2026-01-01T00:00:00Z',
  });
  const data = { config: Buffer.from(JSON.stringify(config)).toString('base64') };
  const spec = {
    selector: { matchLabels },
    onEvents,
    sinks: [{ name, type, secretRef: { name } }],
  };
  return [
    ['secrets', { apiVersion: 'v1', kind: 'Secret', metadata: metadata('secret'), type: 'Opaque', data }],
    [
      'hibernatenotifications',
      { apiVersion: API, kind: 'HibernateNotification', metadata: metadata('notification'), spec },
    ],
  ];
}
