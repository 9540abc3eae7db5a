import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { ClusterFacts } from './cluster-process.ts';

export interface ClusterProcess extends ClusterFacts {
  close(): Promise<void>;
}

/** A control plane whose load is not that of the process that measures. */
export async function startCluster(): Promise<ClusterProcess> {
  const child = fork(join(import.meta.dirname, 'cluster-process.ts'), {
    execArgv: ['--import', 'tsx'],
    cwd: join(import.meta.dirname, '../../../..'),
    env: { PATH: process.env.PATH, HOME: process.env.HOME },
  });
  const ended = once(child, 'exit');
  const [facts] = (await Promise.race([
    once(child, 'message'),
    ended.then(([code]) => {
      throw new Error(`the control plane ended with ${code} before it listened`);
    }),
  ])) as [ClusterFacts];
  const close = async (): Promise<void> => {
    if (child.connected) child.disconnect();
    await ended;
  };
  return { ...facts, close };
}
