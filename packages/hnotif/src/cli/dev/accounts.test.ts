import { expect, it } from 'vitest';
import { accountsOf } from './accounts.ts';
import type { Manifest } from './api.ts';

const ORIGIN = 'http://127.0.0.1:8098';
const TEAMS = 'http://127.0.0.1:8096';
const ORIGINS = { teamchat: ORIGIN, msteams: TEAMS };

const secret = (name: string, config: object): Manifest => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name, namespace: 'team' },
  stringData: { config: JSON.stringify(config) },
});

it('webhooks are signed with all keys that are named, each told once', () => {
  const { signingSecrets } = accountsOf(
    [
      secret('a', { url: 'http://x/', signing_secret: 'k1' }),
      secret('b', { url: 'http://x/', signing_secret: ['k2', 'k1'] }),
    ],
    ORIGINS,
  );
  expect(signingSecrets).toEqual(['k1', 'k2']);
});

it('an incoming webhook posts to a channel of its own, named by its secret; those of other chats are not known', () => {
  const { teamchat } = accountsOf(
    [
      secret('ops', { webhook_url: ` ${ORIGIN}/services/1 ` }),
      secret('ops-again', { webhook_url: `${ORIGIN}/services/1` }),
      secret('dev', { webhook_url: `${ORIGIN}/services/2` }),
      secret('real', { webhook_url: 'https://hooks.example.com/services/3' }),
    ],
    ORIGINS,
  );
  expect(teamchat).toEqual({
    channels: [
      { id: 'C0DEV1', name: 'ops' },
      { id: 'C0DEV2', name: 'dev' },
    ],
    tokens: {},
    webhooks: { '/services/1': { channel: 'C0DEV1' }, '/services/2': { channel: 'C0DEV2' } },
  });
});

it('a bot’s token and channel are known', () => {
  const { teamchat } = accountsOf(
    [secret('nights', { delivery_mode: 'thread', bot_token: ' xoxb-1 ', channel_id: 'C1' })],
    ORIGINS,
  );
  expect(teamchat).toMatchObject({ channels: [{ id: 'C1', name: 'nights' }], tokens: { 'xoxb-1': {} } });
});

it('chats are known by their numbers, however they are written, and by their names', () => {
  const { botchat } = accountsOf(
    [
      secret('lead', { token: '1:a', chat_id: 12 }),
      secret('lead-again', { token: '1:a', chat_id: '12' }),
      secret('group', { token: '2:b', chat_id: '-1001000000002' }),
      secret('news', { token: '2:b', chat_id: '@hnotif_news' }),
    ],
    ORIGINS,
  );
  expect(botchat.tokens).toEqual(['1:a', '2:b']);
  expect(botchat.chats).toMatchObject([
    { id: 12, title: 'lead' },
    { id: -1_001_000_000_002, title: 'group' },
    { type: 'channel', username: 'hnotif_news', title: 'news' },
  ]);
});

it('a workflow of Teams is known by its path, with its signature and the name of its first secret', () => {
  const { workflows, teamchat } = accountsOf(
    [
      secret('night', { webhook_url: `${TEAMS}/workflows/1/invoke?sv=1.0&sig=a%2Bb` }),
      secret('night-again', { webhook_url: `${TEAMS}/workflows/1/invoke?sv=1.0&sig=other` }),
      secret('real', { webhook_url: 'https://default.example.com/workflows/2/invoke?sig=c' }),
    ],
    ORIGINS,
  );
  expect([...workflows]).toEqual([['/workflows/1/invoke', { name: 'night', signature: 'a+b' }]]);
  expect(teamchat.channels).toEqual([]);
});
