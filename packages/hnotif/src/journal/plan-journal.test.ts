import fc from 'fast-check';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import type { LeaseCheck } from '../cluster/leadership.ts';
import { streamKey, type StreamName } from '../dispatch/log-entry.ts';
import type { PlanLog } from '../dispatch/plan-log.ts';
import { TokenBucket, WorkQueue } from '@hnotif/core/fair';
import { emptyBaseline, type Observed } from '@hnotif/core/lifecycle';
import { sharedJournalName, type Journal } from '@hnotif/core/resources';
import { ManualClock, settle } from '../../../core/src/testing/clock.ts';
import { aPlan } from '../../../core/src/testing/plans.ts';
import { anEvent, progress } from '../../../core/src/testing/events.ts';
import type { WriteProblem } from './durability.ts';
import { JournalObject, type JournalObjectOptions } from './journal-object.ts';
import { readEntry } from './entry.ts';
import { idsOf } from './outcome-line.ts';
import { WritePacer } from './write-pacer.ts';
import { SETTLE, SETTLE_CHAT } from './write-schedule.ts';
import { placeFound } from './place.ts';
import { PlanJournal } from './plan-journal.ts';
import type { PlanJournalOptions } from './plan-options.ts';
import { aLog, settle as end } from './testing/log.ts';
import { FakeServer, type Answer } from './testing/server.ts';

const SUBJECT = { namespace: 'team-a', name: 'night', uid: 'uid-1' };
const NAME = sharedJournalName(0, 'hnotif');
const STREAMS: readonly StreamName[] = [
  { notification: 'n', sink: 'ops', type: 'webhook' },
  { notification: 'n', sink: 'chat', type: 'teamchat' },
];

/** The server, with its only journal. */
/** A text that is too large for a shared object, also deflated. */
const NOISE = Array.from({ length: 5_000 }, (_, n) => Math.sin(n)).join('');

class Server extends FakeServer {
  get stands(): Journal | undefined {
    return this.journal(NAME);
  }

  get entry(): Journal['plans'] extends ReadonlyMap<string, infer Entry> ? Entry : never {
    const all = this.names.map((name) => this.journal(name)?.plans.get(SUBJECT.uid));
    return all.sort((a, b) => (b?.gen ?? 0) - (a?.gen ?? 0))[0];
  }

  /** The newest stored event. */
  get newest(): number {
    return readEntry(this.entry, SUBJECT)?.observed.seq ?? 0;
  }

  /** The deliveries that wait in it: `seq/sink`. */
  get waits(): readonly string[] {
    const kept = readEntry(this.entry, SUBJECT);
    return [...(kept?.events() ?? [])].flatMap(({ event, to }) =>
      to.map(({ sink }) => `${event.seq}/${sink}`),
    );
  }

  get seqs(): readonly number[] {
    return [...new Set(this.waits.map((each) => Number.parseInt(each)))];
  }
}

const observedAt = (seq: number): Observed => ({ ...emptyBaseline('epoch'), rv: String(seq), seq });

type More = Partial<
  PlanJournalOptions['dispatcher'] &
    PlanJournalOptions['listener'] &
    Pick<PlanJournalOptions, 'ageOf'> &
    JournalObjectOptions & { readonly lazyWorkers: number }
>;

/** One process that serves the plan: each change of the plan is one event. */
class Process {
  readonly clock: ManualClock;
  readonly journal: PlanJournal;
  readonly objects: JournalObject[] = [];
  /** `seq/stream`, in the order of delivery. */
  readonly delivered: string[] = [];
  /** The same for events that an earlier process had accepted. */
  readonly restored: string[] = [];
  readonly waiting: { readonly seq: number; readonly to: StreamName }[] = [];
  readonly troubles: (WriteProblem | undefined)[] = [];
  readonly dropped: string[] = [];
  /** The events that the status proves. */
  readonly proven = new Set<number>();
  readonly log: PlanLog;
  fenced = false;
  /** The result of the Lease check when a journal names a later term. */
  lease: LeaseCheck = 'moved';
  /** By stream: the last event that was delivered. */
  readonly #handed = new Map<string, number>();
  #changes = 0;

  private constructor(
    server: Server,
    clock: ManualClock,
    term: number,
    onDeliver: (what: string) => void,
    { lazyWorkers = 8, ...more }: More,
  ) {
    this.clock = clock;
    const found = server.stands;
    const kept = readEntry(found?.plans.get(SUBJECT.uid), SUBJECT);
    const queue = new WorkQueue<JournalObject>({
      ...{ clock, workers: 64, lazy: { workers: lazyWorkers, bucket: new TokenBucket(clock, 1_000, 1_000) } },
      ownerOf: ({ namespace }) => namespace,
      work: (object, isUrgent) => object.write(isUrgent),
    });
    const options: JournalObjectOptions = {
      ...{ clock, instance: 'hnotif', writer: { holder: `process-${term}`, term } },
      log: pino({ level: 'silent' }),
      pace: new WritePacer(clock),
      queue,
      write: (write, signal) => server.write(write, signal),
      remove: (object, signal) => server.remove(object, signal),
      placeOf: (plan, isLarge = plan.isLarge) => (isLarge ? lone : shared),
      conditions: {
        unwritten: (_, trouble) => {
          if (trouble !== undefined || this.troubles.at(-1) !== undefined) this.troubles.push(trouble);
        },
      },
      fenced: () => {
        this.fenced = this.lease === 'moved';
        return Promise.resolve(this.lease);
      },
      mayGiveUp: () => true,
      emptied: () => undefined,
      ...more,
    };
    const object = (name: string, isDedicated: boolean): JournalObject =>
      new JournalObject(options, { namespace: 'team-a', name, isDedicated }, server.journal(name));
    const shared = object(NAME, false);
    const lone = object('lone', true);
    this.objects.push(shared, lone);
    const live = { current: { ...aPlan(), ...SUBJECT } };
    this.log = aLog(live.current);
    this.journal = new PlanJournal(
      {
        clock,
        dispatcher: {
          open: () => this.log,
          append: (log, routed, by) => {
            log.append(routed, by);
          },
          release: (log, upTo) => {
            log.release(upTo);
            this.#handOver(onDeliver);
          },
          halveLongest: () => false,
          ...more,
        },
        listener: {
          appended: () => undefined,
          released: () => undefined,
          memoryFound: () => undefined,
          rebase: () => {
            this.derive();
          },
          ...more,
        },
        ...more,
      },
      live,
      kept,
      observedAt(0),
    );
    const last = kept && shared;
    this.journal.begin(placeFound(last === undefined ? [] : [last], shared, last));
  }

