import { describe, expect, it } from 'vitest';
import { anEvent, progress } from '../../../testing/events.ts';
import { RateLimiter } from '../../rate-limiter.ts';
import { rootKeyOf } from './root.ts';
import type { SinkMemory } from '../../memory.ts';
import type { Fate } from '../../testing/chat.ts';
import { Stage } from './testing/stage.ts';

const start = anEvent('Start', 1);
const target = { name: 'db', executor: 'rds', state: 'Completed', message: '' };
const success = anEvent('Success', 3, { phase: 'Hibernated', targets: [target] });

/** The messages in the channel: each root with the deliveries in its thread, and messages without a thread. */
const shape = ({ chat }: Stage) =>
  chat.messages
    .filter(({ thread }) => thread === undefined)
    .map(({ ts, metadata }) => ({
      is: metadata?.event_payload.status ?? metadata?.event_payload.delivery,
      replies: chat.messages
        .filter(({ thread }) => thread === ts)
        .map((each) => each.metadata?.event_payload.delivery),
    }));

describe('a run', () => {
  it('is a root that shows its state, with a reply for each event', async () => {
    const stage = new Stage();
    for (const event of [start, progress(2, 'db'), success])
      expect(await stage.deliver(event)).toBe('delivered');
    await stage.idle();
    expect(shape(stage)).toEqual([{ is: 'Completed', replies: ['d-uid-1-1', 'd-uid-1-2', 'd-uid-1-3'] }]);
    expect(stage.chat.roots()[0]?.text).toContain('Hibernation Completed');
    expect(stage.chat.calls.filter((call) => call === 'history')).toEqual([]);
    expect(stage.degradations).toEqual([]);
  });

  it('makes one request in a call', async () => {
    const stage = new Stage();
    const state = { level: 0, unclearSince: undefined };
    expect(await stage.request(start, state)).toEqual({ kind: 'continue', anew: true });
    expect(stage.chat.calls).toEqual(['postMessage']);
    expect(await stage.request(start, state)).toEqual({ kind: 'delivered', status: 200 });
    expect(stage.chat.calls).toEqual(['postMessage', 'postMessage']);
  });

  it('reports the status of each answer', async () => {
    const stage = new Stage();
    await stage.deliver(start);
    await stage.deliver(success);
    expect(stage.statuses).toEqual([200, 200, 200]);
  });

  it('shares no root with another plan, cycle or operation', async () => {
    const stage = new Stage();
    await stage.deliver(start);
    await stage.deliver(anEvent('Start', 1, { planUid: 'uid-2' }));
    await stage.deliver(anEvent('Start', 2, { operation: 'wakeup' }));
    await stage.deliver(anEvent('Start', 3, { cycle: 'c2' }));
    await stage.deliver(anEvent('Success', 4, { cycle: 'c2' }));
    expect(shape(stage).map(({ replies }) => replies)).toEqual([
      ['d-uid-1-1'],
      ['d-uid-2-1'],
      ['d-uid-1-2'],
      ['d-uid-1-3', 'd-uid-1-4'],
    ]);
  });

  it('that runs again keeps its root, and the end that the root shows', async () => {
    const stage = new Stage();
    await stage.deliver(start);
    await stage.deliver(success);
    await stage.idle();
    await stage.deliver(anEvent('Start', 4, { run: 2 }));
    await stage.deliver(anEvent('ExecutionProgress', 5, { run: 2 }));
    await stage.idle();
    expect(shape(stage)).toMatchObject([{ is: 'Completed', replies: { length: 4 } }]);
    await stage.deliver(anEvent('Failure', 6, { run: 2 }));
    await stage.idle();
    expect(stage.chat.roots()[0]?.statuses).toEqual(['Starting', 'Completed', 'Failed']);
  });

  it('without a cycle has messages without a thread', async () => {
    const stage = new Stage();
    expect(await stage.deliver(anEvent('PhaseChange', 1, { cycle: '' }))).toBe('delivered');
    expect(shape(stage)).toEqual([{ is: 'd-uid-1-1', replies: [] }]);
  });

  it('has replies in blocks if the format is json', async () => {
    const stage = new Stage();
    stage.configure({ format: 'json' });
    await stage.deliver(start);
    await stage.deliver(success);
    await stage.idle();
    expect(stage.chat.messages.map(({ blocks }) => blocks.length > 1)).toEqual([true, true, true]);
    const update = stage.chat.requests.find(({ method }) => method === 'chat.update');
    expect(Object.keys(update?.fields ?? {})).toEqual(
      expect.arrayContaining(['channel', 'ts', 'text', 'blocks', 'metadata']),
    );
  });
});

