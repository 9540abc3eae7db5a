import { describe, expect, it } from 'vitest';
import type { EventKind } from '../../resources/kinds.ts';
import { anEvent } from '../../testing/events.ts';
import { RateLimiter } from '../rate-limiter.ts';
import type { Rate } from '../rate.ts';
import { BOARD_TYPES, BoardStage } from './testing/board-stage.ts';

const DAY_MS = 24 * 3_600_000;

/** Answers of both chats. */
const REVOKED = { error: 'token_revoked', error_code: 401, description: 'Unauthorized' };
const NO_MARKUP = {
  error: 'invalid_blocks',
  error_code: 400,
  description: "Bad Request: can't parse entities",
};

/** Delivers events of one plan, which happened this long ago. */
async function happened(
  stage: BoardStage,
  plan: string,
  agoMs: number,
  ...kinds: EventKind[]
): Promise<void> {
  const timestamp = new Date(stage.clock.now() - agoMs).toISOString();
  for (const [index, kind] of kinds.entries())
    await stage.deliver(anEvent(kind, index + 1, { planUid: plan, plan, timestamp }));
}

it('events that are older than all nights in memory have one board, too', async () => {
  const stage = new BoardStage('botchat');
  for (let night = 0; night < 5; night++) {
    await happened(stage, `plan-${night}`, 0, 'Start', 'Success');
    await stage.clock.advance(DAY_MS);
  }
  await happened(stage, 'late', 10 * DAY_MS, 'Start', 'Success');
  await stage.idle();
  expect(stage.chat.roots()).toHaveLength(6);
  expect(stage.chat.roots().at(-1)?.text).toContain('1 of 1 asleep');
});

it('after an outage all nights get their boards, however many there are', async () => {
  for (const type of BOARD_TYPES) {
    const stage = new BoardStage(type);
    const events = Array.from({ length: 9 }, (_, night) => {
      const timestamp = new Date(stage.clock.now() - (night + 1) * 3_600_000).toISOString();
      return anEvent('Success', 1, { planUid: `plan-${night}`, plan: `plan-${night}`, timestamp });
    });
    const began = stage.clock.monotonic();
    await stage.deliverAll(events, () => {
      if (stage.clock.monotonic() - began > 600_000) throw new Error('they wait for ever');
    });
    expect(stage.chat.roots()).toHaveLength(events.length);
  }
});

it('a delivery that waits does not look again and again: it is told when the board shows its event', async () => {
  const stage = new BoardStage('teamchat');
  await happened(stage, 'a', 0, 'Start');
  const timestamp = new Date(stage.clock.now()).toISOString();
  const event = anEvent('Success', 2, { planUid: 'a', plan: 'a', timestamp });
  const progress = { level: 0, unclearSince: undefined };
  const outcome = await stage.request(event, progress);
  if (outcome.kind !== 'wait') throw new Error(`it does not wait: ${outcome.kind}`);
  expect(outcome.forMs).toBeGreaterThan(30_000);
  let told = 0;
  outcome.onChange?.(() => told++);
  await stage.clock.advance(2_000);
  expect(told).toBe(0);
  await stage.clock.advance(2_000);
  expect(told).toBe(1);
  // Who asks too late is told at once.
  outcome.onChange?.(() => told++);
  expect(told).toBe(2);
  expect(await stage.request(event, progress)).toMatchObject({ kind: 'delivered' });
});

