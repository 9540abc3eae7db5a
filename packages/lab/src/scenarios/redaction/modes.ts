import { SINK_TYPES, type SinkType } from '@hnotif/core/resources';
import { SINKS } from '@hnotif/core/sinks';
import { PLENTY } from '../../objects.ts';
import { canary } from './canary.ts';

/** A way in which a sink may be configured. */
export interface Mode {
  readonly name: string;
  readonly type: SinkType;
  /** Whose table of outcomes holds; a sink type: the one of its definition's `hook`. */
  readonly answers: SinkType | 'channel' | 'thread' | 'thread board' | 'botchat board';
  /** A key of the config map `texts`, with a template that works. */
  readonly template?: string;
  readonly config: (id: string, port: number) => Configured;
}

export interface Configured {
  readonly config: object;
  /** Each credential in it, by what it is, as a receiver knows it. */
  readonly credentials: Readonly<Record<string, string>>;
}

const encoded = encodeURIComponent;

/** An address that is a credential. */
function address(field: string, id: string, port: number) {
  const [path, query] = [canary.text(`${id}path`), canary.text(`${id}query`)];
  const { href } = new URL(
    `http://hooks.echo.test:${port}/${id}/services/${encoded(path)}?sig=${encoded(query)}`,
  );
  return { href, credentials: { [`path of ${field}`]: path, [`query of ${field}`]: query, [field]: href } };
}

function webhook(id: string, port: number, more: object = {}): Configured {
  const { href: url, credentials } = address('url', id, port);
  const made = (what: string): string => canary.ascii(id + what);
  const [bearer, key, cookie, password] = [made('bearer'), made('key'), made('cookie'), made('password')];
  const headers = {
    Authorization: `Bearer ${bearer}`,
    'X-Api-Key': key,
    Cookie: `theme=dark; session=${cookie}`,
    'X-Proxy': `Basic ${Buffer.from(`user:${password}`).toString('base64')}`,
  };
  const inHeaders = { 'bearer token': bearer, 'key in a header': key, cookie, 'basic password': password };
  return { config: { url, headers, ...more }, credentials: { ...credentials, ...inHeaders } };
}

function signed(id: string, port: number): Configured {
  const key = `${canary.word(`${id}key`)}-of-a-signature`;
  const secret = `whsec_${Buffer.from(key).toString('base64')}`;
  const { config, credentials } = webhook(id, port, { signing_secret: secret });
  return { config, credentials: { ...credentials, 'signing secret': secret, 'signing key': key } };
}

type Config = Mode['config'];

const rendered: Config = (id, port) => webhook(id, port, { enable_renderer: true });

/** The address is the credential. */
const hook =
  (field: string, more: object = {}): Config =>
  (id, port) => {
    const { href, credentials } = address(field, id, port);
    return { config: { [field]: href, rate_limit: PLENTY, ...more }, credentials };
  };

const thread =
  (delivery_mode: 'thread' | 'board'): Config =>
  (id) => {
    const bot_token = `xoxb-${id}-${canary.token(id)}`;
    const config = { delivery_mode, bot_token, channel_id: `C0${id.toUpperCase()}`, rate_limit: PLENTY };
    return { config, credentials: { bot_token } };
  };

const botchat =
  (parse_mode: 'HTML' | 'MarkdownV2', more: object = {}): Config =>
  (id) => {
    const secret = canary.word(id);
    const token = `${id.replace(/\D/g, '')}:${secret}`;
    const chat_id = -1_001_000_000_000 - Number(id.slice(1));
    return {
      config: { token, chat_id, parse_mode, rate_limit: PLENTY, ...more },
      credentials: { token, 'second half of token': secret },
    };
  };

const IN_A_TOPIC = { message_thread_id: 42, disable_notification: true };

const rows = (
  ...all: readonly [
    name: string,
    type: SinkType,
    answers: Mode['answers'],
    config: Config,
    template?: string,
  ][]
): Mode[] =>
  all.map(([name, type, answers, config, template]) => ({
    ...{ name, type, answers, config, ...(template !== undefined && { template }) },
  }));

/** Every sink type in every mode. */
export const MODES: readonly Mode[] = [
  ...rows(
    ['webhook', 'webhook', 'webhook', webhook],
    ['webhook, signed', 'webhook', 'webhook', signed],
    ['webhook with a template', 'webhook', 'webhook', rendered, 'good'],
    ['teamchat, text', 'teamchat', 'channel', hook('webhook_url', { format: 'text' })],
    ['teamchat, json', 'teamchat', 'channel', hook('webhook_url', { format: 'json' })],
    ['teamchat, thread', 'teamchat', 'thread', thread('thread')],
    ['botchat, HTML', 'botchat', 'botchat', botchat('HTML')],
    ['botchat, MarkdownV2', 'botchat', 'botchat', botchat('MarkdownV2')],
    ['botchat, in a topic', 'botchat', 'botchat', botchat('HTML', IN_A_TOPIC)],
  ),
  ...SINK_TYPES.flatMap((type) => {
    const { hook: answers } = SINKS[type];
    return answers === undefined ? [] : rows([type, type, type, hook(answers.field)]);
  }),
];

/** They send as threads and messages do: some answers are enough. */
export const BOARD_MODES: readonly Mode[] = rows(
  ['teamchat, board', 'teamchat', 'thread board', thread('board')],
  ['botchat, board', 'botchat', 'botchat board', botchat('HTML', { delivery_mode: 'board' })],
);
