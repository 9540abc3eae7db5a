import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pause } from '../../../wait.ts';
import { startWebhookReceiver } from '@hnotif/receivers';
import { certificateOf } from '../../../../../hnotif/src/transport/testing/certificate.ts';
import { startAnswering } from '../../../answering.ts';
import type { Attack, Means } from '../beside.ts';
import type { Team } from '../../../team.ts';

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
  const refuse = () => ({ kind: 'answer', status: 403, body }) as const;
  const { origin, close } = await startAnswering(refuse, { host: NOT_PERMITTED, tls: CERTIFICATE });
  return { url: `${origin}/`, close };
}

/** The messages of the sinks in the status, when each sink has one. */
async function rowsOf(attacker: Team, signal: AbortSignal): Promise<string> {
  for (;;) {
    const [notification] = await attacker.notifications();
    const said = (notification?.status?.sinks ?? []).map(({ name, reason, message }) =>
      reason === undefined ? '' : `${name}: ${reason}, ${message ?? ''}`,
    );
    const isComplete = said.length > 0 && said.every((words) => words !== '');
    if (isComplete || signal.aborted) return said.join('\n              ');
    await pause(50);
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
      for (const [name, { url }] of Object.entries(servers)) await attacker.secret(name, { url });
      await attacker.notification('n', { onEvents: ['Start'], sinks: Object.keys(servers) });
      await attacker.plan('p0');
      await attacker.begins('p0');
      return await rowsOf(attacker, signal);
    } finally {
      await Promise.all(Object.values(servers).map((server) => server.close()));
    }
  },
};
