import type { Answer } from '../../requests/reply.ts';
import type { SinkSettings } from '../deps.ts';
import type { Outcome } from '../outcome.ts';
import { outcomeOfFailure } from '../outcome-table.ts';
import type { Call } from '../roots/root-client.ts';
import { ABORTED } from '../sink.ts';
import type { BotchatConfig } from './config.ts';
import { outcomeOfAnswer } from './outcomes.ts';

const METHODS = ['sendMessage', 'editMessageText'] as const;
type Method = (typeof METHODS)[number];

/** The method in the path of a request to the Bot API; undefined: the path is another one. */
export const botMethodIn = (pathname: string): Method | undefined =>
  METHODS.find((method) => pathname.endsWith(`/${method}`));

/** What became of a request. */
export interface BotResult {
  /** When it was made (milliseconds since the epoch); undefined: it was not made. */
  readonly sentAt: number | undefined;
  readonly outcome: Outcome;
  /** Undefined: there is none. */
  readonly answer: Answer | undefined;
}

/** The Bot API with one token. */
export interface BotApi {
  readonly urlOf: (method: Method) => URL;
  readonly headers: Readonly<Record<string, string>>;
  /** Texts to remove from everything that the receiver says. */
  readonly credentials: readonly string[];
  /** One request without a delivery. Never rejects. */
  readonly request: (method: Method, fields: object, call: Call) => Promise<BotResult>;
}

export function botApi({ token: secret }: BotchatConfig, settings: SinkSettings): BotApi {
  const { botApiUrl, version, transport, address, threads } = settings;
  const token = secret.reveal();
  const urlOf = (method: Method): URL => new URL(`${botApiUrl}/bot${token}/${method}`);
  const credentials = [
    ...METHODS.map(urlOf).flatMap(({ href, pathname }) => [href, pathname]),
    // The token is part of the address: all forms in which a receiver or a proxy may show it.
    ...[`bot${token}`, token, token.slice(token.indexOf(':') + 1)],
  ];
  const headers = {
    accept: 'application/json',
    'content-type': 'application/json',
    'user-agent': `hnotif/${version}`,
  };
  return {
    ...{ urlOf, headers, credentials },
    async request(method, fields, { answered, signal, slot }) {
      if (!(await slot())) return { sentAt: undefined, outcome: ABORTED, answer: undefined };
      const { clock } = threads;
      const sentAt = clock.now();
      const body = JSON.stringify(fields);
      const request = { url: urlOf(method), owner: address.namespace, headers, body, signal };
      const reply = await transport.post(request);
      if (reply.kind !== 'failed') answered?.(reply.status);
      return reply.kind === 'failed'
        ? { sentAt, outcome: outcomeOfFailure(reply, credentials), answer: undefined }
        : { sentAt, outcome: outcomeOfAnswer(reply, credentials, clock.now()), answer: reply };
    },
  };
}
