import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { systemClock, type Clock } from '@hnotif/core/clock';
import { openAccess, type AccessSource } from './access-source.ts';
import { AccessError, type ClusterAccess } from './credentials.ts';
import { findInCluster } from './in-cluster.ts';
import { displayPath } from './display-path.ts';
import type { KubeconfigFile } from './kubeconfig.ts';

export { AccessError, openAccess };
export type { AccessSource, ClusterAccess };

export interface AccessOptions {
  /** Path of a kubeconfig. Takes precedence over everything else. */
  readonly kubeconfig?: string | undefined;
  /** Default: the kubeconfig's current context. A pod's service account has none. */
  readonly context?: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Default: the system's. */
  readonly clock?: Clock;
  /** Where a pod's service account is; for tests. */
  readonly serviceAccountFolder?: string;
}

/** Finds the access to a cluster and opens it: `findAccess`, then `openAccess`. */
export async function loadAccess(options: AccessOptions): Promise<ClusterAccess> {
  const { clock = systemClock, env } = options;
  return openAccess(await findAccess(options), { clock, env });
}

/**
 * Finds the access to a cluster: the kubeconfig of the option, else `KUBECONFIG` (a list of files; as in kubectl, missing files are
 * skipped), else the pod's service account, else `~/.kube/config`. Throws an `AccessError` that names the file and the field.
 */
export async function findAccess(options: Omit<AccessOptions, 'clock'>): Promise<AccessSource> {
  const { kubeconfig, context, env, serviceAccountFolder } = options;
  const named = kubeconfig === undefined ? undefined : [kubeconfig];
  const listed = env.KUBECONFIG?.split(delimiter).filter((path) => path !== '');
  const paths = named ?? (listed?.length ? listed : undefined);
  // Only a kubeconfig has contexts.
  const pod =
    paths === undefined && context === undefined ? findInCluster(env, serviceAccountFolder) : undefined;
  if (pod !== undefined) return { kind: 'in-cluster', pod };
  // A pod does not load the parser of YAML.
  const { parseKubeconfig, select } = await import('./kubeconfig.ts');
  const wanted = paths ?? [join(env.HOME ?? homedir(), '.kube', 'config')];
  const files: KubeconfigFile[] = [];
  for (const path of wanted) {
    const content = await readKubeconfig(path, named !== undefined);
    if (content !== undefined) files.push(parseKubeconfig(content, path));
  }
  if (files.length === 0)
    throw new AccessError(
      paths === undefined
        ? `no cluster: this is not a pod, KUBECONFIG is not set and ${wanted.join(', ')} does not exist; name a kubeconfig with --kubeconfig`
        : `KUBECONFIG names${shownList(wanted)}, which does not exist${wanted.map(hint).find(Boolean) ?? ''}`,
    );
  return { kind: 'kubeconfig', selection: select(files, context) };
}

/** Text that is not a path is probably the content of the file. */
const hint = (path: string): string =>
  displayPath(path) === ''
    ? '; what it names is not shown, since it may be no path: give the path of a file'
    : '';

const shownList = (paths: readonly string[]): string =>
  paths.every((path) => displayPath(path) !== '') ? paths.map(displayPath).join(',') : ' what';

async function readKubeconfig(path: string, mustExist: boolean): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' && !mustExist) return undefined;
    const why = code === 'ENOENT' ? 'does not exist' : `cannot be read (${code ?? 'unknown error'})`;
    throw new AccessError(`the kubeconfig${displayPath(path)} ${why}${hint(path)}`);
  }
}
