import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, it, onTestFinished } from 'vitest';
import { signatureOf } from '../../core/src/sinks/webhook/signature.ts';
import { ROOT } from './support/page.ts';
import { missing } from './support/programs.ts';
import { NAMESPACE, World } from './support/world.ts';

const KEY = randomBytes(32);
const SECRET = `whsec_${KEY.toString('base64')}`;

/** The receivers of `examples/webhook`, and how they are started. `version`: prints the version of the program. */
const RECEIVERS = [
  { file: 'receiver.mjs', command: [process.execPath], missing: '' },
  { file: 'receiver.py', command: ['python3'], missing: missing('python3') },
  { file: 'receiver.go', command: ['go', 'run'], missing: missing('go', 'version') },
];

interface Receiver {
  readonly url: string;
  readonly lines: readonly string[];
}

async function start(command: readonly string[], file: string): Promise<Receiver> {
  const [program = '', ...args] = command;
  const child = spawn(program, [...args, join(ROOT, 'examples/webhook', file)], {
    env: { ...process.env, SIGNING_SECRET: SECRET, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
    // `go run` is the parent of the receiver.
    detached: true,
  });
  onTestFinished(() => {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  });
  const lines: string[] = [];
  const output = createInterface(child.stdout);
  output.on('line', (line) => lines.push(line));
  await once(output, 'line');
  const [, port = ''] = /^listening on port (\d+)$/.exec(lines[0] ?? '') ?? [];
  return { url: `http://127.0.0.1:${port}/`, lines };
}

const BODY = JSON.stringify({ context: { event: 'Start', plan: { namespace: 'shop', name: 'storefront' } } });
const now = (): number => Math.floor(Date.now() / 1_000);

interface Sent {
  readonly id?: string;
  readonly timestamp?: number;
  readonly body?: string;
  readonly signature?: (right: string) => string;
}

/** Sends a signed message; the status of the answer. */
async function send(url: string, sent: Sent = {}): Promise<number> {
  const { id = 'msg', timestamp = now(), body = BODY, signature = (right) => right } = sent;
  const response = await fetch(url, {
    method: 'POST',
    body,
    headers: {
      'webhook-id': id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': signature(signatureOf([KEY], id, timestamp, BODY)),
    },
  });
  return response.status;
}

describe.each(RECEIVERS)('examples/webhook/$file', ({ file, command, missing: reason }) => {
  const skipped = reason && ` (skipped: ${reason})`;

  it.skipIf(reason !== '')(`accepts the signatures of hnotif${skipped}`, async () => {
    const { url, lines } = await start(command, file);
    const world = await World.start();
    await world.configure('n', { url, signing_secret: SECRET });
    await world.notification('n', { onEvents: ['Start', 'Success'] });
    await world.plan('storefront');
    await world.synced();
    await world.hibernate('storefront');
    await expect.poll(() => lines).toContain(`Start ${NAMESPACE}/storefront`);
  });

  it.skipIf(reason !== '')(
    `refuses forged, changed or old messages, and accepts a message once${skipped}`,
    async () => {
      const { url, lines } = await start(command, file);
      const [, ...none] = lines;
      expect(none).toEqual([]);
      expect(await send(url, { signature: () => 'v1,bm90IHRoZSBzaWduYXR1cmU=' })).toBe(401);
      expect(await send(url, { signature: () => '' })).toBe(401);
      expect(await send(url, { signature: (right) => right.replace('v1,', 'v2,') })).toBe(401);
      expect(await send(url, { body: BODY.replace('shop', 'ship') })).toBe(401);
      expect(await send(url, { timestamp: now() - 3_600 })).toBe(401);
      expect(await send(url, { timestamp: now() + 3_600 })).toBe(401);
      expect((await fetch(url, { method: 'POST', body: BODY })).status).toBe(401);
      expect(lines).toHaveLength(1);

      // The secret is changed: one of the signatures is right.
      expect(await send(url, { signature: (right) => `v1,bm90IHRoaXMgb25l ${right}` })).toBe(204);
      expect(await send(url)).toBe(204);
      expect(await send(url, { id: 'another' })).toBe(204);
      await expect.poll(() => lines.slice(1)).toEqual(['Start shop/storefront', 'Start shop/storefront']);
    },
  );
});
