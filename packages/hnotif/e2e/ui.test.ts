import type {
  ActionAnswer,
  Change,
  EventStory,
  FoundDeliveries,
  NowAnswer,
  WhyAnswer,
} from '@hnotif/core/page';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { oneSinkDown } from './support/one-sink-down.ts';
import { asked } from './support/command.ts';
import { journalOf } from './support/journals.ts';
import { hnotif, type Run } from './support/process.ts';
import { applyRights, deployed, RBAC } from '../../lab/src/rights.ts';
import { NAMESPACE, World } from './support/world.ts';

/** The page of a world, for somebody with this kubeconfig. */
async function pageOf(kubeconfig: string, env: Record<string, string> = {}): Promise<Page> {
  const run = hnotif(['ui', '--port=0', `--kubeconfig=${kubeconfig}`], env);
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

  /** Asks for an action, as the page does. */
  post(body: unknown, headers: Record<string, string> = {}): Promise<Response> {
    return fetch(new URL('/api/action', this.address), {
      method: 'POST',
      headers: {
        ...{ cookie: this.#cookie, origin: this.address.origin, 'content-type': 'application/json' },
        ...headers,
      },
      body: JSON.stringify(body),
    });
  }

  /** Reads changes of the board until one is wanted. Returns all of them, with their ids; all parts of a snapshot have that of its end. */
  async changes(
    isWanted: (change: Change) => boolean,
    after?: string,
  ): Promise<readonly { readonly id: string; readonly change: Change }[]> {
    const ended = new AbortController();
    const headers = { cookie: this.#cookie, ...(after !== undefined && { 'last-event-id': after }) };
    const response = await fetch(new URL('/api/board', this.address), { headers, signal: ended.signal });
    const found: { id: string; change: Change }[] = [];
    let text = '';
    let isFound = false;
    for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += chunk;
      const parts = text.split('\n\n');
      text = parts.pop() ?? '';
      for (const part of parts) {
        const [, id = '', event, data = '{}'] =
          /^(?:id: (\S+)\n)?(?:event: (\w+)\n)?data: (.*)$/s.exec(part) ?? [];
        if (id !== '') for (const each of found) each.id ||= id;
        if (event === undefined) {
          const change = JSON.parse(data) as Change;
          found.push({ id, change });
          isFound ||= isWanted(change);
        }
        if (!isFound || found.at(-1)?.id === '') continue;
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
  it('shows the result of each event, live, with the reason', async () => {
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
      {
        name: 'others',
        isMatch: false,
        difference: expect.stringMatching(/^its label team is .*did you mean shops\?/) as string,
      },
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

    const now = (await (await page.get('/api/now')).json()) as NowAnswer;
    const cause = { namespace: NAMESPACE, notification: 'ops', sink: 'down', reason: 'ConnectionRefused' };
    expect(now.causes).toContainEqual(expect.objectContaining(cause));
    const id = dot('good', 'delivered')?.ref ?? '';
    const story = (await (await page.get(`/api/event?id=${id}`)).json()) as EventStory;
    expect(story).toMatchObject({ plan: 'orders', event: 'Start', deliveries: [{ sink: 'good' }] });
    const nights = ['', '?zone=Asia/Tokyo', '?date=2026-01-05'].map((query) =>
      page.get(`/api/night${query}`),
    );
    expect((await Promise.all(nights)).map(({ status }) => status)).toEqual([200, 200, 200]);

    const unknown = [
      ...['why?namespace=nowhere&name=x', 'event?id=aaaaaaaaaaaa', 'event?id=../x', 'event'],
      ...['night?zone=Nowhere/Land', 'night?date=2026-02-30', 'night?date=x'],
    ].map((path) => page.get(`/api/${path}`));
    for (const { status } of await Promise.all(unknown)) expect(status).toBe(404);
    page.run.kill('SIGINT');
    expect(await page.run.exit).toBe(0);
  });

  it('shows plans before all journals are read, and says that it still reads', async () => {
    const world = await World.start();
    await world.plan('orders');
    await world.synced();
    const mayRead = new AbortController();
    const until = once(mayRead.signal, 'abort');
    const where = { verb: 'list', resource: 'hibernatenotificationjournals' } as const;
    world.cluster.faults.add({ ...where, effect: { kind: 'delay', until } });
    const page = await pageOf(await world.kubeconfig());
    const seen = await page.changes(({ rows = [] }) => rows.some(({ plan }) => plan === 'orders'));
    expect(seen.find(({ change }) => change.head)?.change.head?.leader).toBe('reading the cluster …');
    mayRead.abort();
    await page.changes(({ head }) => head?.serving === 'serving');
  });

  it('tells every request of a delivery, with its answer and what followed, as the command does', async () => {
    const world = await World.start();
    await world.secret('n');
    await world.notification('n', { onEvents: ['Start'] });
    await world.plan('orders');
    const { faults } = world.receiver;
    faults.add({ match: { attempt: 1 }, fault: { kind: 'status', status: 503 } });
    faults.add({
      match: { attempt: 2 },
      fault: { kind: 'status', status: 429, retryAfter: { inSeconds: 1 } },
    });
    await world.synced();
    await world.hibernate('orders');
    const [{ id = '' } = {}] = await world.received(1);
    await journalOf(world, 'orders', ({ entry }) => JSON.stringify(entry.nights).includes('delivered'));

    const here = `--namespace=${NAMESPACE}`;
    const { out } = await asked(world, 'trace', id, here);
    const rows = out.slice(out.indexOf('Requests to n/n:') + 1);
    expect(rows.slice(0, 4)).toEqual([
      expect.stringMatching(/^NUMBER +SENT +TOOK +ANSWER +THEN$/),
      expect.stringMatching(
        /^1 +\S+Z +[\d.]+ m?s +503 ServiceUnavailable +waited [\d.]+ m?s before a retry$/,
      ),
      expect.stringMatching(
        /^2 +\S+Z +[\d.]+ m?s +429 TooManyRequests +waited [\d.]+ s because the receiver asked for a pause$/,
      ),
      expect.stringMatching(/^3 +\S+Z +[\d.]+ m?s +200$/),
    ]);

    const told = JSON.parse(
      (await asked(world, 'trace', id, here, '-o', 'json')).out.join('\n'),
    ) as EventStory;
    expect(told.deliveries[0]).toMatchObject({
      ...{ state: 'delivered', requestCount: 3 },
      requests: [
        { status: 503, reason: 'ServiceUnavailable', wait: { why: 'retry' } },
        { status: 429, reason: 'TooManyRequests', wait: { why: 'paused' } },
        { status: 200 },
      ],
    });
    const times = told.deliveries[0]?.requests?.map(({ at }) => at) ?? [];
    expect(times).toEqual(times.toSorted());
    const page = await pageOf(await world.kubeconfig());
    await page.changes(hasDot('delivered'));
    const story = (await (await page.get(`/api/event?id=${id}`)).json()) as EventStory;
    expect(story.deliveries).toEqual(told.deliveries);
    const found = (await (await page.get('/api/find?text=N/N+serviceunavailable')).json()) as FoundDeliveries;
    expect(found).toMatchObject({ count: 1, deliveries: [{ namespace: NAMESPACE, plan: 'orders' }] });
    // The receiver is another process: this page has no messages.
    expect((await page.get(`/api/message?delivery=${id}`)).status).toBe(404);
  });

  it('gives a client that reconnects the changes that it missed, each once', async () => {
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

  it('is only for users who have its address', async () => {
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
    expect(await (await page.get(`/api/rights?namespace=${NAMESPACE}`)).json()).toEqual({
      replay: expect.stringMatching(
        /^you have no right to patch hibernatenotifications.*hnotif-edit$/,
      ) as string,
      send: expect.stringMatching(/^you have no right to get secrets.* in namespace /) as string,
    });
  });

  it('replays failed deliveries, and sends a test, like the commands', async () => {
    const world = await World.start();
    await world.secret('n');
    await world.notification('n', { onEvents: ['Start'] });
    await world.plan('orders');
    world.receiver.faults.add({ fault: { kind: 'status', status: 400 }, times: 1 });
    await world.synced();
    await world.hibernate('orders');
    await world.status('n', ({ sinks = [] }) => (sinks[0]?.dropped ?? []).length > 0);
    const page = await pageOf(await world.kubeconfig(), {
      HNOTIF_ALLOW_INSECURE_HTTP: 'true',
      HNOTIF_EGRESS_ALLOW: '127.0.0.0/8',
    });
    const rights = await page.get(`/api/rights?namespace=${NAMESPACE}`);
    expect(await rights.json()).toEqual({ replay: '', send: '' });
    const replay = { action: 'replay', namespace: NAMESPACE, plan: 'orders' };
    const again = (await (await page.post(replay)).json()) as ActionAnswer;
    expect(again).toMatchObject({ isDone: true });
    expect(again.lines.join('\n')).toMatch(/^n\/n +Start .* Sent *$/m);
    await world.received(1);
    const test = { action: 'send', namespace: NAMESPACE, notification: 'n', sink: 'n' };
    expect(await (await page.post(test)).json()).toEqual({
      isDone: true,
      lines: ['sent     Start to sink n (webhook)'],
    });
    const records = await world.received(2);
    expect(JSON.stringify(records.at(-1))).toContain('TEST-');

    const missing = { ...replay, plan: 'nowhere' };
    expect(await (await page.post(missing)).json()).toEqual({
      isDone: false,
      lines: [expect.stringMatching(/^error: there is no plan nowhere/)],
    });
    expect((await page.post(replay, { origin: 'https://evil.example' })).status).toBe(403);
    expect((await page.post(replay, { cookie: '' })).status).toBe(401);
    expect((await page.post(replay, { 'content-type': 'text/plain' })).status).toBe(415);
    for (const wrong of [{ action: 'delete' }, { ...replay, plan: '--all' }, { ...replay, all: true }, 7]) {
      const refused = await page.post(wrong);
      expect([refused.status, await refused.text()]).toEqual([
        400,
        expect.stringMatching(/^the request is not valid: /),
      ]);
    }
    const long = await page.post({ ...replay, plan: 'x'.repeat(5_000) });
    expect([long.status, await long.text()]).toEqual([400, 'the body is longer than 4096 bytes\n']);
    expect(world.receiver.records).toHaveLength(3);
  });

  it('keeps its data while the API server is away, and says so', async () => {
    const { world } = await oneSinkDown();
    await world.hibernate('orders');
    const page = await pageOf(await world.kubeconfig());
    await page.changes(hasDot('delivered'));
    await world.cluster.close();
    const seen = await page.changes(({ head }) => (head?.unseen.length ?? 0) > 0);
    expect(seen.at(-1)?.change.head?.unseen).toEqual([
      // Of the watches that have noticed by now.
      expect.stringMatching(/^hibernate[\w, ]+: what you see may be old; trying again \(.*no connection to/),
    ]);
    const why = (await (await page.get(`/api/why?namespace=${NAMESPACE}&name=orders`)).json()) as WhyAnswer;
    expect(why.deliveries).toContainEqual(expect.objectContaining({ sink: 'good', state: 'delivered' }));
    expect(why.unread).toEqual([expect.stringMatching(/^events cannot be listed/)]);
    const plan = await page.get(`/api/plan?namespace=${NAMESPACE}&name=orders`);
    expect([plan.status, await plan.text()]).toEqual([
      502,
      expect.stringMatching(/^hibernateplans orders cannot be read in namespace .*; is the cluster up/),
    ]);
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

  it('names a port that is in use, and the remedy', async () => {
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
