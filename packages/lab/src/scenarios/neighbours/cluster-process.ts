/** The control plane in a separate process, with TLS and authentication. It ends with its parent. */
import { startDevCluster } from '@hnotif/devcluster';
import { ACCOUNT } from '../../rights.ts';

/** The first message to the parent. */
export interface ClusterFacts {
  readonly url: string;
  readonly ca: string | undefined;
  /** The kubeconfig of the controller, with the rights of its service account. */
  readonly kubeconfig: string;
  /** By user. */
  readonly tokens: Readonly<Record<'admin' | 'attacker', string>>;
}

const cluster = await startDevCluster({ tls: true, auth: true });
process.on('disconnect', () => process.exit());
const { users, url, ca } = cluster;
const facts: ClusterFacts = {
  ...{ url, ca },
  kubeconfig: cluster.kubeconfig({ token: users.token(ACCOUNT) }),
  tokens: {
    admin: users.token('admin', { groups: ['system:masters'] }),
    attacker: users.token('attacker'),
  },
};
process.send?.(facts);
