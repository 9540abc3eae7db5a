import { describe, expect, it } from 'vitest';
import { begin, poll, succeed } from '../src/lifecycle/operator.ts';
import { ALL, evening, nightOf, provider, ticking } from './support/nights.ts';
import { World } from './support/world.ts';

const TOKEN = '123456:a-token-of-thirty-five-letters-12345';
const CHAT = 4711;

interface Night {
  /** Each message's lines, as a reader of each receiver sees them. */
  readonly teamchat: readonly (readonly string[])[];
  readonly botchat: readonly (readonly string[])[];
  readonly webhook: readonly string[];
  /** The text of botchat as it was sent. */
  readonly sent: readonly string[];
}

/** What mrkdwn shows: the marks of bold words and the escapes are gone. */
const shown = (text: string): string =>
  text
    .replace(/\*([^*\n]+)\*/g, '$1')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');

/** Plays `act` for a plan with `db` and `vm`, told to the built-in messages of all three sinks. */
async function told(
  count: number,
  act: (world: World) => Promise<unknown>,
  spec: object = {},
): Promise<Night> {
  const world = await World.start();
  const [team, bot] = [await world.teamchat(), await world.botchat()];
  await world.secret('webhook', { enable_renderer: true });
  await world.configure('teamchat', { webhook_url: team.webhookUrl() });
  const rate_limit = { rate: 1_000, unit: 'second', burst: 1_000 };
  await world.configure('botchat', { token: TOKEN, chat_id: CHAT, rate_limit });
  const sinks = (['webhook', 'teamchat', 'botchat'] as const).map((type) => ({ name: type, type }));
  await world.notification('n', { onEvents: ALL, sinks });
  await provider(world);
  await world.plan('orders', ['db', 'vm'], { spec });
  await world.synced();
  await act(world);
  const records = await world.received(count, 'webhook');
  const accepted = (all: readonly { readonly answered: { readonly accepted: boolean } }[]): boolean =>
    all.filter(({ answered }) => answered.accepted).length >= count;
  await team.waitFor(accepted);
  const asSent = await bot.waitFor(
    (all) =>
      accepted(all) && all.map(({ rawBody }) => (JSON.parse(rawBody.toString()) as { text: string }).text),
  );
  return {
    teamchat: team.channel('C0HIBERNATE').messages.map(({ text }) => shown(text).split('\n')),
    botchat: bot.chat(CHAT).messages.map(({ text }) => text.split('\n')),
    webhook: records.map(({ json }) => (json as { rendered: string }).rendered),
    sent: asSent,
  };
}

/** A night that comes to rest though `vm` has failed: 8 events. */
async function partly(world: World): Promise<void> {
  const targets = [
    { name: 'db', type: 'rds' },
    { name: 'vm', type: 'ec2' },
  ];
  await world.write('orders', (status, at) => begin(status, 'shutdown', 'c1', targets, at));
  for (const state of ['Running', 'Completed'] as const)
    await world.write('orders', (status, at) => poll(status, [{ target: 'db', state }], at));
  for (const state of ['Running', 'Failed'] as const)
    await world.write('orders', (status, at) =>
      poll(status, [{ target: 'vm', state, message: 'quota' }], at),
    );
  await world.write('orders', succeed);
}

/** A line without its emoji: a shortcode or a Unicode one. */
const words = (line = ''): string => line.replace(/^(:\w+:|\p{Extended_Pictographic}\ufe0f?) /u, '');
const headings = (messages: readonly (readonly string[])[]): string[] =>
  messages.map(([first]) => words(first));

