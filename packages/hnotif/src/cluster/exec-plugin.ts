import { spawn, type ChildProcessByStdio } from 'node:child_process';
import type { Readable } from 'node:stream';
import type { Clock } from '@hnotif/core/clock';
import { redact } from '@hnotif/core/redaction';
import { AccessError } from './credentials.ts';
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

const LIMIT_BYTES = 1024 * 1024;
/** How much of standard error is read, and how much is shown. It is redacted in between, so that no credential is cut in half. */
const READ_CHARS = 16_384;
const STDERR_CHARS = 1000;
const TIMEOUT_MS = 60_000;

type Child = ChildProcessByStdio<null, Readable, Readable>;

/** Runs a credential plugin. Resolves with its standard output. Rejects with an `AccessError` that contains its standard error. */
export async function runPlugin(
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
  const child = spawn(command, config.args, {
    env: { ...env, ...own, KUBERNETES_EXEC_INFO: JSON.stringify(info) },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A separate process group: a plugin is often a script that starts other processes.
    detached: true,
  });
  const { output, said, failure } = await endOf(child, clock, signal);
  if (failure === undefined) return output;
  const summary = `the credential plugin ${nameOf(config)} ${failure}`;
  const shown = redact(said.trim(), credentialsIn(config, env, output)).slice(0, STDERR_CHARS);
  const parts = [summary, shown, config.installHint ?? ''].filter((part) => part !== '');
  throw new AccessError(parts.join(': '), summary);
}

interface End {
  readonly output: string;
  /** On standard error. */
  readonly said: string;
  /** Undefined: it ended well. */
  readonly failure: string | undefined;
}

/** Resolves when the plugin has ended. It is killed when it takes too long or writes too much, or when the signal aborts. */
function endOf(child: Child, clock: Clock, signal: AbortSignal): Promise<End> {
  const out: Buffer[] = [];
  let size = 0;
  let said = '';
  let killed: string | undefined;
  const kill = (why: string): void => {
    killed ??= why;
    endGroup(child);
  };
  child.stdout.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size > LIMIT_BYTES) kill('answered with more than 1 MiB');
    else out.push(chunk);
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(0, READ_CHARS);
  });
  const stop = (): void => {
    kill('was ended, because hnotif is stopping');
  };
  const cancelTimer = clock.after(TIMEOUT_MS, () => {
    kill(`did not answer within ${TIMEOUT_MS / 1000} s`);
  });
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  return new Promise((resolve) => {
    const ended = (failure: string | undefined): void => {
      cancelTimer();
      signal.removeEventListener('abort', stop);
      resolve({ output: Buffer.concat(out).toString('utf8'), said, failure });
    };
    child.once('error', (error: NodeJS.ErrnoException) => {
      ended(error.code === 'ENOENT' ? 'was not found' : `cannot be run (${error.code ?? error.name})`);
    });
    child.once('close', (code, by) => {
      const failure = code === null ? `ended by ${by ?? 'a signal'}` : `ended with code ${code}`;
      ended(killed ?? (code === 0 ? undefined : failure));
    });
  });
}

/** Kills a plugin and its process group. A process that has left the group may hold the pipes, so they are closed. */
function endGroup({ pid, stdout, stderr }: Child): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended already.
  }
  stdout.destroy();
  stderr.destroy();
}

const CREDENTIAL = /token|secret|pass|key|credential|auth|(?:^|_)pat$/i;
/** The password of an address, as of a proxy. */
const PASSWORD = /:\/\/[^/\s@:]*:([^/\s@]+)@/g;

/** How messages name the plugin. */
export const nameOf = ({ command }: ExecConfig): string => displayCommand(command) ?? 'of exec.command';

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