  static start(
    server: Server,
    term: number,
    onDeliver: (what: string) => void = () => undefined,
    clock = new ManualClock(),
    more: More = {},
  ): Promise<Process> {
    return Promise.resolve(new Process(server, clock, term, onDeliver, more));
  }

  /** Ends at once, as by SIGKILL. */
  close(): void {
    this.journal.close();
    for (const object of this.objects) object.close();
  }

  deletesPlan(): void {
    this.journal.planDeleted(this.clock.now());
  }

  /** The plan has changed this many times by now. `isProven`: its status proves the new events. */
  sees(changes: number, isProven = false): void {
    if (isProven) for (let seq = this.#changes + 1; seq <= changes; seq++) this.proven.add(seq);
    this.#changes = changes;
    this.derive();
  }

  /** Derives all events since the last observed state. */
  derive(): void {
    const { seq } = this.journal.state.observed;
    if (seq >= this.#changes) return;
    const { basis } = this.journal;
    const events = Array.from({ length: this.#changes - seq }, (_, n) => ({
      event: anEvent('Failure', seq + 1 + n),
      to: STREAMS,
      isProven: basis !== undefined && this.proven.has(seq + 1 + n),
    }));
    this.journal.accept(observedAt(this.#changes), events, this.clock.now());
  }

  settles(seq: number, to: StreamName): void {
    const ids = idsOf(this.log.entries().filter((entry) => entry.seq === seq));
    end(this.log, seq, streamKey(to));
    const ending = {
      at: '',
      seq,
      event: '',
      stream: streamKey(to),
      count: 1,
      result: 'delivered',
      reason: '',
      ids,
    };
    this.journal.settled(ending, to.type === 'webhook' ? SETTLE : SETTLE_CHAT);
  }

  /** Delivers the events that may be sent and were not delivered yet, one after the other. */
  #handOver(onDeliver: (what: string) => void): void {
    for (const entry of this.log.entries())
      for (const stream of entry.group) {
        const { sink, notification } = stream.to;
        const key = streamKey(stream.to);
        if (entry.at > this.log.releasedTo || entry.at <= (this.#handed.get(key) ?? -1)) continue;
        if (!this.log.waitingOf(stream).includes(entry)) continue;
        this.#handed.set(key, entry.at);
        this.delivered.push(`${entry.seq}/${sink}`);
        if (entry.restored) this.restored.push(`${entry.seq}/${sink}`);
        this.waiting.push({ seq: entry.seq, to: { notification, sink, type: stream.sinkType } });
        onDeliver(`${entry.seq}/${sink}`);
      }
  }
}

/** A process that has sent one event, and stored that. */
async function firstWithOneEvent(server: Server): Promise<Process> {
  const first = await Process.start(server, 1);
  first.sees(1);
  await settle();
  for (const to of STREAMS) first.settles(1, to);
  await first.clock.advance(500);
  return first;
}

describe('the journal of a plan', () => {
  it('delivers events when they are stored, and not earlier', async () => {
    const server = new Server();
    const process = await Process.start(server, 1);
    process.sees(2);
    expect(process.delivered).toEqual([]);
    await settle();
    expect(process.delivered).toEqual(['1/ops', '1/chat', '2/ops', '2/chat']);
    expect(server.seqs).toEqual([1, 2]);
  });

  it('delivers what the status proves at once, and stores it with its outcome in one write', async () => {
    const server = new Server();
    const process = await firstWithOneEvent(server);
    const { length } = server.writes;
    process.sees(2, true);
    expect(process.delivered.slice(2)).toEqual(['2/ops', '2/chat']);
    for (const to of STREAMS) process.settles(2, to);
    await process.clock.advance(500);
    expect([server.writes.length - length, server.newest, server.entry?.waiting]).toEqual([1, 2, 0]);
  });

  it.each<[string, (process: Process) => void | Promise<void>]>([
    ['after half a second', (process) => process.clock.advance(1)],
    [
      'when the plan changes again: its status may not prove it any more',
      ({ journal }) => {
        journal.accept({ ...journal.state.observed, rv: '4', phase: 'Error' }, [], 0);
      },
    ],
    [
      'when its first request fails',
      ({ journal }) => {
        journal.delayed();
      },
    ],
  ])('stores what it has released before, and what still waits, %s', async (_when, happens) => {
    const server = new Server();
    const process = await firstWithOneEvent(server);
    process.sees(2, true);
    await process.clock.advance(499);
    expect(server.newest).toBe(1);
    await happens(process);
    await settle();
    expect(server.seqs).toEqual([2]);
  });

  it('delivers what the status proves at once after earlier events that have ended and are not stored', async () => {
    const server = new Server();
    const process = await firstWithOneEvent(server);
    for (const seq of [2, 3, 4]) {
      process.sees(seq, true);
      expect(process.delivered.slice(-2)).toEqual([`${seq}/ops`, `${seq}/chat`]);
      for (const to of STREAMS) process.settles(seq, to);
    }
    const { length } = server.writes;
    await process.clock.advance(500);
    expect([server.writes.length - length, server.newest]).toEqual([1, 4]);
  });

  it.each<[string, (process: Process, server: Server) => void | Promise<void>]>([
    ['an event before it waits for its write', (process) => process.sees(2)],
    ['an event before it is not stored and waits', (process) => process.sees(2, true)],
    [
      'a stored event before it waits',
      async (process) => {
        process.sees(2);
        await process.clock.advance(1);
      },
    ],
    [
      'the last write has failed',
      async (process, server) => {
        server.answer = 'undone';
        process.sees(2);
        await process.clock.advance(1);
      },
    ],
    [
      'something else has changed the journal',
      (process) => {
        process.objects[0]?.changed('99');
      },
    ],
  ])('delivers what the status proves when it is stored, if %s', async (_what, happens) => {
    const server = new Server();
    const process = await firstWithOneEvent(server);
    await happens(process, server);
    const { length } = process.delivered;
    process.sees(3, true);
    expect(process.delivered).toHaveLength(length);
  });

  it('delivers what the status proves when it is stored, until its own term is stored', async () => {
    const server = new Server();
    (await firstWithOneEvent(server)).close();
    const second = await Process.start(server, 2);
    second.sees(2, true);
    expect(second.delivered).toEqual([]);
    await settle();
    expect(second.delivered).toEqual(['2/ops', '2/chat']);
    for (const to of STREAMS) second.settles(2, to);
    second.sees(3, true);
    expect(second.delivered.slice(2)).toEqual(['3/ops', '3/chat']);
  });

  it('removes ended deliveries: at once for a chat, within half a second for a webhook', async () => {
    const server = new Server();
    const process = await Process.start(server, 1);
    process.sees(1);
    await settle();
    process.settles(1, STREAMS[0]!);
    await settle();
    expect(server.waits).toHaveLength(2);
    await process.clock.advance(500);
    expect(server.waits).toHaveLength(1);
    process.settles(1, STREAMS[1]!);
    await process.clock.advance(10);
    expect(server.entry?.waiting).toBe(0);
  });

  it('removes ended deliveries within five seconds, however many other journals must be written', async () => {
    const server = new Server();
    const process = await Process.start(server, 1, undefined, undefined, {
      // It is written only when a request waits for it.
      lazyWorkers: 0,
    });
    process.sees(2);
    await settle();
    process.settles(1, STREAMS[0]!);
    await process.clock.advance(4_000);
    process.settles(2, STREAMS[0]!);
    expect(server.entry?.waiting).toBe(4);
    await process.clock.advance(1_000);
    expect(server.entry?.waiting).toBe(2);
    process.settles(1, { ...STREAMS[1]!, type: 'webhook' });
    await process.clock.advance(5_000);
    expect(server.entry?.waiting).toBe(1);
    process.close();
    expect(process.clock.timers).toBe(0);
  });

  it('says when an outcome is stored: at its write; at once if there is none or it cannot be written; and when the plan is deleted', async () => {
    const server = new Server();
    const process = await Process.start(server, 1);
    const { journal, clock } = process;
    process.sees(3);
    await settle();
    expect(journal.persistOutcomes()).toBeUndefined();
    process.settles(1, STREAMS[0]!);
    let kept = 0;
    const keep = (): void => void journal.persistOutcomes()?.then(() => kept++);
    // The wait is one write at most, although the outcome of a webhook is not urgent.
    keep();
    await settle();
    expect([kept, server.waits.length]).toEqual([1, 5]);
    server.answer = 'undone';
    process.settles(2, STREAMS[0]!);
    keep();
    await settle();
    expect(kept).toBe(1);
    server.answer = 'ok';
    await clock.advance(5_000);
    expect(kept).toBe(2);
    server.answer = 'undone';
    process.settles(3, STREAMS[0]!);
    keep();
    await clock.advance(60_000);
    // By now it is delivered from memory.
    expect(kept).toBe(3);
    process.settles(1, STREAMS[1]!);
    expect(journal.persistOutcomes()).toBeUndefined();
    process.close();
    expect(journal.persistOutcomes()).toBeUndefined();
  });

  it('takes the age of an earlier process’s events from its caller', async () => {
    const server = new Server();
    const first = await Process.start(server, 1);
    first.sees(1);
    await settle();
    first.close();
    const ages = [3_600_000, -7_200_000].map(async (age) => {
      const later = await Process.start(server, 2, undefined, undefined, { ageOf: () => age });
      later.close();
      return later.clock.monotonic() - (later.log.entries()[0]?.since ?? NaN);
    });
    expect(await Promise.all(ages)).toEqual([3_600_000, 0]);
  });

  it('is written once for many changes in one turn, and once for all changes during a write', async () => {
    const server = new Server();
    let go: () => void = () => undefined;
    const first = new Promise<void>((resolve) => (go = resolve));
    const process = await Process.start(server, 1, undefined, undefined, {
      write: async (write, signal) => {
        await first;
        return server.write(write, signal);
      },
    });
    process.sees(1);
    process.sees(2);
    await settle();
    for (let changes = 3; changes <= 20; changes++) {
      process.sees(changes);
      await settle();
    }
    expect(process.delivered).toEqual([]);
    go();
    await settle();
    expect(process.delivered).toHaveLength(40);
    expect(server.stands?.gen).toBe(2);
  });

  it('recognizes its own write after the answer was lost', async () => {
    const server = new Server();
    const process = await Process.start(server, 1);
    server.answer = 'lost';
    process.sees(1);
    await settle();
    expect(process.delivered).toEqual(['1/ops', '1/chat']);
    expect(server.stands?.gen).toBe(1);
  });

  it('has the targets of an event whose last delivery ends while a write is prepared', async () => {
    const targets = [{ name: 'db', executor: 'rds', state: 'Failed', message: 'full' }];
    const observed = { ...observedAt(1), targets: targets.map((target) => ({ ...target, jobRef: '' })) };
    const [ops, chat] = STREAMS as [StreamName, StreamName];
    for (let promises = 0; promises < 8; promises++) {
      const server = new Server();
      const stored: unknown[] = [];
      const process = await Process.start(server, 1, undefined, undefined, {
        write: async (write, signal) => {
          const written = await server.write(write, signal);
          for (const { event } of readEntry(server.entry, SUBJECT)?.events() ?? [])
            stored.push(event.targets);
          return written;
        },
      });
      process.journal.accept(observed, [{ event: anEvent('Failure', 1, { targets }), to: STREAMS }], 0);
      await settle();
      process.journal.accept({ ...observed, phase: 'Error' }, [], 0);
      process.settles(1, chat);
      for (let settled = 0; settled < promises; settled++) await Promise.resolve();
      process.settles(1, ops);
      await settle();
      process.close();
      expect(new Set(stored.map((each) => JSON.stringify(each)))).toEqual(new Set([JSON.stringify(targets)]));
    }
  });

  it('has the targets of an event that waits after an earlier process has ended the delivery of a later one', async () => {
    const tables = ['full', 'empty'].map((message) => [
      { name: 'db', executor: 'rds', state: 'Failed', message },
    ]);
    const server = new Server();
    const first = await Process.start(server, 1);
    for (const [n, targets] of tables.entries()) {
      const observed = { ...observedAt(n + 1), targets: targets.map((each) => ({ ...each, jobRef: '' })) };
      first.journal.accept(observed, [{ event: anEvent('Failure', n + 1, { targets }), to: STREAMS }], 0);
      await settle();
    }
    for (const to of STREAMS) first.settles(2, to);
    await first.clock.advance(500);
    first.close();
    await Process.start(server, 2);
    await settle();
    expect(server.stands?.writer.term).toBe(2);
    const [event, ...others] = readEntry(server.entry, SUBJECT)?.events() ?? [];
    expect([event?.event.targets, others]).toEqual([tables[0], []]);
  });

  it('is created again when a user deletes it', async () => {
    const server = new Server();
    const process = await Process.start(server, 1);
    process.sees(1);
    await settle();
    server.delete(NAME);
    process.sees(2);
    await settle();
    expect(process.delivered).toContain('2/ops');
    expect(server.seqs).toEqual([1, 2]);
  });

  it('sends the events of an earlier process after it has written its own term', async () => {
    const server = new Server();
    const first = await Process.start(server, 1);
    first.sees(2);
    await settle();
    first.settles(1, STREAMS[1]!);
    await first.clock.advance(10);
    first.close();
    server.answer = 'undone';
    const second = await Process.start(server, 2);
    await settle();
    expect(second.delivered).toEqual([]);
    server.answer = 'ok';
    await second.clock.advance(5_000);
    expect(second.delivered).toEqual(['1/ops', '2/ops', '2/chat']);
    expect(server.stands?.writer).toEqual({ holder: 'process-2', term: 2 });
  });

  it('does not derive again when its first write does not arrive: changes in between would be lost', async () => {
    const server = new Server();
    const first = await firstWithOneEvent(server);
    first.close();
    let rebased = 0;
    const second = await Process.start(server, 2, undefined, undefined, { rebase: () => rebased++ });
    server.answer = 'unreached';
    second.sees(2);
    second.sees(3);
    await settle();
    expect(second.delivered).toEqual([]);
    await second.clock.advance(5_000);
    expect(rebased).toBe(0);
    expect(second.delivered).toEqual(['2/ops', '2/chat', '3/ops', '3/chat']);
  });

  it('stops when a process with a higher term has taken over', async () => {
    const server = new Server();
    const first = await Process.start(server, 1);
    first.sees(1);
    await settle();
    server.answer = 'ok';
    const second = await Process.start(server, 2);
    await settle();
    first.sees(2);
    await settle();
    expect(second.fenced).toBe(false);
    expect(first.fenced).toBe(true);
    expect(first.delivered).not.toContain('2/ops');
    expect(server.stands?.writer.term).toBe(2);
  });

  it('takes over the late write of a former leader, with the same ids', async () => {
    const server = new Server();
    const first = await firstWithOneEvent(server);
    const second = await Process.start(server, 2);
    for (const changes of [2, 3]) {
      first.sees(changes);
      await settle();
    }
    second.sees(4);
    await settle();
    expect(second.delivered).toEqual(['2/ops', '2/chat', '3/ops', '3/chat', '4/ops', '4/chat']);
    expect(server.stands?.writer.term).toBe(2);
    // Nothing of the late write is left in the entry.
    expect(server.waits).toEqual(second.delivered);
  });

  it('sends nothing again that it has sent before it saw the late write, also if it has another number there', async () => {
    const server = new Server();
    const first = await firstWithOneEvent(server);
    const second = await Process.start(server, 2);
    server.answer = 'refused';
    second.sees(2);
    await settle();
    expect(second.delivered).toEqual(['2/ops', '2/chat']);
    for (const to of STREAMS) second.settles(2, to);
    server.answer = 'ok';
    // The former leader has seen one state more, so the same event is its third one.
    const events = [anEvent('Recovery', 2), { ...anEvent('Failure', 2), seq: 3 }];
    first.journal.accept(
      observedAt(3),
      events.map((event) => ({ event, to: STREAMS })),
      first.clock.now(),
    );
    await settle();
    expect(server.newest).toBe(3);
    await second.clock.advance(60_000);
    expect(server.stands?.writer.term).toBe(2);
    expect(second.delivered).toEqual(['2/ops', '2/chat']);
  });

  it('continues after a late write with fewer events than it has sent from memory, and sends none of them again', async () => {
    const server = new Server();
    const first = await firstWithOneEvent(server);
    /** The event of this change, with the next number. */
    const accept = (change: number): void => {
      const seq = second.journal.state.observed.seq + 1;
      const event = { ...anEvent('Failure', change), seq };
      second.journal.accept(observedAt(seq), [{ event, to: STREAMS }], second.clock.now());
    };
    const second = await Process.start(server, 2, undefined, undefined, {
      rebase: () => {
        accept(3);
      },
    });
    server.answer = 'refused';
    for (const seq of [2, 3]) {
      second.sees(seq);
      await settle();
      for (const to of STREAMS) second.settles(seq, to);
    }
    expect(second.delivered).toEqual(['2/ops', '2/chat', '3/ops', '3/chat']);
    server.answer = 'ok';
    first.sees(2);
    await settle();
    await second.clock.advance(60_000);
    expect(server.stands?.writer.term).toBe(2);
    accept(4);
    await settle();
    expect(second.delivered.slice(4)).toEqual(['5/ops', '5/chat']);
  });

  it('takes over its threads too, and derives again the events that it had derived itself', async () => {
    const server = new Server();
    const root = { sent: 'digest', place: { channel: 'C1', ts: '1.2' } };
    const first = await firstWithOneEvent(server);
    const second = await Process.start(server, 2, undefined, undefined, { rebase: () => undefined });
    first.sees(2);
    void first.journal.remember('n/chat', 'c1', root, 'now');
    await settle();
    second.sees(4);
    await settle();
    expect(second.journal.state.recall('n/chat', 'c1')?.value).toEqual(root);
    expect(second.journal.state.observed.seq).toBe(2);
    expect(second.delivered).toEqual(['2/ops', '2/chat']);
    expect(server.seqs).toEqual([2]);
  });

  it('keeps the events of a deleted plan that it has not stored when it takes over a late write: nobody derives them again', async () => {
    const server = new Server();
    const first = await Process.start(server, 1);
    first.sees(1);
    await settle();
    server.answer = 'undone';
    const second = await Process.start(server, 2, undefined, undefined, { rebase: () => undefined });
    await settle();
    server.answer = 'ok';
    for (const to of STREAMS) first.settles(1, to);
    // The number of its last event is that of another event of `second`.
    const events = [anEvent('Failure', 2), anEvent('Recovery', 3, { id: 'other' })];
    first.journal.accept(
      observedAt(3),
      events.map((event) => ({ event, to: STREAMS })),
      0,
    );
    await settle();
    second.sees(3);
    second.deletesPlan();
    await second.clock.advance(5_000);
    expect(second.delivered).toEqual(['2/ops', '2/chat', '3/ops', '3/chat', '3/ops', '3/chat']);
    expect(second.restored).toEqual(second.delivered.slice(0, 4));
    expect([server.stands?.writer.term, server.entry?.waiting]).toEqual([2, 6]);
    expect([server.waits, second.journal.outbox.hasUnstored]).toEqual([second.delivered, false]);
    // The plan has returned, and goes on from the state that was its last one here.
    second.journal.planReturned();
    second.journal.accept(observedAt(4), [{ event: anEvent('Failure', 4), to: STREAMS }], 0);
    expect(second.journal.outbox.hasUnstored).toBe(true);
    await settle();
    expect(second.delivered.slice(6)).toEqual(['4/ops', '4/chat']);
  });

  it('takes over a later state of a thread than the one it has read', async () => {
    const server = new Server();
    const first = await Process.start(server, 1);
    await first.journal.remember('n/chat', 'c1', 'starting', 'now');
    const second = await Process.start(server, 2);
    void first.journal.remember('n/chat', 'c1', 'completed', 'now');
    await settle();
    second.sees(1);
    await settle();
    expect(second.journal.state.recall('n/chat', 'c1')?.value).toBe('completed');
  });

  it('keeps its own place of a thread', async () => {
    const server = new Server();
    const first = await Process.start(server, 1);
    const second = await Process.start(server, 2);
    void first.journal.remember('n/chat', 'c1', '1.1', 'now');
    await settle();
    void second.journal.remember('n/chat', 'c1', '2.2', 'now');
    await settle();
    expect(second.journal.state.recall('n/chat', 'c1')?.value).toBe('2.2');
  });

  it('resolves a save of a root when it is stored, however many writes fail', async () => {
    const server = new Server();
    const process = await Process.start(server, 1);
    server.answer = 'undone';
    let saved = false;
    void process.journal.remember('n/chat', 'c1', 'root', 'now').then(() => (saved = true));
    await process.clock.advance(3_000);
    expect(saved).toBe(false);
    server.answer = 'ok';
    await process.clock.advance(10_000);
    expect(saved).toBe(true);
  });

  it('stores the plan of deliveries that wait, although the first write of it was refused', async () => {
    const server = new Server();
    const process = await Process.start(server, 1);
    process.sees(1);
    await settle();
    expect(server.entry?.plan).toBeUndefined();
    server.answer = 'undone';
    await process.clock.advance(3_000);
    server.answer = 'ok';
    await process.clock.advance(60_000);
    expect(server.entry?.plan).toEqual(expect.any(String));

    server.answer = 'undone';
    for (const to of STREAMS) process.settles(1, to);
    await process.clock.advance(3_000);
    server.answer = 'ok';
    await process.clock.advance(60_000);
    expect(server.entry).toMatchObject({ waiting: 0 });
    expect(server.entry?.plan).toBeUndefined();

    process.sees(2);
    await process.clock.advance(60_000);
    expect(server.entry?.plan).toEqual(expect.any(String));
  });

  it('stores the plan of deliveries that wait, although an earlier process was killed before it did', async () => {
    const server = new Server();
    const first = await Process.start(server, 1);
    first.sees(1);
    await settle();
    first.close();
    expect(server.entry?.plan).toBeUndefined();
    const second = await Process.start(server, 2);
    await second.clock.advance(60_000);
    expect(server.waits).toHaveLength(2);
    expect(server.entry?.plan).toEqual(expect.any(String));
  });

  it('resolves a save of a root that newer roots have replaced, without a write', async () => {
    const process = await Process.start(new Server(), 1);
    for (let cycle = 1; cycle <= 9; cycle++)
      void process.journal.remember('n/chat', `c${cycle}`, 'root', 'now');
    await process.clock.advance(10_000);
    let saved = false;
    void process.journal.remember('n/chat', 'c1', 'root', 'now').then(() => (saved = true));
    await settle();
    expect(saved).toBe(true);
  });

  it('resolves a save of a root when the plan is deleted, at any moment', async () => {
    for (let moment = 0; moment < 30; moment++) {
      const process = await Process.start(new Server(), 1);
      let saved = false;
      void process.journal.remember('n/chat', 'c1', 'root', 'now').then(() => (saved = true));
      for (let turn = 0; turn < moment; turn++) await Promise.resolve();
      process.deletesPlan();
      await settle();
      expect(saved, `gone after ${moment} turns`).toBe(true);
    }
  });

  it('marks events of an earlier process: they may have been sent', async () => {
    const server = new Server();
    const first = await Process.start(server, 1);
    first.sees(1);
    await settle();
    const second = await Process.start(server, 2);
    await settle();
    second.sees(2);
    await settle();
    expect(second.delivered).toEqual(['1/ops', '1/chat', '2/ops', '2/chat']);
    expect(second.restored).toEqual(['1/ops', '1/chat']);
  });

  it('counts half a minute from the first of consecutive failures', async () => {
    const server = new Server();
    const process = await Process.start(server, 1);
    for (let changes = 1; changes <= 3; changes++) {
      server.answer = 'undone';
      process.sees(changes);
      await process.clock.advance(20_000);
      server.answer = 'ok';
      await process.clock.advance(60_000);
    }
    expect(process.troubles).toEqual([]);
    expect(process.delivered).toHaveLength(6);
  });

  it('delivers from memory after half a minute without a write, reports that, and stores again when it can', async () => {
    const server = new Server();
    server.answer = 'undone';
    const process = await Process.start(server, 1);
    process.sees(1);
    await process.clock.advance(29_000);
    expect(process.delivered).toEqual([]);
    await process.clock.advance(1_000);
    expect(process.delivered).toEqual(['1/ops', '1/chat']);
    expect(process.troubles).toEqual([{ reason: 'Unreachable', message: 'no' }]);
    process.sees(2);
    expect(process.delivered).toContain('2/ops');
    server.answer = 'ok';
    await process.clock.advance(60_000);
    expect(process.troubles.at(-1)).toBeUndefined();
    expect(server.seqs).toEqual([1, 2]);
    expect(process.delivered).toHaveLength(4);
  });

  it('delivers from memory at once when writes are refused', async () => {
    const server = new Server();
    server.answer = 'refused';
    const process = await Process.start(server, 1);
    process.sees(1);
    const saved = process.journal.remember('n/chat', 'c1', 'root', 'now');
    await settle();
    await saved;
    expect(process.delivered).toHaveLength(2);
    expect(process.troubles).toEqual([{ reason: 'Forbidden', message: 'no' }]);
  });

  it('without room has the dispatcher drop waiting events, until the rest can be stored', async () => {
    const server = new Server();
    const texts = (n: number): string =>
      Array.from({ length: 10_000 }, (_, k) => Math.sin(n * 977 + k)).join('');
    const process = await Process.start(server, 1, undefined, undefined, {
      halveLongest: (log) => {
        const [oldest] = log.entries();
        if (oldest === undefined) return false;
        for (const stream of oldest.group) stream.remove((entry) => entry === oldest);
        process.dropped.push(`${oldest.seq}`);
        return true;
      },
    });
    for (let seq = 1; seq <= 12; seq++)
      process.journal.accept(
        observedAt(seq),
        [{ event: anEvent('Failure', seq, { cycle: texts(seq) }), to: STREAMS }],
        0,
      );
    await process.journal.flush();
    expect(process.dropped.length).toBeGreaterThan(0);
    expect(server.seqs.at(-1)).toBe(12);
    expect(process.journal.state.observed.seq).toBe(12);
    expect(process.delivered).toEqual(server.waits);
    expect(process.troubles).toEqual([]);
  });

  it('that returns to a shared object before its old entry was removed there has nothing of that entry', async () => {
    const server = new Server();
    const process = await Process.start(server, 1);
    const { journal, clock } = process;
    process.sees(2);
    await settle();
    // It becomes large when its first event ends, and is small again soon after.
    for (const to of STREAMS) process.settles(1, to);
    await journal.remember('n/ops', 'c1', NOISE, 'now');
    expect(server.names).toContain('lone');
    await journal.remember('n/ops', 'c1', '', 'now');
    journal.accept({ ...journal.state.observed, phase: 'Error' }, [], 0);
    await journal.flush();
    await clock.advance(60_000);
    expect(server.names).toEqual([NAME]);
    expect(server.waits).toEqual(['2/ops', '2/chat']);
  });

  it('of a plan that is deleted while there is no room delivers from memory, and says so', async () => {
    let drops = 0;
    const process = await Process.start(new Server(), 1, undefined, undefined, {
      halveLongest: () => {
        if (drops++ === 0) process.deletesPlan();
        return drops < 3;
      },
    });
    const long = Array.from({ length: 3_000 }, (_, n) => Math.sin(n)).join('');
    for (let sink = 0; sink < 40; sink++) void process.journal.remember(`n/${sink}`, 'c1', long, 'now');
    process.sees(1);
    await process.journal.flush();
    expect(process.delivered).toHaveLength(2);
    expect(process.troubles).toEqual([expect.objectContaining({ reason: 'JournalTooLarge' })]);
  });

  it('without room removes threads of earlier runs first', async () => {
    const process = await Process.start(new Server(), 1);
    const long = (cycle: number): string =>
      Array.from({ length: 3_000 }, (_, n) => Math.sin(cycle * 3_000 + n)).join('');
    for (const sink of ['a', 'b', 'c', 'd'])
      for (let cycle = 1; cycle <= 8; cycle++)
        void process.journal.remember(`n/${sink}`, `c${cycle}`, long(cycle), 'now');
    process.journal.accept(observedAt(1), [{ event: progress(1, 'db'), to: STREAMS }], 0);
    await process.journal.flush();
    expect(process.delivered).toEqual(['1/ops', '1/chat']);
    expect(process.troubles).toEqual([]);
    expect(process.journal.state.recall('n/a', 'c7')).toBeUndefined();
    expect(process.journal.state.recall('n/a', 'c8')).toBeDefined();
  });

  it('continues from memory when a journal has a later term and the Lease has not changed: another program wrote it', async () => {
    const server = new Server();
    const process = await Process.start(server, 1);
    process.lease = 'held';
    process.sees(1);
    await settle();
    server.edit(NAME, { writer: { holder: 'tenant', term: Number.MAX_SAFE_INTEGER } });
    process.sees(2);
    await settle();
    expect(process.fenced).toBe(false);
    expect(process.delivered).toContain('2/ops');
    expect(process.troubles.map((trouble) => trouble?.reason)).toEqual(['JournalTermAhead']);
    server.delete(NAME);
    await process.clock.advance(60_000);
    expect(process.troubles.at(-1)).toBeUndefined();
    expect(server.seqs).toEqual([1, 2]);
  });

  it('sends nothing of a plan whose journal has a later term while the Lease cannot be read', async () => {
    const server = new Server();
    const process = await Process.start(server, 1);
    process.sees(1);
    await settle();
    server.edit(NAME, { writer: { holder: 'other', term: 7 } });
    process.lease = 'unknown';
    process.sees(2);
    await process.clock.advance(5_000);
    expect(process.delivered).not.toContain('2/ops');
    process.lease = 'moved';
    await process.clock.advance(20_000);
    expect(process.fenced).toBe(true);
    expect(process.delivered).not.toContain('2/ops');
  });

  it('does not change a journal with another instance’s name, and continues from memory', async () => {
    const server = new Server();
    const process = await Process.start(server, 1);
    process.sees(1);
    await settle();
    server.edit(NAME, { instance: 'another' });
    process.sees(2);
    await settle();
    expect(process.delivered).toContain('2/ops');
    expect(process.troubles.map((trouble) => trouble?.reason)).toEqual(['JournalForeign']);
    expect(server.seqs).toEqual([1]);
  });

  it('delivers from memory an entry that is too large, and reports it', async () => {
    const server = new Server();
    const process = await Process.start(server, 1);
    process.sees(1);
    await process.journal.flush();
    for (const to of STREAMS) process.settles(1, to);
    const huge = Array.from({ length: 90_000 }, (_, k) => Math.sin(k)).join('');
    process.journal.accept(
      observedAt(2),
      [{ event: anEvent('Failure', 2, { cycle: huge }), to: STREAMS }],
      0,
    );
    await process.journal.flush();
    expect(process.delivered.slice(2)).toEqual(['2/ops', '2/chat']);
    expect(process.troubles.map((trouble) => trouble?.reason)).toEqual(['JournalTooLarge']);
    for (const to of STREAMS) process.settles(2, to);
    await process.journal.flush();
    expect(process.troubles.at(-1)).toBeUndefined();
    expect(server.entry?.waiting).toBe(0);
  });

  it('loses nothing and keeps the order, whatever is killed and whatever the server answers', async () => {
    const step = fc.oneof(
      { weight: 4, arbitrary: fc.record({ kind: fc.constant('change' as const), isProven: fc.boolean() }) },
      { weight: 3, arbitrary: fc.record({ kind: fc.constant('settle' as const), which: fc.nat(5) }) },
      { weight: 2, arbitrary: fc.constant({ kind: 'turn' as const }) },
      {
        weight: 1,
        arbitrary: fc.record({ kind: fc.constant('wait' as const), ms: fc.constantFrom(400, 3_000, 40_000) }),
      },
      {
        weight: 2,
        arbitrary: fc.record({
          kind: fc.constant('answer' as const),
          answer: fc.constantFrom<Answer>('ok', 'ok', 'lost', 'unread', 'undone', 'slow'),
        }),
      },
      { weight: 1, arbitrary: fc.constant({ kind: 'arrive' as const }) },
      { weight: 1, arbitrary: fc.constant({ kind: 'kill' as const }) },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
        const server = new Server();
        const clock = new ManualClock();
        const arrivals: string[] = [];
        const settledForGood = new Set<string>();
        let term = 1;
        let changes = 0;
        const deliver = (what: string): void => {
          const seq = Number.parseInt(what);
          const isLoose = process?.troubles.at(-1) !== undefined || process?.proven.has(seq) === true;
          expect(isLoose || seq <= server.newest, 'what is sent is kept').toBe(true);
          expect(settledForGood, 'what was recorded as settled is not sent again').not.toContain(what);
          arrivals.push(what);
        };
        let process: Process | undefined;
        process = await Process.start(server, term, deliver, clock);
        for (const each of steps) {
          if (each.kind === 'change') process.sees(++changes, each.isProven);
          else if (each.kind === 'turn') await settle();
          else if (each.kind === 'wait') await clock.advance(each.ms);
          else if (each.kind === 'answer') server.answer = each.answer;
          else if (each.kind === 'arrive') for (const late of server.late.splice(0)) server.put(late);
          else if (each.kind === 'settle') {
            const [gone] = process.waiting.splice(each.which, 1);
            if (gone !== undefined) process.settles(gone.seq, gone.to);
          } else {
            process.close();
            const upTo = readEntry(server.entry, SUBJECT)?.observed.seq;
            for (const what of new Set(arrivals))
              if ((upTo ?? 0) >= Number.parseInt(what) && !server.waits.includes(what))
                settledForGood.add(what);
            process = await Process.start(server, ++term, deliver, clock);
            process.sees(changes);
          }
        }
        server.answer = 'ok';
        await clock.advance(120_000);
        for (const { sink } of STREAMS) {
          const first = [...new Set(arrivals.filter((what) => what.endsWith(`/${sink}`)))];
          expect(first).toEqual(Array.from({ length: changes }, (_, n) => `${n + 1}/${sink}`));
        }
      }),
      { seed: 6, numRuns: 300 },
    );
  }, 60_000);
});

describe('a move', () => {
  /** Its entry is in a dedicated object after this, and small. */
  async function becomesLargeAndSmall(process: Process, server: Server): Promise<void> {
    const { journal, clock } = process;
    process.sees(1);
    await settle();
    for (const to of STREAMS) process.settles(1, to);
    await journal.remember('n/ops', 'c1', NOISE, 'now');
    await clock.advance(10_000);
    expect(server.names).toEqual(['lone']);
    await journal.remember('n/ops', 'c1', '', 'now');
  }

  it('back to the former object, before the new one was written, keeps the only entry of the plan', async () => {
    const server = new Server();
    const missing: string[] = [];
    let watching = false;
    const process = await Process.start(server, 1, undefined, undefined, {
      write: async (write, signal) => {
        const written = await server.write(write, signal);
        if (watching && server.entry === undefined) missing.push(write.name);
        return written;
      },
    });
    const { journal, clock } = process;
    await becomesLargeAndSmall(process, server);
    await clock.advance(10_000);
    watching = true;
    // It is small: the next write moves it to the shared object. Before that writes, it is large again.
    const shared = process.objects[0]!;
    const add = shared.add.bind(shared);
    let grown = false;
    shared.add = (uid, plan) => {
      add(uid, plan);
      if (grown) return;
      grown = true;
      queueMicrotask(() => {
        process.sees(2);
        void journal.remember('n/ops', 'c1', NOISE, 'now');
      });
    };
    journal.accept({ ...journal.state.observed, phase: 'Error' }, [], 0);
    await journal.flush();
    await journal.flush();
    expect(grown).toBe(true);
    expect(server.names).toEqual(['lone']);
    expect(missing).toEqual([]);
  });

  it('does not wait because values are saved for which nothing waits', async () => {
    const server = new Server();
    const process = await Process.start(server, 1);
    const { journal, clock } = process;
    await becomesLargeAndSmall(process, server);
    for (let n = 2; n < 12; n++) {
      process.sees(n);
      await settle();
      void journal.remember('n/ops', 'c1', `small ${n}`, 'later');
      for (const to of STREAMS) process.settles(n, to);
      await clock.advance(10_000);
      await settle();
    }
    expect(server.entry?.waiting).toBe(0);
    expect(server.names).toEqual([NAME]);
  });
});
