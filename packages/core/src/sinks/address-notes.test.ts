import { expect, test } from 'vitest';
import { addressNotes } from './address-notes.ts';

test.each([
  ['https://hooks.slack.com/services/T0/B0/x', 'Slack', 'type teamchat'],
  ['https://HOOKS.slack.com./triggers/x', "Slack's workflows", 'type teamchat'],
  ['https://slack.com/api/chat.postMessage', "Slack's Web API", 'bot_token and channel_id'],
  ['https://acme.slack.com/api/chat.postMessage', "Slack's Web API", 'bot_token and channel_id'],
  ['https://discord.com/api/webhooks/1/x', 'Discord', 'put /slack at its end'],
  ['https://ptb.discordapp.com/api/v10/webhooks/1/x', 'Discord', 'put /slack at its end'],
  ['https://discord.com/api/webhooks/1/x/slack', 'Discord', /as webhook_url$/],
  ['https://contoso.webhook.office.com/webhookb2/x', 'Microsoft Teams', 'format text'],
  ['https://prod-1.westeurope.logic.azure.com/workflows/x', 'Microsoft Teams or Power Automate', 'rendered'],
  [
    'https://default1.2.environment.api.powerplatform.com/powerautomate/x',
    'Microsoft Teams or Power Automate',
    'rendered',
  ],
  ['https://api.telegram.org/bot1:x/sendMessage', 'Telegram', 'type botchat'],
])('%s, as url of a webhook sink, is an address of %s', (url, name, remedy) => {
  const [note, ...more] = addressNotes('url', url, 'payload');
  expect(note).toContain(`url: is an address of ${name}`);
  expect(note).toMatch(remedy);
  expect(more).toEqual([]);
});

test.each([
  ['https://hooks.slack.com/triggers/T0/1/x', "Slack's workflows", 'hooks.slack.com/services/'],
  ['https://hooks.slack.com/workflows/T0/1/x', "Slack's workflows", 'hooks.slack.com/services/'],
  ['https://slack.com/api/chat.postMessage', "Slack's Web API", 'bot_token and channel_id'],
  ['https://discord.com/api/webhooks/1/x', 'Discord', 'put /slack at its end'],
  [
    'https://prod-1.westeurope.logic.azure.com/workflows/x',
    'Microsoft Teams or Power Automate',
    'type webhook',
  ],
  ['https://api.telegram.org/bot1:x/sendMessage', 'Telegram', 'type botchat'],
])('%s, as webhook_url, is an address of %s', (url, name, remedy) => {
  for (const message of ['unset', 'json'] as const) {
    const [note, ...more] = addressNotes('webhook_url', url, message);
    expect(note).toContain(`webhook_url: is an address of ${name}`);
    expect(note).toMatch(remedy);
    expect(more).toEqual([]);
  }
});

test.each([
  ['https://hooks.slack.com/services/T0/B0/x', 'Slack', /type teamchat/],
  ['https://discord.com/api/webhooks/1/x', 'Discord', /type teamchat/],
  ['https://contoso.webhook.office.com/webhookb2/x', 'Microsoft Teams', /make a workflow/],
  ['https://api.telegram.org/bot1:x/sendMessage', 'Telegram', /type botchat/],
])('%s, as webhook_url of an msteams sink, is an address of %s', (url, name, remedy) => {
  const [note, ...more] = addressNotes('webhook_url', url, 'card');
  expect(note).toContain(`webhook_url: is an address of ${name}, which does not show the cards`);
  expect(note).toMatch(remedy);
  expect(more).toEqual([]);
});

test('a workflow of Microsoft Teams shows the cards of an msteams sink, and says so of other sinks', () => {
  const url = 'https://default1.2.environment.api.powerplatform.com/powerautomate/x';
  expect(addressNotes('webhook_url', url, 'card')).toEqual([]);
  for (const sent of ['payload', 'unset', 'text', 'json'] as const)
    expect(addressNotes('url', url, sent)).toEqual([expect.stringContaining('use a sink of type msteams')]);
});

test('Microsoft Teams shows the texts of a teamchat sink, and no blocks', () => {
  const url = 'https://contoso.webhook.office.com/webhookb2/x';
  expect(addressNotes('webhook_url', url, 'text')).toEqual([]);
  expect(addressNotes('webhook_url', url, 'json')).toEqual([expect.stringMatching(/; set format to text$/)]);
});

test.each([
  ['https://prod-1.westeurope.logic.azure.com/workflows/x', 'payload', 'rendered'],
  ['https://hooks.slack.com/triggers/T0/1/x', 'unset', 'text'],
] as const)('who has followed the remedy for %s has no note', (url, before, after) => {
  expect(addressNotes('url', url, before)).toHaveLength(1);
  expect(addressNotes('url', url, after)).toEqual([]);
});

test.each(['https://hooks.slack.com/services/T0/B0/x', 'https://discord.com/api/webhooks/1/x/slack'])(
  '%s takes the messages of a teamchat sink',
  (url) => {
    expect(addressNotes('webhook_url', url, 'json')).toEqual([]);
  },
);

test.each([
  'https://hooks.example.com/services/T0',
  'https://hooks.slack.com.example.com/',
  'https://nothooks.slack.com/',
  'https://slack.com/blog',
  'https://discord.com/blog',
  'https://evil-webhook.office.com/',
  'https://logic.azure.com.example/',
  'https://example.com/api.telegram.org',
  'https://example.com/?filter={"plan":{"name":1}}&list={}',
  'https://example.com/a%20b',
])('%s has no note', (url) => {
  expect(addressNotes('url', url, 'payload')).toEqual([]);
});

test.each([
  'https://ci.example/${PLAN}',
  'https://ci.example/$PLAN/x',
  'https://ci.example/$(PLAN)',
  'https://ci.example/{plan}/x',
  'https://ci.example/?of={Plan-Name}',
  'https://ci.example/%7Bplan%7D',
  'https://ci.example/%24%7Bplan%7D',
  'https://ci.example/<canary>',
  'https://ci.example/%3Ccanary%3E',
  'https://hooks.slack.com/services/…',
])('%s has a placeholder', (url) => {
  expect(addressNotes('url', url, 'text')).toEqual([
    expect.stringMatching(
      /^url: holds a placeholder .*, which hnotif sends as it is; write .*the body names/,
    ),
  ]);
});
