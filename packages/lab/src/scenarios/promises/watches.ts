import { promise, type Stage } from '../../stage.ts';

const PLANS = { resource: 'hibernateplans' };

async function night(
  { team, cluster }: Stage,
  cycle: string,
  disturb: (cluster: Stage['cluster']) => void,
): Promise<void> {
  await team.begins('orders', { cycle });
  disturb(cluster);
  await team.succeeds('orders');
  disturb(cluster);
}

export const watches = promise(
  'watches',
  'watches of plans that end, are cut in a line, or begin again with a list change nothing in the messages',
  async (stage) => {
    await stage.team.plan('orders');
    await night(stage, 'c1', ({ faults }) => faults.cutWatches('end', PLANS));
    await night(stage, 'c2', ({ faults }) => faults.cutWatches('reset', PLANS));
    await night(stage, 'c3', ({ faults }) => {
      // The next watch is cut in the middle of a line.
      faults.add({ ...PLANS, verb: 'watch', times: 1, effect: { kind: 'cut', afterBytes: 700 } });
      faults.cutWatches('end', PLANS);
    });
    // What hnotif had not seen yet would be lost, too.
    await stage.settled();
    await night(stage, 'c4', (cluster) => {
      const from = Date.now();
      cluster.compact();
      cluster.faults.cutWatches('reset', PLANS);
      stage.troubles.push({ kind: 'lost', what: 'old versions are compacted', from, to: Date.now() });
    });
  },
);
