import { fork } from 'node:child_process';
import { once } from 'node:events';
import { systemClock } from '../../packages/hnotif/src/clock.ts';
import { KubeClient } from '../../packages/hnotif/src/cluster/client.ts';
import { accessOf } from '../../packages/hnotif/src/cluster/kubeconfig-access.ts';
import { parseKubeconfig, select } from '../../packages/hnotif/src/cluster/kubeconfig.ts';
import { within } from '../figures.ts';

export interface ClusterStarted {
  readonly url: string;
  readonly kubeconfig: string;
  /** Of the plans, by their index. */
  readonly uids: readonly string[];
}

export interface ClusterReport {
  /** Processor time since the last report, milliseconds. */
  readonly cpuMs: number;
}

/** A control plane in another process, and a client of it over HTTP. */
export interface Cluster extends ClusterStarted {
  readonly client: KubeClient;
  report(): Promise<ClusterReport>;
  stop(): Promise<void>;
}

const LIMIT_MS = 60_000;

export async function startCluster(plans: number): Promise<Cluster> {
  const child = fork(new URL('./journal-cluster.mjs', import.meta.url), [String(plans)]);
  const answer = async (): Promise<unknown> => {
    const [message] = (await within(LIMIT_MS, 'the control plane’s answer', once(child, 'message'))) as [
      unknown,
    ];
    return message;
  };
  const started = (await answer()) as ClusterStarted;
  const selection = select([parseKubeconfig(started.kubeconfig, 'devcluster')], undefined);
  const client = new KubeClient({ access: await accessOf(selection, systemClock, {}), clock: systemClock });
  return {
    ...started,
    client,
    async report() {
      const report = answer();
      child.send('report');
      return (await report) as ClusterReport;
    },
    async stop() {
      await client.close();
      const ended = once(child, 'exit');
      child.disconnect();
      await ended;
    },
  };
}
