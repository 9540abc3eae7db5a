import { startMsteamsReceiver, type MsteamsOptions, type MsteamsReceiver } from '@hnotif/receivers';
import { expect, it, onTestFinished } from 'vitest';
import { evening, provider } from '../../lab/src/nights.ts';
import { PLENTY } from '../../lab/src/objects.ts';
import { World } from './support/world.ts';

/** A world with a plan and a notification that posts its failures into a channel of Teams. */
async function started(options: MsteamsOptions = {}, template?: string) {
  const world = await World.start();
  const receiver = await startMsteamsReceiver(options);
  onTestFinished(() => receiver.close());
  await world.configure('team', { webhook_url: receiver.webhookUrl(), rate_limit: PLENTY });
  if (template !== undefined) await world.templates('words', { 'template.gotpl': template });
  const templateRef = template === undefined ? {} : { templateRef: { name: 'words' } };
  await world.notification('n', {
    onEvents: ['Failure'],
    sinks: [{ name: 'team', type: 'msteams', ...templateRef }],
  });
  await provider(world);
  // Its first error is a Failure.
  await world.plan('orders', ['db', 'vm'], { spec: { behavior: { retries: 0 } } });
  await world.synced();
  return { world, receiver };
}

const posted = async (receiver: MsteamsReceiver): Promise<string> =>
  JSON.stringify(await receiver.waitFor(() => receiver.messages.length > 0 && receiver.messages));

it('a failure arrives as a card in a channel of Teams', async () => {
  const { world, receiver } = await started();
  await evening(world, 'orders', 'no capacity for **db**');
  const message = await posted(receiver);
  expect(message).toContain('❌ Hibernation Failed');
  expect(message).toContain('no capacity for **db**');
  expect(receiver.records.map(({ failure }) => failure)).toEqual([undefined]);
});

it('the output of a template is the text of a card, in Markdown', async () => {
  const { world, receiver } = await started({}, '**{{ .Event }}** of {{ .Plan.Name | escapeMarkdown }}');
  await evening(world, 'orders');
  expect(await posted(receiver)).toContain('{"type":"TextBlock","text":"**Failure** of orders","wrap":true}');
});

it('a pause that the service requests is kept, and the message arrives once', async () => {
  const { world, receiver } = await started();
  receiver.faults.add({ times: 1, fault: { kind: 'status', status: 429, retryAfter: { inSeconds: 0 } } });
  await evening(world, 'orders');
  await posted(receiver);
  expect(receiver.messages).toHaveLength(1);
  expect(receiver.records.map(({ answered }) => answered.status)).toEqual([429, 202]);
});

it('a workflow that is off is named in the condition, without its address', async () => {
  const { world, receiver } = await started({ isOn: false });
  await evening(world, 'orders');
  const { conditions } = await world.status('n', (status) => JSON.stringify(status).includes('WorkflowOff'));
  expect(JSON.stringify(conditions)).not.toContain('made-up-signature');
  expect(receiver.messages).toEqual([]);
});
