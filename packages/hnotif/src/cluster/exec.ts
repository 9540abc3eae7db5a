import { dirname, isAbsolute, resolve } from 'node:path';
import * as z from 'zod';
import type { Clock } from '@hnotif/core/clock';
import { Secret } from '@hnotif/core/redaction';
import { bearer, FetchedAuth, isToken, NO_TOKEN } from './auth.ts';
import { AccessError, type Authenticator, type Credentials } from './credentials.ts';
import { type ExecConfig, nameOf, runPlugin } from './exec-plugin.ts';

const VERSIONS = ['client.authentication.k8s.io/v1', 'client.authentication.k8s.io/v1beta1'];
/** A token is renewed this long before it expires (milliseconds). */
const SKEW_MS = 10_000;

const answerSchema = z.object({
  apiVersion: z.string(),
  kind: z.literal('ExecCredential'),
  status: z.object({
    token: z.string().min(1).optional(),
    clientCertificateData: z.string().min(1).optional(),
    clientKeyData: z.string().min(1).optional(),
    expirationTimestamp: z.string().optional(),
  }),
});

/**
 * Credentials from a plugin (Kubernetes' "client-go credential plugins"), cached until their `expirationTimestamp` and fetched again after
 * a 401. `file`: the kubeconfig; a command with a slash is relative to it. The error of a failed plugin contains its standard error, never
 * its standard output.
 */
export function execAuth(
  clock: Clock,
  config: ExecConfig,
  file: string,
  env: Readonly<Record<string, string | undefined>>,
  base: Credentials = {},
): Authenticator {
  if (!VERSIONS.includes(config.apiVersion))
    throw new AccessError(`${file}: users.exec.apiVersion must be one of ${VERSIONS.join(', ')}`);
  const hasPath = config.command.includes('/') || config.command.includes('\\');
  const command =
    hasPath && !isAbsolute(config.command) ? resolve(dirname(file), config.command) : config.command;
  return new FetchedAuth(clock, async (signal) => {
    const output = await runPlugin(clock, command, config, env, signal);
    return { ...readAnswer(output, config, base), monotonic: Infinity };
  });
}

function readAnswer(
  output: string,
  config: ExecConfig,
  base: Credentials,
): { credentials: Credentials; wall: number } {
  const refuse = (what: string): AccessError =>
    new AccessError(`the credential plugin ${nameOf(config)} ${what}`);
  let json: unknown;
  try {
    json = JSON.parse(output);
  } catch {
    throw refuse('did not answer with JSON');
  }
  const parsed = answerSchema.safeParse(json);
  if (!parsed.success) {
    const fields = parsed.error.issues.map((issue) => issue.path.join('.') || 'the whole answer');
    throw refuse(`returned an invalid ExecCredential: see ${fields.join(', ')}`);
  }
  const { apiVersion, status } = parsed.data;
  if (apiVersion !== config.apiVersion)
    throw refuse(`answered in another version than the kubeconfig asks for (${config.apiVersion})`);
  const { token, clientCertificateData: cert, clientKeyData: key, expirationTimestamp } = status;
  if ((cert === undefined) !== (key === undefined))
    throw refuse('gave one of clientCertificateData and clientKeyData without the other');
  if (token === undefined && cert === undefined) throw refuse('gave neither a token nor a certificate');
  if (token !== undefined && !isToken(token)) throw refuse(`gave a token that ${NO_TOKEN}`);
  const expires = expirationTimestamp === undefined ? Infinity : Date.parse(expirationTimestamp);
  if (Number.isNaN(expires)) throw refuse('gave an expirationTimestamp that is not an RFC 3339 time');
  return {
    credentials: {
      ...base,
      ...(token !== undefined && { authorization: bearer(token) }),
      ...(cert !== undefined && key !== undefined && { clientCertificate: { cert, key: new Secret(key) } }),
    },
    wall: expires - SKEW_MS,
  };
}
