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

function webhook(id: string, port: number, more: object = {}): Configured {
  const [path, query, bearer, key, cookie, password] = [
    'path',
    'query',
    'bearer',
    'key',
    'cookie',
    'password',
  ].map((what) =>
    what === 'path' || what === 'query' ? canary.text(id + what) : canary.ascii(id + what),
  ) as [string, string, string, string, string, string];
  return {
    config: {
      url: `http://hooks.echo.test:${port}/${id}/${encoded(path)}?key=${encoded(query)}`,
      headers: {
        Authorization: `Bearer ${bearer}`,
        'X-Api-Key': key,
        Cookie: `theme=dark; session=${cookie}`,
        'X-Proxy': `Basic ${Buffer.from(`user:${password}`).toString('base64')}`,
      },
      ...more,
    },
    credentials: {
      'path of url': path,
      'query of url': query,
      url: new URL(`http://hooks.echo.test:${port}/${id}/${encoded(path)}?key=${encoded(query)}`).href,
      'bearer token': bearer,
      'key in a header': key,
      cookie,
      'basic password': password,
    },
  };
}

function signed(id: string, port: number): Configured {
  const key = `${canary.word(`${id}key`)}-of-a-signature`;
  const secret = `whsec_${Buffer.from(key).toString('base64')}`;
  const { config, credentials } = webhook(id, port, { signing_secret: secret });
  return { config, credentials: { ...credentials, 'signing secret': secret, 'signing key': key } };
}

/** The address is the credential. */
function hook(field: string, more: object = {}) {
  return (id: string, port: number): Configured => {
    const path = canary.text(`${id}path`);
    const query = canary.text(`${id}query`);
    const url = `http://hooks.echo.test:${port}/${id}/services/${encoded(path)}?sig=${encoded(query)}`;
    return {
      config: { [field]: url, rate_limit: PLENTY, ...more },
      credentials: {
        [`path of ${field}`]: path,
        [`query of ${field}`]: query,
        [field]: new URL(url).href,
      },
    };
  };
}

const thread =
  (delivery_mode: 'thread' | 'board') =>
  (id: string): Configured => {
    const token = `xoxb-${id}-${canary.token(id)}`;
    return {
      config: {
        delivery_mode,
        bot_token: token,
        channel_id: `C0${id.toUpperCase()}`,
        rate_limit: PLENTY,
      },
      credentials: { bot_token: token },
    };
  };

function botchat(parse_mode: 'HTML' | 'MarkdownV2', more: object = {}) {
  return (id: string): Configured => {
    const secret = canary.word(id);
    const token = `${id.replace(/\D/g, '')}:${secret}`;
    return {
      config: {
        token,
        chat_id: -1_001_000_000_000 - Number(id.slice(1)),
        parse_mode,
        rate_limit: PLENTY,
        ...more,
      },
      credentials: { token, 'second half of token': secret },
    };
  };
}

/** Every sink type in every mode. */
export const MODES: readonly Mode[] = [
  { name: 'webhook', type: 'webhook', answers: 'webhook', config: webhook },
  { name: 'webhook, signed', type: 'webhook', answers: 'webhook', config: signed },
  {
    name: 'webhook with a template',
    type: 'webhook',
    answers: 'webhook',
    template: 'good',
    config: (id, port) => webhook(id, port, { enable_renderer: true }),
  },
  {
    name: 'teamchat, text',
    type: 'teamchat',
    answers: 'channel',
    config: hook('webhook_url', { format: 'text' }),
  },
  {
    name: 'teamchat, json',
    type: 'teamchat',
    answers: 'channel',
    config: hook('webhook_url', { format: 'json' }),
  },
  { name: 'teamchat, thread', type: 'teamchat', answers: 'thread', config: thread('thread') },
  { name: 'botchat, HTML', type: 'botchat', answers: 'botchat', config: botchat('HTML') },
  { name: 'botchat, MarkdownV2', type: 'botchat', answers: 'botchat', config: botchat('MarkdownV2') },
  {
    name: 'botchat, in a topic',
    type: 'botchat',
    answers: 'botchat',
    config: botchat('HTML', { message_thread_id: 42, disable_notification: true }),
  },
  ...SINK_TYPES.flatMap((type): Mode[] => {
    const { hook: answers } = SINKS[type];
    return answers === undefined ? [] : [{ name: type, type, answers: type, config: hook(answers.field) }];
  }),
];

/** They send as threads and messages do: some answers are enough. */
export const BOARD_MODES: readonly Mode[] = [
  { name: 'teamchat, board', type: 'teamchat', answers: 'thread board', config: thread('board') },
  {
    name: 'botchat, board',
    type: 'botchat',
    answers: 'botchat board',
    config: botchat('HTML', { delivery_mode: 'board' }),
  },
];
