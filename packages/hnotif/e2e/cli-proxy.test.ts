import { expect, it } from 'vitest';
import { serveRaw } from '../src/transport/testing/server.ts';
import { command } from './support/command.ts';
import { NAMESPACE, World } from './support/world.ts';

/** An address for documentation (RFC 5737): without the proxy nothing answers there. */
const HOOK = 'https://198.51.100.7/canary';
const PERMITTED = '--egress-allow=198.51.100.0/24';

const MANIFESTS = `apiVersion: hibernation.dev/v1alpha1
kind: HibernateNotification
metadata: { name: night, namespace: shop }
spec:
  selector: { matchLabels: {} }
  onEvents: [Start]
  sinks: [{ name: hook, type: webhook, secretRef: { name: hook } }]
---
apiVersion: v1
kind: Secret
metadata: { name: hook, namespace: shop }
stringData: { config: '{"url": "${HOOK}"}' }
`;

/** A proxy that lets nobody through, and what it was asked for. */
async function proxy(): Promise<{ readonly url: string; readonly asked: string[] }> {
  const asked: string[] = [];
  const { href } = await serveRaw((socket, bytes) => {
    asked.push(bytes.toString('latin1').split('\r\n', 1)[0] ?? '');
    socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
  });
  return { url: href, asked };
}

it('hnotif send goes through the proxy of the environment, as the controller does', async () => {
  const { url, asked } = await proxy();
  const { exit, out } = await command(['send', '-f', '-', PERMITTED], MANIFESTS, { HTTPS_PROXY: url });
  expect(asked).toEqual(['CONNECT 198.51.100.7:443 HTTP/1.1']);
  expect(exit).toBe(1);
  expect(out).toEqual([
    expect.stringMatching(
      /^failed .*https:\/\/198\.51\.100\.7: the proxy of HTTPS_PROXY gave no connection: it answered 403/,
    ),
  ]);
});

it('hnotif doctor tries connections through the proxy', async () => {
  const world = await World.start();
  await world.secret('hook', { url: HOOK });
  await world.notification('n', { onEvents: ['Start'], sinks: ['hook'] });
  const { url, asked } = await proxy();
  const flags = [PERMITTED, `--namespace=${NAMESPACE}`, `--kubeconfig=${await world.kubeconfig()}`];
  const { exit, out } = await command(['doctor', ...flags], '', { https_proxy: url });
  expect(asked).toEqual(['CONNECT 198.51.100.7:443 HTTP/1.1']);
  expect(exit).toBe(1);
  expect(out).toContainEqual(
    expect.stringMatching(/^failed {2}n\/hook: there was no connection to .*HTTPS_PROXY.*answered 403/),
  );
});

it('a proxy that is not a URL is an error of the environment, without its text', async () => {
  const { exit, out, err } = await command(['send', '-f', '-', PERMITTED], MANIFESTS, {
    HTTPS_PROXY: 'canary:3128',
  });
  expect([exit, out]).toEqual([2, []]);
  expect(err).toEqual([
    'error: HTTPS_PROXY (or https_proxy) must be a URL that begins with http:// or https://',
  ]);
});
