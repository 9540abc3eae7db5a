import { systemClock } from '@hnotif/core/clock';
import { KubeClient } from '../../packages/hnotif/src/cluster/client.ts';
import { accessOf } from '../../packages/hnotif/src/cluster/kubeconfig-access.ts';
import { parseKubeconfig, select } from '../../packages/hnotif/src/cluster/kubeconfig.ts';
import { startForked } from '../forked.ts';

export interface ClusterStarted {
  readonly url: string;
  readonly kubeconfig: string;
  /** The uids of the plans, by their index. */
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

export async function startCluster(plans: number): Promise<Cluster> {
  const forked = await startForked('journal-cluster', String(plans));
  const started = forked.started as ClusterStarted;
  const selection = select([parseKubeconfig(started.kubeconfig, 'devcluster')], undefined);
  const client = new KubeClient({ access: await accessOf(selection, systemClock, {}), clock: systemClock });
  return {
    ...started,
    client,
    report: async () => (await forked.ask('report')) as ClusterReport,
    async stop() {
      await client.close();
      await forked.stop();
    },
  };
}
