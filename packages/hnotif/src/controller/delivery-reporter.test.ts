import { pino } from 'pino';
import { expect, it } from 'vitest';
import type { FailedSend, Settlement } from '../dispatch/delivery.ts';
import { createMetrics } from '../observe/metrics.ts';
import { ManualClock } from '../../../core/src/testing/clock.ts';
import { anEvent } from '../../../core/src/testing/events.ts';
import { aSettlement } from '../testing/settlements.ts';
import type { SinkRecord } from '../status/sink-record.ts';
import { DeliveryReporter } from './delivery-reporter.ts';

const failed: Settlement = aSettlement({
  to: { namespace: 'team-a', notification: 'all', sink: 'ops' },
  ...{ result: 'failed', reason: 'ServerError', message: 'look at the receiver', requestCount: 6 },
});

function rig() {
  const lines: string[] = [];
  const warnings: string[] = [];
  const metrics = createMetrics('test');
  const clock = new ManualClock();
  let incident: SinkRecord['incident'];
  const report = new DeliveryReporter({
    clock,
    metrics,
    log: pino({ level: 'info' }, { write: (line: string) => lines.push(line) }),
    events: {
      inform: (_, reason, message) => warnings.push(`${reason}: ${message}`),
      warn: (_, reason, message, cause) => warnings.push(`${reason}: ${message} [${cause}]`),
      warnPlan: () => undefined,
    },
    sinks: { sink: () => ({ incident }), setIncident: (_, next) => (incident = next) },
  });
  return { report, metrics, lines, warnings, clock };
}

it('a journal write is measured from the first change that it stores', async () => {
  const { report, metrics, clock } = rig();
  const since = clock.monotonic();
  await clock.advance(2_000);
  report.released([{ since }, { since: clock.monotonic() }]);
  const text = await metrics.text();
  expect(text).toContain('hnotif_journal_delay_seconds_sum 2\n');
  expect(text).toContain('hnotif_journal_delay_seconds_count 1\n');
});

it('a failed delivery is counted, logged and reported with an Event', async () => {
  const { report, metrics, lines, warnings } = rig();
  report.settled(failed);
  expect(report.totals).toEqual({ delivered: 0, failed: 1, dropped: 0, suppressed: 0 });
  expect(await metrics.text()).toMatch(/^hnotif_deliveries_failed_total\{.*reason="ServerError"\} 1$/m);
  expect(lines).toHaveLength(1);
  expect(warnings).toEqual([
    'DeliveryFailed: ServerError: look at the receiver; the last: Start of night, id event-1 [ServerError]',
  ]);
});

it('drops that no user can correct are logged and counted, without an Event', () => {
  const { report, lines, warnings } = rig();
  for (let drop = 0; drop < 500; drop++)
    report.settled({ ...failed, result: 'dropped', reason: 'unsubscribed', message: '' });
  report.settled({ ...failed, result: 'dropped', reason: 'overflow', message: 'no room' });
  expect(lines).toHaveLength(2);
  report.close();
  const counts = lines.map((line) => (JSON.parse(line) as { count: number }).count);
  expect(counts).toEqual([1, 1, 499]);
  expect(warnings).toEqual([
    'DeliveryDropped: overflow: no room; the last: Start of night, id event-1 [overflow]',
  ]);
});

it('an Event of drops has the number of its series, a log line only the new ones', () => {
  const { report, lines, warnings } = rig();
  for (let drop = 0; drop < 9; drop++)
    report.settled({ ...failed, result: 'dropped', reason: 'expired', message: 'too old' });
  report.close();
  expect(lines.map((line) => (JSON.parse(line) as { count: number }).count)).toEqual([1, 8]);
  expect(warnings).toEqual([
    'DeliveryDropped: expired: too old; the last: Start of night, id event-1 [expired]',
    'DeliveryDropped: expired: too old (9 deliveries); the last: Start of night, id event-1 [expired]',
  ]);
});

it('a parked sink is reported once, by a log line and an Event, and again when it recovers', () => {
  const { report, lines, warnings, clock } = rig();
  const failure: FailedSend = {
    ...{ kind: 'quarantined', begun: true, reason: 'InvalidToken', message: 'make a new token' },
    ...{ since: clock.now() - 240_000, nextAt: 30_000, waiting: 7, lasting: true },
  };
  report.sendFailed(failed, failure);
  for (let probe = 0; probe < 5; probe++) report.sendFailed(failed, { ...failure, begun: false });
  report.circuitClosed(failed.to, 7, 90_400);
  expect(warnings).toEqual([
    'SinkQuarantined: InvalidToken: make a new token; deliveries wait [InvalidToken]',
    'SinkRecovered: sink ops is delivering again; 7 deliveries were waiting, the oldest for 4 min',
  ]);
  expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
    { level: 40, msg: 'sink quarantined', reason: 'InvalidToken', waiting: 7 },
    { level: 30, msg: 'sink takes messages again', sink: 'ops', waiting: 7, seconds: 90 },
  ]);
});