describe('a root with an ambiguous result', () => {
  it.each(['unheard', 'late', 'lost'] as const)('exists once if its request is %s', async (fate) => {
    const stage = new Stage();
    const fates = [fate];
    stage.chat.fate = () => fates.shift() ?? 'taken';
    await stage.deliver(start);
    await stage.deliver(success);
    await stage.idle();
    expect(shape(stage)).toEqual([{ is: 'Completed', replies: ['d-uid-1-1', 'd-uid-1-3'] }]);
    expect(stage.degradations).toEqual([]);
  });

  it('is found by a new process, with one request for all roots', async () => {
    const stage = new Stage();
    const plans = ['a', 'b', 'c'];
    for (const planUid of plans) await stage.deliver(anEvent('Start', 1, { planUid }));
    await stage.clock.advance(3_600_000);
    stage.restart();
    for (const planUid of plans) await stage.deliver(anEvent('Success', 3, { planUid }));
    await stage.idle();
    expect(shape(stage).map(({ is, replies }) => [is, replies.length])).toEqual(
      plans.map(() => ['Completed', 2]),
    );
    expect(stage.chat.calls.filter((call) => call === 'history')).toHaveLength(1);
  });

  it('is searched for, with a reason, only when no request of the former process can be in flight', async () => {
    const stage = new Stage();
    await stage.deliver(start);
    await stage.clock.advance(3_600_000);
    stage.restart();
    await stage.clock.advance(3_000);
    const before = stage.chat.calls.length;
    const state = { level: 0, unclearSince: undefined };
    expect(await stage.request(progress(2, 'db'), state)).toMatchObject({
      ...{ kind: 'wait', forMs: 7_000 },
      why: {
        reason: 'FormerProcess',
        message: expect.stringContaining('10 s after it began to serve') as string,
      },
    });
    await stage.clock.advance(6_999);
    expect(await stage.request(progress(2, 'db'), state)).toMatchObject({ kind: 'wait', forMs: 1 });
    expect(stage.chat.calls).toHaveLength(before);
    await stage.clock.advance(1);
    expect(await stage.request(progress(2, 'db'), state)).toEqual({ kind: 'continue', anew: true });
    // Another process may have sent the events that it accepted, including a Start.
    stage.restart();
    const sent = { level: 0, unclearSince: stage.clock.now() };
    const own = anEvent('Start', 1, { planUid: 'p', timestamp: new Date(stage.clock.now()).toISOString() });
    expect(await stage.request(own, sent)).toMatchObject({ kind: 'wait', forMs: 10_000 });
  });

  it('that has ended is not moved back by a new process', async () => {
    const stage = new Stage();
    await stage.deliver(start);
    await stage.deliver(anEvent('Failure', 2));
    await stage.idle();
    stage.restart();
    await stage.deliver(anEvent('Recovery', 3));
    await stage.idle();
    expect(stage.chat.roots()[0]?.statuses).toEqual(['Starting', 'Failed']);
    expect(shape(stage)).toMatchObject([{ replies: { length: 3 } }]);
  });

  it('is found among many messages, page by page', async () => {
    const stage = new Stage();
    await stage.deliver(start);
    for (let i = 0; i < 40; i++) await stage.deliver(anEvent('PhaseChange', i, { planUid: 'x', cycle: '' }));
    stage.restart();
    await stage.deliver(success);
    expect(shape(stage)[0]?.replies).toEqual(['d-uid-1-1', 'd-uid-1-3']);
    expect(stage.chat.calls.filter((call) => call === 'history')).toHaveLength(3);
  });

  it('is posted again if the history cannot be read, and that is reported', async () => {
    const stage = new Stage();
    stage.chat.mayReadHistory = false;
    const fates = ['unheard' as const];
    stage.chat.fate = () => fates.shift() ?? 'taken';
    await stage.deliver(start);
    expect(shape(stage)).toMatchObject([{ replies: [] }, { replies: ['d-uid-1-1'] }]);
    expect(stage.degradations.map(({ reason }) => reason)).toEqual(['HistoryUnreadable']);
    expect(stage.degradations[0]?.message).toMatch(
      /^the thread of team-a\/night may begin a second time: .*history/,
    );
  });

  it('is not searched for if the run began after the process', async () => {
    const stage = new Stage();
    await stage.clock.advance(5_000);
    await stage.deliver(anEvent('Start', 1, { timestamp: new Date(stage.clock.now()).toISOString() }));
    expect(stage.chat.calls).toEqual(['postMessage', 'postMessage']);
  });

  it('whose Start is older than the process is searched for; if that is impossible, nothing is reported', async () => {
    const stage = new Stage();
    stage.chat.mayReadHistory = false;
    await stage.clock.advance(5_000);
    stage.restart();
    await stage.deliver(start);
    expect(stage.chat.calls).toEqual(['history', 'postMessage', 'postMessage']);
    expect(stage.degradations).toEqual([]);
  });

  it.each([
    ['two hours ahead', 7_200_000],
    ['two hours behind', -7_200_000],
  ])('exists once, and its reply, although the wall clock of the machine is %s', async (_, aheadMs) => {
    const stage = new Stage();
    stage.aheadMs = aheadMs;
    const fates: Fate[] = ['unheard', 'taken', 'unheard'];
    stage.chat.fate = () => fates.shift() ?? 'taken';
    await stage.deliver(anEvent('Recovery', 1));
    expect(stage.chat.roots()).toHaveLength(1);
    expect(stage.chat.told()).toHaveLength(1);
  });

  it('is searched for again after failed searches, while other searches succeed', async () => {
    const stage = new Stage();
    const fates: Fate[] = ['unheard', 'unheard', 'taken', 'unheard', 'unheard'];
    stage.chat.fate = () => fates.shift() ?? 'taken';
    await stage.deliver(anEvent('Recovery', 1));
    expect(stage.chat.roots()).toHaveLength(1);
    expect(stage.degradations).toEqual([]);
  });

  it('is not searched for by a process that has served for a day', async () => {
    const stage = new Stage();
    await stage.clock.advance(25 * 3_600_000);
    await stage.deliver(anEvent('Recovery', 1));
    expect(stage.chat.calls).toEqual(['postMessage', 'postMessage']);
  });

  it('is posted without a search if searches fail again and again', async () => {
    const stage = new Stage();
    const unheard = ['unheard' as const];
    stage.chat.fate = (method) =>
      method === 'conversations.history' ? 'refused' : (unheard.shift() ?? 'taken');
    await stage.deliver(start);
    expect(stage.chat.calls).toEqual([
      'postMessage',
      'history',
      'history',
      'history',
      'postMessage',
      'postMessage',
    ]);
    expect(stage.degradations.map(({ reason }) => reason)).toEqual(['HistoryUnavailable']);
  });

  it.each(['lost', 'refused'] as const)(
    'exists once after an outage in which all requests are %s',
    async (outage) => {
      const stage = new Stage();
      const began = stage.clock.now();
      let posted = false;
      stage.chat.fate = () => {
        if (stage.clock.now() - began > 30_000) return 'taken';
        if (posted) return outage;
        posted = true;
        return 'unheard';
      };
      await stage.deliver(start);
      stage.chat.fate = () => 'taken';
      await stage.deliver(success);
      await stage.idle();
      expect(stage.degradations.map(({ reason }) => reason)).toEqual(
        outage === 'lost' ? ['HistoryUnavailable'] : [],
      );
      expect(shape(stage)).toEqual([{ is: 'Completed', replies: ['d-uid-1-1', 'd-uid-1-3'] }]);
    },
  );
});

