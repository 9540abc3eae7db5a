import type { BotchatReceiver, TeamchatMessage, TeamchatReceiver } from '@hnotif/receivers';
import { expect, it } from 'vitest';
import { begin, poll, succeed } from '@hnotif/core/lifecycle';
import { ALL, provider } from '../../lab/src/nights.ts';
import { shown } from './support/teamchat.ts';
import type { PlanMore } from '../../lab/src/objects.ts';
import { World } from './support/world.ts';

const TOKEN = '123456:canary-bot-token-of-thirty-five-x';
const CHAT = -1001234567890;
const EVENING = Date.parse('2026-03-02T20:00:00Z');
const RUNBOOK = 'hibernation.dev/runbook-url';
const DASHBOARD = 'hibernation.dev/dashboard-url';

interface Night {
  readonly world: World;
  readonly team: TeamchatReceiver;
  readonly bot: BotchatReceiver;
  /** The one message of each sink. */
  text(): Promise<TeamchatMessage>;
  json(): Promise<TeamchatMessage>;
  chat(): Promise<string>;
}

/** Four sinks that are told how nights end: text, blocks, blocks of a template, and a bot. */
async function night(more: PlanMore = {}, template = ''): Promise<Night> {
  const world = await World.start();
  const channels = ['text', 'json', 'custom'];
  const team = await world.teamchat({
    channels: channels.map((name) => ({ id: `C0${name.toUpperCase()}`, name })),
    webhooks: Object.fromEntries(
      channels.map((name) => [`/services/T0/B0/${name}`, { channel: `C0${name.toUpperCase()}` }]),
    ),
  });
  const bot = await world.botchat();
  for (const name of channels)
    await world.configure(name, {
      webhook_url: team.webhookUrl(`/services/T0/B0/${name}`),
      format: name === 'text' ? 'text' : 'json',
    });
  await world.configure('bot', { token: TOKEN, chat_id: CHAT });
  await world.templates('texts', { 'template.gotpl': template });
  await world.notification('n', {
    onEvents: ALL.filter((kind) => kind === 'Success'),
    sinks: [
      ...channels.map((name) => ({
        ...{ name, type: 'teamchat' as const },
        ...(name === 'custom' && template !== '' && { templateRef: { name: 'texts' } }),
      })),
      { name: 'bot', type: 'botchat' as const },
    ],
  });
  await provider(world);
  await world.plan('orders', ['db', 'vm', 'web', 'cache'], more);
  const message = (channel: string) => team.waitFor<TeamchatMessage>(() => team.channel(channel).messages[0]);
  return {
    ...{ world, team, bot },
    text: () => message('C0TEXT'),
    json: () => message('C0JSON'),
    chat: () => bot.waitFor((records) => records.find(({ message }) => message)?.message?.text),
  };
}

/** The plan comes to rest though only one of its targets is through. */
async function bestEffort({ world }: Night): Promise<void> {
  const targets = ['db', 'vm', 'web', 'cache'].map((name) => ({ name, type: 'rds' }));
  await world.write('orders', (status) => begin(status, 'shutdown', 'c1', targets, EVENING));
  await world.write('orders', (status) =>
    poll(
      status,
      targets.map(({ name }) => ({ target: name, state: 'Running' as const })),
      EVENING + 5_000,
    ),
  );
  await world.write('orders', (status) =>
    poll(
      status,
      [
        { target: 'db', state: 'Completed' },
        { target: 'vm', state: 'Failed', message: 'no capacity' },
        { target: 'web', state: 'Failed', message: 'no quota' },
        { target: 'cache', state: 'Failed', message: 'no lease' },
      ],
      EVENING + 46_000,
    ),
  );
  await world.write('orders', (status) => succeed(status, EVENING + 835_000));
}

it('annotations of the plan, else of the notification, are links', async () => {
  const setup = await night({ annotations: { [RUNBOOK]: 'https://wiki.test/orders?a=1&b=2' } });
  const { world } = setup;
  await world.kube.patch(world.notificationPath('n'), {
    metadata: {
      annotations: { [RUNBOOK]: 'https://wiki.test/all', [DASHBOARD]: 'https://grafana.test/d/1' },
    },
  });
  await world.synced();
  await bestEffort(setup);
  const link = '<https://wiki.test/orders?a=1&amp;b=2|Runbook>';
  expect((await setup.text()).text.split('\n').at(-1)).toBe(`${link} | <https://grafana.test/d/1|Dashboard>`);
  expect(JSON.stringify((await setup.json()).blocks)).toContain(
    `"${link}  ·  <https://grafana.test/d/1|Dashboard>`,
  );
  expect(await setup.chat()).toMatch(/\nRunbook \| Dashboard$/);
  const [sent] = setup.bot.records
    .flatMap(({ message }) => message?.entities ?? [])
    .filter(({ type }) => type === 'text_link');
  expect(sent).toMatchObject({ url: 'https://wiki.test/orders?a=1&b=2' });
});

it('an annotation that is not a URL makes no link, and the condition says so', async () => {
  const setup = await night({ annotations: { [RUNBOOK]: 'tg://user?id=1' } });
  await setup.world.synced();
  await bestEffort(setup);
  expect(shown(await setup.text())).not.toMatch(/Runbook|tg:/);
  expect(await setup.chat()).not.toMatch(/Runbook|tg:/);
  const { conditions } = await setup.world.status(
    'n',
    ({ conditions }) => conditions?.[0]?.reason === 'MessagesDegraded',
  );
  expect(conditions?.[0]?.message).toContain(
    `plan orders: annotation ${RUNBOOK} is not an http or https address`,
  );
});

it('a template may make attachments without blocks', async () => {
  const template = `{"text": {{ printf "%s: %s" .Plan.Name .Event | toJson }}, "attachments": [{"color": "#ecb22e",
    "blocks": [{"type": "section", "text": {"type": "mrkdwn", "text": "late"}}]}]}`;
  const setup = await night({}, template);
  await setup.world.synced();
  await bestEffort(setup);
  const message = await setup.team.waitFor(() => setup.team.channel('C0CUSTOM').messages[0]);
  expect(message).toMatchObject({
    text: 'orders: Success',
    blocks: [],
    attachments: [{ color: '#ecb22e', blocks: [{ type: 'section' }] }],
  });
});
