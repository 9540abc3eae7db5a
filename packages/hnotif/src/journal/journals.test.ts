import fc from 'fast-check';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import type { JournalIdentity, Written } from '../cluster/journal-store.ts';
import type { LivePlan } from '../dispatch/delivery.ts';
import { streamKey, type LogEntry, type StreamName } from '../dispatch/log-entry.ts';
import { PlanLog } from '../dispatch/plan-log.ts';
import { emptyBaseline, type Observed } from '@hnotif/core/lifecycle';
import { dedicatedJournalName, partitionOf, sharedJournalName, type Plan } from '@hnotif/core/resources';
import { ManualClock, settle } from '../../../core/src/testing/clock.ts';
import { anEvent } from '../../../core/src/testing/events.ts';
import type { SavePriority } from '@hnotif/core/sinks';
import { aPlan } from '../../../core/src/testing/plans.ts';
import { Journals, type JournalsOptions } from './journals.ts';
import type { JournalListener } from './listener.ts';
import { readEntry, type StoredPlan } from './entry.ts';
import { FakeServer, type Answer } from './testing/server.ts';

const CHAT: StreamName = { notification: 'n', sink: 'chat', type: 'teamchat' };
const SHARED = sharedJournalName(0, 'hnotif');

const planOf = (n: number): Plan => ({ ...aPlan(), namespace: 'team-a', name: `plan-${n}`, uid: `uid-${n}` });
const observedAt = (seq: number, epoch = 'epoch'): Observed => ({
  ...emptyBaseline(epoch),
  ...{ rv: String(seq), seq },
});
/** In the form of a real one: in a line of an outcome, others are not read. */
const idOf = (seq: number): string =>
  String(seq)
    .padStart(12, '0')
    .replace(/\d/g, (digit) => 'abcdefghij'[Number(digit)] ?? '');

/** The stored entry of a plan; if several journals have one, the newest. */
const keptOf = (server: FakeServer, { namespace, name, uid }: Plan): StoredPlan | undefined =>
  server.names
    .map((journal) => readEntry(server.journal(journal)?.plans.get(uid), { namespace, name, uid }))
    .sort((a, b) => (b?.gen ?? 0) - (a?.gen ?? 0))[0];

/** `plan/seq` of the events that wait in journals. */
const waitsIn = (server: FakeServer, plan: Plan): string[] =>
  [...(keptOf(server, plan)?.events() ?? [])].map(({ event }) => `${plan.name}/${event.seq}`);

/** Which journals have an entry of a plan. */
const placesOf = (server: FakeServer, { uid }: Plan): string[] =>
  server.names.filter((name) => server.journal(name)?.plans.has(uid));

/** One process that serves plans: each change of a plan is one event for one sink. */
class Process {
  readonly clock: ManualClock;
  readonly journals: Journals;
  /** `plan/seq`, as they may be sent. */
  readonly sent: string[] = [];
  readonly #server: FakeServer;
  readonly #lives = new Map<string, LivePlan>();
  readonly #logs = new Map<string, PlanLog>();
  readonly #handed = new Map<string, number>();
  /** How often each plan has changed. */
  readonly #changes: Map<string, number>;
  readonly #onSend: (what: string, isLoose: boolean) => void;
  readonly #observed = new Map<string, Observed>();
  readonly #epoch: string | undefined;

  constructor(
    server: FakeServer,
    plans: ReadonlyMap<string, Plan>,
    changes: Map<string, number>,
    {
      term = 1,
      clock = new ManualClock(),
      onSend = () => undefined,
      listener = {},
      epoch,
      isListed = true,
      ...more
    }: {
      term?: number;
      epoch?: string;
      clock?: ManualClock;
      /** `isLoose`: some plans are not stored. */
      onSend?: (what: string, isLoose: boolean) => void;
      /** Whether plans are listed at once after journals. */
      isListed?: boolean;
      listener?: Partial<JournalListener>;
    } & Partial<Omit<JournalsOptions, 'listener'>> = {},
  ) {
    this.#server = server;
    this.clock = clock;
    this.#changes = changes;
    this.#onSend = onSend;
    this.#epoch = epoch;
    this.journals = new Journals({
      clock,
      log: pino({ level: 'silent' }),
      instance: 'hnotif',
      writer: { holder: `process-${term}`, term },
      lazyPerSecond: 1_000,
      write: (write, signal) => server.write(write, signal),
      remove: (object, signal) => server.remove(object, signal),
      fenced: () => Promise.resolve('moved'),
      dispatcher: {
        open: (live) => {
          const log = new PlanLog(live, () => undefined);
          this.#logs.set(live.current.uid, log);
          return log;
        },
        append: (log, routed, by) => {
          log.append(routed, by);
        },
        release: (log, upTo) => {
          log.release(upTo);
          this.#send(log);
        },
        halveLongest: () => false,
      },
      mayGiveUp: () => true,
      listener: {
        appended: () => undefined,
        released: () => undefined,
        rebase: (uid, observed) => {
          this.#observed.set(uid, observed);
          this.#derive(uid);
        },
        memoryFound: () => undefined,
        endingFound: () => undefined,
        durabilityChanged: () => undefined,
        journalUnreadable: () => undefined,
        planReleased: () => undefined,
        ...listener,
      },
      ...more,
    });
    for (const name of server.names) this.journals.found(server.journal(name)!);
    // The first list is that of a watch, too.
    for (const name of server.names) this.journals.changed(server.journal(name)!);
    this.journals.allFound(undefined);
    if (isListed) this.lists(plans);
  }

  lists(plans: ReadonlyMap<string, Plan>): void {
    for (const plan of plans.values()) this.meets(plan);
    this.journals.allSeen(undefined);
  }

  /** A plan is seen for the first time. */
  meets(plan: Plan): void {
    const live = { current: plan };
    const remembered = this.journals.recall(plan);
    if (remembered.kind === 'newer') return;
    this.#lives.set(plan.uid, live);
    this.#observed.set(
      plan.uid,
      remembered.kind === 'found' ? remembered.observed : observedAt(0, this.#epoch),
    );
    this.journals.begin(live);
    this.#derive(plan.uid);
  }

