import { describe, expect, it } from 'vitest';
import type { Change, MessageItem } from '@hnotif/core/page';
import { ManualClock } from '../../core/src/testing/clock.ts';
import { AGE_MS, SILENCE_MS, STALE_MS, Store, type Source } from './store.ts';

class FakeSource extends EventTarget implements Source {
  readyState = 1;
  isClosed = false;

  close(): void {
    this.isClosed = true;
  }

  send(change: Change): void {
    this.dispatchEvent(new MessageEvent('message', { data: JSON.stringify(change) }));
  }
}

function world() {
  const frames: (() => void)[] = [];
  const clock = new ManualClock(1_000);
  const store = new Store({
    now: () => clock.now(),
    nextFrame: (run) => frames.push(run),
    after: (ms, run) => clock.after(ms, run),
  });
  const sources: FakeSource[] = [];
  const disconnect = store.connect(() => {
    const source = new FakeSource();
    sources.push(source);
    return source;
  });
  const [source = new FakeSource()] = sources;
  const frame = (): void => {
    for (const run of frames.splice(0)) run();
  };
  return { clock, store, source, sources, disconnect, frame };
}

const HEAD = { leader: '', serving: 'inactive', unseen: [], hasMessages: false } as const;
const row = { key: 'ns/p', namespace: 'ns', plan: 'p', phase: 'Active', operation: '' };
const message = (id: string): MessageItem => ({
  ...{ id, receiver: 'webhook', at: 1, eventId: '', to: 'log', text: '', answer: '200' },
  ...{ accepted: true, attempt: 1 },
});

describe('the store', () => {
  it('has the board that the server sent, and its time', () => {
    const { source, store } = world();
    source.send({ reset: true, rows: [row], now: 61_000 });
    expect(store.board.get('ns/p')?.phase).toBe('Active');
    expect(store.now()).toBe(61_000);
  });

  it('tells its listeners of many changes once a frame', () => {
    const { frame, source, store } = world();
    let told = 0;
    const leave = store.follow(() => told++);
    source.send({ reset: true, rows: [row], now: 1 });
    source.send({ rows: [{ ...row, phase: 'Error' }], now: 2 });
    expect(told).toBe(0);
    frame();
    expect(told).toBe(1);
    leave();
    source.send({ gone: ['ns/p'], now: 3 });
    frame();
    expect(told).toBe(1);
  });

  it('has another version soon after changes, one for all of them', async () => {
    const { clock, source, store } = world();
    source.send({ reset: true, rows: [row], now: 1 });
    source.send({ rows: [{ ...row, phase: 'Error' }], now: 2 });
    expect(store.version).toBe(0);
    await clock.advance(AGE_MS);
    expect(store.version).toBe(1);
    source.send({ messages: [message('a')], now: 3 });
    await clock.advance(AGE_MS);
    expect(store.version).toBe(1);
    source.send({ gone: ['ns/p'], now: 4 });
    await clock.advance(AGE_MS);
    expect(store.version).toBe(2);
  });

  it.each([{ facts: true }, { head: HEAD }] as const)(
    'has another version after a change of what only answers tell: %o',
    async (change) => {
      const { clock, source, store } = world();
      source.send({ ...change, now: 1 });
      await clock.advance(AGE_MS);
      expect(store.version).toBe(1);
    },
  );

  it('keeps its version while only the sentence about the leader changes', async () => {
    const { clock, source, store } = world();
    source.send({ head: HEAD, now: 1 });
    await clock.advance(AGE_MS);
    source.send({ head: { ...HEAD, leader: 'last heard 3 s ago' }, now: 2 });
    await clock.advance(AGE_MS);
    expect(store.version).toBe(1);
  });

  it('has another version when it was not changed for long, if the server is heard', async () => {
    const { clock, source, store } = world();
    await clock.advance(STALE_MS);
    expect(store.version).toBe(0);
    source.dispatchEvent(new Event('beat'));
    await clock.advance(AGE_MS);
    expect(store.version).toBe(1);
    source.dispatchEvent(new Event('beat'));
    await clock.advance(AGE_MS);
    expect(store.version).toBe(1);
  });

  it('adds messages, and forgets them with everything else when the server begins again', () => {
    const { source, store } = world();
    source.send({ reset: true, messages: [message('a')], now: 1 });
    // The first change after a connection may have a message again.
    source.send({ messages: [message('a'), message('b')], now: 2 });
    expect(store.messages.map(({ id }) => id)).toEqual(['a', 'b']);
    source.send({ reset: true, messages: [message('c')], now: 3 });
    expect(store.messages.map(({ id }) => id)).toEqual(['c']);
  });

  it('keeps the newest 500 messages', () => {
    const { source, store } = world();
    source.send({
      reset: true,
      messages: Array.from({ length: 510 }, (_, at) => message(String(at))),
      now: 1,
    });
    expect(store.messages).toHaveLength(500);
    expect(store.messages[0]?.id).toBe('10');
  });

  it('knows whether it hears from the server', () => {
    const { disconnect, source, store } = world();
    expect(store.link).toBe('connecting');
    source.dispatchEvent(new Event('open'));
    expect(store.link).toBe('live');
    source.readyState = 0;
    source.dispatchEvent(new Event('error'));
    expect(store.link).toBe('lost');
    source.readyState = 2;
    source.dispatchEvent(new Event('error'));
    expect(store.link).toBe('ended');
    disconnect();
    expect(source.isClosed).toBe(true);
  });

  it('takes a server that is silent for dead, and tries again until it speaks', async () => {
    const { clock, disconnect, source, sources, store } = world();
    source.send({ reset: true, rows: [row], now: 1_000 });
    await clock.advance(SILENCE_MS - 1);
    source.dispatchEvent(new Event('beat'));
    await clock.advance(SILENCE_MS - 1);
    expect([store.link, sources.length]).toEqual(['live', 1]);
    await clock.advance(1);
    expect([store.link, sources.length, source.isClosed]).toEqual(['silent', 2, true]);
    expect(store.board.size).toBe(1);
    // It knows nothing of the time after the last beat.
    expect(store.now()).toBe(1_000 + SILENCE_MS - 1);
    await clock.advance(SILENCE_MS);
    expect([store.link, sources.length]).toEqual(['silent', 3]);
    sources[2]?.dispatchEvent(new Event('open'));
    expect(store.link).toBe('live');
    disconnect();
    await clock.advance(2 * SILENCE_MS);
    expect([sources.length, sources[2]?.isClosed]).toEqual([3, true]);
  });

  it('says that the connection is lost until there is another', async () => {
    const { clock, source, sources, store } = world();
    source.readyState = 0;
    source.dispatchEvent(new Event('error'));
    await clock.advance(SILENCE_MS);
    expect([store.link, sources.length]).toEqual(['lost', 2]);
  });
});
