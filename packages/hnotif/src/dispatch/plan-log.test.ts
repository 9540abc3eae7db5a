import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anEvent, progress } from '../../../core/src/testing/events.ts';
import { aPlan } from '../../../core/src/testing/plans.ts';
import type { DerivedEvent } from '@hnotif/core/lifecycle';
import { streamKey, type Routed, type StreamName } from './log-entry.ts';
import { PlanLog } from './plan-log.ts';
import { suits } from './removal.ts';
import { BUSY } from './states.ts';
import { countSuperseded, isSuperseded } from './superseded.ts';

const NAMES: readonly StreamName[] = ['a', 'b', 'c', 'd'].map((sink) => ({
  notification: 'n',
  sink,
  type: 'webhook',
}));
const BY = { acceptedAt: 0, since: 0, restored: false };

const routed = (events: readonly DerivedEvent[], to: readonly StreamName[]): Routed[] =>
  events.map((event) => ({ event, to }));

function rig() {
  const account = { deliveries: 0, bytes: 0 };
  const log = new PlanLog({ current: aPlan() }, (deliveries, bytes) => {
    account.deliveries += deliveries;
    account.bytes += bytes;
  });
  const streamOf = (name: StreamName) => log.streams.get(streamKey(name));
  return { account, log, streamOf };
}

const table = (seq: number) => [
  { name: 'db', executor: 'rds', state: seq % 2 === 0 ? 'Running' : 'Completed', message: `${seq}` },
  { name: 'vm', executor: 'ec2', state: 'Pending', message: '' },
];

