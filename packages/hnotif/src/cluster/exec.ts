import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { dirname, isAbsolute, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import * as z from 'zod';
import type { Clock } from '@hnotif/core/clock';
import { redact, Secret } from '@hnotif/core/redaction';
import { bearer, FetchedAuth, isToken, NO_TOKEN } from './auth.ts';
import { AccessError, type Authenticator, type Credentials } from './credentials.ts';
import { displayCommand } from './display-path.ts';

/** The `exec` field of a kubeconfig's user. */
export interface ExecConfig {
  readonly apiVersion: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: readonly { readonly name: string; readonly value: string }[];
  readonly installHint: string | undefined;
  /** The cluster information for the plugin; undefined: it does not ask for it. */
  readonly cluster: object | undefined;
}

const VERSIONS = ['client.authentication.k8s.io/v1', 'client.authentication.k8s.io/v1beta1'];
const LIMIT_BYTES = 1024 * 1024;
/** How much of standard error is read, and how much is shown. It is redacted in between, so that no credential is cut in half. */
const READ_CHARS = 16_384;
const STDERR_CHARS = 1000;
const TIMEOUT_MS = 60_000;
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
    const output = await run(clock, command, config, env, signal);
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

/** Kills a plugin and its process group. A process that has left the group may hold the pipes, so they are closed. */
function endGroup({ pid, stdout, stderr }: ChildProcessByStdio<null, Readable, Readable>): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended already.
  }
  stdout.destroy();
  stderr.destroy();
}

function run(
  clock: Clock,
  command: string,
  config: ExecConfig,
  env: Readonly<Record<string, string | undefined>>,
  signal: AbortSignal,
): Promise<string> {
  const info = {
    apiVersion: config.apiVersion,
    kind: 'ExecCredential',
    spec: { interactive: false, ...(config.cluster && { cluster: config.cluster }) },
  };
  const own = Object.fromEntries(config.env.map(({ name, value }) => [name, value]));
  return new Promise((resolvePromise, reject) => {
    const child = spawn(command, config.args, {
      env: { ...env, ...own, KUBERNETES_EXEC_INFO: JSON.stringify(info) },
      stdio: ['ignore', 'pipe', 'pipe'],
      // A separate process group: a plugin is often a script that starts other processes.
      detached: true,
    });
    const out: Buffer[] = [];
    let size = 0;
    let said = '';
    let ended: string | undefined;
    const end = (why: string): void => {
      ended ??= why;
      endGroup(child);
    };
    const stop = (): void => {
      end('was ended, because hnotif is stopping');
    };
    const cancelTimer = clock.after(TIMEOUT_MS, () => {
      end(`did not answer within ${TIMEOUT_MS / 1000} s`);
    });
    const cancel = (): void => {
      cancelTimer();
      signal.removeEventListener('abort', stop);
    };
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    child.stdout.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > LIMIT_BYTES) end('answered with more than 1 MiB');
      else out.push(chunk);
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said = (said + text).slice(0, READ_CHARS);
    });
    const fail = (what: string): void => {
      cancel();
      const summary = `the credential plugin ${nameOf(config)} ${what}`;
      const parts = [
        summary,
        redact(said.trim(), credentialsIn(config, env, Buffer.concat(out).toString('utf8'))).slice(
          0,
          STDERR_CHARS,
        ),
        config.installHint ?? '',
      ];
      reject(new AccessError(parts.filter((part) => part !== '').join(': '), summary));
    };
    child.once('error', (error: NodeJS.ErrnoException) => {
      fail(error.code === 'ENOENT' ? 'was not found' : `cannot be run (${error.code ?? error.name})`);
    });
    child.once('close', (code, signal) => {
      if (ended !== undefined) fail(ended);
      else if (code !== 0)
        fail(code === null ? `ended by ${signal ?? 'a signal'}` : `ended with code ${code}`);
      else {
        cancel();
        resolvePromise(Buffer.concat(out).toString('utf8'));
      }
    });
  });
}

const CREDENTIAL = /token|secret|pass|key|credential|auth|(?:^|_)pat$/i;
/** The password of an address, as of a proxy. */
const PASSWORD = /:\/\/[^/\s@:]*:([^/\s@]+)@/g;

const nameOf = ({ command }: ExecConfig): string => displayCommand(command) ?? 'of exec.command';

/** The credentials that a plugin was given and returned. It may repeat them on standard error. */
function credentialsIn(
  { args, env: own }: ExecConfig,
  env: Readonly<Record<string, string | undefined>>,
  output: string,
): string[] {
  const all = [...Object.entries(env), ...own.map(({ name, value }) => [name, value] as const)];
  const values = all.flatMap(([name, value = '']) => (CREDENTIAL.test(name) ? [value] : []));
  const passwords = [...all.map(([, value = '']) => value), ...args].flatMap((text) =>
    [...text.matchAll(PASSWORD)].map(([, password = '']) => password),
  );
  // `--token=x`, `--client-secret x`.
  const given = args.flatMap((arg, index) => {
    const [name = '', value] = arg.split(/=(.*)/s);
    if (!name.startsWith('-') || !CREDENTIAL.test(name)) return [];
    return value ?? args[index + 1] ?? [];
  });
  const answered = [...output.matchAll(/"(?:token|clientKeyData)"\s*:\s*("(?:[^"\\]|\\.)*")/g)].flatMap(
    ([, text = '']) => [text.slice(1, -1), text.slice(1, -1).replace(/\\(.)/g, '$1')],
  );
  return [...values, ...passwords, ...given, ...answered];
}
