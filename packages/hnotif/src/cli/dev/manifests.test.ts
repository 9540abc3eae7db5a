import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { accountsOf } from './accounts.ts';
import type { Manifest } from './api.ts';
import { readManifests, withReceivers } from './manifests.ts';

const ORIGINS = { teamchat: 'http://a', msteams: 'http://b' };
const CANARY = 'canary-4f1d';

async function folderOf(...texts: string[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'hnotif-manifests-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  for (const [index, text] of texts.entries()) await writeFile(join(folder, `${index}.yaml`), text);
  return folder;
}

const secret = (config: string) => `apiVersion: v1
kind: Secret
metadata: { name: hook, namespace: team }
stringData: { config: ${JSON.stringify(config)} }
`;

const MOVES = new Map([
  ['http://a:1', 'http://b:3'],
  ['http://c:2', 'http://d:4'],
]);

const configIn = (manifest: Manifest | undefined): unknown =>
  JSON.parse((manifest?.stringData as { config: string }).config);

const messageOf = (run: () => unknown): string => {
  try {
    run();
  } catch (error) {
    return String(error);
  }
  throw new Error('nothing was thrown');
};

it('a configuration that is not JSON is named by its secret, and nothing of it is shown', async () => {
  const manifests = await readManifests(await folderOf(secret(CANARY)));
  const expected = 'Error: secret team/hook: config is not JSON';
  expect(messageOf(() => accountsOf(manifests, ORIGINS))).toBe(expected);
  expect(messageOf(() => withReceivers(manifests, MOVES))).toBe(expected);
});

it.each([
  ['a fault of YAML', `# first\na: "${CANARY}\n`, /0\.yaml:\d+: not YAML \([A-Z_]+\)$/],
  ['a token that is none', `metadata: { name: ${CANARY} }}\n`, /0\.yaml:1: not YAML \([A-Z_]+\)$/],
  ['an alias without its anchor', `a: *${CANARY}\n`, /0\.yaml: not YAML \(an alias without its anchor\)$/],
  ['text that is no object', CANARY, /0\.yaml: an object without apiVersion, kind or metadata\.name$/],
  ['a nameless object', 'apiVersion: v1\nkind: Secret\n', /0\.yaml: an object without /],
])('%s is named by its file, and nothing of it is shown', async (_, text, expected) => {
  const message = await readManifests(await folderOf(text)).catch(String);
  expect(message).toMatch(expected);
  expect(message).not.toContain(CANARY);
});

it('empty documents are left out', async () => {
  expect(await readManifests(await folderOf('# nothing\n---\n---\n', secret('{}')))).toHaveLength(1);
});

it('what is JSON but no configuration is left to the controller to complain of', async () => {
  const texts = [
    'null',
    '7',
    '{"url": 7, "webhook_url": {}, "signing_secret": {"a": 1}, "bot_token": [], "chat_id": "me"}',
  ].map(secret);
  const manifests = await readManifests(await folderOf(...texts));
  expect(accountsOf(manifests, ORIGINS)).toEqual({
    signingSecrets: [],
    teamchat: { channels: [], tokens: {}, webhooks: {} },
    botchat: { tokens: [], chats: [] },
    workflows: new Map(),
  });
  expect(withReceivers(manifests, MOVES)).toEqual(manifests);
});

it('what goes to a receiver follows it to another port, the rest stays', async () => {
  const texts = [
    '{"url": "http://a:1/x?y=z", "signing_secret": "k"}',
    '{"webhook_url": "http://c:2/services/x"}',
    '{"url": "http://a:11/"}',
    '{"url": "http://d/"}',
  ].map(secret);
  const manifests = await readManifests(await folderOf(...texts));
  const [url, webhook, ...others] = withReceivers(manifests, MOVES);
  expect([url, webhook].map(configIn)).toEqual([
    { url: 'http://b:3/x?y=z', signing_secret: 'k' },
    { webhook_url: 'http://d:4/services/x' },
  ]);
  expect(others).toEqual(manifests.slice(2));
});
