import { createNamespace } from '../../objects.ts';
import { promise } from '../../stage.ts';
import { Team } from '../../team.ts';
import { TurnedClock } from '../../turned-clock.ts';
import { inParallel } from '../../wait.ts';

/** Requests in flight to an origin. A namespace alone gets half of them. */
const REQUESTS = 8;

export const shares = promise(
  'shares',
  'a team whose path never answers takes only its share of the requests to an origin: another team of this origin gets all messages meanwhile',
  async (stage) => {
    const { world, team, receiver } = stage;
    const neighbour = new Team('team-b', world.kube);
    await createNamespace(world.kube, neighbour.namespace);
    receiver.faults.add({ match: { path: '/hangs' }, fault: { kind: 'hang' } });
    await neighbour.secret('hangs', { url: `${receiver.url}hangs` });
    await neighbour.notification('n', { sinks: ['hangs'] });
    const plans = 2 * REQUESTS;
    await inParallel(plans, (index) => neighbour.plan(`p${index}`));
    await team.plan('orders');
    await inParallel(plans, (index) => neighbour.begins(`p${index}`));
    await stage.asked(REQUESTS / 2);
    await team.begins('orders');
    await team.succeeds('orders');
    await stage.told('Success');
  },
  // A request that hangs ends only when all this is over.
  () => ({
    clock: new TurnedClock({ heldMs: 5_000 }),
    controller: { limits: { requestsPerOrigin: REQUESTS } },
  }),
);
