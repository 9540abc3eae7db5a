import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import type { Written } from '../cluster/journals.ts';
import { emptyBaseline, type Observed } from '../lifecycle/observed.ts';
import type { Journal } from '../resources/journal.ts';
import { fold } from '../sinks/teamchat/thread/root.ts';
import { ManualClock, settle } from '../testing/clock.ts';
import { anEvent, progress } from '../testing/events.ts';
import { streamKey, type StreamName } from './book.ts';
import type { Trouble } from './patience.ts';
import { PlanJournal, type PlanJournalOptions } from './plan-journal.ts';
import { readBook, type Found } from './stored.ts';

const SUBJECT = { namespace: 'team-a', name: 'night', uid: 'uid-1' };
const STREAMS: readonly StreamName[] = [
  { notification: 'n', sink: 'ops', type: 'webhook' },
  { notification: 'n', sink: 'chat', type: 'teamchat' },
];

/** How the API server answers a write. */
type Answer = 'ok' | 'lost' | 'unreached' | 'unread' | 'undone' | 'refused' | 'slow';

/** The one journal there is, as an API server keeps it. */
class Server {
  stands: Journal | undefined;
  answer: Answer = 'ok';
  /** Writes that are still on their way though their writer has given up. */
  readonly late: Journal[] = [];
  /** The newest event that ever stood there. */
  newest = 0;
  #version = 0;

  async write(journal: Journal, signal: AbortSignal): Promise<Written> {
    await Promise.resolve();
    if (signal.aborted) return { kind: 'failed', reason: 'Aborted', message: '' };
    switch (this.answer) {
      case 'refused':
        return { kind: 'refused', reason: 'Forbidden', message: 'no' };
      case 'undone':
        return { kind: 'failed', reason: 'Unreachable', message: 'no' };
      case 'slow':
        this.late.push(journal);
        return { kind: 'failed', reason: 'Timeout', message: 'no' };
      case 'unread':
        this.put(journal);
        return { kind: 'failed', reason: 'Unreachable', message: 'no' };
      case 'lost':
        this.put(journal);
        return { kind: 'there', journal: this.stands };
      case 'unreached':
        this.answer = 'ok';
        return { kind: 'there', journal: this.stands, fault: { reason: 'Unreachable', message: 'no' } };
      case 'ok':
        return this.put(journal)
          ? { kind: 'written', resourceVersion: this.stands?.resourceVersion ?? '' }
          : { kind: 'there', journal: this.stands };
    }
  }

