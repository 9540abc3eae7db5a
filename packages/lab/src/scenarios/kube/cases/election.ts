import type { Case, Seen } from '../case.ts';
import { nightOf } from '../../../nights.ts';
import { NIGHT } from './nights.ts';

interface LeaseSpec {
  readonly holderIdentity?: string;
  readonly leaseTransitions?: number;
}

export const election: Case = {
  name: 'election',
  about:
    'Two processes: the leader is killed, and the other one takes over. Then it stops and releases the Lease.',
  run: async (stage) => {
    const lease = async (): Promise<LeaseSpec> =>
      (await stage.kube.get(`${stage.ground.leases}/hnotif`)).spec as LeaseSpec;
    await stage.hook();
    await stage.notify();
    await stage.plan('orders');
    const first = await stage.controller();
    await stage.matched();
    const before = await lease();
    const second = await stage.controller();
    const stoodBy = second.servedAt === undefined;
    await nightOf(stage, 'orders');
    await stage.told(NIGHT);
    await first.end('SIGKILL');
    await second.serving;
    const after = await lease();
    await stage.begins('orders', { cycle: 'c2' });
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
