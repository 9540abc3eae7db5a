import { join } from 'node:path';
import { startWebhookReceiver } from '@hnotif/receivers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { begin, poll, succeed } from '@hnotif/core/lifecycle';
import { kubectlOf, NO_KUBECTL } from './support/kubectl.ts';
import { NAMESPACE, SIGNING_SECRET, metricsOf, World } from './support/world.ts';

const reason = NO_KUBECTL;
const EXAMPLES = join(import.meta.dirname, '../../../examples');

/** A table of kubectl's as rows of columns. */
const rows = (table: string) =>
  table
    .trim()
    .split('\n')
    .map((line) => line.split(/ {2,}/));

describe.skipIf(reason !== '')(`kubectl${reason && ` (skipped: ${reason})`}`, () => {
  it('apply keeps a suspension that its manifest does not have, and removes one that it had', async () => {
    const world = await World.start();
    const kubectl = await kubectlOf(await world.kubeconfig());
    const spec = {
      selector: { matchLabels: {} },
      onEvents: ['Start'],
      sinks: [{ name: 'n', type: 'webhook', secretRef: { name: 'n' } }],
    };
    const applied = async (more: object): Promise<unknown> => {
      const metadata = { name: 'n', namespace: NAMESPACE };
      const manifest = {
        ...{ apiVersion: 'hibernation.dev/v1alpha1', kind: 'HibernateNotification', metadata },
        spec: { ...spec, ...more },
      };
      await kubectl('apply', '-f', await world.file('n', JSON.stringify(manifest)));
      return ((await world.kube.get(world.notificationPath('n'))) as { spec: { suspend?: unknown } }).spec
        .suspend;
    };
    await applied({});
    await world.kube.patch(world.notificationPath('n'), { spec: { suspend: true } });
    expect(await applied({})).toBe(true);
    expect(await applied({ onEvents: ['Success'] })).toBe(true);
    expect(await applied({ suspend: false })).toBe(false);
  });

  it('applies the examples, and shows the matched plans and the readiness', async () => {
    const world = await World.start();
    const kubectl = await kubectlOf(await world.kubeconfig());
    await world.synced();
    await kubectl('apply', '-f', EXAMPLES);
    await kubectl('wait', '-n', 'hnotif-demo', 'hnotif', '--all', '--for=condition=Ready', '--timeout=20s');
    const [header, ...notifications] = rows(await kubectl('get', 'hnotif', '-n', 'hnotif-demo'));
    expect(header).toEqual(['NAME', 'MATCHED', 'READY', 'REASON', 'WAITING', 'AGE']);
    expect(notifications.map((row) => row.slice(0, 5))).toEqual([
      ['oncall', '2', 'True', 'SinksReady', '0'],
      ['outcomes', '3', 'True', 'SinksReady', '0'],
      ['storefront', '3', 'True', 'SinksReady', '0'],
      ['storefront-nights', '1', 'True', 'SinksReady', '0'],
    ]);
    const wide = rows(await kubectl('get', 'hnotif', 'oncall', '-n', 'hnotif-demo', '-o', 'wide'));
    expect(wide[0]?.slice(-2)).toEqual(['DURABLE', 'MESSAGE']);
    expect(wide[1]?.slice(-2)).toEqual(['True', expect.stringMatching(/(the sink is|sinks are) ready/)]);
    expect(rows(await kubectl('get', 'hplan', '-A'))[0]).toEqual(
      expect.arrayContaining(['NAMESPACE', 'NAME', 'PHASE', 'OPERATION', 'CYCLE']),
    );
  });

  it('applies the CRDs of deploy/crds, which are those of hnotif crds', async () => {
    const world = await World.start({ crds: false });
    const kubectl = await kubectlOf(await world.kubeconfig());
    const crds = join(import.meta.dirname, '../../../deploy/crds');
    expect(rows(await kubectl('apply', '-k', crds))).toEqual([
      [expect.stringMatching(/\/hibernatenotificationjournals\.hibernation\.dev created$/)],
      [expect.stringMatching(/\/hibernatenotifications\.hibernation\.dev created$/)],
    ]);
    await world.notification('n', { onEvents: ['Start'] });
  });

  it('edits a selector, and Matched follows', async () => {
    const world = await World.start();
    const script = '#!/bin/sh\nsed -i "s/team: storefront/team: checkout/" "$1"\n';
    const editor = await world.file('editor', script, 0o755);
    const kubectl = await kubectlOf(await world.kubeconfig(), { KUBE_EDITOR: editor });
    await world.synced();
    await kubectl('apply', '-f', EXAMPLES);
    const edit = ['edit', 'hnotif', 'storefront', '-n', 'hnotif-demo'];
    await kubectl(...edit);
    const wait = ['wait', '-n', 'hnotif-demo', 'hnotif/storefront', '--timeout=20s'];
    await kubectl(...wait, '--for=jsonpath={.status.matched}=0');
    await kubectl('label', 'hplan', 'checkout', '-n', 'hnotif-demo', 'team=checkout', '--overwrite');
    await kubectl(...wait, '--for=jsonpath={.status.matched}=1');
  });

  it('patches a plan’s status: the failure is sent, and describe shows it with its Event', async () => {
    const world = await World.start();
    const kubectl = await kubectlOf(await world.kubeconfig());
    await world.secret('n');
    await world.notification('n', { onEvents: ['PhaseChange'] });
    await world.plan('orders');
    world.receiver.faults.add({ fault: { kind: 'status', status: 403, body: 'who are you?' } });
    await world.synced();
    const patch = '{"status":{"phase":"Suspended"}}';
    await kubectl(
      'patch',
      'hplan',
      'orders',
      '-n',
      NAMESPACE,
      '--subresource=status',
      '--type=merge',
      '-p',
      patch,
    );
    await world.status('n', (status) => status.sinks?.[0]?.consecutiveFailures === 1);
    const described = await kubectl('describe', 'hnotif', 'n', '-n', NAMESPACE);
    expect(described).toMatch(/Consecutive Failures:\s+1/);
    expect(described).toMatch(
      /Warning\s+SinkQuarantined\s.*hnotif\s+sink n: Forbidden: .*403.*who are you\?/,
    );
  });

  it('is refused a notification that breaks a rule, with the field named', async () => {
    const world = await World.start();
    const kubectl = await kubectlOf(await world.kubeconfig());
    await kubectl('apply', '-f', EXAMPLES);
    const patch = (spec: object) =>
      kubectl(
        'patch',
        'hnotif',
        'oncall',
        '-n',
        'hnotif-demo',
        '--type=merge',
        '-p',
        JSON.stringify({ spec }),
      );
    await expect(patch({ onEvents: ['Explosion'] })).rejects.toThrow(
      /"oncall" is invalid:[\s*]+spec\.onEvents\[0\]: Unsupported value: "Explosion"/,
    );
    await expect(patch({ sinks: [] })).rejects.toThrow(/spec\.sinks/);
  });

  it('deletes a notification: its deliveries are dropped, its reports end, the others continue', async () => {
    const world = await World.start();
    const kubectl = await kubectlOf(await world.kubeconfig());
    const hanging = await startWebhookReceiver({ signingSecrets: [SIGNING_SECRET] });
    onTestFinished(() => hanging.close());
    hanging.faults.add({ fault: { kind: 'hang' } });
    await world.secret('stays');
    await world.secret('gone', { url: hanging.url });
    for (const name of ['gone', 'stays'])
      await world.notification(name, { onEvents: ['Start', 'PhaseChange'] });
    await world.plan('orders');
    const controller = await world.synced();
    const db = [{ name: 'db', type: 'rds' }];
    await world.write('orders', (status, at) => begin(status, 'shutdown', 'c1', db, at));
    await world.received(2, 'stays');
    await hanging.waitFor((records) => records.length === 1);

    await kubectl('delete', 'hnotif', 'gone', '-n', NAMESPACE);
    // Notifications change in one order: who has seen this has seen that the other is gone.
    await world.kube.patch(world.notificationPath('stays'), { spec: { onEvents: ['Start', 'Success'] } });
    await world.status('stays', ({ conditions }) => conditions?.[0]?.observedGeneration === 2);
    await hanging.close();
    await world.logged(/"notification":"team-a\/gone".*"reason":"unsubscribed"/);
    await world.write('orders', (status, at) => poll(status, [{ target: 'db', state: 'Completed' }], at));
    await world.write('orders', succeed);
    await world.received(3, 'stays');

    const metrics = await metricsOf(controller);
    expect(metrics).toMatch(
      /^hnotif_deliveries_dropped_total{.*notification="gone".*reason="unsubscribed"} [12]$/m,
    );
    expect(metrics).toContain('\nhnotif_notifications 1\n');
    expect(await kubectl('get', 'hnotif', '-n', NAMESPACE, '-o', 'name')).toBe(
      'hibernatenotification.hibernation.dev/stays\n',
    );
    await controller.stop();
    expect(hanging.records).toHaveLength(1);
    expect(controller.totals()).toEqual({ delivered: 3, failed: 0, dropped: 2, suppressed: 0 });
    expect(world.log.filter((line) => line.includes('status not written'))).toEqual([]);
    expect(world.log.filter((line) => line.includes('"level":"error"'))).toEqual([]);
  });
});
