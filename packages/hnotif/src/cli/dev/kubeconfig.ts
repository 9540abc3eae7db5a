import { chmod, lstat, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';

/**
 * Writes the kubeconfig of a control plane to the same path at each start, so that KUBECONFIG stays valid in a terminal. Only the user can
 * read it. A port that is not the usual one is part of the name, so that two control planes have two files. `folder`: for temporary
 * files. Returns the path.
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
  // A killed process has left its file.
  await rm(path, { force: true });
  await writeFile(path, content, { mode: 0o600, flag: 'wx' });
  return path;
}

/** A folder that only this user can read. If the name belongs to another user, a new folder. */
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
