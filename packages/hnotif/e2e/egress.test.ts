import type dns from 'node:dns';
import { describe, expect, it, vi } from 'vitest';
import { GROUP, NAMESPACE, World } from './support/world.ts';

type Done = (error: Error | null, addresses: readonly dns.LookupAddress[]) => void;

/** Every name leads to a private address. */
vi.mock('node:dns', async (original) => ({
  ...(await original<typeof dns>()),
  lookup: (_name: string, _options: object, done: Done) => {
    done(null, [{ address: '10.0.0.1', family: 4 }]);
  },
}));

const LEAK = 'db_password=hunter2';

describe('the answer of a receiver at a private address', () => {
  /** A message that the receiver refused; all that is told of it. */
  const refused = async (showPrivateAnswers: boolean): Promise<{ row: string; all: string }> => {
    const world = await World.start();
    await world.secret('n');
    await world.notification('n', { onEvents: ['Start'] });
    await world.plan('orders');
    world.receiver.faults.add({ fault: { kind: 'status', status: 400, body: LEAK }, times: 1 });
    const controller = await world.synced({ showPrivateAnswers });
    await world.hibernate('orders');
    const status = await world.status('n', ({ sinks }) => sinks?.[0]?.consecutiveFailures === 1);
    await controller.stop();
    const told = await Promise.all(
      [
        world.notificationPath('n'),
        `/apis/${GROUP}/v1alpha1/namespaces/${NAMESPACE}/hibernatenotificationjournals`,
        `/api/v1/namespaces/${NAMESPACE}/events`,
      ].map(async (path) => JSON.stringify(await world.kube.get(path))),
    );
    return { row: status.sinks?.[0]?.message ?? '', all: [...told, ...world.log].join('\n') };
  };

  it('is not shown to a tenant in status, Event, journal or log; its status code is shown', async () => {
    const { row, all } = await refused(false);
    expect(row).toMatch(/answered 400 \(what else it says is not shown, .*--show-private-answers\)/);
    expect(all).toContain('DeliveryFailed');
    expect(all).not.toContain('hunter2');
  });

  it('is shown if the operator permits it', async () => {
    const { row, all } = await refused(true);
    expect(row).toContain(LEAK);
    expect(all.match(/hunter2/g)?.length).toBeGreaterThan(1);
  });
});

describe('an address that is not public', () => {
  it.each([
    ['https://localhost:9443/hook', 'localhost'],
    ['https://127.0.0.1:9443/hook', '127.0.0.1'],
    ['https://10.0.0.1/hook', '10.0.0.1'],
    ['https://[fd00::1]/hook', 'fd00::1'],
  ])('%s is refused at once, in the condition, with the remedy', async (url, host) => {
    const world = await World.start();
    await world.configure('n', { url });
    await world.notification('n', { onEvents: ['Start'] });
    await world.synced({ egressAllow: [] });
    const { conditions } = await world.status('n', (status) => status.conditions?.[0]?.status === 'False');
    expect(conditions?.[0]).toMatchObject({ reason: 'ConfigInvalid' });
    expect(conditions?.[0]?.message).toContain(`${host} may not be connected to: it has no public address`);
    expect(conditions?.[0]?.message).toContain('--egress-allow');
  });

  it('is refused also if a name resolves to it, and the sink waits for another configuration', async () => {
    const world = await World.start();
    await world.configure('n', { url: 'https://inside.example/hook' });
    await world.notification('n', { onEvents: ['Start'] });
    await world.plan('orders');
    await world.synced({ egressAllow: [] });
    await world.hibernate('orders');
    const { conditions } = await world.status('n', (status) => status.conditions?.[0]?.status === 'False');
    expect(conditions?.[0]).toMatchObject({ reason: 'EgressRefused' });
    expect(conditions?.[0]?.message).toContain('inside.example may not be connected to: it has no public');
  });
});
