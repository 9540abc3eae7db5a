import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { notificationObject } from './support/objects.ts';
import { hnotif } from './support/process.ts';
import { contextOf, NAMESPACE, World } from './support/world.ts';

const EXAMPLES = join(import.meta.dirname, '../../../examples');

interface Rendered {
  readonly sink: string;
  readonly event: string;
  readonly requests: readonly {
    readonly url: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: Readonly<Record<string, unknown>>;
  }[];
  readonly isSuppressed: boolean;
}

async function rendered(...args: readonly string[]): Promise<{ exit: unknown; out: string; err: string }> {
  const run = hnotif(['render', ...args]);
  const exit = await run.exit;
  return { exit, out: run.stdout.join('\n'), err: run.stderr.join('\n') };
}

const ofExamples = (...args: readonly string[]) => rendered(...args, '-f', EXAMPLES, '--allow-insecure-http');

describe('hnotif render', () => {
  it('shows the requests of each sink, without credentials', async () => {
    const { exit, out } = await ofExamples('oncall', '--event', 'Failure');
    expect(exit).toBe(0);
    expect(out).toMatch(
      /^# Failure to sink pager \(webhook\)\nPOST http:\/\/127\.0\.0\.1:8099\/\[redacted\]\n/,
    );
    expect(out).toMatch(/^authorization: \[redacted\]$/m);
    expect(out).toMatch(/^webhook-signature: \[redacted\]$/m);
    expect(out).toMatch(/^POST https:\/\/api\.telegram\.org\/\[redacted\]\/sendMessage$/m);
    expect(out).toContain('# Failure to sink channel (teamchat)');
  });

  it('shows the root of a thread before its reply, and says what a layout leaves out', async () => {
    const { out } = await ofExamples('storefront-nights', '-o', 'json');
    const all = JSON.parse(out) as Rendered[];
    const start = all.find(({ event }) => event === 'Start');
    expect(start?.requests.map(({ url }) => url)).toEqual(
      Array(2).fill('https://slack.com/api/chat.postMessage'),
    );
    expect(start?.requests[0]?.body).not.toHaveProperty('thread_ts');
    expect(start?.requests[1]?.body).toHaveProperty('thread_ts');
    expect(start?.requests[0]?.headers.authorization).toBe('[redacted]');
    const pretty = await ofExamples('storefront-nights', '--event', 'Start', '-o', 'pretty');
    expect(pretty.out).toContain('🌙 Hibernation Starting');
  });

  it('makes what the controller sends, of a real plan in a cluster', async () => {
    const world = await World.start();
    await world.secret('n', { headers: { 'x-token': 'canary-0123456789' } });
    await world.notification('n', { onEvents: ['Start'] });
    await world.plan('orders', ['db', 'vm']);
    await world.synced();
    await world.hibernate('orders');
    const [record] = await world.received(1);
    const { exit, out } = await rendered(
      ...['n', '--plan', 'orders', '--allow-insecure-http', '-o', 'json'],
      ...[`--namespace=${NAMESPACE}`, `--kubeconfig=${await world.kubeconfig()}`],
    );
    expect(exit).toBe(0);
    expect(out).not.toContain('canary');
    const [{ requests }] = JSON.parse(out) as [Rendered];
    const sent = contextOf(record!);
    const { timestamp: _, ...shown } = requests[0]?.body.context as typeof sent;
    expect({ ...sent, timestamp: undefined }).toMatchObject({
      plan: shown.plan,
      phase: shown.phase,
      cycleId: shown.cycleId,
    });
    expect(Object.keys(requests[0]?.headers ?? {}).sort()).toEqual(
      expect.arrayContaining(['content-type', 'user-agent', 'webhook-id', 'webhook-signature', 'x-token']),
    );
  });

  it('renders again when a file is saved, also after one that cannot be read', async () => {
    const world = await World.start();
    const objects = (url: string): string =>
      [
        notificationObject('n', { onEvents: ['Start'] }),
        {
          apiVersion: 'v1',
          kind: 'Secret',
          metadata: { name: 'n' },
          stringData: { config: JSON.stringify({ url }) },
        },
      ]
        .map((each) => stringify(each))
        .join('---\n');
    const file = await world.file('watched.yaml', objects('https://one.example.com/x'));
    const run = hnotif(['render', '-f', file, '--watch', '--namespace=default']);
    await run.line(/^POST https:\/\/one\.example\.com\//);
    await world.file('watched.yaml', objects('nonsense'));
    await run.line(/^error: sink n: url: is not an absolute URL/);
    await world.file('watched.yaml', objects('https://two.example.com/x'));
    await run.line(/^POST https:\/\/two\.example\.com\//);
    run.kill('SIGINT');
    expect(await run.exit).toBe(0);
  });

  it.each([
    [['-f', EXAMPLES, '--watch', '-f', '-'], 2, /--watch needs files/],
    [['-f', EXAMPLES], 2, /several notifications, name one: storefront/],
    [['nosuch', '-f', EXAMPLES], 1, /there is no notification nosuch: found storefront/],
    [['outcomes', '--sink', 'x', '-f', EXAMPLES], 2, /there is no sink x in outcomes: it has channel, phone/],
    [['outcomes', '-f', EXAMPLES], 1, /sink channel: webhook_url: only https is allowed/],
    [['outcomes', '-f', EXAMPLES, '--plan', 'nosuch'], 1, /there is no plan nosuch beside the notification/],
    [['-f', '/no/such/file'], 2, /\/no\/such\/file: it does not exist/],
  ] as const)('%j: one line, exit %i', async (args, exit, message) => {
    const found = await rendered(...args);
    expect(found.exit).toBe(exit);
    expect(found.err).toMatch(message);
    expect(found.err.split('\n')).toHaveLength(1);
  });
});
