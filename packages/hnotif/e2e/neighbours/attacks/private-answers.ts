import { setTimeout } from 'node:timers/promises';
import { startWebhookReceiver } from '@hnotif/receivers';
import { begin } from '../../../src/lifecycle/operator.ts';
import type { Attack } from '../beside.ts';

const SHOWN_MS = 3_000;

/**
 * Row 11: servers within the network answer what no tenant may see. One is at an address that nobody has permitted, one at an
 * address that is permitted for the sake of other receivers.
 */
export const PRIVATE_ANSWERS: Attack = {
  row: '11',
  title: 'webhooks to private addresses whose servers answer 403 with a password',
  async attack({ attacker, canaries }, _size, signal) {
    const servers = await Promise.all(
      ['127.0.0.1', '127.0.0.2'].map((host) => startWebhookReceiver({ host })),
    );
    try {
      for (const [index, server] of servers.entries()) {
        server.faults.add({ fault: { kind: 'status', status: 403, body: canaries.answer } });
        await attacker.webhook(`s${index}`, server.url);
      }
      await attacker.notification('n', { onEvents: ['Start'], sinks: ['s0', 's1'] });
      await attacker.plan('p0');
      await attacker.write('p0', (status, at) =>
        begin(status, 'shutdown', 'c0', [{ name: 'db', type: 'rds' }], at),
      );
      // Until what came of it stands in the status and in an Event.
      for (const until = performance.now() + SHOWN_MS; performance.now() < until && !signal.aborted;) {
        const [notification] = await attacker.notifications();
        const rows = notification?.status?.sinks ?? [];
        if (rows.filter(({ reason }) => reason !== undefined).length === 2) break;
        await setTimeout(50);
      }
      await setTimeout(SHOWN_MS, undefined, { signal }).catch(() => undefined);
    } finally {
      await Promise.all(servers.map((server) => server.close()));
    }
  },
};
