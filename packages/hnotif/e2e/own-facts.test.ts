import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { asked, command } from './support/command.ts';
import { collection, configMapObject, notificationObject, secretObject } from '../../lab/src/objects.ts';
import { Chat, heading } from './support/teamchat.ts';
import { contextOf, NAMESPACE, World } from './support/world.ts';

const TOKEN = '123456:canary-bot-token-of-thirty-five-x';
const CHAT = -1001234567890;
const LABELS = { team: 'payments', 'example.com/severity': 'low' };

/** A Start at one sink of each type, and of Slack both formats. */
async function told(options: { readonly clusterName?: string; readonly labels?: object }, template?: string) {
  const { clusterName, labels } = options;
  const world = await World.start();
  const [teamchat, botchat] = [await world.teamchat(), await world.botchat()];
  await world.secret('webhook', { enable_renderer: true });
  await world.configure('text', { webhook_url: teamchat.webhookUrl() });
  await world.configure('blocks', { webhook_url: teamchat.webhookUrl(), format: 'json' });
  await world.configure('botchat', { token: TOKEN, chat_id: CHAT });
  if (template !== undefined) await world.templates('texts', { 'template.gotpl': template });
  const templateRef = template === undefined ? {} : { templateRef: { name: 'texts' } };
  await world.notification('n', {
    onEvents: ['Start'],
    sinks: [
      { name: 'webhook', ...templateRef },
      { name: 'text', type: 'teamchat' },
      { name: 'blocks', type: 'teamchat' },
      { name: 'botchat', type: 'botchat' },
    ],
  });
  if (labels !== undefined) await world.kube.patch(world.notificationPath('n'), { spec: { labels } });
  await world.plan('orders');
  await world.synced({ clusterName });
  await world.hibernate('orders');
  const [record] = await world.received(1, 'webhook');
  const messages = await teamchat.waitFor((records) => {
    const all = records.flatMap(({ message }) => message ?? []);
    return all.length === 2 ? all : undefined;
  });
  await botchat.waitFor((records) => records.some(({ answered }) => answered.accepted));
  return {
    context: contextOf(record!) as unknown as Record<string, unknown>,
    rendered: (record?.json as { rendered: string }).rendered,
    slack: messages.map(({ text, blocks }) => JSON.stringify([text, blocks])).join('\n'),
    telegram: botchat.chat(CHAT).messages[0]?.text ?? '',
  };
}

describe('the name of the cluster', () => {
  it('is in the heading of each built-in message, and in the payload', async () => {
    const { context, rendered, slack, telegram } = await told({ clusterName: 'prod-eu' });
    expect(context).toMatchObject({ cluster: 'prod-eu' });
    expect(rendered).toBe('[Start] shutdown - team-a/orders | Cluster: prod-eu | Phase: Hibernating');
    expect(telegram).toMatch(/^🌙 Hibernation Starting \(1 targets\) · prod-eu\n/);
    expect(slack).toContain(':crescent_moon: *Hibernation Starting (1 targets) · prod-eu*');
    expect(slack).toContain(':crescent_moon: Hibernation Starting (1 target) · prod-eu — orders');
    expect(slack).toContain('"Hibernation Starting (1 target) · prod-eu: team-a/orders"');
  });

  it('is in the card of a thread and in its replies', async () => {
    const chat = await Chat.start({ onEvents: ['Start'], options: { clusterName: 'prod-eu' } });
    await chat.world.hibernate('orders');
    const [root] = await chat.threads([1]);
    expect(JSON.stringify(root)).toMatch(/Hibernation (Starting|In Progress) · prod-eu/);
    expect(root?.replies.map(heading)).toEqual(['Hibernation Starting (1 targets) · prod-eu']);
    await chat.stop();
  });

  it('and labels are not in the payload without them', async () => {
    const { context, slack } = await told({});
    expect(context).not.toHaveProperty('cluster');
    expect(context).not.toHaveProperty('labels');
    expect(slack).toContain('*Hibernation Starting (1 targets)*');
  });
});