describe('a reply with an ambiguous result', () => {
  it.each(['unheard', 'late', 'lost'] as const)('exists once if its request is %s', async (fate) => {
    const stage = new Stage();
    await stage.deliver(start);
    const fates = [fate];
    stage.chat.fate = (method) => (method === 'chat.postMessage' ? (fates.shift() ?? 'taken') : 'taken');
    await stage.deliver(success);
    expect(shape(stage)).toEqual([{ is: 'Completed', replies: ['d-uid-1-1', 'd-uid-1-3'] }]);
  });

  it('may exist twice if the history cannot be read, and that is reported', async () => {
    const stage = new Stage();
    await stage.deliver(start);
    stage.chat.mayReadHistory = false;
    const fates = ['unheard' as const];
    stage.chat.fate = (method) => (method === 'chat.postMessage' ? (fates.shift() ?? 'taken') : 'taken');
    await stage.deliver(success);
    expect(shape(stage)[0]?.replies).toEqual(['d-uid-1-1', 'd-uid-1-3', 'd-uid-1-3']);
    expect(stage.degradations.map(({ message }) => message.split(':')[0])).toEqual([
      'the Success of team-a/night may be there twice',
    ]);
  });

  it('is searched for from the beginning, although an earlier search ended half-way', async () => {
    const stage = new Stage();
    await stage.deliver(start);
    const posts: Fate[] = ['lost', 'lost'];
    const looks: Fate[] = ['taken', 'refused', 'refused', 'refused'];
    stage.chat.fate = (method) => {
      if (method === 'chat.update') return 'taken';
      return (method === 'chat.postMessage' ? posts : looks).shift() ?? 'taken';
    };
    const more = { ok: true, messages: [], response_metadata: { next_cursor: '7' } };
    const answers = [more];
    stage.chat.answer = (method) => (method === 'conversations.replies' ? answers.shift() : undefined);
    await stage.deliver(success);
    const cursors = stage.chat.requests
      .filter(({ method }) => method === 'conversations.replies')
      .map(({ fields }) => fields.cursor);
    expect(cursors).toEqual([undefined, '7', '7', '7', undefined]);
  });

  it('without a thread exists once, too', async () => {
    const stage = new Stage();
    const fates = ['unheard' as const];
    stage.chat.fate = () => fates.shift() ?? 'taken';
    await stage.deliver(anEvent('PhaseChange', 1, { cycle: '' }));
    expect(shape(stage)).toEqual([{ is: 'd-uid-1-1', replies: [] }]);
  });
});

