import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { TLSSocket } from 'node:tls';

import type { Authority, Certificate } from './authority.ts';

/** A user. */
export interface User {
  readonly name: string;
  readonly groups: readonly string[];
}

/** The user of every request without authentication, as on a real server. */
export const ANONYMOUS: User = { name: 'system:anonymous', groups: ['system:unauthenticated'] };

/** The credentials of a client. */
export type UserCredentials = { readonly token: string } | Certificate;

export interface UserOptions {
  /** Default none. All users are in `system:authenticated`; service accounts also have their own groups. */
  readonly groups?: readonly string[];
}

/** The users of a server. As in Kubernetes there is no list of users: each valid credential is a user. */
export interface Users {
  /**
   * A bearer token of this user. `system:serviceaccount:NAMESPACE:NAME` is a service account; the group
   * `system:masters` may do everything.
   */
  token(
    name: string,
    options?: UserOptions & {
      /** Milliseconds since the epoch; default never. */ readonly expiresAt?: number;
    },
  ): string;
  /** From now on the token is answered 401. Requests in flight, including watches, continue. */
  revoke(token: string): void;
  /**
   * A client certificate signed by the cluster's authority: CN is the name, O the groups.
   *
   * @throws Error without `tls`
   */
  certificate(name: string, options?: UserOptions): Certificate;
}

const AUTHENTICATED = 'system:authenticated';

/** Identifies users by their tokens and certificates. */
export class UserList implements Users {
  readonly #authority: Authority | undefined;
  readonly #now: () => number;
  readonly #tokens = new Map<string, { readonly user: User; readonly expiresAt: number }>();

  constructor(authority: Authority | undefined, now: () => number) {
    this.#authority = authority;
    this.#now = now;
  }

  token(name: string, options: UserOptions & { readonly expiresAt?: number } = {}): string {
    const { groups = [], expiresAt = Infinity } = options;
    const token = randomBytes(24).toString('base64url');
    this.#tokens.set(token, { user: { name, groups }, expiresAt });
    return token;
  }

  revoke(token: string): void {
    this.#tokens.delete(token);
  }

  certificate(name: string, { groups = [] }: UserOptions = {}): Certificate {
    if (!this.#authority) throw new Error('client certificates need a cluster with `tls: true`');
    return this.#authority.client({ name, groups });
  }

  /** The user of a request: by the certificate of its connection, else by its token; undefined if neither is valid. */
  identify(request: IncomingMessage): User | undefined {
    const certificate = certified(request);
    if (certificate) return withGroups(certificate);
    const [, token = ''] = /^Bearer\s+(\S+)$/i.exec(request.headers.authorization ?? '') ?? [];
    return this.ofToken(token);
  }

  /** The user of a token; undefined if it is invalid or has expired. */
  ofToken(token: string): User | undefined {
    const known = this.#tokens.get(token);
    return known && this.#now() < known.expiresAt ? withGroups(known.user) : undefined;
  }
}

const withGroups = ({ name, groups }: User): User => ({
  name,
  groups: [...groups, ...serviceAccountGroups(name), AUTHENTICATED],
});

/** CN and O of a certificate that this authority has signed. */
function certified({ socket }: IncomingMessage): User | undefined {
  if (!(socket instanceof TLSSocket) || !socket.authorized) return undefined;
  // A resumed session counts as authorized, also without a certificate.
  const subject = socket.getPeerX509Certificate()?.toLegacyObject().subject;
  const { CN: name, O: groups = [] } = (subject ?? {}) as { CN?: string; O?: string | string[] };
  return name === undefined ? undefined : { name, groups: [groups].flat() };
}

function serviceAccountGroups(name: string): string[] {
  const [, namespace] = /^system:serviceaccount:([^:]+):[^:]+$/.exec(name) ?? [];
  return namespace === undefined ? [] : ['system:serviceaccounts', `system:serviceaccounts:${namespace}`];
}