it('a delivery waits for a chat that takes no update until the next try of the update', async () => {
  const stage = new BoardStage('teamchat');
  await happened(stage, 'a', 0, 'Start');
  stage.chat.fate = () => 'refused';
  const event = anEvent('Success', 2, {
    planUid: 'a',
    plan: 'a',
    timestamp: new Date(stage.clock.now()).toISOString(),
  });
  const progress = { level: 0, unclearSince: undefined };
  let waits = 0;
  for (const until = stage.clock.now() + 600_000; stage.clock.now() < until; waits++) {
    const outcome = await stage.request(event, progress);
    expect(outcome).toMatchObject({ kind: 'wait' });
    await stage.clock.advance(outcome.kind === 'wait' ? outcome.forMs : 0);
  }
  expect(waits).toBeLessThan(25);
  expect(await stage.request(event, progress)).toMatchObject({ why: { reason: 'ConnectionRefused' } });
  stage.chat.fate = () => 'taken';
  await stage.deliver(event);
  expect(stage.chat.roots().map(({ text }) => text)).toEqual([expect.stringContaining('1 of 1 asleep')]);
});

it('a night that goes on is kept, however many newer ones there are', async () => {
  const stage = new BoardStage('teamchat');
  stage.config = { board_max: 1_440 };
  const event = (kind: EventKind, seq: number, plan: string, operation: string) => {
    const timestamp = new Date(stage.clock.now()).toISOString();
    return anEvent(kind, seq, { planUid: plan, plan, cycle: plan, operation, timestamp });
  };
  await stage.deliver(event('Start', 1, 'slow', 'shutdown'));
  for (let newer = 0; newer < 5; newer++) {
    await stage.clock.advance(3_600_000);
    for (const [index, kind] of (['Start', 'Success'] as const).entries())
      await stage.deliver(event(kind, index + 1, `plan-${newer}`, 'wakeup'));
  }
  await stage.deliver(event('Failure', 2, 'slow', 'shutdown'));
  await stage.idle();
  const nights = stage.chat.roots().filter(({ text }) => text.includes('Hibernation of'));
  expect(nights.map(({ text }) => text)).toEqual([expect.stringContaining('1 failed')]);
});

