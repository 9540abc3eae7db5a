import { deflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../core/src/testing/runs.ts';
import { suits } from '../dispatch/removal.ts';
import { streamKey, type StreamName } from '../dispatch/log-entry.ts';
import type { PlanLog } from '../dispatch/plan-log.ts';
import { derive, type DerivedEvent, emptyBaseline, type Observed } from '@hnotif/core/lifecycle';
import { histories } from '../../../core/src/lifecycle/testing/history.ts';
import type { Plan } from '@hnotif/core/resources';
import { anEvent } from '../../../core/src/testing/events.ts';
import type { StoredEvent } from './content.ts';
import { OBSERVED, observedContent, observedOf, shortEvent, shortObserved } from './content.ts';
import { readEntry } from './entry.ts';
import { logTexts, nothingWritten } from './log-texts.ts';
import { add, aLog, settle, waits } from './testing/log.ts';
import { packLong, unpack } from './text.ts';

const OPS: StreamName = { notification: 'night', sink: 'ops', type: 'webhook' };
const CHAT: StreamName = { notification: 'night', sink: 'chat', type: 'teamchat' };

const subjectOf = ({ namespace, plan, planUid }: DerivedEvent) => ({ namespace, name: plan, uid: planUid });

const thereAndBack = (json: unknown): unknown => JSON.parse(JSON.stringify(json));

/** The order of an event's sinks does not matter. */
const bySink = (all: readonly StoredEvent[]): StoredEvent[] =>
  all.map((each) => ({ ...each, to: each.to.toSorted((a, b) => a.sink.localeCompare(b.sink)) }));

const ROW = { name: 'db', executor: 'rds', state: 'Running' };

/** The events that wait in a log, as plain values. */
const plain = (log: PlanLog) =>
  log.entries().map((entry) => ({
    event: log.eventOf(entry),
    acceptedAt: entry.acceptedAt,
    to: waits(log, entry).map(({ to: { notification, sink }, sinkType: type }) => ({
      notification,
      sink,
      type,
    })),
  }));

/** A log, and the part of it that a journal has. Writes change that part. */
class Written {
  readonly log: PlanLog;
  readonly chunks = new Map<string, string>();
  readonly #chunk: number | undefined;
  #written = nothingWritten();
  /** The names of the texts that may be in the journal. */
  readonly #stored = new Set<string>();
  #streams = '{"streams":[],"groups":[]}';
  #cursors = '[]';
  #observed = '';

  constructor(plan?: Plan, chunks: ReadonlyMap<string, string> = new Map(), chunk?: number) {
    this.log = aLog(plan);
    this.chunks = new Map(chunks);
    this.#chunk = chunk;
    for (const at of chunks.keys()) this.#stored.add(`log ${at}`);
  }

  /** Returns the written texts, without the observed state. `meanwhile`: other work between two chunks. */
  write(observed: Observed, meanwhile = (): void => {}): ReadonlyMap<string, string | null> {
    const before = this.#written;
    const work = logTexts(this.log, before, false, this.#stored, this.#chunk);
    let step = work.next();
    for (; step.done !== true; step = work.next()) meanwhile();
    // All of it is due again: as in `JournalState`, it begins again.
    if (before !== this.#written) return this.write(observed);
    const { texts, written } = step.value;
    this.#written = written;
    for (const [name, text] of texts) {
      if (name === 'streams') this.#streams = text ?? '{"streams":[],"groups":[]}';
      else if (name === 'cursors') this.#cursors = text ?? '[]';
      else if (text === null) this.chunks.delete(name.slice(4));
      else this.chunks.set(name.slice(4), text);
    }
    for (const [name, text] of texts)
      if (text === null) this.#stored.delete(name);
      else this.#stored.add(name);
    const lastTable = written.last?.table;
    const last = lastTable === undefined ? undefined : this.log.tables.at(lastTable);
    this.#observed = JSON.stringify(observedContent(observed, last));
    return texts;
  }

  /** All of it has to be written again. */
  reset(): void {
    this.#written = nothingWritten();
  }

  /** The write did not arrive, or the result is unknown. */
  fail(): void {
    for (const _ of logTexts(this.log, this.#written, false, this.#stored, this.#chunk));
    this.reset();
  }

  read(event: DerivedEvent, cursors = this.#cursors): StoredEvent[] {
    const entry = {
      ...{ name: '', gen: 1, waiting: 0, observed: this.#observed, streams: this.#streams },
      ...{ cursors, log: Object.fromEntries(this.chunks), sinks: {}, outcomes: {}, nights: {} },
    };
    return [...(readEntry(entry, subjectOf(event))?.events() ?? [])];
  }
}

describe('the content of a journal', () => {
  it('keeps the observed state and the waiting events, whatever ends, in which order, and which writes fail', () => {
    fc.assert(
      fc.property(histories, fc.infiniteStream(fc.nat(20)), ({ writes }, draws) => {
        const draw = (): number => draws.next().value as number;
        let seen = emptyBaseline('epoch');
        const written = new Written(writes[0]?.plan, new Map(), 2);
        const { log } = written;
        const settleSome = (): void => {
          for (const { seq } of log.entries())
            for (const stream of [OPS, CHAT]) if (draw() < 4) settle(log, seq, streamKey(stream));
          const streams = draw() < 4 ? [...log.streams.values()] : [];
          const removal = streams[0] && log.removalOf(streams[0], ({ seq }) => seq % 2 === 0);
          for (const stream of streams) if (removal && suits(removal, stream)) log.remove(stream, removal);
        };
        let any: DerivedEvent | undefined;
        for (const { plan, at } of writes) {
          const { observed, events } = derive(seen, plan, at, { failureAfterMs: Infinity });
          seen = observed;
          any ??= events[0];
          const some = draw() < 3 ? events.map((each) => ({ ...each, replayed: true as const })) : events;
          add(log, some, draw() < 10 ? [OPS, CHAT] : [CHAT], at);
          settleSome();
          if (draw() === 0) written.fail();
          if (draw() < 5) continue;
          written.write(seen, () => {
            if (draw() < 6) settleSome();
            if (draw() < 2) written.reset();
          });
          if (any !== undefined) expect(bySink(written.read(any))).toEqual(bySink(plain(log)));
        }
        expect(observedOf(OBSERVED.parse(thereAndBack(observedContent(seen))))).toEqual(seen);
      }),
      { seed: 20260301, numRuns: runs(20), endOnFailure: true },
    );
  });

  it('is written as changes since the last write: new events, cursors, and removals', () => {
    const written = new Written();
    const names = (): string[] => [...written.write(emptyBaseline('epoch')).keys()];
    const events = (from: number, count: number) =>
      Array.from({ length: count }, (_, n) => anEvent('PhaseChange', from + n));
    add(written.log, events(1, 3), [OPS, CHAT], 1);
    expect(names()).toEqual(['log 1', 'streams', 'cursors']);
    add(written.log, events(4, 2), [OPS, CHAT], 1);
    expect(names()).toEqual(['log 4', 'cursors']);
    for (const seq of [1, 2, 3]) settle(written.log, seq, streamKey(OPS));
    expect(names()).toEqual(['cursors']);
    for (const seq of [1, 2, 3]) settle(written.log, seq, streamKey(CHAT));
    expect([...written.write(emptyBaseline('epoch'))]).toEqual([
      ['cursors', '[[4],[4]]'],
      ['log 1', null],
    ]);
    for (const seq of [4, 5]) for (const stream of [OPS, CHAT]) settle(written.log, seq, streamKey(stream));
    expect([...written.write(emptyBaseline('epoch'))]).toEqual([
      ['streams', null],
      ['cursors', null],
      ['log 4', null],
    ]);
    expect(names()).toEqual([]);
  });

  it('names each set of subscribers once, and the ranges that a stream skips', () => {
    const written = new Written();
    const { log } = written;
    add(
      log,
      Array.from({ length: 300 }, (_, n) => anEvent('PhaseChange', n + 1)),
      [OPS, CHAT],
      1,
    );
    const texts = written.write(emptyBaseline('epoch'));
    expect(JSON.parse(texts.get('streams') ?? '')).toEqual({ streams: [OPS, CHAT], groups: [[0, 1]] });
    const [ops, chat] = [OPS, CHAT].map((name) => log.streams.get(streamKey(name))!);
    ops!.remove(({ seq }) => seq > 2 && seq < 280 && seq !== 100);
    expect(written.write(emptyBaseline('epoch')).get('cursors')).toBe('[[1,3,99,101,279],[1]]');
    chat!.remove(() => true);
    expect(written.write(emptyBaseline('epoch')).get('cursors')).toBe('[[1,3,99,101,279],[]]');
  });

  it('names the ranges that streams skip together once', () => {
    const written = new Written();
    const { log } = written;
    const [first, ...others] = Array.from({ length: 40 }, (_, seq) => anEvent('PhaseChange', seq + 1));
    add(log, [first!, ...others], [OPS, CHAT], 1);
    written.write(emptyBaseline('epoch'));
    const [ops, chat] = [OPS, CHAT].map((name) => log.streams.get(streamKey(name))!);
    const removal = log.removalOf(ops!, ({ seq }) => seq % 3 !== 1);
    for (const stream of [ops!, chat!]) log.remove(stream, removal);
    const text = written.write(emptyBaseline('epoch')).get('cursors');
    expect(text).toMatch(/^\[\[1,2,3,5,6,[\d,]+\],\[1,0\]\]$/);
    expect(written.read(first!)).toEqual(plain(log));
    chat!.remove(({ seq }) => seq === 1);
    expect(written.write(emptyBaseline('epoch')).get('cursors')).toMatch(/\],\[4,5,6,[\d,]+\]\]$/);
    expect(written.read(first!)).toEqual(plain(log));
  });

  it('keeps the tables right when the last written events were dropped together', () => {
    const written = new Written();
    const { log } = written;
    const event = (seq: number) =>
      anEvent('PhaseChange', seq, {
        targets: [
          { ...ROW, message: `${seq}` },
          { ...ROW, name: 'vm', message: seq < 3 ? '' : 'late' },
        ],
      });
    const events = [1, 2, 3, 4, 5].map(event);
    add(log, events.slice(0, 4), [OPS], 1);
    written.write(emptyBaseline('epoch'));
    add(log, events.slice(4), [OPS], 1);
    log.streams.get(streamKey(OPS))!.remove(({ seq }) => seq > 1 && seq < 5);
    written.write(emptyBaseline('epoch'));
    expect(written.read(events[0]!)).toEqual(plain(log));
  });

  it('is written again as a whole when most of it is unused: sinks that were created and deleted', () => {
    const written = new Written();
    add(written.log, [anEvent('Start', 1)], [OPS], 1);
    for (let seq = 2; seq < 100; seq++) {
      const sink = { ...CHAT, sink: `chat-${seq}` };
      add(written.log, [anEvent('PhaseChange', seq)], [sink], 1);
      written.write(emptyBaseline('epoch'));
      settle(written.log, seq, streamKey(sink));
      const texts = written.write(emptyBaseline('epoch'));
      expect(JSON.parse(texts.get('cursors') ?? '')).toHaveProperty(
        'length',
        expect.toSatisfy((n) => n <= 40),
      );
    }
    expect(written.chunks.size).toBeLessThan(40);
    expect(written.read(anEvent('Start', 1)).map(({ event }) => event.seq)).toEqual([1]);
  });

  it('removes events of an earlier process for which no stream waits', () => {
    const written = new Written(undefined, new Map([['7', '[]']]));
    add(written.log, [anEvent('Start', 9)], [OPS], 1);
    expect(written.write(emptyBaseline('epoch')).get('log 7')).toBeNull();
    expect([...written.chunks.keys()]).toEqual(['9']);
  });

  it.each([
    ['nothing', 'null'],
    ['no JSON', '{'],
    ['no observation', '{}'],
    ['not what it says', 'deflate-raw+base64:AAAA'],
  ])('cannot be read when it is %s', (_, observed) => {
    const entry = { name: 'b', gen: 1, waiting: 0, observed, log: {}, sinks: {}, outcomes: {}, nights: {} };
    expect(readEntry(entry, { namespace: 'a', name: 'b', uid: 'c' })).toBeUndefined();
  });

  it.each([7, 0])('skips nothing when a cursor names a stream that has no ranges: %i', (place) => {
    const written = new Written();
    const event = anEvent('Start', 1);
    add(written.log, [event], [OPS], 1);
    written.write(emptyBaseline('epoch'));
    const [read] = written.read(event, JSON.stringify([[1, place]]));
    expect(read).toMatchObject({ to: [OPS] });
  });
});

describe('the texts of a journal', () => {
  const packed = async (json: string): Promise<string> => {
    const texts = new Map([['log 1', json]]);
    await packLong(texts);
    return texts.get('log 1') ?? '';
  };
  const MIB = 1024 * 1024;

  it('are JSON up to 16 KiB, and above that deflated, with a prefix that says so', async () => {
    const short = JSON.stringify('x'.repeat(10_000));
    expect(await packed(short)).toBe(short);
    const long = JSON.stringify('x'.repeat(20_000));
    expect(await packed(long)).toMatch(/^deflate-raw\+base64:[A-Za-z0-9+/]{20,400}=*$/);
    expect(unpack(await packed(long))).toBe('x'.repeat(20_000));
  });

  it('are never longer than the limit for reading, all together', async () => {
    const json = ' '.repeat(5 * MIB);
    const sizes = new Map([['log 1', 5 * MIB]]);
    expect(await packLong(new Map([['log 1', 'é'.repeat(5 * MIB)]]))).toBeUndefined();
    expect(await packLong(new Map([['log 1', json]]))).toEqual(sizes);
    expect(
      await packLong(
        new Map([
          ['log 1', json],
          ['log 2', json],
        ]),
      ),
    ).toBeUndefined();
    expect(await packLong(new Map([['log 2', json]]), sizes)).toBeUndefined();
    expect(await packLong(new Map([['log 1', json]]), sizes)).toEqual(sizes);
  });

  it('are not read when they inflate to more than that, one or all together', async () => {
    const bomb = deflateRawSync(Buffer.alloc(64 * MIB, ' ')).toString('base64');
    expect(bomb.length).toBeLessThan(100_000);
    expect(() => unpack(`deflate-raw+base64:${bomb}`)).toThrow();
    const text = await packed(`[]${' '.repeat(3 * MIB - 2)}`);
    const read = (log: readonly number[], sinks: readonly string[]) =>
      readEntry(
        {
          ...{ name: 'b', gen: 1, waiting: 0, outcomes: {}, nights: {} },
          observed: JSON.stringify(observedContent(emptyBaseline('epoch'))),
          log: Object.fromEntries(log.map((at) => [at, text])),
          sinks: Object.fromEntries(sinks.map((stream) => [stream, text])),
        },
        { namespace: 'a', name: 'b', uid: 'c' },
      );
    expect(read([1], ['n/a'])?.sizes).toEqual(
      new Map([
        ['log 1', 3 * MIB],
        ['sinks n/a', 3 * MIB],
      ]),
    );
    expect(read([1, 2, 3], [])).toBeUndefined();
    expect(read([1, 2], ['n/a'])).toBeUndefined();
    expect(read([], ['n/a', 'n/b', 'n/c'])).toBeUndefined();
  });

  it('are small enough for a plan of 5,000 targets with 256 waiting events', async () => {
    const rows = Array.from({ length: 5_000 }, (_, n) => ({
      name: `instance-${n}-${((n * 2654435761) >>> 0).toString(36)}`,
      ...{ executor: 'ec2', state: 'Running', message: 'waiting for the instance to stop' },
    }));
    const written = new Written();
    let table = rows;
    for (let seq = 1; seq <= 256; seq++) {
      table = table.with(seq, { ...rows[seq]!, state: 'Completed', message: '' });
      add(written.log, [anEvent('ExecutionProgress', seq, { targets: table })], [OPS], seq);
    }
    const targets = table.map((target) => ({ ...target, jobRef: '' }));
    const texts = written.write({ ...emptyBaseline('epoch'), targets });
    expect((await packed(texts.get('log 1') ?? '')).length).toBeLessThan(100_000);
    const read = written.read(anEvent('Start', 1));
    expect(read.map(({ event }) => event)).toEqual(
      written.log.entries().map((entry) => written.log.eventOf(entry)),
    );
  });

  it('are made smaller by shorter messages: 256 characters, 1,024 for failed targets', () => {
    const state = 'Failed';
    const targets = [
      { name: 'db', executor: 'rds', state: 'Running', message: 'x'.repeat(2_000), jobRef: '' },
      { name: 'web', executor: 'ec2', state, message: 'x'.repeat(2_000), jobRef: '' },
    ];
    const observed = shortObserved(
      observedContent({ ...emptyBaseline('epoch'), targets, errorMessage: '😀'.repeat(600) }),
    );
    expect(observed.targets.map(([, , , message]) => message.length)).toEqual([256, 1_024]);
    expect(observed.errorMessage.isWellFormed()).toBe(true);
    expect(observed.errorMessage.length).toBeLessThanOrEqual(1_024);
    const texts = logTexts(aLog(), nothingWritten(), true, new Set());
    expect(texts.next()).toMatchObject({ done: true, value: { texts: new Map() } });
    const { id, seq, kind, run, cycle, operation, phase, previousPhase, timestamp } = anEvent('Failure', 2);
    const event = shortEvent({
      ...{ id, seq, kind, run, cycle, operation, phase, previousPhase, timestamp, acceptedAt: 1, to: 0 },
      target: ['web', 'ec2', state, 'x'.repeat(2_000)],
      errorMessage: 'y'.repeat(2_000),
      before: { set: [[1, 'Running', 'z'.repeat(2_000)]] },
    });
    expect(event.target?.[3]).toBe(`${'x'.repeat(1_023)}…`);
    expect(event.errorMessage).toBe(`${'y'.repeat(1_023)}…`);
    expect(event.before).toEqual({ set: [[1, 'Running', `${'z'.repeat(255)}…`]] });
  });
});