describe('the built-in messages', () => {
  it('headings of every event, for shutdown and any other operation', async () => {
    const night = await told(19, (world) => nightOf(world, 'orders'));
    const failed = await told(8, (world) => evening(world, 'orders'), { behavior: { retries: 0 } });
    const other = await told(
      7,
      async (world) => {
        const doze = (status: Parameters<typeof begin>[0], at: number) => ({
          ...begin(status, 'wakeup', 'c9', [{ name: 'db', type: 'rds' }], at),
          currentOperation: 'doze',
        });
        await world.write('orders', doze);
        await evening(world, 'orders');
      },
      { behavior: { retries: 0 } },
    ).then(({ teamchat }) => headings(teamchat));
    for (const sink of ['teamchat', 'botchat'] as const) {
      expect(headings(night[sink])).toEqual([
        'Hibernation Starting (2 targets)',
        'Phase Change',
        'Target Progress: db (rds) -> Running',
        'Target Progress: db (rds) -> Completed',
        'Target Progress: vm (ec2) -> Running',
        'Target Progress: vm (ec2) -> Failed - no capacity',
        'Phase Change',
        'Hibernation Retrying (attempt 1)',
        expect.stringMatching(/^Target Progress: vm \(ec2\) -> Pending - ./),
        'Phase Change',
        expect.stringMatching(/^Target Progress: vm \(ec2\) -> Completed/),
        'Hibernation Completed',
        'Phase Change',
        'Wake-Up Starting (2 targets)',
        'Phase Change',
        'Target Progress: db (rds) -> Completed',
        'Target Progress: vm (ec2) -> Completed',
        'Wake-Up Completed',
        'Phase Change',
      ]);
      expect(headings(failed[sink])).toContain('Hibernation Failed');
    }
    expect(other[0]).toBe('Wake-Up Starting (1 targets)');
  });

  it('an emoji stands before each heading', async () => {
    const night = await told(19, (world) => nightOf(world, 'orders'));
    const failed = await told(8, (world) => evening(world, 'orders'), { behavior: { retries: 0 } });
    const bestEffort = await told(8, partly);
    for (const { teamchat, botchat } of [night, failed, bestEffort]) {
      for (const [first] of teamchat) expect(first).toMatch(/^:[a-z_]+: \S/);
      for (const [first] of botchat) expect(first).toMatch(/^\p{Extended_Pictographic}\ufe0f? \S/u);
    }
    /** The emoji of the one message under such a heading, in the words of teamchat and botchat. */
    const emoji = ({ teamchat, botchat }: Night, heading: string): (string | undefined)[] =>
      [teamchat, botchat].map(
        (messages) =>
          messages
            .map(([first = '']) => first)
            .find((first) => words(first) === heading)
            ?.split(' ')[0],
      );
    expect(emoji(night, 'Hibernation Completed')).toEqual([':white_check_mark:', '✅']);
    expect(emoji(failed, 'Hibernation Failed')).toEqual([':x:', '❌']);
    // A night that ended with failed targets is no success without reserve.
    expect(emoji(bestEffort, 'Hibernation Completed')).toEqual([':warning:', '⚠️']);
  });

  it('a progress line with and without a message', async () => {
    const { teamchat, botchat } = await told(8, (world) => evening(world, 'orders', 'quota <b> & more'), {
      behavior: { retries: 0 },
    });
    for (const messages of [teamchat, botchat])
      expect(messages.map(([first]) => words(first)).filter((line) => line.startsWith('Target'))).toEqual([
        'Target Progress: db (rds) -> Running',
        'Target Progress: db (rds) -> Completed',
        'Target Progress: vm (ec2) -> Running',
        'Target Progress: vm (ec2) -> Failed - quota <b> & more',
      ]);
  });

  it('the lines have a fixed order, with nothing between or after them', async () => {
    let timeOf = (_: number): number => 0;
    const fails = (world: World): Promise<void> => {
      timeOf = ticking(world);
      return evening(world, 'orders');
    };
    const { teamchat, botchat } = await told(8, fails, { behavior: { retries: 0 } });
    const at = (write: number): string =>
      new Date(timeOf(write)).toISOString().replace('T', ' ').replace('.000Z', ' UTC');
    for (const messages of [teamchat, botchat]) {
      const failure = messages.find(([first]) => words(first) === 'Hibernation Failed');
      expect(failure?.slice(1)).toEqual([
        'Plan: orders',
        'Namespace: team-a',
        'Phase: Error',
        'Operation: shutdown',
        'Previous Phase: Hibernating',
        'Error: target vm: no capacity',
        `Timestamp: ${at(6)}`,
        'Targets:',
        '• vm (ec2): Failed | Account: 123456789012 | Region: eu-west-1',
        '• db (rds): Completed | Account: 123456789012 | Region: eu-west-1',
      ]);
      const start = messages.find(([first]) => words(first).startsWith('Hibernation Starting'));
      expect(start).toContain(`Timestamp: ${at(1)}`);
      expect(start?.map((line) => line.split(':')[0]).slice(1)).toEqual([
        'Plan',
        'Namespace',
        'Phase',
        'Operation',
        'Timestamp',
        'Targets',
        '• db (rds)',
        '• vm (ec2)',
      ]);
    }
  });

  it('an empty operation is N/A', async () => {
    const { teamchat, botchat } = await told(1, (world) =>
      world.write('orders', (status) => ({ ...status, phase: 'Suspended' })),
    );
    for (const messages of [teamchat, botchat]) expect(messages[0]).toContain('Operation: N/A');
  });

  it('one bullet for each target, with account, cluster and region if they are known', async () => {
    const world = await World.start();
    const bot = await world.botchat();
    await world.configure('botchat', { token: TOKEN, chat_id: CHAT });
    await world.notification('n', { onEvents: ['Success'], sinks: [{ name: 'botchat', type: 'botchat' }] });
    await provider(world);
    await world.kube.post('/apis/hibernation.dev/v1alpha1/namespaces/team-a/k8sclusters', {
      apiVersion: 'hibernation.dev/v1alpha1',
      kind: 'K8SCluster',
      metadata: { name: 'blue' },
      spec: { providerRef: { name: 'aws' }, eks: { name: 'staging-blue', region: 'eu-central-1' } },
    });
    const connectorRef = { kind: 'K8SCluster', name: 'blue' };
    const targets = [
      { name: 'nodes', type: 'eks', connectorRef },
      { name: 'alone', type: 'ec2', connectorRef: { kind: 'CloudProvider', name: 'gone' } },
    ];
    await world.plan('orders', [], { spec: { targets } });
    await world.synced();
    await world.write('orders', (status, at) => begin(status, 'shutdown', 'c1', targets, at));
    await world.write('orders', (status, at) =>
      poll(
        status,
        targets.map(({ name }) => ({ target: name, state: 'Completed' as const })),
        at,
      ),
    );
    await world.write('orders', succeed);
    await bot.waitFor((records) => records.some(({ answered }) => answered.accepted));
    expect(bot.chat(CHAT).messages[0]?.text.split('\n').slice(-3)).toEqual([
      'Targets:',
      '• nodes (eks): Completed | Account: 123456789012 | Cluster: staging-blue | Region: eu-central-1',
      '• alone (ec2): Completed',
    ]);
  });

  it('botchat escapes every value and shows states as code', async () => {
    const { sent, botchat } = await told(8, (world) => evening(world, 'orders', '<b>"quota"</b> & @all'), {
      behavior: { retries: 0 },
    });
    const failure = sent.find((text) => text.includes('Hibernation Failed')) ?? '';
    expect(failure).toContain('<b>Hibernation Failed</b>');
    expect(failure).toMatch(/&lt;b&gt;&(#34|quot);quota&(#34|quot);&lt;\/b&gt; &amp; @/);
    expect(failure).toContain('• vm (ec2): <code>Failed</code>');
    const seen = botchat.find(([first]) => words(first) === 'Hibernation Failed')?.join('\n') ?? '';
    // What keeps Telegram from making a mention of it cannot be seen.
    expect(seen.replace(/[\u200b-\u200d\u2060]/g, '')).toContain('Error: target vm: <b>"quota"</b> & @all');
  });

  it("the webhook's line, with target and error if there are any", async () => {
    const { webhook } = await told(8, (world) => evening(world, 'orders'), { behavior: { retries: 0 } });
    expect(webhook).toEqual([
      '[Start] shutdown - team-a/orders | Phase: Hibernating',
      '[PhaseChange] shutdown - team-a/orders | Phase: Hibernating',
      '[ExecutionProgress] shutdown - team-a/orders | Phase: Hibernating | Target: db (rds) -> Running',
      '[ExecutionProgress] shutdown - team-a/orders | Phase: Hibernating | Target: db (rds) -> Completed',
      '[ExecutionProgress] shutdown - team-a/orders | Phase: Hibernating | Target: vm (ec2) -> Running',
      '[ExecutionProgress] shutdown - team-a/orders | Phase: Hibernating | Target: vm (ec2) -> Failed',
      '[Failure] shutdown - team-a/orders | Phase: Error | Error: target vm: no capacity',
      '[PhaseChange] shutdown - team-a/orders | Phase: Error',
    ]);
  });
});