describe('the labels of a notification', () => {
  it('are in templates and in the payload, with the name of the cluster', async () => {
    const template = '{{ .Cluster }} {{ .Labels.team }} {{ index .Labels "example.com/severity" }}';
    const { context, rendered } = await told({ clusterName: 'prod-eu', labels: LABELS }, template);
    expect(rendered).toBe('prod-eu payments low');
    expect(context).toMatchObject({ cluster: 'prod-eu', labels: LABELS });
  });

  it.each([
    ['a key', { 'my key': 'x' }],
    ['a value', { team: 'not a label!' }],
    ['a long value', { team: 'x'.repeat(64) }],
    ['too many', Object.fromEntries(Array.from({ length: 17 }, (_, at) => [`key-${at}`, 'x']))],
  ])('are refused by the API server, and by validate, for %s', async (_, labels) => {
    const world = await World.start();
    await world.notification('n', { onEvents: ['Start'] });
    await expect(world.kube.patch(world.notificationPath('n'), { spec: { labels } })).rejects.toThrow(
      /labels/,
    );
    const { spec, ...rest } = notificationObject('n', { onEvents: ['Start'] }) as { spec: object };
    const { exit, out } = await command(
      ['validate', '-'],
      stringify({ ...rest, spec: { ...spec, labels } }, { version: '1.1' }),
    );
    expect([exit, out.filter((line) => line.includes('error: ')).length]).toEqual([1, 1]);
    expect(out.join('\n')).toMatch(/error: .*spec\.labels/);
  });

  it('and the name of the cluster are in what hnotif render shows', async () => {
    const { spec, ...rest } = notificationObject('n', { onEvents: ['Start'] }) as { spec: object };
    const config = JSON.stringify({ url: 'https://hooks.example.com/x', enable_renderer: true });
    const manifests = [{ ...rest, spec: { ...spec, labels: LABELS } }, secretObject('n', config)];
    const text = manifests.map((each) => stringify(each, { version: '1.1' })).join('---\n');
    const { exit, out } = await command(['render', '-f', '-', '--cluster-name=prod-eu', '-o', 'json'], text);
    expect(exit).toBe(0);
    const [{ requests }] = JSON.parse(out.join('\n')) as [{ requests: readonly { body: unknown }[] }];
    expect(requests[0]?.body).toMatchObject({ context: { cluster: 'prod-eu', labels: LABELS } });
  });

  it('and the name of the cluster are in what hnotif send sends', async () => {
    const world = await World.start();
    await world.secret('n', { enable_renderer: true });
    await world.notification('n', { onEvents: ['Start'] });
    await world.kube.patch(world.notificationPath('n'), { spec: { labels: LABELS } });
    const flags = ['--allow-insecure-http', '--cluster-name=prod-eu', `--namespace=${NAMESPACE}`];
    expect(await asked(world, 'send', 'n', ...flags)).toMatchObject({ exit: 0 });
    const [record] = await world.received(1, 'n');
    expect(contextOf(record!)).toMatchObject({ cluster: 'prod-eu', labels: LABELS });
  });

  it('are in what validate and doctor try', async () => {
    const world = await World.start();
    await world.botchat();
    const template = '{{ .Event }} {{ .Labels.team }}';
    const sinks = [{ name: 'n', type: 'botchat', templateRef: { name: 'texts' } }] as const;
    const { spec, ...rest } = notificationObject('n', { onEvents: ['Start', 'Failure'], sinks }) as {
      spec: object;
    };
    const config = { token: TOKEN, chat_id: CHAT };
    const manifests = [
      { ...rest, spec: { ...spec, labels: LABELS } },
      ...[
        secretObject('n', JSON.stringify(config)),
        configMapObject('texts', { 'template.gotpl': template }),
      ],
    ];
    const text = manifests.map((each) => stringify(each, { version: '1.1' })).join('---\n');
    expect(await command(['validate', '-', '--strict'], text)).toMatchObject({ exit: 0, out: [] });

    await world.configure('n', config);
    await world.templates('texts', { 'template.gotpl': template });
    await world.kube.post(collection(NAMESPACE, 'hibernatenotifications'), manifests[0]!);
    const { out } = await asked(world, 'doctor', 'n', `--namespace=${NAMESPACE}`);
    expect(out.join('\n')).not.toContain('no value');
  });
});

it('--cluster-name has the form of a label', async () => {
  const { exit, err } = await command(['run', '--cluster-name=prod eu']);
  expect([exit, err.join('\n')]).toEqual([2, expect.stringMatching(/--cluster-name.*Give 1 to 63 letters/)]);
});
