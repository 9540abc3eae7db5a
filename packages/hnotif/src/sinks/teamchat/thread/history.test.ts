import { describe, expect, it } from 'vitest';
import { ManualClock } from '../../../testing/clock.ts';
import type { Called, ChatApi, Page, PageQuery, Refused } from './api.ts';
import { History, type Look, type Span } from './history.ts';

const HOUR = 3_600_000;
const { signal } = new AbortController();

const refused = (code: string, kind: Refused['outcome']['kind']): Refused => ({
  ok: false,
  code,
  outcome: { kind, reason: 'R', message: 'why', retryAfterMs: undefined },
});

/** A channel whose pages the test makes. */
function rig(answer: (query: PageQuery, nth: number) => Called<Page>) {
  const clock = new ManualClock();
  const queries: PageQuery[] = [];
  const none = (): never => {
    throw new Error('only the history is read');
  };
  const api: ChatApi = {
    post: none,
    update: none,
    replies: none,
    history: (query) => Promise.resolve(answer(query, queries.push(query))),
  };
  const history = new History(clock, 'C1');
  const now = clock.now();
  const day: Span = { since: now - 24 * HOUR, after: now, unlikely: false };
  const look = (marker: string, span = day): Promise<Look> => history.look(marker, span, api, signal);
  return { clock, history, queries, look, now, day };
}

const page = (cursor: string, ...ours: readonly (readonly [id: string, at: number])[]): Called<Page> => ({
  ok: true,
  value: {
    count: 15,
    cursor,
    ours: ours.map(([id, at]) => ({ ts: (at / 1000).toFixed(6), marker: { id, status: undefined } })),
  },
});

const kinds = async (looks: readonly Promise<Look>[]) => (await Promise.all(looks)).map(({ kind }) => kind);

describe('a look', () => {
  it('asks for what was posted since, the newest first, with a minute for the clocks', async () => {
    const { look, queries, now, day } = rig(() => page(''));
    expect(await look('a')).toEqual({ kind: 'absent', asked: true });
    expect(queries).toEqual([
      { channel: 'C1', oldest: day.since - 60_000, latest: now + 60_000, limit: 15, cursor: '' },
    ]);
  });

  it('makes one request a call and goes on where the last one ended', async () => {
    const { look, queries, now } = rig((_, nth) => (nth < 3 ? page(`c${nth}`) : page('c3', ['a', now])));
    expect(await kinds([look('a')])).toEqual(['more']);
    expect(await kinds([look('a')])).toEqual(['more']);
    expect(await look('a')).toMatchObject({ kind: 'found', found: { marker: { id: 'a' } } });
    expect(queries.map(({ cursor }) => cursor)).toEqual(['', 'c1', 'c2']);
    expect(await kinds([look('a')])).toEqual(['found']);
    expect(queries).toHaveLength(3);
  });

  it('ends after 150 messages', async () => {
    const { look, queries } = rig(() => page('on'));
    for (let i = 0; i < 9; i++) expect((await look('a')).kind).toBe('more');
    expect(await look('a')).toEqual({ kind: 'absent', asked: true });
    expect(await look('b')).toEqual({ kind: 'absent', asked: false });
    expect(queries).toHaveLength(10);
  });

  it('asks for fewer messages where the answer is too long, and gives up at one', async () => {
    const { look, queries } = rig(() => refused('truncated', 'ambiguous'));
    expect(await kinds([look('a'), look('a'), look('a')])).toEqual(['more', 'more', 'failed']);
    expect(queries.map(({ limit }) => limit)).toEqual([15, 4, 1]);
  });

  it('finds nothing that was posted before the time in question', async () => {
    const { look, now, clock } = rig(() => page('', ['a', clock0 - 2 * HOUR]));
    expect((await look('a')).kind).toBe('found');
    const since = now - HOUR;
    expect((await look('a', { since, after: clock.now(), unlikely: false })).kind).toBe('absent');
  });

  it('finds the newer one of two with one marker, and none that was given up', async () => {
    const { look, history, now } = rig(() =>
      page('', ['a', clock0 - HOUR], ['a', clock0], ['a', clock0 - 2 * HOUR]),
    );
    expect(await look('a')).toMatchObject({ found: { ts: (now / 1000).toFixed(6) } });
    history.forget('a');
    expect((await look('a')).kind).toBe('absent');
  });
});

const clock0 = new ManualClock().now();

describe('looks of many', () => {
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

  it('do not begin anew in turns where they ask for different times', async () => {
    const { look, queries, clock, day } = rig((_, nth) => page(nth % 4 === 0 ? '' : 'on'));
    expect((await look('a')).kind).toBe('more');
    await clock.advance(5_000);
    const late: Span = { since: clock.now() - 1_000, after: clock.now(), unlikely: false };
    expect((await look('b', late)).kind).toBe('more');
    expect((await look('a')).kind).toBe('more');
    expect(await kinds([look('b', late), look('a')])).toEqual(['absent', 'absent']);
    expect(queries.map(({ oldest }) => oldest)).toEqual(Array(4).fill(day.since - 60_000));
  });

  it('need no request for what was read already', async () => {
    const { look, queries, clock, day, now } = rig(() => page(''));
    await look('a');
    expect(await look('b', { ...day, since: now - HOUR })).toEqual({ kind: 'absent', asked: false });
    await clock.advance(1_000);
    expect((await look('b', { ...day, after: now + 1_000 })).kind).toBe('absent');
    expect(queries).toHaveLength(2);
  });
});

it('what was read is remembered as far back as it was read', async () => {
  const { look, queries, day, now } = rig(() => page(''));
  await look('a', { ...day, since: now - HOUR });
  await look('a');
  await look('b');
  expect(queries).toHaveLength(2);
});

describe('a message that may still come', () => {
  it('is waited for', async () => {
    const { look, queries, clock, now } = rig(() => page(''));
    const waiting = look('a', { since: now, after: now + 10_000, unlikely: false });
    await clock.advance(9_999);
    expect(queries).toHaveLength(0);
    await clock.advance(1);
    expect((await waiting).kind).toBe('absent');
  });

  it('is not waited for longer than a request takes, whatever the wall clock does', async () => {
    const { look, clock, now } = rig(() => page(''));
    clock.jump(-HOUR);
    const waiting = look('a', { since: now, after: now + 10_000, unlikely: false });
    await clock.advance(10_000);
    expect((await waiting).kind).toBe('absent');
  });
});

describe('a history that may not be read', () => {
  it('is not asked for again for ten minutes', async () => {
    const { look, queries, clock, history } = rig(() => refused('missing_scope', 'rejected-configuration'));
    expect(await look('a')).toEqual({ kind: 'unreadable', asked: true, message: 'why' });
    expect(await look('b')).toEqual({ kind: 'unreadable', asked: false, message: 'why' });
    expect(history.refusal).toBe('why');
    await clock.advance(600_000);
    expect(history.refusal).toBeUndefined();
    expect(await look('b')).toMatchObject({ asked: true });
    expect(queries).toHaveLength(2);
  });

  it.each(['throttled', 'transient', 'aborted'] as const)('just now (%s) fails as it is', async (kind) => {
    const { look } = rig(() => refused('', kind));
    expect(await look('a')).toMatchObject({ kind: 'failed', outcome: { kind } });
  });

  it('for an unclear reason is asked again: nothing was written', async () => {
    const { look } = rig(() => refused('', 'ambiguous'));
    expect(await look('a')).toMatchObject({ kind: 'failed', outcome: { kind: 'transient' } });
  });
});