  /** Compare and swap. */
  put(journal: Journal): boolean {
    if (journal.resourceVersion !== (this.stands?.resourceVersion ?? '')) return false;
    this.stands = { ...journal, resourceVersion: String(++this.#version) };
    if (journal.encoding === 'deflate') return true;
    const { observed } = JSON.parse(journal.content) as { observed: Observed };
    this.newest = Math.max(this.newest, observed.seq);
    return true;
  }

  async seqs(): Promise<readonly number[]> {
    const book = this.stands && (await readBook(this.stands, SUBJECT));
    return [...(book?.entries.keys() ?? [])];
  }
}

const observedAt = (seq: number): Observed => ({ ...emptyBaseline('epoch'), rv: String(seq), seq });

/** One process that serves the plan: each change of the plan is one event. */
class Process {
  readonly clock: ManualClock;
  readonly journal: PlanJournal;
  /** `seq/stream`, as handed over. */
  readonly delivered: string[] = [];
  readonly waiting: { readonly seq: number; readonly to: StreamName }[] = [];
  readonly troubles: (Trouble | undefined)[] = [];
  readonly discarded: string[] = [];
  fenced = false;
  #changes = 0;

  private constructor(
    server: Server,
    clock: ManualClock,
    term: number,
    found: Found | undefined,
    onDeliver: (what: string) => void,
    more: Partial<PlanJournalOptions>,
  ) {
    this.clock = clock;
    this.journal = new PlanJournal(
      {
        clock,
        subject: SUBJECT,
        instance: 'hnotif',
        writer: { holder: `process-${term}`, term },
        turn: () => Promise.resolve(() => undefined),
        write: (journal, signal) => server.write(journal, signal),
        deliver: ({ event }, to) => {
          this.delivered.push(`${event.seq}/${to.sink}`);
          this.waiting.push({ seq: event.seq, to });
          onDeliver(`${event.seq}/${to.sink}`);
        },
        hasRoom: () => true,
        discard: ({ event }, to) => this.discarded.push(`${event.seq}/${to.sink}`),
        rebase: () => {
          this.derive();
        },
        troubled: (trouble) => this.troubles.push(trouble),
        fenced: () => {
          this.fenced = true;
        },
        ...more,
      },
      found,
      observedAt(0),
    );
  }

  static async start(
    server: Server,
    term: number,
    onDeliver: (what: string) => void = () => undefined,
    clock = new ManualClock(),
    more: Partial<PlanJournalOptions> = {},
  ): Promise<Process> {
    const journal = server.stands;
    const found = journal && { journal, book: await readBook(journal, SUBJECT) };
    const process = new Process(server, clock, term, found, onDeliver, more);
    process.journal.begin();
    return process;
  }

  /** The plan has changed so often by now. */
  sees(changes: number): void {
    this.#changes = changes;
    this.derive();
  }

  /** Everything since what was observed last. */
  derive(): void {
    const { seq } = this.journal.observed;
    if (seq >= this.#changes) return;
    const events = Array.from({ length: this.#changes - seq }, (_, n) => ({
      event: anEvent('Failure', seq + 1 + n),
      to: STREAMS,
    }));
    this.journal.accept(observedAt(this.#changes), events, this.clock.now());
  }

  settles(seq: number, to: StreamName): void {
    const row = { at: '', seq, event: '', stream: streamKey(to), result: 'delivered', reason: '' };
    this.journal.settled(anEvent('Failure', seq), to, row, to.type === 'webhook' ? 500 : 0);
  }
}

describe('the journal of a plan', () => {
  it('delivers what is kept, and not before', async () => {
    const server = new Server();
    const process = await Process.start(server, 1);
    process.sees(2);
    expect(process.delivered).toEqual([]);
    await settle();
    expect(process.delivered).toEqual(['1/ops', '1/chat', '2/ops', '2/chat']);
    expect(await server.seqs()).toEqual([1, 2]);
  });

  it('forgets what is settled: at once for a chat, within half a second for a webhook', async () => {
    const server = new Server();
    const process = await Process.start(server, 1);
    process.sees(1);
    await settle();
    process.settles(1, STREAMS[0]!);
    await settle();
    expect((await readBook(server.stands!, SUBJECT))?.pending).toBe(2);
    await process.clock.advance(500);
    expect((await readBook(server.stands!, SUBJECT))?.pending).toBe(1);
    process.settles(1, STREAMS[1]!);
    await settle();
    expect(server.stands?.pending).toBe(0);
  });

  it('forgets what is settled within five seconds, however many others are to be written', async () => {
    const server = new Server();
    const process = await Process.start(server, 1, undefined, undefined, {
      // Its turn comes only when somebody waits for it.
      turn: async (hurry) => {
        if (hurry?.aborted === false)
          await new Promise((resolve) => {
            hurry.addEventListener('abort', resolve);
          });
        return () => undefined;
      },
    });
    process.sees(2);
    await settle();
    process.settles(1, STREAMS[0]!);
    await process.clock.advance(4_000);
    process.settles(2, STREAMS[0]!);
    expect(server.stands?.pending).toBe(4);
    await process.clock.advance(1_000);
    expect(server.stands?.pending).toBe(2);
    process.settles(1, { ...STREAMS[1]!, type: 'webhook' });
    await process.clock.advance(5_000);
    expect(server.stands?.pending).toBe(1);
    process.journal.close();
    expect(process.clock.timers).toBe(0);
  });

  it('is written once for many changes that come while a write is under way', async () => {
    const server = new Server();
    const process = await Process.start(server, 1);
    process.sees(1);
    await Promise.resolve();
    for (let changes = 2; changes <= 20; changes++) process.sees(changes);
    expect(process.delivered).toEqual([]);
    await settle();
    expect(process.delivered).toHaveLength(40);
    expect(server.stands?.gen).toBe(2);
  });

  it('takes a write whose answer was lost for what it is', async () => {
    const server = new Server();
    const process = await Process.start(server, 1);
    server.answer = 'lost';
    process.sees(1);
    await settle();
    expect(process.delivered).toEqual(['1/ops', '1/chat']);
    expect(server.stands?.gen).toBe(1);
  });

  it('is made anew when somebody deletes it', async () => {
    const server = new Server();
    const process = await Process.start(server, 1);
    process.sees(1);
    await settle();
    server.stands = undefined;
    process.sees(2);
    await settle();
    expect(process.delivered).toContain('2/ops');
    expect(await server.seqs()).toEqual([1, 2]);
  });

  it('sends what an earlier process left once its own term stands there', async () => {
    const server = new Server();
    const first = await Process.start(server, 1);
    first.sees(2);
    await settle();
    first.settles(1, STREAMS[1]!);
    await settle();
    first.journal.close();
    server.answer = 'undone';
    const second = await Process.start(server, 2);
    await settle();
    expect(second.delivered).toEqual([]);
    server.answer = 'ok';
    await second.clock.advance(5_000);
    expect(second.delivered).toEqual(['1/ops', '2/ops', '2/chat']);
    expect(server.stands?.writer).toEqual({ holder: 'process-2', term: 2 });
  });

  it('derives nothing anew when its first write does not arrive: what was seen in between would be lost', async () => {
    const server = new Server();
    const first = await Process.start(server, 1);
    first.sees(1);
    await settle();
    for (const to of STREAMS) first.settles(1, to);
    await first.clock.advance(500);
    first.journal.close();
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

  it('takes over what a former leader wrote late, with the same ids', async () => {
    const server = new Server();
    const first = await Process.start(server, 1);
    first.sees(1);
    await settle();
    for (const to of STREAMS) first.settles(1, to);
    await first.clock.advance(500);
    const second = await Process.start(server, 2);
    first.sees(2);
    await settle();
    second.sees(3);
    await settle();
    expect(second.delivered).toEqual(['2/ops', '2/chat', '3/ops', '3/chat']);
    expect(server.stands?.writer.term).toBe(2);
  });

  it('takes over its threads too, and derives anew what it had derived itself', async () => {
    const server = new Server();
    const key = '["team-a/n/chat","uid-1","c1","shutdown"]';
    const root = {
      wanted: fold(undefined, anEvent('Start', 1)),
      sent: 'digest',
      place: { asked: '#ops', channel: 'C1', ts: '1.2' },
    };
    const first = await Process.start(server, 1);
    first.sees(1);
    await settle();
    for (const to of STREAMS) first.settles(1, to);
    await first.clock.advance(500);
    const second = await Process.start(server, 2, undefined, undefined, { rebase: () => undefined });
    first.sees(2);
    void first.journal.saveRoot(key, root);
    await settle();
    second.sees(4);
    await settle();
    expect(second.journal.root(key)).toEqual(root);
    expect(second.journal.observed.seq).toBe(2);
    expect(second.delivered).toEqual(['2/ops', '2/chat']);
    expect(await server.seqs()).toEqual([2]);
  });

  it('keeps of a thread the place that it knows itself', async () => {
    const server = new Server();
    const key = '["team-a/n/chat","uid-1","c1","shutdown"]';
    const rootAt = (ts: string) => ({
      wanted: fold(undefined, anEvent('Start', 1)),
      sent: '',
      place: { asked: '#ops', channel: 'C1', ts },
    });
    const first = await Process.start(server, 1);
    const second = await Process.start(server, 2);
    void first.journal.saveRoot(key, rootAt('1.1'));
    await settle();
    void second.journal.saveRoot(key, rootAt('2.2'));
    await settle();
    expect(second.journal.root(key)?.place?.ts).toBe('2.2');
  });

  it('lets who saves a root go on when it is kept, however often that fails', async () => {
    const server = new Server();
    const process = await Process.start(server, 1);
    server.answer = 'undone';
    let saved = false;
    const root = { wanted: fold(undefined, anEvent('Start', 1)), sent: '', place: undefined };
    void process.journal
      .saveRoot('["team-a/n/chat","uid-1","c1","shutdown"]', root)
      .then(() => (saved = true));
    await process.clock.advance(3_000);
    expect(saved).toBe(false);
    server.answer = 'ok';
    await process.clock.advance(10_000);
    expect(saved).toBe(true);
  });

  it('lets who saves a root go on when the plan is gone, at whatever moment', async () => {
    const root = { wanted: fold(undefined, anEvent('Start', 1)), sent: '', place: undefined };
    for (let moment = 0; moment < 30; moment++) {
      const process = await Process.start(new Server(), 1);
      let saved = false;
      void process.journal
        .saveRoot('["team-a/n/chat","uid-1","c1","shutdown"]', root)
        .then(() => (saved = true));
      for (let turn = 0; turn < moment; turn++) await Promise.resolve();
      process.journal.gone();
      await settle();
      expect(saved, `gone after ${moment} turns`).toBe(true);
    }
  });

  it('says of what an earlier process left that it may have been sent', async () => {
    const server = new Server();
    const first = await Process.start(server, 1);
    first.sees(1);
    await settle();
    const told: [number, boolean][] = [];
    const second = await Process.start(server, 2, undefined, undefined, {
      deliver: ({ event }, _, restored) => told.push([event.seq, restored]),
    });
    await settle();
    second.sees(2);
    await settle();
    expect(told).toEqual([
      [1, true],
      [1, true],
      [2, false],
      [2, false],
    ]);
  });

  it('does not write for what is none of its deliveries', async () => {
    const server = new Server();
    const process = await Process.start(server, 1);
    process.sees(1);
    await settle();
    process.settles(7, STREAMS[1]!);
    await process.clock.advance(2_000);
    expect(server.stands?.gen).toBe(1);
  });

  it('counts the half minute from the first failure in a row', async () => {
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

  it('delivers from memory after half a minute without a write, says so, and keeps again when it can', async () => {
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
    expect(await server.seqs()).toEqual([1, 2]);
    expect(process.delivered).toHaveLength(4);
  });

  it('delivers from memory at once when writes are refused', async () => {
    const server = new Server();
    server.answer = 'refused';
    const process = await Process.start(server, 1);
    process.sees(1);
    const saved = process.journal.saveRoot('["team-a/n/chat","uid-1","c1","shutdown"]', {
      wanted: fold(undefined, anEvent('Start', 1)),
      sent: '',
      place: undefined,
    });
    await settle();
    await saved;
    expect(process.delivered).toHaveLength(2);
    expect(process.troubles).toEqual([{ reason: 'Forbidden', message: 'no' }]);
  });

  it('without room waits until something is settled, and then takes what has changed by then', async () => {
    const server = new Server();
    const texts = (n: number): string =>
      Array.from({ length: 10_000 }, (_, k) => Math.sin(n * 977 + k)).join('');
    const large = (seq: number) => ({
      event: anEvent('Failure', seq, { cycle: texts(seq) }),
      to: [STREAMS[0]!],
    });
    let changes = 0;
    const process = await Process.start(server, 1, undefined, undefined, {
      rebase: ({ seq }) => {
        const events = Array.from({ length: changes - seq }, (_, n) => large(seq + 1 + n));
        process.journal.accept(observedAt(changes), events, 0);
      },
    });
    while (process.journal.observed.seq === changes) {
      process.journal.accept(observedAt(++changes), [large(changes)], 0);
      await process.journal.flush();
    }
    const kept = changes - 1;
    expect(process.delivered).toHaveLength(kept);
    changes += 2;
    process.journal.accept(observedAt(changes), [large(changes)], 0);
    expect(process.journal.observed.seq).toBe(kept);
    for (let seq = 1; seq <= kept; seq++) process.settles(seq, STREAMS[0]!);
    await process.journal.flush();
    expect(process.delivered).toEqual(Array.from({ length: changes }, (_, n) => `${n + 1}/ops`));
    expect(process.troubles).toEqual([]);
  });

  it('without room for what came last keeps what was there: a root is not left waiting for it', async () => {
    const server = new Server();
    const targets = Array.from({ length: 90_000 }, (_, k) => ({
      name: String(Math.sin(k)),
      executor: 'rds',
      state: 'Completed',
      message: '',
    }));
    const root = { wanted: fold(undefined, anEvent('Failure', 1)), sent: '', place: undefined };
    let saved = false;
    let writes = 0;
    const process = await Process.start(server, 1, undefined, undefined, {
      write: (journal, signal) => {
        // Both come while a write is under way, and so go into the next one.
        if (++writes === 2) {
          const event = anEvent('Failure', 2, { targets });
          process.journal.accept(observedAt(2), [{ event, to: STREAMS }], 0);
          void process.journal
            .saveRoot('["team-a/n/chat","uid-1","c1","shutdown"]', root)
            .then(() => (saved = true));
        }
        return server.write(journal, signal);
      },
    });
    process.sees(1);
    await settle();
    process.settles(1, STREAMS[1]!);
    await vi.waitFor(
      () => {
        expect(saved).toBe(true);
      },
      { timeout: 20_000 },
    );
    expect(process.troubles).toEqual([]);
    expect(process.journal.observed.seq).toBe(1);
  });

  it('without room forgets threads of earlier runs first', async () => {
    const process = await Process.start(new Server(), 1);
    const targets = Array.from({ length: 100 }, (_, k) => ({
      name: `${k}`,
      executor: 'rds',
      state: 'Failed',
      message: Array.from({ length: 60 }, (__, n) => Math.sin(k * 60 + n)).join(''),
    }));
    const keyOf = (sink: string, cycle: number): string =>
      JSON.stringify([`team-a/n/${sink}`, 'uid-1', `c${cycle}`, 'shutdown']);
    for (const sink of ['a', 'b', 'c', 'd'])
      for (let cycle = 1; cycle <= 8; cycle++) {
        const wanted = fold(undefined, anEvent('Failure', 1, { targets, errorMessage: `${sink}${cycle}` }));
        void process.journal.saveRoot(keyOf(sink, cycle), { wanted, sent: '', place: undefined });
      }
    process.journal.accept(observedAt(1), [{ event: progress(1, 'db'), to: STREAMS }], 0);
    await process.journal.flush();
    expect(process.delivered).toEqual(['1/ops', '1/chat']);
    expect(process.discarded).toEqual([]);
    expect(process.troubles).toEqual([]);
    expect(process.journal.root(keyOf('a', 7))).toBeUndefined();
    expect(process.journal.root(keyOf('a', 8))).toBeDefined();
  });

  it('waits too when a stream is full of what is never dropped, and then tells the net of what came', async () => {
    const server = new Server();
    const process = await Process.start(server, 1);
    process.sees(250);
    await process.journal.flush();
    process.sees(251);
    process.sees(260);
    await process.journal.flush();
    expect(process.journal.observed.seq).toBe(250);
    expect(await server.seqs()).toHaveLength(250);
    for (let seq = 1; seq <= 20; seq++) for (const to of STREAMS) process.settles(seq, to);
    await process.journal.flush();
    expect(process.journal.observed.seq).toBe(260);
    expect(process.delivered.filter((what) => what.endsWith('/ops'))).toHaveLength(260);
  });

  it('waits for no progress in a full stream: that is the dispatcher’s to drop', async () => {
    const process = await Process.start(new Server(), 1);
    process.sees(250);
    const moved = { event: progress(251, 'db'), to: STREAMS };
    process.journal.accept(observedAt(251), [moved], 0);
    await process.journal.flush();
    expect(process.delivered).toContain('251/ops');
  });

  it('delivers from memory what is too large by itself, and says so', async () => {
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
    expect(server.stands?.pending).toBe(0);
  });

  it('loses nothing and keeps the order, whatever is killed and whatever the server answers', async () => {
    const step = fc.oneof(
      { weight: 4, arbitrary: fc.constant({ kind: 'change' as const }) },
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
          const isLoose = process?.troubles.at(-1) !== undefined;
          expect(isLoose || Number.parseInt(what) <= server.newest, 'what is sent is kept').toBe(true);
          expect(settledForGood, 'what was recorded as settled is not sent again').not.toContain(what);
          arrivals.push(what);
        };
        let process: Process | undefined;
        process = await Process.start(server, term, deliver, clock);
        for (const each of steps) {
          if (each.kind === 'change') process.sees(++changes);
          else if (each.kind === 'turn') await settle();
          else if (each.kind === 'wait') await clock.advance(each.ms);
          else if (each.kind === 'answer') server.answer = each.answer;
          else if (each.kind === 'arrive') for (const late of server.late.splice(0)) server.put(late);
          else if (each.kind === 'settle') {
            const [gone] = process.waiting.splice(each.which, 1);
            if (gone !== undefined) process.settles(gone.seq, gone.to);
          } else {
            process.journal.close();
            const book = server.stands && (await readBook(server.stands, SUBJECT));
            for (const what of new Set(arrivals)) {
              const [seq = '', sink = ''] = what.split('/');
              const kept = (book?.observed.seq ?? 0) >= Number(seq);
              if (kept && book?.entries.get(Number(seq))?.waits.has(`n/${sink}`) !== true)
                settledForGood.add(what);
            }
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
