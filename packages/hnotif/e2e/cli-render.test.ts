import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { command } from './support/command.ts';
import { notificationObject } from '../../lab/src/objects.ts';
import { hnotif } from './support/process.ts';
import { contextOf, NAMESPACE, World } from './support/world.ts';
import { temporary } from './support/temporary.ts';

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
  const { exit, out, err } = await command(['render', ...args]);
  return { exit, out: out.join('\n'), err: err.join('\n') };
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

  /** A browser that writes what it was asked for, in place of Chromium. */
  async function browser(script: string): Promise<string> {
    const folder = await temporary();
    await writeFile(join(folder, 'chromium'), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    return folder;
  }

  async function pictured(PATH: string, ...args: readonly string[]) {
    const run = hnotif(['render', ...args, '-o', 'png', '-f', EXAMPLES, '--allow-insecure-http'], { PATH });
    const exit = await run.exit;
    return { exit, out: run.stdout.join('\n'), err: run.stderr.join('\n') };
  }

  it('draws the messages of one chat where Chromium is', async () => {
    const page = '$(echo "$*" | sed "s/.*file:\\/\\///")';
    const png = '$(echo "$*" | sed "s/.*--screenshot=\\([^ ]*\\).*/\\1/")';
    const script = `PATH=/usr/bin:/bin
case "$*" in
*--dump-dom*) echo '<html data-height="123">' ;;
*--window-size=720,123*) grep -o 'failed' "${page}" > "${png}" ;;
esac`;
    const { exit, out, err } = await pictured(
      await browser(script),
      'oncall',
      '--sink',
      'channel',
      '--event',
      'Failure',
    );
    expect({ exit, err }).toEqual({ exit: 0, err: '' });
    expect(out).toContain('failed');
  });

  it.each([
    [
      'without Chromium',
      undefined,
      ['--sink', 'channel'],
      1,
      /^error: no Chromium was found: install chromium/,
    ],
    ['where it fails', 'exit 7', ['--sink', 'channel'], 1, /^error: chromium failed \(7\): run it by hand/],
    ['where it shows nothing', 'true', ['--sink', 'channel'], 1, /^error: Chromium could not show the page/],
    ['of several chats', 'true', [], 2, /^error: -o png is for the messages of one chat: .* --sink$/],
    ['of a webhook', 'true', ['--sink', 'pager'], 2, /^error: -o png is for the messages of one chat/],
    ['with --watch', 'true', ['--sink', 'channel', '--watch'], 2, /^error: -o png prints one picture/],
  ] as const)('a picture %s is one line', async (_, script, args, exit, message) => {
    const folder = await browser(script ?? '');
    const path = script === undefined ? '/nonexistent' : folder;
    expect(await pictured(path, 'oncall', ...args)).toEqual({
      exit,
      out: '',
      err: expect.stringMatching(message) as string,
    });
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
        .map((each) => stringify(each, { version: '1.1' }))
        .join('---\n');
    const file = await world.file('watched.yaml', objects('https://one.example.com/x'));
    const run = hnotif(['render', '-f', file, '--watch', '--namespace=default']);
    await run.line(/^POST https:\/\/one\.example\.com\//);
    await world.file('watched.yaml', objects('nonsense'));
    await run.line(/^error: sink n: url: is not an absolute URL/);
    await world.file('watched.yaml', objects('https://two.example.com/x'));
    await run.line(/^POST https:\/\/two\.example\.com\//);
    // Many editors put another file in its place.
    for (const host of ['three', 'four']) {
      await rename(await world.file('saved', objects(`https://${host}.example.com/x`)), file);
      await run.line(new RegExp(`^POST https://${host}\\.example\\.com/`));
    }
    run.kill('SIGINT');
    expect(await run.exit).toBe(0);
  });

  it('of two notifications with one name, -n chooses that of its namespace', async () => {
    const { spec } = notificationObject('n', { onEvents: ['Start'] }) as { readonly spec: object };
    const items = ['search', 'shop'].flatMap((namespace) => [
      {
        apiVersion: 'hibernation.dev/v1alpha1',
        kind: 'HibernateNotification',
        metadata: { name: 'n', namespace },
        spec,
      },
      {
        ...{ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'n', namespace } },
        stringData: { config: JSON.stringify({ url: `https://${namespace}.example.com/x` }) },
      },
    ]);
    const both = JSON.stringify({ kind: 'List', items });
    expect((await command(['render', 'n', '-f', '-'], both)).err).toEqual([
      'error: there are several notifications n, choose a namespace with -n: search, shop',
    ]);
    const { out } = await command(['render', 'n', '-n', 'shop', '-f', '-'], both);
    expect(out).toContainEqual('POST https://shop.example.com/[redacted]');
  });

  it.each([
    [['-f', EXAMPLES, '--watch', '-f', '-'], 2, /--watch needs files/],
    [['-f', EXAMPLES], 2, /several notifications, name one: storefront/],
    [['nosuch', '-f', EXAMPLES], 1, /there is no notification nosuch: found storefront/],
    [['outcomes', '--sink', 'x', '-f', EXAMPLES], 2, /there is no sink x in outcomes: it has channel, phone/],
    [['outcomes', '-f', EXAMPLES], 1, /sink channel: webhook_url: only https is allowed/],
    [
      ['outcomes', '-f', EXAMPLES, '--plan', 'nosuch'],
      1,
      /plan nosuch beside the notification was not found/,
    ],
    [
      ['outcomes', '-f', EXAMPLES, '--targets', '100000000'],
      2,
      /'--targets <n>' argument '100000000' is invalid\. Give a whole number from 1 to 10000\.$/,
    ],
    [['outcomes', '-n', 'shop', '-f', EXAMPLES], 1, /there is no notification outcomes in namespace shop/],
    [['-f', '/no/such/file'], 2, /\/no\/such\/file: it does not exist/],
    [['-f', '/no/such/file', '--watch'], 2, /\/no\/such\/file: it does not exist/],
    [['-f', import.meta.filename], 1, /cli-render\.test\.ts:\d+:\d+: /],
  ] as const)('%j: one line, exit %i', async (args, exit, message) => {
    const found = await rendered(...args);
    expect(found.exit).toBe(exit);
    expect(found.err).toMatch(message);
    expect(found.err.split('\n')).toHaveLength(1);
  });
});