describe('a deleted root', () => {
  it.each(['unthread', 'refuse'] as const)('is posted again (%s)', async (lostThreads) => {
    const stage = new Stage();
    stage.chat.lostThreads = lostThreads;
    const state = { level: 0, unclearSince: undefined };
    await stage.request(start, state);
    const [root] = stage.chat.roots();
    if (root !== undefined) stage.chat.remove(root);
    await stage.deliver(start);
    await stage.deliver(success);
    await stage.idle();
    expect(stage.chat.told()).toEqual(['d-uid-1-1', 'd-uid-1-3']);
    expect(stage.chat.roots()).toMatchObject([{ metadata: { event_payload: { status: 'Completed' } } }]);
  });

  it('is posted again when a reply finds no thread, although the card has not changed', async () => {
    const stage = new Stage();
    const state = { level: 0, unclearSince: undefined };
    await stage.request(start, state);
    const [root] = stage.chat.roots();
    if (root !== undefined) stage.chat.remove(root);
    await stage.request(start, state);
    await stage.idle();
    expect(shape(stage)).toEqual([
      { is: 'd-uid-1-1', replies: [] },
      { is: 'Starting', replies: [] },
    ]);
  });

  it('is posted again once for a delivery', async () => {
    const stage = new Stage();
    stage.chat.answer = (_, { thread_ts: thread }) =>
      thread === undefined ? undefined : { ok: false, error: 'thread_not_found' };
    expect(await stage.deliver(start)).toBe('rejected-payload');
    expect(stage.chat.roots()).toHaveLength(2);
  });

  it('is posted once when a reply and an update both miss it', async () => {
    const stage = new Stage();
    await stage.deliver(start);
    const [root] = stage.chat.roots();
    if (root !== undefined) stage.chat.remove(root);
    const fates: Fate[] = ['taken', 'taken', 'slow', 'slow'];
    stage.chat.fate = () => fates.shift() ?? 'taken';
    await stage.deliver(anEvent('Failure', 2));
    await stage.deliver(success);
    await stage.idle();
    expect(stage.chat.roots()).toHaveLength(1);
  });

  it('is not found again by a search', async () => {
    const stage = new Stage();
    await stage.deliver(start);
    await stage.clock.advance(5_000);
    stage.restart();
    await stage.deliver(anEvent('Recovery', 2));
    await stage.idle();
    const [root] = stage.chat.roots();
    if (root !== undefined) stage.chat.remove(root);
    // The update misses it, and the new root never arrives.
    const fates: Fate[] = ['taken', 'taken', 'lost'];
    stage.chat.fate = () => fates.shift() ?? 'taken';
    await stage.deliver(success);
    await stage.idle();
    expect(shape(stage)).toEqual([{ is: 'Completed', replies: [] }]);
    expect(stage.chat.calls.filter((call) => call === 'update')).toHaveLength(2);
  });

  it('is posted again by the update that misses it, and the next reply uses the new root', async () => {
    const stage = new Stage();
    await stage.deliver(start);
    const [root] = stage.chat.roots();
    if (root !== undefined) stage.chat.remove(root);
    await stage.deliver(progress(2, 'db'));
    await stage.idle();
    expect(stage.chat.roots()).toMatchObject([{ metadata: { event_payload: { status: 'In Progress' } } }]);
    await stage.deliver(success);
    await stage.idle();
    expect(shape(stage)).toEqual([{ is: 'Completed', replies: ['d-uid-1-3'] }]);
  });

  it('is not posted again and again if the token may not edit', async () => {
    const stage = new Stage();
    stage.chat.answer = (method) =>
      method === 'chat.update' ? { ok: false, error: 'edit_window_closed' } : undefined;
    await stage.deliver(start);
    for (let seq = 2; seq < 40; seq++) {
      await stage.deliver(progress(seq, 'db'));
      await stage.clock.advance(2_000);
    }
    expect(stage.chat.roots()).toHaveLength(4);
    expect(new Set(stage.chat.told()).size).toBe(39);
  });

  it('is not confused with the root that replaced it', async () => {
    const stage = new Stage();
    await stage.deliver(start);
    await stage.clock.advance(1_000);
    stage.chat.fate = (method) => (method === 'chat.update' ? 'slow' : 'taken');
    stage.chat.answer = (method, { channel }) =>
      method === 'chat.update' && channel === 'C1' ? { ok: false, error: 'message_not_found' } : undefined;
    await stage.deliver(progress(2, 'db'));
    stage.configure({ mode: { ...stage.config.mode, channelId: 'C2' } });
    await stage.deliver(progress(3, 'db'));
    await stage.idle();
    expect(stage.chat.roots().map(({ channel }) => channel)).toEqual(['C1', 'C2']);
  });

  it('is a different root in another channel', async () => {
    const stage = new Stage();
    await stage.deliver(start);
    stage.configure({ mode: { ...stage.config.mode, channelId: 'C2' } });
    await stage.deliver(success);
    expect(stage.chat.roots().map(({ channel }) => channel)).toEqual(['C1', 'C2']);
    expect(stage.chat.messages.map(({ channel }) => channel)).toEqual(['C1', 'C1', 'C2', 'C2']);
  });
});

