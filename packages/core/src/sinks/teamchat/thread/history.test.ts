import { describe, expect, it } from 'vitest';
import { sleep } from '../../../clock.ts';
import { ManualClock } from '../../../testing/clock.ts';
import type { Called, Refused, SearchSpan } from '../../roots/root-client.ts';
import type { ChatApi } from './api.ts';
import type { Page, PageQuery } from './history-page.ts';
import { History, type SearchResult } from './history.ts';

const HOUR = 3_600_000;
const clock0 = new ManualClock().now();
const call = { signal: new AbortController().signal, slot: () => true };

const refused = (code: string, kind: Exclude<Refused['outcome']['kind'], 'wait'>): Refused => ({
  ok: false,
  sentAt: clock0,
  code,
  outcome: { kind, reason: 'R', message: 'why', retryAfterMs: undefined },
});

const throttled = (retryAfterMs: number): Refused => ({
  ok: false,
  sentAt: clock0,
  code: 'ratelimited',
  outcome: { kind: 'throttled', reason: 'R', message: 'slower', retryAfterMs },
});

/** A channel. The test makes its pages. */
function rig(answer: (query: PageQuery, nth: number) => Called<Page>, ms = 0) {
  let answers = 0;
  const clock = new ManualClock();
  const queries: PageQuery[] = [];
  const none = (): never => {
    throw new Error('only the history is read');
  };
  const api: ChatApi = {
    post: none,
    update: none,
    replies: none,
    async history(query) {
      const called = answer(query, queries.push(query));
      if (ms > 0) await sleep(clock, ms);
      answers++;
      return called;
    },
  };
  const history = new History(clock, 'C1');
  const now = clock.now();
  const day: SearchSpan = { since: now - 24 * HOUR, after: 0, unlikely: false };
  const look = (marker: string, span = day): Promise<SearchResult> => history.search(marker, span, api, call);
  return { clock, history, queries, look, now, day, answers: () => answers };
}

const page = (cursor: string, ...ours: readonly (readonly [id: string, at: number])[]): Called<Page> => ({
  ok: true,
  value: {
    count: 15,
    cursor,
    oldest: ours.length === 0 ? undefined : Math.min(...ours.map(([, at]) => at)),
    ours: ours.map(([id, at]) => ({ ts: (at / 1000).toFixed(6), marker: { id, status: undefined } })),
  },
});

const kinds = async (looks: readonly Promise<SearchResult>[]) =>
  (await Promise.all(looks)).map(({ kind }) => kind);