describe('the log of a plan', () => {
  it('returns an event unchanged', () => {
    const { log } = rig();
    const event = anEvent('Success', 1, {
      targets: table(1),
      startedAt: '2026-01-05T20:00:00.000Z',
      replayed: true,
    });
    log.append([{ event, to: [NAMES[0]!] }], BY);
    const { fact: _, epoch: __, ...whole } = event;
    expect([...log.entries()].map((entry) => log.eventOf(entry))).toEqual([whole]);
  });

  it('gives each stream its waiting events in order, whatever ends, is dropped or taken back (property)', () => {
    const deed = fc.oneof(
      {
        weight: 4,
        arbitrary: fc.record({
          kind: fc.constant('append' as const),
          to: fc.oneof(fc.subarray<number>([0, 1, 2, 3]), fc.constant<number[]>([0, 1, 2, 3])),
        }),
      },
      { weight: 3, arbitrary: fc.record({ kind: fc.constant('settle' as const), which: fc.nat(3) }) },
      { weight: 2, arbitrary: fc.constant({ kind: 'release' as const }) },
      {
        weight: 1,
        arbitrary: fc.record({
          kind: fc.constant('drop' as const),
          which: fc.nat(3),
          modulus: fc.integer({ min: 1, max: 4 }),
          alike: fc.boolean(),
        }),
      },
      { weight: 1, arbitrary: fc.constant({ kind: 'truncate' as const }) },
    );
    let repeated = 0;
    fc.assert(
      fc.property(fc.array(deed, { maxLength: 120 }), (deeds) => {
        const { account, log, streamOf } = rig();
        /** By sink: the `seq` of each waiting delivery. */
        const model = NAMES.map((): number[] => []);
        let seq = 0;
        let released = 0;
        for (const each of deeds) {
          if (each.kind === 'append') {
            const event = anEvent('PhaseChange', ++seq, { targets: table(seq) });
            log.append([{ event, to: each.to.map((at) => NAMES[at]!) }], BY);
            for (const at of each.to) model[at]?.push(seq);
          } else if (each.kind === 'release') log.release((released = seq));
          else if (each.kind === 'truncate') {
            log.truncate();
            for (const [at, waiting] of model.entries()) model[at] = waiting.filter((one) => one <= released);
            seq = released;
          } else {
            const stream = streamOf(NAMES[each.which]!);
            if (stream === undefined) continue;
            if (each.kind === 'settle') {
              const head = log.next(stream);
              if (head === undefined) continue;
              log.settle(stream, head);
              expect(model[each.which]?.shift()).toBe(head.seq);
            } else {
              const isGone = (one: number): boolean => one % each.modulus === 0;
              const removal = log.removalOf(stream, (entry) => isGone(entry.seq));
              for (const [at, waiting] of model.entries()) {
                const other = streamOf(NAMES[at]!);
                if (other === undefined || (at !== each.which && !(each.alike && suits(removal, other))))
                  continue;
                if (at !== each.which && removal.gone.length > 0) repeated++;
                expect(log.remove(other, removal).map((entry) => entry.seq)).toEqual(waiting.filter(isGone));
                model[at] = waiting.filter((one) => !isGone(one));
              }
            }
          }
          for (const [at, waiting] of model.entries()) {
            const stream = streamOf(NAMES[at]!);
            expect(stream?.waiting ?? 0).toBe(waiting.length);
            if (stream === undefined) continue;
            expect(log.waitingOf(stream).map((entry) => entry.seq)).toEqual(waiting);
            expect(log.first(stream)?.seq).toBe(waiting[0]);
            expect(log.next(stream)?.seq).toBe(waiting.find((one) => one <= released));
          }
          for (const entry of log.entries()) expect(log.eventOf(entry).targets).toEqual(table(entry.seq));
          const wanted = new Set(model.flat());
          expect(log.entries().map((entry) => entry.seq)).toEqual([...wanted].sort((a, b) => a - b));
          expect(account.deliveries).toBe(model.flat().length);
          expect(account.bytes).toBe(log.bytes);
          if (wanted.size === 0) expect([log.isEmpty, log.bytes]).toEqual([true, 0]);
        }
      }),
      { seed: 20261122, numRuns: 300 },
    );
    expect(repeated).toBeGreaterThan(20);
  });

  it('grows with events and sinks, not with their product', () => {
    const { account, log } = rig();
    const sinks = (count: number): StreamName[] =>
      Array.from({ length: count }, (_, n) => ({ notification: 'n', sink: `s${n}`, type: 'webhook' }));
    const events = Array.from({ length: 1_000 }, (_, n) => progress(n + 1, `t${n}`));
    const few = sinks(1);
    const many = sinks(384);
    log.append(routed(events, few), BY);
    const { bytes } = account;
    log.append(
      events.map((event) => ({ event: { ...event, seq: event.seq + 1_000 }, to: many })),
      BY,
    );
    expect(account).toEqual({ deliveries: 1_000 + 384_000, bytes: 2 * bytes });
    expect(log.entries()).toHaveLength(2_000);
  });

  it('merges the ranges that a stream skips', () => {
    const { log, streamOf } = rig();
    const events = Array.from({ length: 1_000 }, (_, n) => progress(n + 1, `t${n}`));
    log.append(routed(events, NAMES), BY);
    const stream = streamOf(NAMES[0]!)!;
    stream.remove(({ seq }) => seq > 1 && seq <= 900 && seq !== 500);
    expect(stream.skipped()).toEqual([
      [2, 499],
      [501, 900],
    ]);
    stream.remove(({ seq }) => seq === 500);
    expect(stream.skipped()).toEqual([[2, 900]]);
  });

  it('repeats a removal only for streams that wait for the same events', () => {
    const { log, streamOf } = rig();
    const events = Array.from({ length: 9 }, (_, n) => progress(n + 1, `t${n}`));
    log.append(routed(events, NAMES), BY);
    log.release(Infinity);
    const [first, same, other, busy] = NAMES.map((name) => streamOf(name)!);
    for (const stream of log.streams.values()) expect(log.first(stream)?.seq).toBe(1);
    other!.remove(({ seq }) => seq === 5);
    busy!.begin();
    busy!.state = BUSY;
    const removal = log.removalOf(first!, ({ seq }) => seq === 1 || seq > 4);
    expect([same!, other!, busy!].map((stream) => suits(removal, stream))).toEqual([true, false, false]);
  });

  it('forgets deleted sinks, while the events of another sink remain', () => {
    const { log } = rig();
    const [dead] = NAMES;
    log.append([{ event: anEvent('Start', 1), to: [dead!] }], BY);
    log.release(Infinity);
    for (let seq = 2; seq < 1_000; seq++) {
      const to = { notification: `n${seq}`, sink: 's', type: 'webhook' } as const;
      log.append([{ event: anEvent('PhaseChange', seq), to: [to] }], BY);
      const stream = log.streams.get(streamKey(to))!;
      log.settle(stream, log.next(stream)!);
    }
    expect(log.streams.size).toBeLessThan(100);
  });

  it('counts superseded progress correctly, compared with a count one by one (property)', () => {
    const event = fc.record({
      kind: fc.constantFrom('ExecutionProgress', 'ExecutionProgress', 'PhaseChange', 'Start', 'Success'),
      target: fc.constantFrom('db', 'vm'),
      run: fc.integer({ min: 1, max: 2 }),
      to: fc.subarray([0, 1], { minLength: 1 }),
    });
    const arbitrary = fc.record({
      events: fc.array(event, { maxLength: 40 }),
      released: fc.nat(40),
      modulus: fc.integer({ min: 2, max: 5 }),
    });
    fc.assert(
      fc.property(arbitrary, ({ events, released, modulus }) => {
        const { log, streamOf } = rig();
        for (const [seq, { kind, target, run, to }] of events.entries()) {
          const targetExecution = { name: target, executor: 'x', state: 'Running', message: '' };
          const of = kind === 'ExecutionProgress' ? { targetExecution } : {};
          const one = anEvent(kind, seq, { run, ...of });
          log.append([{ event: one, to: to.map((which) => NAMES[which]!) }], BY);
        }
        log.release(released);
        for (const name of NAMES.slice(0, 2)) {
          const stream = streamOf(name);
          if (stream === undefined) continue;
          stream.remove(({ at }) => at % modulus === 0);
          const released = log.waitingOf(stream).filter(({ at }) => at <= log.releasedTo);
          const expected = released.filter((entry) => isSuperseded(entry, stream)).length;
          expect(countSuperseded(stream)).toBe(expected);
        }
      }),
    );
  });
});