describe('a chat that refuses', () => {
  it('blocks gets text, then text without markup, and later messages have that form', async () => {
    const stage = new Stage();
    stage.configure({ format: 'json' });
    stage.chat.answer = (_, { blocks }) =>
      Array.isArray(blocks) && blocks.length > 0 ? { ok: false, error: 'invalid_blocks' } : undefined;
    expect(await stage.deliver(start)).toBe('delivered');
    expect(await stage.deliver(success)).toBe('delivered');
    await stage.idle();
    expect(shape(stage)).toEqual([{ is: 'Completed', replies: ['d-uid-1-1', 'd-uid-1-3'] }]);
    expect(stage.degradations.map(({ reason }) => reason)).toEqual(Array(3).fill('RejectedByReceiver'));
  });

  it('every message gets three forms of it, and the delivery fails', async () => {
    const stage = new Stage();
    stage.configure({ format: 'json' });
    await stage.deliver(start);
    stage.chat.calls.length = 0;
    stage.chat.answer = () => ({ ok: false, error: 'no_text' });
    expect(await stage.deliver(success)).toBe('rejected-payload');
    expect(stage.chat.calls.filter((call) => call === 'postMessage')).toHaveLength(3);
  });

  it('metadata gets a message without metadata', async () => {
    const stage = new Stage();
    stage.chat.answer = (_, { metadata }) =>
      metadata === undefined ? undefined : { ok: false, error: 'metadata_must_be_sent_from_app' };
    expect(await stage.deliver(start)).toBe('delivered');
    expect(stage.chat.messages).toHaveLength(2);
  });

  it('the token ends the delivery without a retry', async () => {
    const stage = new Stage();
    stage.chat.answer = () => ({ ok: false, error: 'invalid_auth' });
    expect(await stage.deliver(start)).toBe('rejected-configuration');
    expect(stage.chat.calls).toHaveLength(1);
  });
});