describe('a search', () => {
  it('reads messages since the time in question, the newest first, with a minute for differences of clocks', async () => {
    const { look, queries, now, day } = rig(() => page(''));
    expect(await look('a')).toEqual({ kind: 'absent', asked: true });
    expect(queries).toEqual([
      { channel: 'C1', oldest: day.since - 60_000, latest: now + 60_000, limit: 15, cursor: '' },
    ]);
  });

  it('makes one request in a call, and continues after the last page', async () => {
    const { look, queries, now } = rig((_, nth) => (nth < 3 ? page(`c${nth}`) : page('c3', ['a', now])));
    expect(await kinds([look('a')])).toEqual(['more']);
    expect(await kinds([look('a')])).toEqual(['more']);
    expect(await look('a')).toMatchObject({ kind: 'found', found: { marker: { id: 'a' } } });
    expect(queries.map(({ cursor }) => cursor)).toEqual(['', 'c1', 'c2']);
    expect(await kinds([look('a')])).toEqual(['found']);
    expect(queries).toHaveLength(3);
  });

  it('reads on until it has found its message, however many there are', async () => {
    const { look, queries } = rig((_, nth) => (nth < 60 ? page('on') : page('on', ['a', clock0])));
    while ((await look('a')).kind === 'more');
    expect(await look('a')).toMatchObject({ kind: 'found', asked: false });
    expect(queries).toHaveLength(60);
  });

  it('ends after 3,000 messages, and says nothing about older ones', async () => {
    const { look, queries, now } = rig((_, nth) => page('on', [`m${nth}`, clock0 - nth * 60_000]));
    for (let i = 0; i < 199; i++) expect((await look('a')).kind).toBe('more');
    const message = "of the channel's history no more than 3000 messages are read";
    expect(await look('a')).toEqual({ kind: 'unreadable', asked: true, message, forbidden: false });
    expect(await look('b')).toEqual({ kind: 'unreadable', asked: false, message, forbidden: false });
    expect((await look('m200')).kind).toBe('found');
    const recent: SearchSpan = { since: now - 2 * HOUR, after: 0, unlikely: false };
    expect(await look('c', recent)).toEqual({ kind: 'absent', asked: false });
    expect(queries).toHaveLength(200);
  });

  it('asks for fewer messages if the answer is too long, and gives up at one', async () => {
    const { look, queries } = rig(() => refused('truncated', 'ambiguous'));
    expect(await kinds([look('a'), look('a'), look('a')])).toEqual(['more', 'more', 'failed']);
    expect(queries.map(({ limit }) => limit)).toEqual([15, 4, 1]);
  });

  it('finds nothing that was posted before the time in question', async () => {
    const { look, now, clock } = rig(() => page('', ['a', clock0 - 2 * HOUR]));
    expect((await look('a')).kind).toBe('found');
    const since = now - HOUR;
    expect((await look('a', { since, after: clock.monotonic(), unlikely: false })).kind).toBe('absent');
  });

  it('finds the newer of two messages with one marker, and no abandoned one', async () => {
    const { look, history, now } = rig(() =>
      page('', ['a', clock0 - HOUR], ['a', clock0], ['a', clock0 - 2 * HOUR]),
    );
    expect(await look('a')).toMatchObject({ found: { ts: (now / 1000).toFixed(6) } });
    history.forget('a');
    expect((await look('a')).kind).toBe('absent');
  });
});

describe('many searches', () => {
  it('are one scan', async () => {
    const { look, queries } = rig((_, nth) =>
      nth === 1 ? page('c1', ['b', clock0]) : page('', ['c', clock0]),
    );
    expect(await kinds(['a', 'b', 'c', 'd'].map((each) => look(each)))).toEqual([
      'more',
      'found',
      'found',
      'absent',
    ]);
    expect(queries).toHaveLength(2);
  });

  it('do not restart each other when their times differ', async () => {
    const { look, queries, clock, day } = rig((_, nth) => page(nth % 4 === 0 ? '' : 'on'));
    expect((await look('a')).kind).toBe('more');
    await clock.advance(5_000);
    const late: SearchSpan = { since: clock.now() - 1_000, after: clock.monotonic(), unlikely: false };
    expect((await look('b', late)).kind).toBe('more');
    expect((await look('a')).kind).toBe('more');
    expect(await kinds([look('b', late), look('a')])).toEqual(['absent', 'absent']);
    expect(queries.map(({ oldest }) => oldest)).toEqual(Array(4).fill(day.since - 60_000));
  });

  it('need no request for pages that were read already', async () => {
    const { look, queries, clock, day, now } = rig(() => page(''));
    await look('a');
    expect(await look('b', { ...day, since: now - HOUR })).toEqual({ kind: 'absent', asked: false });
    await clock.advance(1_000);
    expect((await look('b', { ...day, after: 1_000 })).kind).toBe('absent');
    expect(queries).toHaveLength(2);
  });
});

it('the part that was read is remembered', async () => {
  const { look, queries, day, now } = rig(() => page(''));
  await look('a', { ...day, since: now - HOUR });
  await look('a');
  await look('b');
  expect(queries).toHaveLength(2);
});

describe('a message that may still arrive', () => {
  it('is not searched for earlier', async () => {
    const { look, queries, clock, now } = rig(() => page(''));
    const span: SearchSpan = { since: now, after: 10_000, unlikely: false };
    expect(await look('a', span)).toEqual({ kind: 'later', forMs: 10_000 });
    await clock.advance(9_999);
    expect(await look('a', span)).toEqual({ kind: 'later', forMs: 1 });
    expect(queries).toHaveLength(0);
    await clock.advance(1);
    expect((await look('a', span)).kind).toBe('absent');
  });

  it('is searched for whatever the wall clock does', async () => {
    const { look, clock, now } = rig(() => page(''));
    clock.jump(-HOUR);
    await clock.advance(10_000);
    expect((await look('a', { since: now, after: 10_000, unlikely: false })).kind).toBe('absent');
  });
});