  changes(plan: Plan): void {
    this.#changes.set(plan.uid, (this.#changes.get(plan.uid) ?? 0) + 1);
    this.#derive(plan.uid);
  }

  /** The stored values of a sink become too long for a shared journal, or short again. */
  fills(plan: Plan, isLarge: boolean): void {
    for (const sink of ['a', 'b', 'c']) this.saves(plan, sink, isLarge ? 'x'.repeat(12_000) : '', 'now');
  }

  saves({ uid: planUid }: Plan, sink: string, value: unknown, priority: SavePriority): void {
    const address = { namespace: 'team-a', notification: 'n', sink };
    void this.journals.save({ address, planUid, key: 'k' }, value, priority);
  }

  deletes(plan: Plan): void {
    this.journals.deleted(plan);
    this.#lives.delete(plan.uid);
  }

  /** The oldest delivery of a plan has arrived. */
  settles(plan: Plan): void {
    const log = this.#logs.get(plan.uid);
    const stream = log?.streams.get(streamKey(CHAT));
    const entry = stream && log?.next(stream);
    if (log === undefined || stream === undefined || entry === undefined) return;
    log.settle(stream, entry);
    this.journals.settled({
      to: { namespace: 'team-a', notification: 'n', sink: 'chat' },
      ...{ sinkType: 'teamchat', plan: { current: plan }, result: 'delivered', reason: '', message: '' },
      ...{ events: [entry], event: entry, isDegraded: false, requestCount: 1, delayMs: 1 },
    });
  }

  #derive(uid: string): void {
    const live = this.#lives.get(uid);
    if (live === undefined) return;
    const { seq, epoch } = this.#observed.get(uid) ?? observedAt(0);
    const changes = this.#changes.get(uid) ?? 0;
    if (seq >= changes && this.journals.of(uid) !== undefined) return;
    const events = Array.from({ length: Math.max(0, changes - seq) }, (_, n) => ({
      event: anEvent('Failure', seq + 1 + n, {
        ...{ id: idOf(seq + 1 + n), planUid: uid, plan: live.current.name, namespace: 'team-a' },
      }),
      to: [CHAT],
    }));
    const observed = observedAt(changes, epoch);
    this.#observed.set(uid, observed);
    this.journals.accept(live, observed, events, true);
  }

  #send(log: PlanLog): void {
    for (const { seq, at } of log.entries()) {
      if (at > log.releasedTo || at <= (this.#handed.get(log.planUid) ?? -1)) continue;
      this.#handed.set(log.planUid, at);
      this.sent.push(`${log.name}/${seq}`);
      this.#onSend(`${log.name}/${seq}`, this.journals.undurable.size > 0);
    }
  }

  get server(): FakeServer {
    return this.#server;
  }
}

const plansOf = (count: number): Map<string, Plan> =>
  new Map(Array.from({ length: count }, (_, n) => [`uid-${n}`, planOf(n)] as const));

/** It is deflated before it is written. */
const NOISE = Array.from({ length: 3_000 }, (_, n) => Math.sin(n))
  .join('')
  .slice(0, 30_000);