it('reports that templates have no effect', () => {
  expect(new Stage().sink.ignoresTemplate).toBe('threads always use the built-in layouts');
});

it('suppresses the progress that the layout suppresses', () => {
  const stage = new Stage();
  const running = anEvent('ExecutionProgress', 1, { targetExecution: { ...target, state: 'Running' } });
  for (const layout of ['default', 'auto'] as const) {
    stage.configure({ format: 'json', layout });
    expect(stage.sink.suppresses(running)).toBe(layout === 'default');
  }
});

describe('a store', () => {
  /** Keeps records, and for each one how many requests had been made when it was saved. */
  function store(stage: Stage) {
    const records = new Map<string, unknown>();
    const saves: [requests: number, hasPlace: boolean][] = [];
    stage.memory = {
      load: (at) => records.get(rootKeyOf(at)),
      save: (at, record) => {
        records.set(rootKeyOf(at), record);
        saves.push([stage.chat.calls.length, JSON.stringify(record).includes('"place"')]);
      },
    } satisfies SinkMemory;
    stage.restart();
    return { records, saves };
  }

  it('has the root before it is posted, and its place before the first reply', async () => {
    const stage = new Stage();
    const { saves } = store(stage);
    await stage.deliver(start);
    expect(saves).toEqual([
      [0, false],
      [1, true],
    ]);
  });

  it('holds up no reply, and has each change before the card shows it', async () => {
    const stage = new Stage();
    store(stage);
    await stage.deliver(start);
    let saved = (): void => {};
    stage.memory!.save = (_, __, priority) => {
      expect(priority).toBe('later');
      return new Promise((resolve) => {
        saved = resolve;
      });
    };
    const before = stage.chat.calls.length;
    await stage.deliver(anEvent('Success', 2));
    await stage.clock.advance(60_000);
    expect(stage.chat.calls.slice(before)).toEqual(['postMessage']);
    saved();
    await stage.clock.advance(0);
    expect(stage.chat.calls.slice(before)).toEqual(['postMessage', 'update']);
    saved();
    await stage.idle();
  });

  it('makes a search unnecessary, and says what must still be shown', async () => {
    const stage = new Stage();
    store(stage);
    await stage.deliver(start);
    stage.chat.fate = (method) => (method === 'chat.update' ? 'refused' : 'taken');
    await stage.deliver(anEvent('Failure', 2));
    stage.restart();
    stage.chat.fate = () => 'taken';
    await stage.deliver(anEvent('PhaseChange', 3));
    await stage.idle();
    expect(stage.chat.calls).not.toContain('history');
    expect(stage.chat.roots()[0]?.statuses).toEqual(['Starting', 'Failed']);
  });

  it.each(['late', 'lost'] as const)(
    'does not make a reply twice that a former process had in flight and whose request is %s',
    async (fate) => {
      const stage = new Stage();
      store(stage);
      await stage.deliver(start);
      const accepted = stage.clock.now();
      stage.chat.fate = (method) => (method === 'chat.postMessage' ? fate : 'taken');
      await stage.request(success, { level: 0, unclearSince: undefined });
      stage.restart();
      stage.chat.fate = () => 'taken';
      expect(await stage.deliver(success, { acceptedAt: accepted })).toBe('delivered');
      await stage.clock.advance(60_000);
      expect(shape(stage)).toEqual([{ is: 'Completed', replies: ['d-uid-1-1', 'd-uid-1-3'] }]);
    },
  );

  it('that has a root without a place causes a search', async () => {
    const stage = new Stage();
    store(stage);
    stage.chat.fate = () => 'unheard';
    await stage.request(start, { level: 0, unclearSince: undefined });
    await stage.clock.advance(15_000);
    stage.restart();
    stage.chat.fate = () => 'taken';
    await stage.deliver(start);
    expect(shape(stage)).toEqual([{ is: 'Starting', replies: ['d-uid-1-1'] }]);
  });

  it('that has a root without a place causes a doubt if a search is impossible', async () => {
    const stage = new Stage();
    store(stage);
    stage.chat.mayReadHistory = false;
    stage.chat.fate = () => 'unheard';
    await stage.request(start, { level: 0, unclearSince: undefined });
    stage.restart();
    stage.chat.fate = () => 'taken';
    await stage.deliver(start);
    expect(stage.degradations.map(({ reason }) => reason)).toEqual(['HistoryUnreadable']);
  });
});

