import { chmod, lstat, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';

/**
 * Writes the kubeconfig of a control plane where it stands at each start, so that a terminal that was told of it once knows it the next
 * time, too. The port is part of the name where it is not the usual one: two that run at once have a file each. `folder` is for temporary files.
 * Answers with the path. Its user alone can read it.
 */
export async function writeKubeconfig(
  content: string,
  {
    port,
    usualPort,
    folder = tmpdir(),
  }: {
    readonly port: number;
    readonly usualPort: number;
    readonly folder?: string;
  },
): Promise<string> {
  const name = port === usualPort ? 'kubeconfig' : `kubeconfig-${port}`;
  const path = join(await ownFolder(folder), name);
  // A process that was killed has left its own.
  await rm(path, { force: true });
  await writeFile(path, content, { mode: 0o600, flag: 'wx' });
  return path;
}

/** A folder of this user alone. Where another one has taken the name, a new one. */
async function ownFolder(within: string): Promise<string> {
  const { uid } = userInfo();
  const folder = join(within, uid < 0 ? 'hnotif-dev' : `hnotif-dev-${uid}`);
  await mkdir(folder, { mode: 0o700 }).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  });
  const found = await lstat(folder);
  if (!found.isDirectory() || (uid >= 0 && found.uid !== uid)) return mkdtemp(join(within, 'hnotif-dev-'));
  await chmod(folder, 0o700);
  return folder;
}