describe('journals of a namespace', () => {
  it('store a value that is saved during a write in the next one, and its saver waits for that', async () => {
    const server = new FakeServer();
    const plans = plansOf(1);
    const sent: (() => void)[] = [];
    const { journals } = new Process(server, plans, new Map(), {
      async write(write, signal) {
        await new Promise<void>((resolve) => sent.push(resolve));
        return server.write(write, signal);
      },
    });
    const answer = async (): Promise<void> => {
      sent.shift()?.();
      await settle();
    };
    const flushed = journals.flush();
    await settle();
    await answer();
    await flushed;
    const saved: string[] = [];
    const save = async (key: string): Promise<void> => {
      const address = { namespace: 'team-a', notification: 'n', sink: 'chat' };
      void Promise.resolve(journals.save({ address, planUid: 'uid-0', key }, 1, 'now')).then(() =>
        saved.push(key),
      );
      await settle();
    };
    await save('a');
    await save('b');
    expect([sent.length, saved]).toEqual([1, []]);
    await answer();
    expect([sent.length, saved]).toEqual([1, ['a']]);
    await answer();
    expect([sent.length, saved]).toEqual([0, ['a', 'b']]);
  });

  it('share an object; changes during a write share the next write', async () => {
    const server = new FakeServer();
    const plans = plansOf(10);
    const process = new Process(server, plans, new Map());
    await process.journals.flush();
    expect(server.names).toEqual([SHARED]);
    const before = server.writes.length;
    for (const plan of plans.values()) process.changes(plan);
    await settle();
    expect(process.sent).toHaveLength(10);
    expect(server.writes.length - before).toBe(1);
    const [first] = plans.values();
    process.changes(first!);
    await Promise.resolve();
    await Promise.resolve();
    for (const plan of plans.values()) process.changes(plan);
    await settle();
    expect(process.sent).toHaveLength(21);
    expect(server.writes.length - before).toBeLessThanOrEqual(3);
  });

  it('report once which events are stored, and not the events of an earlier process', async () => {
    const server = new FakeServer();
    const plans = plansOf(1);
    const changes = new Map<string, number>();
    const told: string[] = [];
    const listener = {
      released: (entries: readonly LogEntry[]) => told.push(entries.map(({ seq }) => seq).join(' ')),
    };
    const process = new Process(server, plans, changes, { listener });
    await process.journals.flush();
    for (const _ of [1, 2, 3]) process.changes(planOf(0));
    expect(told).toEqual([]);
    await settle();
    expect(told.join(' ')).toBe('1 2 3');
    told.length = 0;
    const next = new Process(server, plans, changes, { listener, term: 2 });
    await settle();
    expect(next.sent).toEqual(['plan-0/1', 'plan-0/2', 'plan-0/3']);
    next.changes(planOf(0));
    await settle();
    expect(told).toEqual(['4']);
  });

  it('have nothing of an entry that could not be read when its plan has begun again', async () => {
    const server = new FakeServer();
    const plans = plansOf(2);
    const changes = new Map([['uid-0', 2]]);
    const process = new Process(server, plans, changes);
    await process.journals.flush();
    process.journals.close();
    const before = server.journal(SHARED)!.plans;
    const broken = { ...before.get('uid-0')!, log: { 9: '{' } };
    server.edit(SHARED, { plans: new Map(before).set('uid-0', broken) });
    expect(keptOf(server, planOf(0))).toBeUndefined();
    const next = new Process(server, plans, changes, { term: 2 });
    await next.journals.flush();
    expect(next.sent).toEqual(['plan-0/1', 'plan-0/2']);
    expect(waitsIn(server, planOf(0))).toEqual(['plan-0/1', 'plan-0/2']);
  });

  it('wait in a burst for changes of more plans, until most have changed', async () => {
    const server = new FakeServer();
    const process = new Process(server, plansOf(60), new Map());
    await process.journals.flush();
    const written = (): number => server.writes.length;
    const before = written();
    // Two journals, of some thirty plans each.
    for (let round = 0; round < 4; round++)
      for (let n = 0; n < 20; n++) {
        process.changes(planOf(n));
        await settle();
      }
    expect(written() - before).toBeGreaterThan(10);
    const burst = written();
    for (let n = 0; n < 20; n++) {
      process.changes(planOf(n));
      await settle();
    }
    expect(written() - burst).toBe(0);
    await process.clock.advance(750);
    expect(written() - burst).toBe(2);
    for (let n = 0; n < 60; n++) process.changes(planOf(n));
    await settle();
    expect(written() - burst).toBe(4);
    // Outcomes wait for the next write, also those of chats.
    for (let n = 0; n < 60; n++) process.settles(planOf(n));
    await process.clock.advance(700);
    expect(written() - burst).toBe(4);
    await process.clock.advance(50);
    expect(written() - burst).toBe(6);
    // A value that a request waits for does not wait.
    for (let n = 0; n < 60; n++) process.changes(planOf(n));
    await settle();
    expect(written() - burst).toBe(8);
    process.fills(planOf(0), false);
    await settle();
    expect(written() - burst).toBe(9);
    // The state of a card joins the next write. So does an outcome.
    for (let n = 0; n < 60; n++) process.changes(planOf(n));
    await settle();
    expect(written() - burst).toBe(11);
    for (const priority of ['soon', 'later'] as const) process.saves(planOf(0), priority, 'card', priority);
    await process.clock.advance(700);
    expect(written() - burst).toBe(11);
    await process.clock.advance(50);
    expect(written() - burst).toBe(12);
  });

  it('store the states of many cards at once: they make no burst', async () => {
    const server = new FakeServer();
    const process = new Process(server, plansOf(60), new Map());
    await process.journals.flush();
    const before = server.writes.length;
    for (let n = 0; n < 100; n++) {
      process.saves(planOf(n % 20), 'chat', n, 'soon');
      await settle();
    }
    expect(server.writes.length - before).toBe(100);
  });

  it.each([
    ['a plan that has its object alone is written again after a rest', 1, 1],
    ['plans that share an object do not wait for the rest of it', 2, 2],
  ])('%s, if the write was costly', async (_what, count, sent) => {
    let cost = 0;
    let time = 0;
    class BusyClock extends ManualClock {
      override monotonic(): number {
        return super.monotonic() + (time += cost);
      }
    }
    const clock = new BusyClock();
    const process = new Process(new FakeServer(), plansOf(count), new Map(), { clock });
    await process.journals.flush();
    cost = 5;
    process.changes(planOf(0));
    await settle();
    expect(process.sent).toHaveLength(1);
    cost = 0;
    process.changes(planOf(0));
    await settle();
    expect(process.sent).toHaveLength(sent);
    // A request does not wait.
    process.fills(planOf(0), false);
    await settle();
    expect(process.sent).toHaveLength(2);
    process.changes(planOf(0));
    await clock.advance(1_000);
    expect(process.sent).toHaveLength(3);
  });

  it('write only what has changed of each plan, and nothing of other plans', async () => {
    const server = new FakeServer();
    const process = new Process(server, plansOf(3), new Map());
    await process.journals.flush();
    process.changes(planOf(1));
    await settle();
    expect(Object.keys(server.writes.at(-1)?.plans ?? {})).toEqual(['uid-1']);
    process.settles(planOf(1));
    await process.clock.advance(10);
    const { nights: _, ...patch } = server.writes.at(-1)?.plans['uid-1'] ?? {};
    expect(patch).toEqual({
      ...{ name: 'plan-1', gen: expect.any(Number) as number, waiting: 0 },
      ...{ streams: null, cursors: null, log: { 1: null } },
    });
  });

  it('show what waits, for which sink, and since when', async () => {
    const server = new FakeServer();
    const process = new Process(server, plansOf(3), new Map());
    process.changes(planOf(1));
    process.changes(planOf(2));
    await settle();
    expect(server.writes.at(-1)?.summary).toEqual({
      ...{ plans: 3, waiting: 2, for: 'n/chat' },
      oldest: new Date(process.clock.now()).toISOString(),
    });
  });

  it('become more when plans become more: a plan moves at its next write, and is in one journal only', async () => {
    const server = new FakeServer();
    const plans = plansOf(100);
    const process = new Process(server, plans, new Map());
    for (const plan of plans.values()) process.changes(plan);
    await process.clock.advance(60_000);
    // The writes of a burst take turns of the event loop, in which this clock has gone on: the removals that follow are due now.
    await process.clock.advance(60_000);
    expect(server.names.length).toBe(4);
    for (const plan of plans.values()) expect(placesOf(server, plan), plan.name).toHaveLength(1);
    expect(process.sent).toHaveLength(100);
  });

  it('have no entry that is too large to be shared; it returns when it is small', async () => {
    const server = new FakeServer();
    const process = new Process(server, plansOf(3), new Map());
    process.changes(planOf(1));
    process.fills(planOf(1), true);
    process.changes(planOf(2));
    await process.clock.advance(10_000);
    expect(placesOf(server, planOf(1))).toEqual([
      expect.stringMatching(/^hnotif-[0-9a-f]{8}-plan-1-[0-9a-f]{20}$/),
    ]);
    expect(placesOf(server, planOf(2))).toEqual([SHARED]);
    expect(process.sent.sort()).toEqual(['plan-1/1', 'plan-2/1']);
    process.fills(planOf(1), false);
    await process.clock.advance(10_000);
    process.settles(planOf(1));
    await process.clock.advance(10_000);
    expect(placesOf(server, planOf(1))).toEqual([SHARED]);
    // An object without an entry is deleted.
    expect(server.names).toEqual([SHARED]);
  });

  it('have no more entries than the API server can store in an object', async () => {
    const server = new FakeServer();
    const process = new Process(server, plansOf(32), new Map());
    for (let n = 0; n < 32; n++)
      for (const sink of ['a', 'b']) process.saves(planOf(n), sink, 'x'.repeat(12_000), 'now');
    process.changes(planOf(0));
    await process.journals.flush();
    const sizes = server.names.map((name) => JSON.stringify([...(server.journal(name)?.plans ?? [])]).length);
    expect(Math.max(...sizes)).toBeLessThan(500_000);
    process.fills(planOf(0), false);
    await process.journals.flush();
    process.settles(planOf(0));
    await process.journals.flush();
    await process.clock.advance(10_000);
    expect([process.sent, placesOf(server, planOf(0))]).toEqual([['plan-0/1'], [SHARED]]);
  });

  it('that are empty and cannot be deleted delay no plan that returns, and do not make it less durable', async () => {
    const server = new FakeServer();
    server.answer = 'kept';
    const troubles: unknown[] = [];
    const listener = { durabilityChanged: (_: string, trouble: unknown) => troubles.push(trouble) };
    const plan = planOf(0);
    // In turns the shared object and the dedicated one are empty.
    const process = new Process(server, plansOf(1), new Map(), { listener });
    await process.journals.flush();
    for (const [isLarge, seq] of [true, false, true, false].map((each, n) => [each, n + 1] as const)) {
      process.fills(plan, isLarge);
      // The event waits for the write that moves the plan. To the shared object a plan returns at a write that nothing waits for.
      if (!isLarge) {
        await settle();
        process.settles(plan);
        await process.clock.advance(10);
      }
      process.changes(plan);
      await settle();
      expect(process.sent.at(-1)).toBe(`plan-0/${seq}`);
      expect(keptOf(server, plan)?.observed.seq).toBe(seq);
      await process.clock.advance(120_000);
      expect(placesOf(server, plan), 'the object that is empty keeps the older entry').toHaveLength(2);
    }
    expect(troubles).toEqual([]);
  });

  it('are deleted later if that fails at first, after longer and longer waits, and one warning', async () => {
    const server = new FakeServer();
    const failure = { reason: 'InternalError', message: 'no' };
    const failures: ((object: JournalIdentity) => Written)[] = [
      () => ({ kind: 'refused', ...failure }),
      () => ({ kind: 'failed', ...failure }),
      ({ name }) => ({ kind: 'there', journal: server.journal(name), fault: failure }),
    ];
    for (const failed of failures) {
      let [tries, works] = [0, false];
      const remove: JournalsOptions['remove'] = (object, signal) => {
        // A loop without waits would not let the test fail.
        if (++tries > 1_000) return Promise.resolve({ kind: 'refused', ...failure });
        return works ? server.remove(object, signal) : Promise.resolve(failed(object));
      };
      const warned: unknown[] = [];
      const log = pino({ level: 'warn' }, { write: (line) => warned.push(JSON.parse(line)) });
      const process = new Process(server, plansOf(1), new Map(), { remove, log });
      await process.journals.flush();
      process.deletes(planOf(0));
      await process.journals.flush();
      expect(tries).toBe(1);
      await process.clock.advance(10_000);
      expect([tries > 1, tries < 5, process.journals.size, warned]).toEqual([true, true, 1, []]);
      await process.clock.advance(24 * 3_600_000);
      expect(tries).toBeLessThan(160);
      expect(warned).toEqual([expect.objectContaining({ reason: 'InternalError', detail: 'no' })]);
      works = true;
      await process.clock.advance(602_000);
      expect([server.names, process.journals.size, process.clock.timers]).toEqual([[], 0, 0]);
      process.journals.close();
    }
  });

  it('are deleted without a wait after a conflict, and are gone if only the answer is lost', async () => {
    const server = new FakeServer();
    const remove: JournalsOptions['remove'] = async (object, signal) => {
      const written = await server.remove(object, signal);
      const fault = { reason: 'Unreachable', message: 'no' };
      return written.kind === 'written' ? { kind: 'there', journal: undefined, fault } : written;
    };
    const process = new Process(server, plansOf(1), new Map(), { remove });
    await process.journals.flush();
    process.deletes(planOf(0));
    server.edit(SHARED, {});
    await process.journals.flush();
    expect([server.names, process.journals.size, process.clock.timers]).toEqual([[], 0, 0]);
  });

  it('are not tried again once they are deleted', async () => {
    const server = new FakeServer();
    server.answer = 'kept';
    const process = new Process(server, plansOf(1), new Map());
    await process.journals.flush();
    process.fills(planOf(0), true);
    await process.clock.advance(120_000);
    server.answer = 'ok';
    // It returns to the shared object, and leaves it before the next try.
    for (const isLarge of [false, true]) {
      process.fills(planOf(0), isLarge);
      await settle();
      process.changes(planOf(0));
      await settle();
      process.settles(planOf(0));
      await process.clock.advance(3_000);
    }
    expect(server.names).toEqual(placesOf(server, planOf(0)));
    expect([server.names.includes(SHARED), process.clock.timers]).toEqual([false, 0]);
  });

  it.each([0, 1])('leave no timer when the process ends after %i failed deletions', async (failed) => {
    const server = new FakeServer();
    let answer: () => void = () => undefined;
    const remove: JournalsOptions['remove'] = () =>
      new Promise((resolve) => {
        answer = () => {
          resolve({ kind: 'failed', reason: 'Aborted', message: '' });
        };
      });
    const process = new Process(server, plansOf(1), new Map(), { remove });
    await process.journals.flush();
    process.deletes(planOf(0));
    await process.clock.advance(2_000);
    if (failed === 1) answer();
    await settle();
    process.journals.close();
    answer();
    await settle();
    expect(process.clock.timers).toBe(0);
  });

  it.each<[string, (server: FakeServer, object: JournalIdentity) => Written]>([
    ['is deleted', (server, { name }) => (server.delete(name), { kind: 'written', resourceVersion: '' })],
    ['stays', () => ({ kind: 'refused', reason: 'Forbidden', message: 'no' })],
    [
      'is deleted without an answer',
      (server, { name }) => (server.delete(name), { kind: 'failed', reason: 'Unreachable', message: 'no' }),
    ],
  ])('lose no plan that returns while its object %s', async (_, answer) => {
    const server = new FakeServer();
    const plan = planOf(0);
    let [arrive, removals]: [() => void, number] = [() => undefined, 0];
    const remove: JournalsOptions['remove'] = (object) =>
      new Promise((resolve) => {
        removals++;
        arrive = () => {
          resolve(answer(server, object));
        };
      });
    const process = new Process(server, plansOf(1), new Map(), { remove });
    await process.journals.flush();
    process.fills(plan, true);
    // The shared object is empty.
    await process.clock.advance(2_000);
    expect(removals).toBe(1);
    process.fills(plan, false);
    await settle();
    process.changes(plan);
    await settle();
    process.settles(plan);
    await process.clock.advance(10);
    process.changes(plan);
    await settle();
    expect([process.sent, placesOf(server, plan)]).toEqual([['plan-0/1'], expect.arrayContaining([SHARED])]);
    arrive();
    await settle();
    expect(process.sent).toEqual(['plan-0/1', 'plan-0/2']);
    expect(server.journal(SHARED)?.plans.get(plan.uid)).toMatchObject({ waiting: 1 });
    expect(keptOf(server, plan)?.observed.seq).toBe(2);
    process.journals.close();
    expect(process.clock.timers).toBe(0);
  });

  it('log no other writer when the API server carries out a write of hnotif late', async () => {
    const server = new FakeServer();
    const warned: unknown[] = [];
    const log = pino({ level: 'warn' }, { write: (line) => warned.push(JSON.parse(line)) });
    const process = new Process(server, plansOf(1), new Map(), { log });
    process.changes(planOf(0));
    await process.journals.flush();
    server.answer = 'slow';
    process.changes(planOf(0));
    await settle();
    for (const late of server.late.splice(0)) server.put(late);
    server.answer = 'ok';
    await process.clock.advance(60_000);
    expect([process.sent, waitsIn(server, planOf(0))]).toEqual([
      ['plan-0/1', 'plan-0/2'],
      ['plan-0/1', 'plan-0/2'],
    ]);
    expect(warned).toEqual([]);
    process.journals.close();
  });

  it('lose no plan that begins while a former object of the same name ends', async () => {
    const server = new FakeServer();
    const process = new Process(server, plansOf(1), new Map());
    await process.journals.flush();
    // The write is being prepared, since its text is deflated, when the plan is deleted. So the empty object is visited twice.
    process.saves(planOf(0), 'a', NOISE, 'soon');
    await Promise.resolve();
    process.deletes(planOf(0));
    await expect.poll(() => process.journals.size).toBe(0);
    process.meets(planOf(1));
    process.changes(planOf(1));
    await process.clock.advance(5_000);
    expect([process.journals.size, waitsIn(server, planOf(1))]).toEqual([1, ['plan-1/1']]);
    process.journals.close();
    expect(process.clock.timers).toBe(0);
  });

  it('lose the entries of deleted plans when their deliveries have ended, and are deleted with the last one', async () => {
    const server = new FakeServer();
    const process = new Process(server, plansOf(2), new Map());
    process.changes(planOf(0));
    await settle();
    process.deletes(planOf(0));
    await process.clock.advance(5_000);
    expect(placesOf(server, planOf(0))).toEqual([SHARED]);
    process.settles(planOf(0));
    await process.clock.advance(5_000);
    expect([placesOf(server, planOf(0)), server.names]).toEqual([[], [SHARED]]);
    process.deletes(planOf(1));
    await process.clock.advance(5_000);
    expect(server.names).toEqual([]);
    expect(process.journals.size).toBe(0);
  });

  it('are not deleted by a former leader after its successor has written them', async () => {
    const server = new FakeServer();
    const former = new Process(server, plansOf(1), new Map());
    former.changes(planOf(0));
    await former.clock.advance(2_000);
    const plans = new Map([0, 7].map((n) => [`uid-${n}`, planOf(n)]));
    const leader = new Process(server, plans, new Map([['uid-7', 1]]), { term: 2 });
    await settle();
    expect(leader.sent).toContain('plan-7/1');
    former.deletes(planOf(0));
    await former.clock.advance(5_000);
    expect(placesOf(server, planOf(7))).toEqual([SHARED]);
  });

  it('keep the entries of plans that were deleted while no process ran until their deliveries have ended', async () => {
    const server = new FakeServer();
    const first = new Process(server, plansOf(2), new Map());
    first.changes(planOf(0));
    await first.clock.advance(5_000);
    first.journals.close();
    const second = new Process(server, new Map([['uid-1', planOf(1)]]), new Map(), { term: 2 });
    await second.clock.advance(5_000);
    expect(placesOf(server, planOf(0))).toEqual([SHARED]);
    second.settles(planOf(0));
    await second.clock.advance(5_000);
    expect(placesOf(server, planOf(0))).toEqual([]);
    expect(placesOf(server, planOf(1))).toEqual([SHARED]);
  });

  it('keep the entry of a plan that a journal of another layout names, too: the plan is not served', async () => {
    const server = new FakeServer();
    const changes = new Map([['uid-0', 1]]);
    const first = new Process(server, plansOf(1), changes);
    await first.clock.advance(5_000);
    first.journals.close();
    const newer = { ...server.journal(SHARED)!, name: sharedJournalName(1, 'hnotif'), version: 99 };
    server.place(newer);
    const released: string[] = [];
    const second: Process = new Process(server, plansOf(1), changes, {
      term: 2,
      listener: { planReleased: ({ name }) => released.push(name) },
    });
    await second.clock.advance(10_000);
    expect(second.sent).toEqual([]);
    expect(placesOf(server, planOf(0))).toEqual([SHARED, newer.name]);
    // The newer journal is deleted: the deliveries of the other one are sent.
    server.delete(newer.name);
    second.journals.vanished(newer);
    expect(released).toEqual(['plan-0']);
    second.meets(planOf(0));
    await second.clock.advance(5_000);
    expect(second.sent).toEqual(['plan-0/1']);
  });

  it.each([
    ['the newer one counts, and the other one is removed', 1],
    ['the newer one counts, though another process has written other plans beside the older one since', 2],
  ])('with two entries of a plan: %s', async (_what, term) => {
    const server = new FakeServer();
    const changes = new Map<string, number>();
    const first = new Process(server, plansOf(2), changes);
    first.changes(planOf(0));
    await settle();
    const shared = server.journal(SHARED)!;
    // It moves to an object of its own. The process is killed before it has removed the old entry.
    first.changes(planOf(0));
    first.fills(planOf(0), true);
    first.settles(planOf(0));
    await settle();
    await settle();
    first.journals.close();
    server.place({ ...shared, writer: { holder: 'a process', term } });
    expect(placesOf(server, planOf(0))).toHaveLength(2);
    const second = new Process(server, plansOf(2), changes, { term: 3 });
    await second.clock.advance(10_000);
    expect(second.sent).toEqual(['plan-0/2']);
    expect(placesOf(server, planOf(0))).toHaveLength(1);
  });

  it('without entries, which a process left that was killed before it deleted them, are deleted at the start', async () => {
    const server = new FakeServer();
    const first = new Process(server, plansOf(1), new Map());
    first.fills(planOf(0), true);
    await first.journals.flush();
    const [name = ''] = server.names.filter((each) => each !== SHARED);
    const left = server.journal(name)!;
    first.journals.close();
    server.place({ ...left, plans: new Map() });
    const second = new Process(server, plansOf(1), new Map(), { term: 2 });
    await second.clock.advance(10_000);
    expect(server.names).toEqual([SHARED]);
  });

  it('of an earlier process are written soon, though nothing waits: from then on a status can prove events', async () => {
    const server = new FakeServer();
    const first = new Process(server, plansOf(1), new Map());
    first.changes(planOf(0));
    await first.journals.flush();
    first.settles(planOf(0));
    await first.journals.flush();
    first.journals.close();
    const second = new Process(server, plansOf(1), new Map([['uid-0', 1]]), { term: 2 });
    expect(second.journals.of('uid-0')?.basis).toBeUndefined();
    await second.clock.advance(1_000);
    expect(server.journal(SHARED)?.writer).toMatchObject({ term: 2 });
    expect(second.journals.of('uid-0')?.basis).toMatchObject({ seq: 1 });
    expect(second.sent).toEqual([]);
  });

  it('with two entries of a plan that did not know of each other: all that waits is sent once, and kept in one entry', async () => {
    const [server, elsewhere] = [new FakeServer(), new FakeServer()];
    const [plan] = plansOf(1).values();
    const first = new Process(server, plansOf(1), new Map([['uid-0', 4]]));
    await first.clock.advance(5_000);
    first.journals.close();
    // This one began without the entry of the first one. It has sent the first event, and a root.
    const other = new Process(elsewhere, plansOf(1), new Map([['uid-0', 2]]), { term: 2, epoch: 'other' });
    await settle();
    other.settles(plan!);
    other.fills(plan!, true);
    await other.clock.advance(5_000);
    other.journals.close();
    for (const name of elsewhere.names) server.place(elsewhere.journal(name)!);
    expect(placesOf(server, plan!)).toHaveLength(2);

    const changes = new Map([['uid-0', 6]]);
    const third = new Process(server, plansOf(1), changes, { term: 3 });
    expect(third.journals.pending).toBe(4);
    await third.clock.advance(10_000);
    expect(third.sent).toEqual(['plan-0/3', 'plan-0/4', 'plan-0/2', 'plan-0/6']);
    expect(placesOf(server, plan!)).toHaveLength(1);
    expect(waitsIn(server, plan!)).toEqual(third.sent);
  });

  it('keeps the waiting events of both entries of a plan stored at every moment, if neither entry had the events of the other', async () => {
    const [server, elsewhere] = [new FakeServer(), new FakeServer()];
    const [plan] = plansOf(1).values();
    const first = new Process(elsewhere, plansOf(1), new Map([['uid-0', 3]]));
    await first.clock.advance(5_000);
    first.journals.close();
    // The older entry is in the journal to which the plan belongs.
    const home = partitionOf('uid-0', 2);
    server.place({ ...elsewhere.journal(SHARED)!, name: sharedJournalName(home, 'hnotif') });
    elsewhere.delete(SHARED);
    const other = new Process(elsewhere, plansOf(1), new Map([['uid-0', 1]]), { term: 2, epoch: 'other' });
    await other.clock.advance(5_000);
    other.journals.close();
    server.place({ ...elsewhere.journal(SHARED)!, name: sharedJournalName(1 - home, 'hnotif') });

    const lost: string[] = [];
    const { clock } = new Process(server, plansOf(1), new Map([['uid-0', 3]]), {
      term: 3,
      write: async (write, signal) => {
        const written = await server.write(write, signal);
        const entries = server.names.map((name) =>
          readEntry(server.journal(name)?.plans.get('uid-0'), plan!),
        );
        const waiting = entries.flatMap((entry) => [...(entry?.events() ?? [])].map(({ event }) => event.id));
        for (const seq of [1, 2, 3]) if (!waiting.includes(idOf(seq))) lost.push(`${write.name}: ${seq}`);
        return written;
      },
    });
    await clock.advance(10_000);
    expect(lost).toEqual([]);
    expect(placesOf(server, plan!)).toHaveLength(1);
  });

  it('with two entries of a plan, the newest of which cannot be read: the plan goes on from the other one, and this is reported', async () => {
    const server = new FakeServer();
    const [plan] = plansOf(1).values();
    const first = new Process(server, plansOf(1), new Map([['uid-0', 2]]));
    await first.clock.advance(5_000);
    first.journals.close();
    const lone = dedicatedJournalName(plan!.name, plan!.uid, 'hnotif');
    const { plans, ...head } = server.journal(SHARED)!;
    const entry = { ...plans.get('uid-0')!, gen: 9, observed: '{' };
    server.place({ ...head, name: lone, plans: new Map([['uid-0', entry]]) });

    const messages: string[] = [];
    const listener: Partial<JournalListener> = {
      journalUnreadable: (_, message) => messages.push(message),
    };
    const next = new Process(server, plansOf(1), new Map([['uid-0', 3]]), { listener, term: 2 });
    expect(next.journals.restored).toBe(2);
    await next.clock.advance(10_000);
    expect(next.sent).toEqual(['plan-0/1', 'plan-0/2', 'plan-0/3']);
    expect(waitsIn(server, plan!)).toEqual(next.sent);
    expect(placesOf(server, plan!)).toEqual([SHARED]);
    expect(messages).toEqual([
      `the entry of the plan in journal ${lone} cannot be read: the plan goes on from an older entry in journal ${SHARED}`,
    ]);
  });

  it('are written again as a whole after another program has edited them', async () => {
    const server = new FakeServer();
    const process = new Process(server, plansOf(2), new Map());
    process.changes(planOf(0));
    await process.clock.advance(5_000);
    server.edit(SHARED, { plans: new Map() });
    process.changes(planOf(1));
    await process.clock.advance(5_000);
    expect([waitsIn(server, planOf(0)), waitsIn(server, planOf(1))]).toEqual([['plan-0/1'], ['plan-1/1']]);
  });

  it.each<[string, (server: FakeServer, journals: Journals) => void]>([
    [
      'deleted',
      (server, journals) => {
        server.delete(SHARED);
        journals.vanished({ namespace: 'team-a', name: SHARED });
      },
    ],
    [
      'edited',
      (server, journals) => {
        server.edit(SHARED, { plans: new Map() });
        journals.changed(server.journal(SHARED)!);
      },
    ],
  ])('are written again if they are %s before plans are listed, or during a write', async (_, harm) => {
    const server = new FakeServer();
    const uids = (): string[] => [...(server.journal(SHARED)?.plans.keys() ?? [])].sort();
    const first = new Process(server, plansOf(2), new Map());
    await first.clock.advance(5_000);
    first.journals.close();
    let [isHarmed, isWatched] = [false, true];
    const process: Process = new Process(server, plansOf(2), new Map(), {
      ...{ term: 2, isListed: false },
      write: async (write, signal) => {
        const written = await server.write(write, signal);
        // The watch shows each version before the answer.
        if (isWatched && server.journal(SHARED)) process.journals.changed(server.journal(SHARED)!);
        if (isHarmed) harm(server, process.journals);
        isHarmed = false;
        return written;
      },
    });
    harm(server, process.journals);
    await process.clock.advance(5_000);
    process.lists(plansOf(2));
    await process.clock.advance(1_000);
    expect(uids()).toEqual(['uid-0', 'uid-1']);
    const before = server.writes.length;
    process.saves(planOf(0), 'a', 1, 'now');
    await process.clock.advance(5_000);
    expect(server.writes.length - before).toBe(1);
    isHarmed = true;
    process.saves(planOf(0), 'a', 2, 'now');
    await settle();
    expect(uids()).toEqual([]);
    await process.clock.advance(1_000);
    expect(uids()).toEqual(['uid-0', 'uid-1']);
    // Also if that fails at first.
    harm(server, process.journals);
    server.answer = 'undone';
    await process.clock.advance(2_000);
    server.answer = 'ok';
    await process.clock.advance(30_000);
    expect(uids()).toEqual(['uid-0', 'uid-1']);
    // A version from before the API server was restored from a backup leads to one write, even if the watch shows no other one.
    isWatched = false;
    const { length } = server.writes;
    process.journals.changed({ namespace: 'team-a', name: SHARED, resourceVersion: '999999' });
    await process.clock.advance(60_000);
    expect(server.writes).toHaveLength(length + 1);
  });

  it('are written again as a whole after another process has left entries out', async () => {
    const server = new FakeServer();
    const process = new Process(server, plansOf(2), new Map(), { term: 2 });
    process.changes(planOf(0));
    await process.clock.advance(5_000);
    server.edit(SHARED, { plans: new Map(), gen: 99, writer: { holder: 'former', term: 1 } });
    process.changes(planOf(1));
    await process.clock.advance(5_000);
    expect([waitsIn(server, planOf(0)), waitsIn(server, planOf(1))]).toEqual([['plan-0/1'], ['plan-1/1']]);
  });

  it('of a former leader that wrote late: only the plans that it wrote are taken over', async () => {
    const server = new FakeServer();
    const changes = new Map<string, number>();
    const first = new Process(server, plansOf(2), changes);
    await first.clock.advance(5_000);
    const rebased: string[] = [];
    const second = new Process(server, plansOf(2), changes, {
      term: 2,
      listener: { rebase: (uid) => rebased.push(uid) },
    });
    first.changes(planOf(0));
    await settle();
    second.changes(planOf(1));
    await settle();
    expect(rebased).toEqual(['uid-0']);
    expect(second.sent.sort()).toEqual(['plan-0/1', 'plan-1/1']);
    expect(server.journal(SHARED)?.writer.term).toBe(2);
  });

  it('lose nothing and keep the order, whatever is killed, deleted, too large, or answered', async () => {
    const plan = fc.nat(4);
    const step = fc.oneof(
      { weight: 6, arbitrary: fc.record({ kind: fc.constant('change' as const), plan }) },
      {
        weight: 1,
        arbitrary: fc.record({ kind: fc.constant('fill' as const), plan, isLarge: fc.boolean() }),
      },
      { weight: 5, arbitrary: fc.record({ kind: fc.constant('settle' as const), plan }) },
      { weight: 3, arbitrary: fc.record({ kind: fc.constant('turn' as const) }) },
      {
        weight: 1,
        arbitrary: fc.record({ kind: fc.constant('wait' as const), ms: fc.constantFrom(400, 3_000, 40_000) }),
      },
      {
        weight: 2,
        arbitrary: fc.record({
          kind: fc.constant('answer' as const),
          answer: fc.constantFrom<Answer>('ok', 'ok', 'kept', 'lost', 'unread', 'undone', 'slow'),
        }),
      },
      { weight: 1, arbitrary: fc.record({ kind: fc.constant('arrive' as const) }) },
      { weight: 1, arbitrary: fc.record({ kind: fc.constant('delete' as const), plan }) },
      { weight: 1, arbitrary: fc.record({ kind: fc.constant('grow' as const) }) },
      { weight: 2, arbitrary: fc.record({ kind: fc.constant('kill' as const) }) },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
        const server = new FakeServer();
        const clock = new ManualClock();
        const plans = plansOf(5);
        const changes = new Map<string, number>();
        const arrivals: string[] = [];
        const settledForGood = new Set<string>();
        /** Plans that were deleted, and how many of their events must arrive all the same. */
        const deleted = new Map<Plan, number>();
        let [term, met] = [1, 0];
        const planNamed = (name: string): Plan | undefined =>
          [...plans.values(), ...deleted.keys()].find((each) => each.name === name);
        const onSend = (what: string, isLoose: boolean): void => {
          const [name = '', seq] = what.split('/');
          const of = planNamed(name);
          const keptTo = of === undefined ? Infinity : (keptOf(server, of)?.observed.seq ?? 0);
          expect(isLoose || Number(seq) <= keptTo, `${what} is sent and not kept`).toBe(true);
          expect(settledForGood, 'what was recorded as settled is sent again').not.toContain(what);
          arrivals.push(what);
        };
        const start = (): Process => new Process(server, plans, changes, { term, clock, onSend });
        let process = start();
        for (const each of steps) {
          const of = 'plan' in each ? plans.get(`uid-${each.plan}`) : undefined;
          if (each.kind === 'change' && of !== undefined) process.changes(of);
          else if (each.kind === 'fill' && of !== undefined) process.fills(of, each.isLarge);
          else if (each.kind === 'settle' && of !== undefined) process.settles(of);
          else if (each.kind === 'turn') await settle();
          else if (each.kind === 'wait') await clock.advance(each.ms);
          else if (each.kind === 'answer') server.answer = each.answer;
          else if (each.kind === 'arrive') for (const late of server.late.splice(0)) server.put(late);
          else if (each.kind === 'delete' && of !== undefined) {
            plans.delete(of.uid);
            deleted.set(of, changes.get(of.uid) ?? 0);
            process.deletes(of);
          } else if (each.kind === 'grow')
            for (let n = 0; n < 30; n++) {
              const another = planOf(100 + met++);
              plans.set(another.uid, another);
              process.meets(another);
            }
          else if (each.kind === 'kill') {
            process.journals.close();
            for (const [plan, due] of deleted)
              deleted.set(plan, Math.min(due, keptOf(server, plan)?.observed.seq ?? 0));
            for (const what of new Set(arrivals)) {
              const [name = '', seq] = what.split('/');
              const told = planNamed(name);
              if (told === undefined || (keptOf(server, told)?.observed.seq ?? 0) < Number(seq)) continue;
              if (!waitsIn(server, told).includes(what)) settledForGood.add(what);
            }
            term++;
            process = start();
          }
        }
        server.answer = 'ok';
        await clock.advance(120_000);
        for (const { name, uid } of plans.values()) {
          const first = [...new Set(arrivals.filter((what) => what.startsWith(`${name}/`)))];
          expect(first).toEqual(Array.from({ length: changes.get(uid) ?? 0 }, (_, n) => `${name}/${n + 1}`));
        }
        for (const [{ name }, due] of deleted) {
          const first = [...new Set(arrivals.filter((what) => what.startsWith(`${name}/`)))];
          expect(first).toEqual(first.map((_, n) => `${name}/${n + 1}`));
          expect(first.length).toBeGreaterThanOrEqual(due);
        }
        // Deliveries that have ended stay ended.
        for (const plan of [...plans.values(), ...deleted.keys()])
          for (let n = 0; n < (changes.get(plan.uid) ?? 0); n++) process.settles(plan);
        await clock.advance(10_000);
        for (const plan of plans.values()) expect(waitsIn(server, plan)).toEqual([]);
        // Each existing plan has one entry. There are no other entries.
        await clock.advance(700_000);
        const entries = server.names.flatMap((name) => [...(server.journal(name)?.plans.keys() ?? [])]);
        expect(entries.sort()).toEqual([...plans.keys()].sort());
        process.journals.close();
        expect(clock.timers).toBe(0);
      }),
      { seed: 14, numRuns: 250 },
    );
  }, 120_000);
});
