import { expect, test } from 'vitest';
import { noteOfChat } from './chat-address.ts';

test.each([
  ['https://hooks.slack.com/services/T0/B0/x', 'Slack', 'type teamchat'],
  ['https://HOOKS.slack.com./triggers/x', 'Slack', 'type teamchat'],
  ['https://discord.com/api/webhooks/1/x', 'Discord', 'put /slack at its end'],
  ['https://ptb.discordapp.com/api/v10/webhooks/1/x', 'Discord', 'put /slack at its end'],
  ['https://discord.com/api/webhooks/1/x/slack', 'Discord', /as webhook_url$/],
  ['https://contoso.webhook.office.com/webhookb2/x', 'Microsoft Teams', 'format text'],
  ['https://prod-1.westeurope.logic.azure.com/workflows/x', 'Power Automate', 'rendered'],
  ['https://default1.2.environment.api.powerplatform.com/powerautomate/x', 'Power Automate', 'rendered'],
  ['https://api.telegram.org/bot1:x/sendMessage', 'Telegram', 'type botchat'],
])('%s is an address of %s', (url, name, remedy) => {
  expect(noteOfChat(new URL(url))).toContain(name);
  expect(noteOfChat(new URL(url))).toMatch(remedy);
});

test.each([
  'https://hooks.example.com/services/T0',
  'https://hooks.slack.com.example.com/',
  'https://nothooks.slack.com/',
  'https://discord.com/blog',
  'https://evil-webhook.office.com/',
  'https://logic.azure.com.example/',
  'https://example.com/api.telegram.org',
])('%s is none of a chat', (url) => {
  expect(noteOfChat(new URL(url))).toBeUndefined();
});
