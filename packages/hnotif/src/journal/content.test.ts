import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { derive } from '../lifecycle/derive.ts';
import type { LifecycleEvent } from '../lifecycle/event.ts';
import { emptyBaseline } from '../lifecycle/observed.ts';
import { histories } from '../lifecycle/testing/history.ts';
import { fold, rootKey } from '../sinks/teamchat/thread/root.ts';
import { anEvent } from '../testing/events.ts';
import { Book, streamKey, type StreamName } from './book.ts';
import { bookOf, contentOf } from './content.ts';
import { fit, LARGEST_TEXT } from './fit.ts';
import { unpack } from './text.ts';

const OPS: StreamName = { notification: 'night', sink: 'ops', type: 'webhook' };
const CHAT: StreamName = { notification: 'night', sink: 'chat', type: 'teamchat' };

const subjectOf = ({ namespace, plan, planUid }: LifecycleEvent) => ({ namespace, name: plan, uid: planUid });

/** All that is kept, as plain values. */
const plain = ({ observed, entries, roots, outcomes }: Book) => ({
  observed,
  entries: [...entries.values()].map(({ waits, ...entry }) => ({ ...entry, waits: [...waits.values()] })),
  roots: [...roots],
  outcomes,
});

const thereAndBack = (book: Book, subject: Parameters<typeof bookOf>[1]): Book =>
  bookOf(JSON.parse(JSON.stringify(contentOf(book))), subject);

describe('the content of a journal', () => {
  it('keeps what was observed and what waits, whatever is settled and in which order', () => {
    fc.assert(
      fc.property(histories, fc.infiniteStream(fc.integer({ min: 0, max: 3 })), ({ writes }, draws) => {
        const book = new Book(emptyBaseline('epoch'));
        let any: LifecycleEvent | undefined;
        for (const { plan, at } of writes) {
          const { observed, events } = derive(book.observed, plan, at, { failureAfterMs: Infinity });
          book.observed = observed;
          for (const event of events) book.add(event, at, [OPS, CHAT]);
          for (const { event } of [...book.entries.values()])
            for (const stream of [OPS, CHAT])
              if (draws.next().value === 0) book.settle(event, streamKey(stream));
          any ??= events[0];
        }
        if (any !== undefined) expect(plain(thereAndBack(book, subjectOf(any)))).toEqual(plain(book));
      }),
      { seed: 20260301, numRuns: 100 },
    );
  });

  it('keeps roots and outcomes', () => {
    const book = new Book(emptyBaseline('epoch'));
    const event = anEvent('Failure', 3, {
      targets: [{ name: 'db', executor: 'rds', state: 'Failed', message: 'no' }],
      errorMessage: 'boom',
      retryCount: 2,
    });
    const key = rootKey({ namespace: 'team-a', notification: 'night', sink: 'chat' }, event) ?? '';
    const place = { asked: '#ops', channel: 'C1', ts: '1.2' };
    book.keepRoot(key, { wanted: fold(undefined, event), sent: 'digest', place });
    book.keepRoot(key.replace('c1', 'c2'), { wanted: fold(undefined, event), sent: '', place: undefined });
    book.tell({
      at: 'now',
      seq: 3,
      event: 'Failure',
      stream: 'night/chat',
      result: 'failed',
      reason: 'Gone',
    });
    expect(plain(thereAndBack(book, subjectOf(event)))).toEqual(plain(book));
    expect(book.outcomes).toEqual(['now #3 Failure night/chat failed Gone']);
  });

  it('tells the target table once where all that waits is of the last change', () => {
    const row = { name: 'db', executor: 'rds', state: 'Running', message: 'stopping' };
    const book = new Book({ ...emptyBaseline('epoch'), targets: [{ ...row, jobRef: 'job' }] });
    const event = anEvent('ExecutionProgress', 1, { targets: [row] });
    book.add(event, 1, [OPS]);
    expect(contentOf(book)).not.toHaveProperty('table');
    expect(plain(thereAndBack(book, subjectOf(event)))).toEqual(plain(book));
    book.observed = { ...book.observed, targets: [{ ...row, state: 'Completed', jobRef: 'job' }] };
    expect(contentOf(book).table).toEqual([['db', 'rds', 'Running', 'stopping']]);
    expect(plain(thereAndBack(book, subjectOf(event)))).toEqual(plain(book));
  });

  it('of a sink keeps the eight roots that were saved last, of a journal the last twenty outcomes', () => {
    const book = new Book(emptyBaseline('epoch'));
    const keyOf = (sink: string, cycle: number): string =>
      rootKey(
        { namespace: 'team-a', notification: 'night', sink },
        anEvent('Start', 1, { cycle: `c${cycle}` }),
      ) ?? '';
    const record = { wanted: fold(undefined, anEvent('Start', 1)), sent: '', place: undefined };
    for (let cycle = 1; cycle <= 9; cycle++) book.keepRoot(keyOf('chat', cycle), record);
    book.keepRoot(keyOf('other', 1), record);
    book.keepRoot(keyOf('chat', 2), record);
    book.keepRoot(keyOf('chat', 10), record);
    expect(book.roots.has(keyOf('chat', 1))).toBe(false);
    expect(book.roots.has(keyOf('chat', 3))).toBe(false);
    expect(book.roots.has(keyOf('chat', 2))).toBe(true);
    expect(book.roots.size).toBe(9);
    for (let seq = 1; seq <= 30; seq++)
      book.tell({ at: 'now', seq, event: 'Start', stream: 'night/ops', result: 'delivered', reason: '' });
    expect(book.outcomes).toEqual(
      Array.from({ length: 20 }, (_, n) => `now #${n + 11} Start night/ops delivered`),
    );
  });

  it.each([
    ['nothing', undefined],
    ['no observation', {}],
    [
      'an event of a kind that is none',
      { ...contentOf(new Book(emptyBaseline('e'))), log: [{ kind: 'Nap' }] },
    ],
  ])('is refused when it is %s', (_, json) => {
    expect(() => bookOf(json, { namespace: 'a', name: 'b', uid: 'c' })).toThrow();
  });
});

