import { execFile, execFileSync } from 'node:child_process';
import { promisify } from 'node:util';
import { temporary } from './temporary.ts';

function missing(): string {
  try {
    const version = execFileSync('kubectl', ['version', '--client', '-o', 'json'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const { minor } = (JSON.parse(version.toString()) as { clientVersion: { minor: string } }).clientVersion;
    return parseInt(minor, 10) >= 24 ? '' : `kubectl 1.${minor} is older than 1.24`;
  } catch {
    return 'kubectl is not installed';
  }
}

/** Why kubectl cannot be used here; `''` if it can. `--subresource` needs 1.24. */
export const NO_KUBECTL = missing();

/** kubectl with a separate home. Rejects with its stderr. */
export async function kubectlOf(
  kubeconfig: string,
  more: Readonly<Record<string, string>> = {},
): Promise<(...args: readonly string[]) => Promise<string>> {
  const home = await temporary();
  const env = { PATH: process.env.PATH, HOME: home, KUBECONFIG: kubeconfig, ...more };
  return async (...args) => (await promisify(execFile)('kubectl', args, { env })).stdout;
}
