import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { startWebhookReceiver } from '@hnotif/receivers';
import { begin } from '../../../../../hnotif/src/lifecycle/operator.ts';
import { certificateOf } from '../../../../../hnotif/src/transport/testing/certificate.ts';
import type { Attack, Means } from '../beside.ts';
import type { Tenant } from '../tenant.ts';

/** A permitted address, because other receivers have it. */
const PERMITTED = '127.0.0.1';
/** An address that is not permitted. */
const NOT_PERMITTED = '127.0.0.2';
/** `--allow-insecure-http` may permit plain http to all of loopback, so the address that is not permitted speaks TLS. */
const CERTIFICATE = certificateOf({ names: ['inside'], addresses: [NOT_PERMITTED] });

interface Inside {
  readonly url: string;
  close(): Promise<unknown>;
}

async function trust(): Promise<Means> {
  const folder = await mkdtemp(join(tmpdir(), 'hnotif-inside-'));
  const file = join(folder, 'ca.pem');
  await writeFile(file, CERTIFICATE.cert);
  return { flags: [`--ca-file=${file}`], undo: () => void rm(folder, { recursive: true, force: true }) };
}

async function permitted(body: string): Promise<Inside> {
  const receiver = await startWebhookReceiver({ host: PERMITTED });
  receiver.faults.add({ fault: { kind: 'status', status: 403, body } });
  return receiver;
}

async function notPermitted(body: string): Promise<Inside> {
  const server = createServer(CERTIFICATE, (_, response) => response.writeHead(403).end(body));
  server.listen(0, NOT_PERMITTED);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `https://${NOT_PERMITTED}:${port}/`,
    close: () => new Promise((resolve) => server.close(resolve).closeAllConnections()),
  };
}

/** The messages of the sinks in the status, when each sink has one. */
async function rowsOf(attacker: Tenant, signal: AbortSignal): Promise<string> {
  for (;;) {
    const [notification] = await attacker.notifications();
    const said = (notification?.status?.sinks ?? []).map(({ name, reason, message }) =>
      reason === undefined ? '' : `${name}: ${reason}, ${message ?? ''}`,
    );
    const isComplete = said.length > 0 && said.every((words) => words !== '');
    if (isComplete || signal.aborted) return said.join('\n              ');
    await setTimeout(50);
  }
}

/** Row 11: servers inside the network answer with texts that a tenant may not see. */
export const PRIVATE_ANSWERS: Attack = {
  row: '11',
  title: 'webhooks to private addresses whose servers answer 403 with a password',
  means: trust,
  async attack({ attacker, canaries }, _size, signal) {
    const servers = {
      permitted: await permitted(canaries.answer),
      'not-permitted': await notPermitted(canaries.answer),
    };
    try {
      for (const [name, { url }] of Object.entries(servers)) await attacker.webhook(name, url);
      await attacker.notification('n', { onEvents: ['Start'], sinks: Object.keys(servers) });
      await attacker.plan('p0');
      await attacker.write('p0', (status, at) =>
        begin(status, 'shutdown', 'c0', [{ name: 'db', type: 'rds' }], at),
      );
      return await rowsOf(attacker, signal);
    } finally {
      await Promise.all(Object.values(servers).map((server) => server.close()));
    }
  },
};