describe('a search during another one', () => {
  it('waits a moment for its answer, and tries again if there is none', async () => {
    const { look, queries, clock, answers } = rig(() => page('', ['b', clock0]), 3_000);
    const first = look('a');
    const second = look('b');
    await clock.advance(1_000);
    expect(await second).toEqual({ kind: 'later', forMs: 2_000 });
    await clock.advance(1_500);
    const third = look('b');
    await clock.advance(500);
    expect((await first).kind).toBe('absent');
    expect(await third).toMatchObject({ kind: 'found', asked: false });
    expect([queries.length, answers(), clock.timers]).toEqual([1, 1, 0]);
  });
});

describe('a history that cannot be read', () => {
  it('is not requested again for ten minutes', async () => {
    const { look, queries, clock, history } = rig(() => refused('missing_scope', 'rejected-configuration'));
    const told = { kind: 'unreadable', message: 'why', forbidden: true };
    expect(await look('a')).toEqual({ ...told, asked: true });
    expect(await look('b')).toEqual({ ...told, asked: false });
    expect(history.postponed({ after: 0 })).toMatchObject({ kind: 'unreadable' });
    await clock.advance(600_000);
    expect(history.postponed({ after: 0 })).toBeUndefined();
    expect(await look('b')).toMatchObject({ asked: true });
    expect(queries).toHaveLength(2);
  });

  it.each(['transient', 'aborted'] as const)('at the moment (%s) fails with that outcome', async (kind) => {
    const { look } = rig(() => refused('', kind));
    expect(await look('a')).toMatchObject({ kind: 'failed', outcome: { kind } });
  });

  it.each([
    ['', 'rejected-configuration'],
    ['invalid_auth', 'rejected-configuration'],
    ['unknown_method', 'rejected-payload'],
  ] as const)('for a reason that does not name the scopes (%j) is requested again', async (code, kind) => {
    const { look, history, clock } = rig(() => refused(code, kind));
    for (const marker of ['a', 'b'])
      expect(await look(marker)).toMatchObject({ kind: 'failed', outcome: { kind: 'transient' } });
    expect(history.postponed({ after: 0 })).toBeUndefined();
    // Not by everybody, though.
    const told = { kind: 'unreadable', message: 'why', forbidden: false };
    expect(await look('c')).toEqual({ ...told, asked: true });
    expect(await look('d')).toEqual({ ...told, asked: false });
    await clock.advance(20_000);
    expect((await look('d')).kind).toBe('failed');
  });

  it('because of a throttle is not read again before its time, for any root', async () => {
    const { look, queries, clock } = rig((_, nth) => (nth === 1 ? throttled(30_000) : page('')));
    expect(await look('a')).toEqual({ kind: 'later', forMs: 30_000 });
    await clock.advance(10_000);
    expect(await look('b')).toEqual({ kind: 'later', forMs: 20_000 });
    expect(queries).toHaveLength(1);
    await clock.advance(20_000);
    expect((await look('b')).kind).toBe('absent');
  });

  it('for five minutes in all counts as unreadable', async () => {
    const { look, queries, clock } = rig((_, nth) => (nth % 2 === 0 ? page('on') : throttled(60_000)));
    for (let i = 0; i < 5; i++) {
      expect((await look('a')).kind).toBe('later');
      await clock.advance(60_000);
      expect((await look('a')).kind).toBe('more');
    }
    expect(await look('a')).toMatchObject({ kind: 'unreadable', asked: true, forbidden: false });
    expect(await look('b')).toMatchObject({ kind: 'unreadable', asked: false, forbidden: false });
    expect(queries).toHaveLength(11);
  });

  it('for an ambiguous reason is requested again: a read changes nothing', async () => {
    const { look } = rig(() => refused('', 'ambiguous'));
    expect(await look('a')).toMatchObject({ kind: 'failed', outcome: { kind: 'transient' } });
  });
});
