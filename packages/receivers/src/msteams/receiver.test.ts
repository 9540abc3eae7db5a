import { expect, it, onTestFinished } from 'vitest';
import { startMsteamsReceiver, type MsteamsOptions } from './receiver.ts';

const card = (text: string) => ({
  type: 'message',
  attachments: [
    {
      contentType: 'application/vnd.microsoft.card.adaptive',
      content: { type: 'AdaptiveCard', version: '1.4', body: [{ type: 'TextBlock', text }] },
    },
  ],
});

async function posted(
  body: string,
  { path = '', ...options }: MsteamsOptions & { readonly path?: string } = {},
) {
  const receiver = await startMsteamsReceiver(options);
  onTestFinished(() => receiver.close());
  const url = path === '' ? receiver.webhookUrl() : receiver.origin + path;
  const response = await fetch(url, { method: 'POST', body });
  return { receiver, status: response.status, text: await response.text() };
}

it('posts a card, and answers before', async () => {
  const { receiver, status, text } = await posted(JSON.stringify(card('hello')));
  expect([status, text]).toEqual([202, '']);
  expect(receiver.messages).toMatchObject([{ cards: [{ body: [{ text: 'hello' }] }] }]);
});

it('answers 202 for a card that is too long, and posts nothing', async () => {
  const { receiver, status } = await posted(JSON.stringify(card('x'.repeat(30_000))));
  expect(status).toBe(202);
  expect(receiver.messages).toEqual([]);
  expect(receiver.records[0]).toMatchObject({
    answered: { accepted: false },
    failure: expect.stringContaining('MessageSizeExceeded') as string,
  });
});

it('posts by each workflow that it knows, and by no other', async () => {
  const workflows = { '/workflows/night': 'one', '/workflows/day': 'two' };
  const body = JSON.stringify(card('hello'));
  const statusOf = async (path: string) => (await posted(body, { workflows, path })).status;
  expect(await statusOf('/workflows/night?sig=one')).toBe(202);
  expect(await statusOf('/workflows/day?sig=two')).toBe(202);
  expect(await statusOf('/workflows/day?sig=one')).toBe(401);
  expect(await statusOf('/workflows/noon?sig=one')).toBe(404);
});

it.each<[number, string, string, Parameters<typeof posted>[1]]>([
  [400, 'no JSON', 'InvalidRequestContent', {}],
  [
    401,
    '{}',
    'DirectApiAuthorizationRequired',
    {
      path: '/powerautomate/automations/direct/workflows/0123456789abcdef/triggers/manual/paths/invoke?sig=x',
    },
  ],
  [404, '{}', 'WorkflowNotFound', { path: '/other' }],
  [400, '{}', 'WorkflowTriggerIsNotEnabled', { isOn: false }],
])('answers %i to %s: %s', async (status, body, code, options) => {
  const answer = await posted(body, options);
  expect(answer.status).toBe(status);
  expect(JSON.parse(answer.text)).toMatchObject({ error: { code } });
  expect(answer.receiver.records[0]).toMatchObject({ error: code, answered: { accepted: false } });
});