describe.each(BOARD_TYPES)('in %s', (type) => {
  it('a board shows a hundred failures at once, though their replies wait for the rate limit of the chat', async () => {
    const stage = new BoardStage(type);
    stage.rateLimits = new RateLimiter(stage.clock);
    // No delivery waits for a token before it is shown.
    expect(stage.sink.rates).toEqual([]);
    const timestamp = new Date(stage.clock.now()).toISOString();
    const plans = Array.from({ length: 100 }, (_, at) => `plan-${at}`);
    const events = (kind: EventKind, seq: number) =>
      plans.map((plan) => anEvent(kind, seq, { planUid: plan, plan, timestamp }));
    await stage.deliverAll(events('Start', 1));
    const failed = stage.clock.monotonic();
    let shownAfter = Infinity;
    await stage.deliverAll(events('Failure', 2), () => {
      if (stage.chat.roots()[0]?.text.includes('0 of 100 asleep · 100 failed') === true)
        shownAfter = Math.min(shownAfter, stage.clock.monotonic() - failed);
    });
    expect(shownAfter).toBeLessThan(20_000);
    expect(stage.chat.messages.filter(({ thread }) => thread !== undefined)).toHaveLength(100);
    const times = stage.chat.requests.map(({ at }) => at);
    const most = Math.max(
      ...times.map((from) => times.filter((at) => at >= from && at < from + 60_000).length),
    );
    expect(most).toBeLessThanOrEqual(type === 'botchat' ? 20 : 125);
  });

  it('a new board and its replies have their turns beside another sink that always waits for the same bucket', async () => {
    const stage = new BoardStage(type);
    const limiter = new RateLimiter(stage.clock);
    let rates: readonly Rate[] = [];
    stage.rateLimits = {
      take: (...all) => {
        if (rates.length === 0) [rates] = all;
        return limiter.take(...all);
      },
      pause: () => undefined,
      giveBack: (given) => limiter.giveBack(given),
    };
    await happened(stage, 'a', 0, 'Start', 'Success');
    const { signal } = new AbortController();
    const others = rates.map((rate, at) => (at === 0 ? { ...rate, key: 'another sink' } : rate));
    const send = async (): Promise<void> => {
      while (await limiter.take(others, { owner: 'team-a', signal }));
    };
    await stage.clock.advance(DAY_MS);
    void Promise.all([send(), send()]);
    await stage.clock.advance(1_000);
    const began = stage.clock.monotonic();
    const timestamp = new Date(stage.clock.now()).toISOString();
    await stage.deliver(anEvent('Failure', 2, { planUid: 'b', plan: 'b', timestamp }), { requests: 40 });
    expect(stage.chat.roots().map(({ text }) => text.includes('1 failed'))).toEqual([false, true]);
    expect(stage.chat.messages.filter(({ thread }) => thread !== undefined)).toHaveLength(1);
    expect(stage.clock.monotonic() - began).toBeLessThan(60_000);
    limiter.close();
  });

  it('a request that may not be made gives its tokens back', async () => {
    const stage = new BoardStage(type);
    let taken = 0;
    stage.rateLimits = {
      take: () => ++taken > 0,
      pause: () => undefined,
      giveBack: () => taken--,
    };
    stage.slot = () => false;
    const timestamp = new Date(stage.clock.now()).toISOString();
    await stage.deliver(anEvent('Start', 1, { timestamp }), { requests: 4 });
    expect(stage.chat.requests).toEqual([]);
    expect(taken).toBe(0);
  });

  it.each([
    ['credential is tried at once with another configuration', REVOKED, true, 5_000],
    ['credential is tried at intervals with the same one', REVOKED, false, 15 * 60_000],
    ['card is tried at once with another configuration', NO_MARKUP, true, 5_000],
  ])('an update with a refused %s', async (_, answer, isRead, ms) => {
    const stage = new BoardStage(type);
    await happened(stage, 'a', 0, 'Start');
    let isRefused = true;
    stage.chat.answer = (method) =>
      isRefused && /update|edit/.test(method) ? { ok: false, ...answer } : undefined;
    const timestamp = new Date(stage.clock.now()).toISOString();
    const event = anEvent('Start', 1, { planUid: 'b', plan: 'b', timestamp });
    const progress = { level: 0, unclearSince: undefined };
    await stage.request(event, progress);
    await stage.clock.advance(60_000);
    expect(stage.degradations.map(({ reason }) => reason)).toEqual(['RootNotUpdated']);
    isRefused = false;
    if (isRead) stage.configure({});
    expect(await stage.request(event, progress)).toMatchObject({ kind: 'wait' });
    await stage.clock.advance(ms);
    expect(await stage.request(event, progress)).toMatchObject({ kind: 'delivered' });
    expect(stage.chat.roots().map(({ text }) => text)).toEqual([expect.stringContaining('2 running')]);
  });

  it('a new board has all plans that start within three seconds, in one request', async () => {
    const stage = new BoardStage(type);
    const timestamp = new Date(stage.clock.now()).toISOString();
    const plans = Array.from({ length: 100 }, (_, at) => `plan-${at}`);
    await stage.deliverAll(plans.map((plan) => anEvent('Start', 1, { planUid: plan, plan, timestamp })));
    expect(stage.chat.roots().map(({ text }) => text)).toEqual([
      expect.stringContaining('0 of 100 asleep · 100 running'),
    ]);
    expect(stage.chat.requests).toHaveLength(1);
  });

  it('a deleted board is posted again, and this is told', async () => {
    const stage = new BoardStage(type);
    await happened(stage, 'a', 0, 'Start');
    const [first] = stage.chat.roots();
    stage.chat.remove(first!);
    await stage.clock.advance(5_000);
    await happened(stage, 'a', 0, 'Start', 'Success');
    await stage.idle();
    expect(stage.chat.roots().map(({ text }) => text)).toEqual([expect.stringContaining('1 of 1 asleep')]);
    expect(stage.degradations).toEqual([
      {
        reason: 'RootReplaced',
        message:
          'the board of shutdown in team-a was deleted, or can no longer be changed; it was posted again',
      },
    ]);
  });

  it('a board whose rows were stored before its message ends, too, after a restart', async () => {
    const stage = new BoardStage(type);
    const timestamp = new Date(stage.clock.now()).toISOString();
    const events = [
      anEvent('Failure', 1, { planUid: 'a', plan: 'a', timestamp }),
      anEvent('Success', 1, { planUid: 'b', plan: 'b', timestamp }),
    ];
    const accepted = stage.clock.now();
    stage.chat.fate = (method) => (/post|send/.test(method) ? 'refused' : 'taken');
    for (const event of events) await stage.deliver(event, { requests: 6 });
    await stage.restart();
    stage.chat.fate = () => 'taken';
    for (const event of events) await stage.deliver(event, { acceptedAt: accepted });
    expect(stage.chat.roots().map(({ text }) => text)).toEqual([expect.stringContaining('in Progress')]);
    await stage.clock.advance(900_000);
    await stage.idle();
    expect(stage.chat.roots().map(({ text }) => text)).toEqual([expect.stringContaining('1 failed')]);
    expect(stage.chat.roots()[0]?.text).not.toContain('in Progress');
    expect(stage.chat.messages.filter(({ thread }) => thread !== undefined)).toHaveLength(2);
  });

  it('a board that is posted after its end has its last reply', async () => {
    const stage = new BoardStage(type);
    const timestamp = new Date(stage.clock.now() - 3_600_000).toISOString();
    await stage.deliverAll(
      ['a', 'b'].map((plan) => anEvent('Success', 1, { planUid: plan, plan, timestamp })),
    );
    await stage.idle();
    expect(stage.chat.roots().map(({ text }) => text)).toEqual([expect.stringContaining('Completed')]);
    expect(stage.chat.messages.filter(({ thread }) => thread !== undefined)).toHaveLength(1);
  });

  it('an update that the chat refuses as it is has no markup', async () => {
    const stage = new BoardStage(type);
    await happened(stage, 'a', 0, 'Start');
    let refusals = 0;
    stage.chat.answer = (method) =>
      /update|edit/.test(method) && refusals++ === 0 ? { ok: false, ...NO_MARKUP } : undefined;
    await happened(stage, 'a', 0, 'Start', 'Success');
    expect(stage.chat.roots()[0]?.text).toBe('Hibernation of 1 Plan in Progress: team-a — 1 of 1 asleep');
    expect(stage.degradations.map(({ reason }) => reason)).toEqual(['RejectedByReceiver']);
  });
});

