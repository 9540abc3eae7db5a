import type { IncomingHttpHeaders } from 'node:http';
import { stringOf } from './arguments.ts';
import { refuse, type Refusal } from './ruling.ts';
import type { Fields } from '@hnotif/judges/slack';

export interface TokenSettings {
  /** Default `chat:write`, `channels:history`, `groups:history`. */
  readonly scopes?: readonly string[];
  /** The error for the token. Default: none. */
  readonly refused?: 'account_inactive' | 'token_revoked' | 'token_expired' | 'invalid_auth';
  /** The bot that posts with it. Default `B0HNOTIF`. chat.update changes only its own messages. */
  readonly bot?: string;
}

/** A valid token. */
export interface Bearer {
  readonly token: string;
  readonly bot: string;
  readonly scopes: readonly string[];
}

const DEFAULT_SCOPES = ['chat:write', 'channels:history', 'groups:history'];

/** The tokens of a workspace's apps. */
export class Tokens {
  readonly #tokens: Map<string, TokenSettings>;

  constructor(tokens: Readonly<Record<string, TokenSettings>>) {
    this.#tokens = new Map(Object.entries(tokens));
  }

  set(token: string, settings: TokenSettings): void {
    this.#tokens.set(token, { ...this.#tokens.get(token), ...settings });
  }

  /** The caller. The token is in the header, or in a form's fields. It is not read from JSON. */
  bearer(headers: IncomingHttpHeaders, fields: Fields, isJson: boolean): Bearer | Refusal {
    const header = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1];
    const token = header ?? (isJson ? undefined : stringOf(fields.token));
    if (token === undefined) return refuse('not_authed');
    const known = this.#tokens.get(token);
    if (known === undefined) return refuse('invalid_auth');
    if (known.refused !== undefined) return refuse(known.refused);
    return { token, bot: known.bot ?? 'B0HNOTIF', scopes: known.scopes ?? DEFAULT_SCOPES };
  }
}

/** Slack's refusal for a token without any of these scopes; undefined if it has one. */
export function missingScope({ scopes }: Bearer, ...needed: readonly string[]): Refusal | undefined {
  if (needed.some((scope) => scopes.includes(scope))) return undefined;
  return refuse('missing_scope', { more: { needed: needed.join(','), provided: scopes.join(',') } });
}
