import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import type { Change } from '../src/cli/ui/board.ts';
import type { WhyAnswer } from '../src/cli/ui/questions.ts';
import { oneSinkDown } from './support/one-sink-down.ts';
import { asked } from './support/command.ts';
import { hnotif, type Run } from './support/process.ts';
import { applyRights, deployed, RBAC } from './support/rights.ts';
import { NAMESPACE, World } from './support/world.ts';

/** The page of a world, for somebody with this kubeconfig. */
async function pageOf(kubeconfig: string, ...args: readonly string[]): Promise<Page> {
  const run = hnotif(['ui', '--port=0', `--kubeconfig=${kubeconfig}`, ...args]);
  const address = new URL(/http:\S+/.exec(await run.line(/^The page is at http/))?.[0] ?? '');
  const entered = await fetch(address, { redirect: 'manual' });
  expect(entered.status).toBe(303);
  const cookie = (entered.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
  return new Page(run, address, cookie);
}

class Page {
  readonly run: Run;
  readonly address: URL;
  readonly #cookie: string;

  constructor(run: Run, address: URL, cookie: string) {
    this.run = run;
    this.address = address;
    this.#cookie = cookie;
  }

  get(path: string, headers: Record<string, string> = {}): Promise<Response> {
    return fetch(new URL(path, this.address), { headers: { cookie: this.#cookie, ...headers } });
  }

  /** Reads changes of the board until one is wanted. Returns all of them, with their ids. */
  async changes(
    isWanted: (change: Change) => boolean,
    after?: string,
  ): Promise<readonly { readonly id: string; readonly change: Change }[]> {
    const ended = new AbortController();
    const headers = { cookie: this.#cookie, ...(after !== undefined && { 'last-event-id': after }) };
    const response = await fetch(new URL('/api/board', this.address), { headers, signal: ended.signal });
    const found: { id: string; change: Change }[] = [];
    let text = '';
    for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += chunk;
      const parts = text.split('\n\n');
      text = parts.pop() ?? '';
      for (const part of parts) {
        const [, id, data] = /^id: (\S+)\ndata: (.*)$/s.exec(part) ?? [];
        if (id === undefined || data === undefined) continue;
        const change = JSON.parse(data) as Change;
        found.push({ id, change });
        if (!isWanted(change)) continue;
        ended.abort();
        return found;
      }
    }
    throw new Error('the stream has ended');
  }
}

const hasDot =
  (state: string) =>
  ({ rows = [] }: Change): boolean =>
    rows.some(({ dots = [] }) => dots.some((dot) => dot.state === state));

describe('hnotif ui', () => {
  it('shows what becomes of each event, live, and why', async () => {
    const { world } = await oneSinkDown();
    const page = await pageOf(await world.kubeconfig());
    await page.changes(({ rows = [] }) => rows.some(({ plan }) => plan === 'orders'));
    await world.hibernate('orders');
    const dots = [
      ...(await page.changes(hasDot('delivered'))),
      ...(await page.changes(hasDot('parked'))),
    ].flatMap(({ change: { rows = [] } }) => rows.flatMap((row) => row.dots ?? []));
    const dot = (sink: string, state: string) =>
      dots.find((each) => each.sink === sink && each.state === state);
    expect(dot('good', 'delivered')).toMatchObject({ event: 'Start', notification: 'ops' });
    expect(dot('down', 'parked')?.why).toMatch(/ConnectionRefused/);

    const why = (await (await page.get(`/api/why?namespace=${NAMESPACE}&name=orders`)).json()) as WhyAnswer;
    expect(why.findings[0]).toMatchObject({ notification: 'ops', sink: 'down', reason: 'ConnectionRefused' });
    expect(why.candidates).toMatchObject([
      { name: 'ops', isMatch: true },
      { name: 'others', isMatch: false, difference: expect.stringMatching(/did you mean shops\?/) as string },
    ]);
    expect(why.moments.map(({ source }) => source)).toEqual(
      expect.arrayContaining(['plan', 'delivery', 'event']),
    );
    // The same as the command says.
    const told = JSON.parse(
      (await asked(world, 'why', 'plan/orders', `--namespace=${NAMESPACE}`, '-o', 'json')).out.join('\n'),
    ) as [WhyAnswer];
    expect(why.findings.map(({ message }) => message.replace(/next try in .*?:/, ''))).toEqual(
      told[0].findings.map(({ message }) => message.replace(/next try in .*?:/, '')),
    );

    expect((await page.get('/api/why?namespace=nowhere&name=x')).status).toBe(404);
    page.run.kill('SIGINT');
    expect(await page.run.exit).toBe(0);
  });

  it('gives a client that comes back what it has missed, each change once', async () => {
    const { world } = await oneSinkDown();
    const page = await pageOf(await world.kubeconfig());
    const [first] = await page.changes(({ rows = [] }) => rows.length > 0);
    await world.hibernate('orders');
    const seen = await page.changes(hasDot('delivered'));
    const later = seen.filter(({ id }) => id !== first?.id && seen[0]?.id !== id);
    const again = await page.changes(hasDot('delivered'), seen[0]?.id);
    expect(seen[0]?.change.reset).toBe(true);
    expect(again.slice(0, later.length)).toEqual(later);
    expect(again.every(({ change }) => change.reset === undefined)).toBe(true);
    const [unknown] = await page.changes(() => true, 'other-7');
    expect(unknown?.change.reset).toBe(true);
  });

  it('is for whoever has its address, and for nobody else', async () => {
    const world = await World.start();
    const page = await pageOf(await world.kubeconfig());
    const html = await page.get('/');
    expect(await html.text()).toContain('<div id="app">');
    expect(html.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect((await fetch(new URL('/', page.address))).status).toBe(401);
    expect((await page.get('/api/board', { origin: 'https://evil.example' })).status).toBe(403);
    expect((await page.get('/../../package.json')).status).toBe(404);
    expect((await page.get('/%2e%2e/hnotif.mjs')).status).toBe(404);
    const token = page.address.searchParams.get('token') ?? '';
    expect(token).toHaveLength(32);
    expect(page.run.stderr.join('\n')).not.toContain(token);
  });

  it('shows a user the namespace that they may read, and says what they may not see', async () => {
    const world = await World.start({ cluster: { tls: true, auth: true } });
    const { cluster, kube } = world;
    await applyRights(kube, (await deployed('tenant-roles.yaml')).slice(0, 1));
    const role = {
      metadata: { name: 'plans' },
      rules: [
        { apiGroups: ['hibernation.dev'], resources: ['hibernateplans'], verbs: ['get', 'list', 'watch'] },
      ],
    };
    await kube.post(`${RBAC}/namespaces/${NAMESPACE}/roles`, role);
    for (const [kind, name] of [
      ['ClusterRole', 'hnotif-view'],
      ['Role', 'plans'],
    ] as const)
      await kube.post(`${RBAC}/namespaces/${NAMESPACE}/rolebindings`, {
        metadata: { name },
        subjects: [{ kind: 'User', name: 'tenant' }],
        roleRef: { kind, name },
      });
    await world.plan('orders', ['db']);
    const page = await pageOf(await world.kubeconfigOf('tenant'));
    const seen = await page.changes(({ head }) => (head?.unseen.length ?? 0) > 1);
    const head = seen.at(-1)?.change.head;
    expect(head).toMatchObject({ namespace: NAMESPACE, serving: 'unknown' });
    expect(head?.unseen).toEqual([
      expect.stringMatching(
        new RegExp(
          `^only namespace ${NAMESPACE} is shown: you may not list hibernateplans in all namespaces`,
        ),
      ),
      expect.stringMatching(
        /^you may not see hibernatenotificationjournals in namespace .*: ask for the right to read hibernatenotificationjournals$/,
      ),
    ]);
    await page.changes(({ rows = [] }) => rows.some(({ plan }) => plan === 'orders'));
    expect(JSON.stringify(seen)).not.toContain(cluster.users.token('tenant'));
  });

  it('keeps what it knew while the API server is away, and says so', async () => {
    const { world } = await oneSinkDown();
    await world.hibernate('orders');
    const page = await pageOf(await world.kubeconfig());
    await page.changes(hasDot('delivered'));
    await world.cluster.close();
    const seen = await page.changes(({ head }) => (head?.unseen.length ?? 0) > 0);
    expect(seen.at(-1)?.change.head?.unseen).toEqual([
      expect.stringMatching(/^hibernateplans.*: what you see may be old; trying again \(.*no connection to/),
    ]);
    const why = (await (await page.get(`/api/why?namespace=${NAMESPACE}&name=orders`)).json()) as WhyAnswer;
    expect(why.deliveries).toContainEqual(expect.objectContaining({ sink: 'good', state: 'delivered' }));
    expect(why.unread).toEqual([expect.stringMatching(/^events cannot be listed/)]);
  });

  it.each([
    [['--port=abc'], 2, /--port/],
    [['--port=70000'], 2, /--port/],
    [['-A'], 2, /unknown option/],
    [['--kubeconfig=/nonexistent/file'], 3, /\/nonexistent\/file/],
  ])('refuses %j', async (args, exit, message) => {
    const run = hnotif(['ui', ...args]);
    expect(await run.exit).toBe(exit);
    expect(run.stderr.join('\n')).toMatch(message);
    expect(run.stderr.join('\n')).not.toMatch(/^ +at /m);
  });

  it('names a port that is taken, and the remedy', async () => {
    const world = await World.start();
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as AddressInfo;
    const run = hnotif(['ui', `--port=${port}`, `--kubeconfig=${await world.kubeconfig()}`]);
    expect(await run.exit).toBe(1);
    expect(run.stderr).toEqual([
      `error: port ${port} is taken by another program; choose another with --port, or --port 0`,
    ]);
    taken.close();
  });
});
