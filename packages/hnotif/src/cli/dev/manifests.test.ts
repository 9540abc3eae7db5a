import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { readManifests, signingSecrets, withReceiver } from './manifests.ts';

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
  expect(messageOf(() => signingSecrets(manifests))).toBe(expected);
  expect(messageOf(() => withReceiver(manifests, 'http://a', 'http://b'))).toBe(expected);
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
  const texts = ['null', '7', '{"url": 7, "signing_secret": {"a": 1}}'].map(secret);
  const manifests = await readManifests(await folderOf(...texts));
  expect(signingSecrets(manifests)).toEqual([]);
  expect(withReceiver(manifests, 'http://a', 'http://b')).toEqual(manifests);
});

it('webhooks to the receiver follow it to another port, others stay', async () => {
  const texts = ['{"url": "http://a:1/x", "signing_secret": ["k1", "k2"]}', '{"url": "http://c/"}'].map(
    secret,
  );
  const manifests = await readManifests(await folderOf(...texts));
  expect(signingSecrets(manifests)).toEqual(['k1', 'k2']);
  const [moved, other] = withReceiver(manifests, 'http://a:1', 'http://b:2');
  expect(JSON.parse((moved?.stringData as { config: string }).config)).toEqual({
    url: 'http://b:2/x',
    signing_secret: ['k1', 'k2'],
  });
  expect(other).toEqual(manifests[1]);
});