describe('the size of a journal', () => {
  const nightOf = (targets: number, events: number, message: (target: number) => string): Book => {
    const rows = Array.from({ length: targets }, (_, n) => ({
      name: `instance-${n}-${((n * 2654435761) >>> 0).toString(36)}`,
      executor: 'ec2',
      state: 'Running',
      message: message(n),
    }));
    const book = new Book({
      ...emptyBaseline('epoch'),
      targets: rows.map((row, n) => ({ ...row, jobRef: `team-a/job-${((n * 40503) ^ 0x5bd1e995) >>> 0}` })),
    });
    let table = rows;
    for (let seq = 1; seq <= events; seq++) {
      table = table.with(seq % targets, { ...rows[seq % targets]!, state: 'Completed', message: '' });
      book.add(anEvent('ExecutionProgress', seq, { targets: table }), seq, [OPS]);
    }
    return book;
  };

  it('is small enough for a plan of 5,000 targets with 256 events that wait', async () => {
    const book = nightOf(5_000, 256, () => 'waiting for the instance to stop');
    const text = await fit(contentOf(book));
    expect(text?.encoding).toBe('deflate');
    expect(text?.text.length).toBeLessThan(LARGEST_TEXT);
    const read = bookOf(await unpack(text!), { namespace: 'team-a', name: 'night', uid: 'uid-1' });
    expect(read.observed).toEqual(book.observed);
    expect(read.entries.get(256)).toEqual(book.entries.get(256));
  });

  it('is brought down by shortening messages: 256 characters, 1,024 of what failed', async () => {
    const random = (n: number): string => {
      let text = '';
      for (let part = 0; part < 300; part++) text += ((n * 300 + part) * 2654435761).toString(36);
      return text;
    };
    const book = nightOf(400, 0, random);
    book.add(
      anEvent('Failure', 1, {
        errorMessage: '😀'.repeat(600),
        targets: [{ name: 'db', executor: 'rds', state: 'Failed', message: 'x'.repeat(2_000) }],
      }),
      1,
      [OPS],
    );
    const text = await fit(contentOf(book));
    expect(text).toBeDefined();
    const read = bookOf(await unpack(text!), { namespace: 'team-a', name: 'night', uid: 'uid-1' });
    const failure = read.entries.get(1)?.event;
    expect(read.observed.targets[0]?.message).toBe(`${random(0).slice(0, 255)}…`);
    expect(failure?.targets[0]?.message).toBe(`${'x'.repeat(1_023)}…`);
    expect(failure?.errorMessage.isWellFormed()).toBe(true);
    expect(failure?.errorMessage.length).toBeLessThanOrEqual(1_024);
  });

  it('is told when nothing helps', async () => {
    const book = nightOf(20_000, 0, (n) => `${Math.sin(n)}${Math.cos(n)}${Math.tan(n)}`.repeat(4));
    expect(await fit(contentOf(book))).toBeUndefined();
  });
});