it('a sink that refuses each message has one log line in ten seconds, with the number', async () => {
  const { report, lines, warnings, clock } = rig();
  const written = () => lines.map((line) => JSON.parse(line) as object);
  for (let plan = 0; plan < 413; plan++) report.settled({ ...failed, requestCount: 1 });
  report.settled({ ...failed, reason: 'TooLong', message: 'make it shorter' });
  expect(written()).toMatchObject([
    { level: 50, msg: 'delivery failed', reason: 'ServerError', requests: 1 },
    { level: 50, msg: 'delivery failed', reason: 'TooLong', requests: 6 },
  ]);
  const since = new Date(clock.now()).toISOString();
  await clock.advance(10_000);
  expect(written().slice(2)).toMatchObject([
    { msg: 'deliveries failed', count: 412, since, reason: 'ServerError', detail: 'look at the receiver' },
  ]);
  // The Event counts by itself.
  expect(warnings).toHaveLength(414);
});

it('a failed send while others arrive is logged once, then with the number of further sends', () => {
  const { report, lines, warnings } = rig();
  const why = { kind: 'held', begun: false, reason: 'ServerError', message: 'HTTP 500' } as const;
  const wait = { since: 0, nextAt: 1, waiting: 1, lasting: false };
  for (let send = 0; send < 3; send++) report.sendFailed(failed, { ...why, ...wait });
  report.close();
  expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
    { msg: 'delivery put off', next: '1970-01-01T00:00:00.001Z' },
    { msg: 'deliveries put off', count: 2 },
  ]);
  expect(warnings).toEqual([]);
});

it('a template that fails for each message has one log line in ten seconds', () => {
  const { report, lines, warnings } = rig();
  const degradation = { reason: 'TemplateEmpty', message: 'it gave nothing' } as const;
  for (let message = 0; message < 1_000; message++) report.degraded(failed, degradation);
  report.close();
  expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
    { msg: 'message degraded', reason: 'TemplateEmpty' },
    { msg: 'messages degraded', reason: 'TemplateEmpty', count: 999 },
  ]);
  expect(warnings).toHaveLength(1_000);
});

it('a wait is reported by a log line and an Event, once for each reason; a failed send is reported elsewhere', () => {
  const { report, lines, warnings } = rig();
  const pause = {
    reason: 'TooManyRequests',
    message: 'send less',
    ...{ kind: 'paused' as const, since: 0, nextAt: Date.UTC(2026, 0, 5, 20, 15) },
    ...{ waiting: 3, lasting: false },
  };
  for (const begun of [true, false, false]) report.waits(failed.to, pause, begun);
  report.waits(failed.to, { ...pause, kind: 'parked' }, true);
  for (const reason of ['CatchingUp', 'FormerProcess'])
    report.waits(failed.to, { ...pause, kind: 'blocked', reason }, true);
  expect(lines).toHaveLength(1);
  expect(JSON.parse(lines[0] ?? '{}')).toMatchObject({
    ...{ level: 40, sink: 'ops', state: 'paused', reason: 'TooManyRequests', waiting: 3 },
    ...{ until: '2026-01-05T20:15:00.000Z', msg: 'sink waits' },
  });
  expect(warnings).toEqual(['TooManyRequests: 3 deliveries wait: send less [paused]']);
});

it('the end of a wait has an Event if its beginning had one', () => {
  const { report, warnings } = rig();
  const arrived: Settlement = { ...failed, result: 'delivered', reason: '', message: '' };
  const late = { ...{ reason: 'ReceiverSlow', message: 'look' }, kind: 'late', since: Infinity } as const;
  const wait = (reason: string, waiting: number, begun: boolean) => {
    report.waits(failed.to, { ...late, reason, waiting, nextAt: 0, lasting: false }, begun);
  };
  // What passes has no Warning.
  wait('CatchingUp', 3, true);
  report.settled(arrived);
  report.resumed(failed.to);
  expect(warnings).toEqual([]);
  wait('ReceiverSlow', 1, true);
  wait('CatchingUp', 1, true);
  report.settled(arrived);
  report.resumed(failed.to);
  report.settled(arrived);
  expect(warnings.slice(1)).toEqual(['SinkRecovered: sink ops is delivering again; 1 delivery was waiting']);
});

it('accepted events are counted for each sink', async () => {
  const { report, metrics } = rig();
  const stream = (sink: string, type: 'webhook' | 'teamchat') => ({ notification: 'all', sink, type });
  const to = [stream('a', 'webhook'), stream('b', 'webhook'), stream('c', 'teamchat')];
  const event = { event: anEvent('Start', 1), to };
  report.accepted([event, event, { event: anEvent('Success', 2), to: [] }]);
  const text = await metrics.text();
  expect(
    text
      .match(/^hnotif_\w+\{.*event="Start"\} \d$/gm)
      ?.map((line) => line.slice(-1))
      .sort(),
  ).toEqual(['2', '4']);
});
