import { dirname, resolve } from 'node:path';
import { LineCounter, parseDocument } from 'yaml';
import * as z from 'zod';
import { AccessError } from './credentials.ts';

// Unknown fields are allowed: other tools have theirs in the same file.
const text = z.string().min(1);

export const clusterSchema = z.object({
  server: z.string(),
  'certificate-authority': text.optional(),
  'certificate-authority-data': text.optional(),
  'insecure-skip-tls-verify': z.boolean().optional(),
  'tls-server-name': text.optional(),
  'proxy-url': text.optional(),
});

export const execSchema = z.object({
  apiVersion: z.string(),
  command: text,
  args: z.array(z.string()).nullish(),
  env: z.array(z.object({ name: text, value: z.string() })).nullish(),
  installHint: z.string().optional(),
  provideClusterInfo: z.boolean().optional(),
  interactiveMode: z.enum(['Never', 'IfAvailable', 'Always']).optional(),
});

export const userSchema = z.object({
  token: text.optional(),
  tokenFile: text.optional(),
  'client-certificate': text.optional(),
  'client-certificate-data': text.optional(),
  'client-key': text.optional(),
  'client-key-data': text.optional(),
  username: text.optional(),
  password: z.string().optional(),
  exec: execSchema.nullish(),
  'auth-provider': z.object({ name: z.string() }).nullish(),
});

const contextSchema = z.object({
  cluster: text,
  user: z.string().optional(),
  namespace: z.string().optional(),
});

const fileSchema = z.object({
  'current-context': z.string().nullish(),
  clusters: z.array(z.object({ name: text, cluster: clusterSchema })).nullish(),
  users: z.array(z.object({ name: text, user: userSchema.nullish() })).nullish(),
  contexts: z.array(z.object({ name: text, context: contextSchema })).nullish(),
});

export type Cluster = z.infer<typeof clusterSchema>;
export type User = z.infer<typeof userSchema>;
export type Exec = z.infer<typeof execSchema>;
export type KubeconfigFile = z.infer<typeof fileSchema> & { readonly file: string };

/** The context of a kubeconfig, and the files of its parts. Paths are absolute. */
export interface Selection {
  readonly context: string;
  readonly namespace: string;
  readonly cluster: Cluster;
  readonly clusterFile: string;
  readonly user: User;
  readonly userFile: string;
}

/** Parses a kubeconfig; `file`: its path. Throws an `AccessError` that names file and field, without values. */
export function parseKubeconfig(content: string, file: string): KubeconfigFile {
  const lines = new LineCounter();
  // Pretty errors would quote the line, which may hold a token.
  const document = parseDocument(content, {
    version: '1.1',
    prettyErrors: false,
    lineCounter: lines,
    // Warnings would be printed.
    logLevel: 'error',
  });
  const [error] = document.errors;
  if (error !== undefined) {
    const { line, col } = lines.linePos(error.pos[0]);
    throw new AccessError(`${file} is not YAML: line ${line}, column ${col}`);
  }
  let value: unknown;
  try {
    value = document.toJS() ?? {};
  } catch {
    throw new AccessError(`${file} is not YAML that can be read: see its aliases`);
  }
  const parsed = fileSchema.safeParse(value);
  if (parsed.success) return { ...parsed.data, file };
  const { issues } = parsed.error;
  if (issues.some(({ path }) => path.length === 0))
    throw new AccessError(`${file} is not a kubeconfig: it must be an object of YAML or JSON`);
  throw new AccessError(
    `${file}: ${issues.map((issue) => `${pathText(issue.path)} must ${wants(issue)}`).join('; ')}`,
  );
}

const TYPES: Readonly<Record<string, string>> = {
  string: 'be text',
  array: 'be a list',
  object: 'be an object',
  boolean: 'be true or false',
};

/** Our own text: the library's may quote the value. */
function wants(issue: z.core.$ZodIssue): string {
  if (issue.code === 'too_small') return 'not be empty';
  if (issue.code === 'invalid_value') return `be one of ${issue.values.join(', ')}`;
  return (issue.code === 'invalid_type' ? TYPES[issue.expected] : undefined) ?? 'be otherwise';
}

const pathText = (path: readonly PropertyKey[]): string =>
  path
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`))
    .join('')
    .slice(1);

/**
 * Selects a context from one or more files, merged as in kubectl: the first file with a cluster, user, context or current context of that
 * name counts. Throws an `AccessError` when something is missing.
 */
export function select(files: readonly KubeconfigFile[], wanted: string | undefined): Selection {
  const all = files.map(({ file }) => file).join(', ');
  const context = wanted ?? files.map((file) => file['current-context']).find(Boolean);
  if (!context) throw new AccessError(`${all}: there is no current-context; name one with --context`);
  const found = find(files, ({ contexts }) => contexts?.find(({ name }) => name === context)?.context);
  if (found === undefined) throw new AccessError(`${all}: contexts has no ${context}`);
  const { cluster: clusterName, user: userName = '', namespace } = found.value;
  const cluster = find(files, ({ clusters }) => clusters?.find(({ name }) => name === clusterName)?.cluster);
  if (cluster === undefined)
    throw new AccessError(
      `${found.file}: context ${context} names cluster ${clusterName}, which is not there`,
    );
  const user =
    userName === ''
      ? { value: {}, file: found.file }
      : find(files, ({ users }) => {
          const entry = users?.find(({ name }) => name === userName);
          return entry === undefined ? undefined : (entry.user ?? {});
        });
  if (user === undefined)
    throw new AccessError(`${found.file}: context ${context} names user ${userName}, which is not there`);
  return {
    context,
    namespace: namespace ?? 'default',
    cluster: withPaths(cluster.value, ['certificate-authority'], cluster.file),
    clusterFile: cluster.file,
    user: withPaths(user.value, ['tokenFile', 'client-certificate', 'client-key'], user.file),
    userFile: user.file,
  };
}

function find<V>(
  files: readonly KubeconfigFile[],
  pick: (file: KubeconfigFile) => V | undefined,
): { value: V; file: string } | undefined {
  for (const file of files) {
    const value = pick(file);
    if (value !== undefined) return { value, file: file.file };
  }
  return undefined;
}

/** Resolves paths relative to their file. */
function withPaths<V extends object>(value: V, keys: readonly (keyof V)[], file: string): V {
  const copy = { ...value };
  for (const key of keys) {
    const path = copy[key];
    if (typeof path === 'string') copy[key] = resolve(dirname(file), path) as V[typeof key];
  }
  return copy;
}
