import type { Case, Seen } from '../case.ts';
import { begin } from '../../../../../hnotif/src/lifecycle/operator.ts';
import { nightOf } from '../../../nights.ts';
import { NIGHT } from './nights.ts';

interface LeaseSpec {
  readonly holderIdentity?: string;
  readonly leaseTransitions?: number;
}

/** Two processes: the leader is killed, and the other one takes over. Then it stops and releases the Lease. */
export const election: Case = {
  name: 'election',
  run: async (stage) => {
    const lease = async (): Promise<LeaseSpec> =>
      (await stage.kube.get(`${stage.ground.leases}/hnotif`)).spec as LeaseSpec;
    await stage.secret('hook');
    await stage.notification();
    await stage.plan('orders');
    const first = await stage.controller();
    await stage.matched();
    const before = await lease();
    const second = await stage.controller();
    const stoodBy = !second.isServing;
    await nightOf(stage, 'orders');
    await stage.received(NIGHT.length);
    await first.end('SIGKILL');
    await second.serving;
    const after = await lease();
    await stage.write('orders', (status, at) =>
      begin(status, 'shutdown', 'c2', [{ name: 'db', type: 'rds' }], at),
    );
    const told = await stage.told([...NIGHT, 'Start', 'PhaseChange Active Hibernating']);
    await second.end('SIGTERM');
    const seen: Seen[] = [
      ['the second process stood by', String(stoodBy)],
      ['another process holds the Lease', String(before.holderIdentity !== after.holderIdentity)],
      ['leaseTransitions', `+${(after.leaseTransitions ?? 0) - (before.leaseTransitions ?? 0)}`],
      ['told', told],
      ['holder after the stop', JSON.stringify((await lease()).holderIdentity)],
    ];
    return seen;
  },
};