describe('in botchat, which shows a bot no earlier messages', () => {
  it('a board whose first answer was lost is posted again, and this is told', async () => {
    const stage = new BoardStage('botchat');
    let posts = 0;
    stage.chat.fate = () => (posts++ === 0 ? 'unheard' : 'taken');
    await happened(stage, 'a', 0, 'Start');
    expect(stage.chat.roots()).toHaveLength(2);
    expect(stage.degradations).toEqual([
      {
        reason: 'HistoryUnavailable',
        message:
          'the board of shutdown in team-a may begin a second time: the chat shows its bots no earlier messages',
      },
    ]);
  });

  it('a board that no process has stored is new, whatever its first event is', async () => {
    const stage = new BoardStage('botchat');
    await happened(stage, 'a', 60_000, 'Success');
    expect(stage.chat.roots()).toHaveLength(1);
    expect(stage.degradations).toEqual([]);
  });

  it('the board arrives without a sound, and its replies with one', async () => {
    const stage = new BoardStage('botchat');
    await happened(stage, 'a', 0, 'Start', 'Failure');
    await stage.clock.advance(900_000);
    await stage.idle();
    const sent = stage.chat.requests.filter(({ method }) => method === 'sendMessage');
    expect(sent.map(({ fields }) => [fields.disable_notification, fields.reply_parameters])).toEqual([
      [true, undefined],
      [undefined, { message_id: 1, allow_sending_without_reply: true }],
      [undefined, { message_id: 1, allow_sending_without_reply: true }],
    ]);
  });

  it.each([
    ['all', true, [true, true]],
    ['all but those of failures', 'non-failures', [undefined, undefined]],
  ])('%s of the replies are silent if the configuration says so', async (_, disable, silent) => {
    const stage = new BoardStage('botchat');
    stage.config = { disable_notification: disable };
    await happened(stage, 'a', 0, 'Start', 'Failure');
    await stage.clock.advance(900_000);
    await stage.idle();
    const replies = stage.chat.requests.filter(({ fields }) => fields.reply_parameters !== undefined);
    expect(replies.map(({ fields }) => fields.disable_notification)).toEqual(silent);
  });

  it('of a night without failures the end is silent where only failures make a sound', async () => {
    const stage = new BoardStage('botchat');
    stage.config = { disable_notification: 'non-failures' };
    await happened(stage, 'a', 0, 'Start', 'Success');
    await happened(stage, 'b', 0, 'Start', 'Success');
    await stage.clock.advance(900_000);
    await stage.idle();
    const replies = stage.chat.requests.filter(({ fields }) => fields.reply_parameters !== undefined);
    expect(replies.map(({ fields }) => [fields.disable_notification, fields.text])).toEqual([
      [true, expect.stringMatching(/^✅ <b>Hibernation of 2 Plans Completed<\/b> · 2 of 2 asleep/)],
    ]);
  });

  it('no outcome has the token', async () => {
    const stage = new BoardStage('botchat');
    stage.chat.answer = () => ({
      ...{ ok: false, error_code: 400 },
      description:
        'Bad Request: /bot123456789:canary/sendMessage https://api.telegram.org/bot123456789:canary',
    });
    const timestamp = new Date(stage.clock.now()).toISOString();
    const ask = () =>
      stage.request(anEvent('Start', 1, { timestamp }), { level: 0, unclearSince: undefined });
    expect(await ask()).toMatchObject({ kind: 'wait', why: { reason: 'BoardUpdate' } });
    await stage.clock.advance(3_000);
    expect(await ask()).toMatchObject({ kind: 'continue' });
    const refused = await ask();
    expect(refused).toMatchObject({ kind: 'rejected-payload', reason: 'BadRequest' });
    expect(JSON.stringify(refused)).not.toContain('canary');
  });

  it('a group that becomes a supergroup gets the board again', async () => {
    const stage = new BoardStage('botchat');
    await happened(stage, 'a', 0, 'Start');
    stage.chat.answer = (_, { chat_id: chat }) =>
      chat === '-1001234567890'
        ? {
            ...{ ok: false, error_code: 400 },
            description: 'Bad Request: group chat was upgraded to a supergroup chat',
            parameters: { migrate_to_chat_id: -1009876543210 },
          }
        : undefined;
    await happened(stage, 'a', 0, 'Start', 'Success');
    expect(stage.chat.roots().map(({ channel, text }) => [channel, text.includes('1 of 1 asleep')])).toEqual([
      ['-1001234567890', false],
      ['-1009876543210', true],
    ]);
    expect(stage.degradations.map(({ reason }) => reason)).toEqual(['ChatMigrated', 'RootReplaced']);
  });

  it('goes to the General topic when its own is gone, and this is told', async () => {
    const stage = new BoardStage('botchat');
    stage.config = { message_thread_id: 42 };
    stage.chat.answer = (_, { message_thread_id: topic }) =>
      topic === undefined
        ? undefined
        : { ok: false, error_code: 400, description: 'Bad Request: TOPIC_DELETED' };
    await happened(stage, 'a', 0, 'Start');
    expect(stage.chat.roots()).toHaveLength(1);
    expect(stage.degradations.map(({ reason }) => reason)).toEqual(['TopicDeleted']);
  });
});
