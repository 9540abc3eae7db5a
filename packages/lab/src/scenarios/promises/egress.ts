import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { promise } from '../../stage.ts';
import { TurnedClock } from '../../turned-clock.ts';

export const egress = promise(
  'egress',
  'a server at an address that is not permitted gets no connection, and the messages of other sinks arrive meanwhile',
  async (stage) => {
    const { world, team } = stage;
    let connections = 0;
    const inside = createServer((socket) => {
      connections++;
      socket.destroy();
    }).listen(0, '127.0.0.2');
    world.closes(() => inside.close());
    await once(inside, 'listening');
    await team.secret('inside', { url: `https://127.0.0.2:${(inside.address() as AddressInfo).port}/` });
    await team.notification('inside', { sinks: ['inside'] });
    await team.plan('orders');
    await team.begins('orders');
    await team.succeeds('orders');
    await stage.told('Success');
    await world.status('inside', ({ conditions }) => conditions?.[0]?.status === 'False');
    if (connections > 0) throw new Error(`${connections} connections`);
    // Its messages would wait for another configuration.
    await world.kube.delete(world.notificationPath('inside'));
  },
  () => ({ clock: new TurnedClock(), controller: { egressAllow: ['127.0.0.1/32'] } }),
);
