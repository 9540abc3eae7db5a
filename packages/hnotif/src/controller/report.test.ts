import { pino } from 'pino';
import { expect, it } from 'vitest';
import type { Settlement } from '../dispatch/delivery.ts';
import { createMetrics } from '../observe/metrics.ts';
import { ManualClock } from '../testing/clock.ts';
import { anEvent } from '../testing/events.ts';
import { aPlan } from '../testing/plans.ts';
import { Report } from './report.ts';

const failed: Settlement = {
  to: { namespace: 'team-a', notification: 'all', sink: 'ops' },
  sinkType: 'webhook',
  event: anEvent('Start', 1),
  plan: { current: aPlan() },
  result: 'failed',
  reason: 'ServerError',
  message: 'look at the receiver',
  requests: 6,
  noticed: false,
  lasting: false,
  latencyMs: 5,
};

function rig(settled: () => void) {
  const lines: string[] = [];
  const warnings: string[] = [];
  const metrics = createMetrics('test');
  const report = new Report({
    clock: new ManualClock(),
    metrics,
    log: pino({ level: 'info' }, { write: (line: string) => lines.push(line) }),
    settled,
    throttled: () => undefined,
    rejected: () => undefined,
    noticed: () => undefined,
    warn: (_, reason, message) => warnings.push(`${reason}: ${message}`),
  });
  return { report, metrics, lines, warnings };
}

it('a failed delivery is counted, logged and told with an Event, though its status cannot be kept', async () => {
  const { report, metrics, lines, warnings } = rig(() => {
    throw new Error('a fault of our own');
  });
  expect(() => {
    report.settled(failed);
  }).toThrow('a fault of our own');
  expect(report.totals).toEqual({ delivered: 0, failed: 1, dropped: 0, suppressed: 0 });
  expect(await metrics.text()).toMatch(/^hnotif_deliveries_failed_total\{.*reason="ServerError"\} 1$/m);
  expect(lines).toHaveLength(1);
  expect(warnings).toEqual(['DeliveryFailed: sink ops: ServerError: look at the receiver']);
});

it('drops that nobody can mend are logged, all counted, and no Event tells of them', () => {
  const { report, lines, warnings } = rig(() => undefined);
  for (let drop = 0; drop < 500; drop++)
    report.settled({ ...failed, result: 'dropped', reason: 'unsubscribed', message: '' });
  report.settled({ ...failed, result: 'dropped', reason: 'overflow', message: 'no room' });
  expect(lines).toHaveLength(2);
  report.close();
  const counts = lines.map((line) => (JSON.parse(line) as { count: number }).count);
  expect(counts).toEqual([1, 1, 499]);
  expect(warnings).toEqual(['DeliveryDropped: sink ops: overflow: no room']);
});