describe('an update', () => {
  /** Each save waits until it is told that it is stored. */
  const slowStore = async (stage: Stage, begin: () => Promise<void>) => {
    const records = new Map<string, unknown>();
    stage.memory = {
      load: (at) => records.get(rootKeyOf(at)),
      save: (at, record) => void records.set(rootKeyOf(at), record),
    };
    stage.restart();
    await begin();
    const stored: (() => void)[] = [];
    stage.memory.save = () => new Promise((resolve) => stored.push(resolve));
    return stored;
  };

  it('has the metadata of the state that it shows, and that is stored', async () => {
    const stage = new Stage();
    const stored = await slowStore(stage, async () => void (await stage.deliver(start)));
    await stage.deliver(anEvent('PhaseChange', 2));
    await stage.clock.advance(15_000);
    // The update waits until its state is stored. Now the run ends.
    await stage.deliver(anEvent('Success', 3));
    const sent: unknown[] = [];
    stage.chat.answer = (method, { metadata }) => {
      if (method === 'chat.update')
        sent.push((metadata as { event_payload: { status: string } }).event_payload.status);
      return undefined;
    };
    stored[0]!();
    await stage.clock.advance(0);
    expect(sent).toEqual([]);
    stored[1]!();
    await stage.clock.advance(0);
    expect(sent).toEqual(['Completed']);
  });

  it('that waited for the journal keeps to the rate limit', async () => {
    const stage = new Stage();
    stage.rateLimits = new RateLimiter(stage.clock);
    const plans = Array.from({ length: 20 }, (_, n) => ({ planUid: `u${n}` }));
    const stored = await slowStore(stage, async () => {
      for (const plan of plans) await stage.deliver(anEvent('Start', 1, plan));
      await stage.clock.advance(60_000);
    });
    for (const plan of plans) await stage.deliver(anEvent('Success', 2, plan));
    await stage.clock.advance(5_000);
    const before = stage.chat.calls.length;
    for (const resolve of stored.splice(0)) resolve();
    await stage.clock.advance(0);
    // perSecond: 1, burst: 5
    expect(stage.chat.calls.slice(before)).toHaveLength(5);
  });
});
