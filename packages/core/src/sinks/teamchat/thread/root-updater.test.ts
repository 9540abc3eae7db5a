import { describe, expect, it } from 'vitest';
import { settle } from '../../../testing/clock.ts';
import { anEvent, progress } from '../../../testing/events.ts';
import type { EventKind } from '../../../resources/kinds.ts';
import { bareView } from '../../../testing/sinks.ts';
import type { Priority, TokenRequest } from '../../../fair/token-bucket.ts';
import type { RateLimits, Rate } from '../../rate.ts';
import type { ChannelClient } from './channel-client.ts';
import type { Fate } from '../../testing/chat.ts';
import { Stage } from './testing/stage.ts';
import type { Threads } from './threads.ts';

const start = anEvent('Start', 1);

/** A bucket's name without the hash. */
const shortened = (key: string): string => key.replace(/:[\w-]{22}/, '');

/** The test gives out the tokens; waiting requests get them in order. */
class Tokens implements RateLimits {
  free = 0;
  readonly asked: string[][] = [];
  readonly ranks: (Priority | undefined)[] = [];
  readonly paused: [key: string, ms: number][] = [];
  readonly #row: (() => void)[] = [];

  take(rates: readonly Rate[], { signal, priority: rank }: TokenRequest): boolean | Promise<boolean> {
    this.asked.push(rates.map(({ key }) => shortened(key)));
    this.ranks.push(rank);
    if (this.free > 0) {
      this.free--;
      return true;
    }
    return new Promise((resolve) => {
      const serve = (): void => resolve(true);
      this.#row.push(serve);
      signal.addEventListener('abort', () => {
        const i = this.#row.indexOf(serve);
        if (i >= 0) this.#row.splice(i, 1);
        resolve(false);
      });
    });
  }

  pause(key: string, ms: number): void {
    this.paused.push([shortened(key), ms]);
    this.free = 0;
  }

  giveBack(): void {
    this.give();
  }

  get waiting(): number {
    return this.#row.length;
  }

  give(): void {
    const serve = this.#row.shift();
    if (serve === undefined) this.free++;
    else serve();
  }
}

const updates = ({ chat }: Stage) => chat.calls.filter((call) => call === 'update').length;
const shown = ({ chat }: Stage) => chat.roots()[0]?.statuses.at(-1);

/** A stage whose root is posted and up to date. */
async function standing(tokens?: Tokens): Promise<Stage> {
  const stage = new Stage();
  if (tokens !== undefined) stage.rateLimits = tokens;
  await stage.deliver(start);
  await stage.clock.advance(1_000);
  return stage;
}

describe('an update', () => {
  it('is sent at once if tokens are free', async () => {
    const stage = await standing();
    await stage.deliver(progress(2, 'db'));
    await settle();
    expect(updates(stage)).toBe(1);
  });

  it('takes a token of the sink, of the channel and of the method', async () => {
    const tokens = new Tokens();
    const stage = await standing(tokens);
    await stage.deliver(progress(2, 'db'));
    expect(tokens.asked).toEqual([['team-a/n/ops', 'teamchat', 'teamchat:chat.update']]);
  });

  it('is sent once for several changes, a second after the last', async () => {
    const stage = await standing();
    for (let seq = 2; seq < 12; seq++) await stage.deliver(progress(seq, 'db'));
    await stage.clock.advance(999);
    expect(updates(stage)).toBe(1);
    await stage.clock.advance(1);
    expect(updates(stage)).toBe(2);
    await stage.clock.advance(60_000);
    expect(updates(stage)).toBe(2);
    expect(stage.clock.timers).toBe(0);
  });

  it('is never forgotten, at whatever moment of another update the last event comes', async () => {
    for (let moment = 0; moment < 40; moment++) {
      const stage = await standing();
      await stage.deliver(progress(2, 'db'));
      for (let turn = 0; turn < moment; turn++) await Promise.resolve();
      void stage.deliver(anEvent('Success', 3));
      await stage.clock.advance(60_000);
      expect(shown(stage), `after ${moment} turns`).toBe('Completed');
    }
  });

  it('takes no token that a message might need, until it is 10 s old', async () => {
    const tokens = new Tokens();
    const stage = await standing(tokens);
    await stage.deliver(progress(2, 'db'));
    await stage.clock.advance(8_999);
    expect(tokens.waiting).toBe(0);
    await stage.clock.advance(1);
    expect(tokens.waiting).toBe(1);
    tokens.give();
    await settle();
    expect(updates(stage)).toBe(1);
  });

  it('checks for free tokens again at each reply', async () => {
    const tokens = new Tokens();
    const stage = await standing(tokens);
    await stage.deliver(progress(2, 'db'));
    tokens.give();
    await settle();
    expect(updates(stage)).toBe(0);
    await stage.deliver(progress(3, 'db'));
    await settle();
    expect(updates(stage)).toBe(1);
  });

  it('that shows an end joins the queue at once', async () => {
    const tokens = new Tokens();
    const stage = await standing(tokens);
    await stage.deliver(progress(2, 'db'));
    await stage.deliver(anEvent('Success', 3));
    await settle();
    expect(tokens.waiting).toBe(1);
    tokens.give();
    await settle();
    expect(shown(stage)).toBe('Completed');
  });

  it('does not wait when the process ends', async () => {
    const tokens = new Tokens();
    const stage = await standing(tokens);
    await stage.deliver(progress(2, 'db'));
    const idle = stage.threads.roots.idle();
    await settle();
    expect(tokens.waiting).toBe(1);
    tokens.give();
    await idle;
    expect(shown(stage)).toBe('In Progress');
    await stage.threads.roots.idle();
  });

  it('ends with the process', async () => {
    const tokens = new Tokens();
    const stage = await standing(tokens);
    await stage.deliver(progress(2, 'db'));
    await stage.deliver(anEvent('Start', 1, { planUid: 'other' }));
    await stage.deliver(anEvent('Success', 3, { planUid: 'other' }));
    stage.threads.close();
    await stage.threads.roots.idle();
    expect(stage.clock.timers).toBe(0);
    expect(tokens.waiting).toBe(0);
    await stage.deliver(progress(3, 'db'));
    expect(updates(stage)).toBe(0);
  });
});

describe('an update that fails', () => {
  it('is tried again with growing pauses, and no reply waits for it', async () => {
    const stage = await standing();
    let down = true;
    stage.chat.fate = (method) => (method === 'chat.update' && down ? 'refused' : 'taken');
    expect(await stage.deliver(anEvent('Success', 2))).toBe('delivered');
    await settle();
    expect(updates(stage)).toBe(1);
    // 1, 2, 4 seconds, and as much again by half: the clock's chance is one half.
    await stage.clock.advance(1_500);
    expect(updates(stage)).toBe(2);
    await stage.clock.advance(3_000);
    expect(updates(stage)).toBe(3);
    expect(await stage.deliver(anEvent('PhaseChange', 3))).toBe('delivered');
    expect(updates(stage)).toBe(3);
    down = false;
    await stage.clock.advance(6_000);
    expect(shown(stage)).toBe('Completed');
    expect(stage.degradations).toEqual([]);
  });

  it('with an ambiguous result delays the next one: if it arrives late, it would overwrite a newer state', async () => {
    const stage = await standing();
    const fates: Fate[] = ['late'];
    stage.chat.fate = (method) => (method === 'chat.update' ? (fates.shift() ?? 'taken') : 'taken');
    await stage.deliver(progress(2, 'db'));
    await stage.deliver(anEvent('Success', 3));
    await stage.clock.advance(9_999);
    expect(updates(stage)).toBe(1);
    await stage.clock.advance(1);
    expect(stage.chat.roots()[0]?.statuses).toEqual(['Starting', 'In Progress', 'Completed']);
  });

  it('is forgotten after a successful one', async () => {
    const stage = await standing();
    let down = true;
    stage.chat.fate = (method) => (method === 'chat.update' && down ? 'refused' : 'taken');
    for (let seq = 2; seq < 6; seq++) {
      down = true;
      await stage.deliver(progress(seq, 'db'));
      await stage.clock.advance(300_000);
      down = false;
      await stage.clock.advance(120_000);
    }
    expect(stage.degradations).toEqual([]);
    expect(shown(stage)).toBe('In Progress');
  });

  it('many times is reported, tried at intervals for a day, and tried anew at the next event', async () => {
    const stage = await standing();
    stage.chat.fate = (method) => (method === 'chat.update' ? 'refused' : 'taken');
    await stage.deliver(progress(2, 'db'));
    await stage.clock.advance(30 * 60_000);
    const before = updates(stage);
    expect(before).toBeGreaterThan(20);
    // Ten minutes plus a random part of up to five minutes, which is always half of that here.
    await stage.clock.advance(5 * 12.5 * 60_000);
    expect(updates(stage) - before).toBe(5);
    expect(stage.degradations.map(({ reason }) => reason)).toEqual(['RootNotUpdated']);
    await stage.deliver(anEvent('Success', 3));
    await settle();
    expect(updates(stage) - before).toBe(6);
    await stage.clock.advance(26 * 3_600_000);
    expect(stage.clock.timers).toBe(0);
    stage.chat.fate = () => 'taken';
    await stage.deliver(anEvent('Failure', 4));
    await settle();
    expect(shown(stage)).toBe('Failed');
  });

  it('for forty minutes still shows the end', async () => {
    const stage = await standing();
    let down = true;
    stage.chat.fate = (method) => (method === 'chat.update' && down ? 'refused' : 'taken');
    await stage.deliver(anEvent('Success', 2));
    await stage.clock.advance(40 * 60_000);
    down = false;
    await stage.clock.advance(15 * 60_000);
    expect(shown(stage)).toBe('Completed');
  });

  it('for long does not delay the end of the process', async () => {
    const stage = await standing();
    stage.chat.fate = (method) => (method === 'chat.update' ? 'refused' : 'taken');
    await stage.deliver(anEvent('Success', 2));
    await stage.clock.advance(3_600_000);
    await stage.threads.roots.idle();
    expect(stage.clock.timers).toBe(0);
  });

  it('because it was refused does not hold back later changes', async () => {
    const stage = await standing();
    stage.chat.fate = (method) => (method === 'chat.update' ? 'slow' : 'taken');
    stage.chat.answer = (method, { metadata }) =>
      method === 'chat.update' && JSON.stringify(metadata).includes('In Progress')
        ? { ok: false, error: 'team_access_not_granted' }
        : undefined;
    await stage.deliver(progress(2, 'db'));
    await stage.deliver(anEvent('Success', 3));
    await stage.clock.advance(10_000);
    expect(shown(stage)).toBe('Completed');
  });

  it('because there were too many pauses the bucket of the method, and joins the queue as an update', async () => {
    const tokens = new Tokens();
    tokens.free = 9;
    const stage = await standing(tokens);
    const fates = ['throttled' as const];
    stage.chat.fate = (method) => (method === 'chat.update' ? (fates.shift() ?? 'taken') : 'taken');
    await stage.deliver(anEvent('Success', 2));
    await settle();
    expect(tokens.paused).toEqual([['teamchat:chat.update', 2_000]]);
    expect(new Set(tokens.ranks)).toEqual(new Set(['update']));
    tokens.give();
    await stage.clock.advance(1_999);
    expect(updates(stage)).toBe(1);
    await stage.clock.advance(1);
    expect(updates(stage)).toBe(2);
  });

  it('is not sent with a token that came when it was no longer needed, and gives it back', async () => {
    const tokens = new Tokens();
    const stage = await standing(tokens);
    await stage.deliver(anEvent('Success', 2));
    await settle();
    expect(tokens.waiting).toBe(1);
    const [root] = stage.chat.roots();
    if (root !== undefined) stage.chat.remove(root);
    stage.configure({ mode: { ...stage.config.mode, channelId: 'C2' } });
    await stage.deliver(anEvent('Failure', 3));
    tokens.give();
    await settle();
    expect(updates(stage)).toBe(0);
    expect(tokens.free).toBe(1);
  });

  it('takes a request slot of its namespace, and gives it back', async () => {
    const stage = new Stage();
    const asked: string[] = [];
    let grant: (isHeld: boolean) => void = () => undefined;
    stage.slots = {
      acquire: (origin, namespace) => {
        asked.push(`${namespace} at ${origin}`);
        return new Promise((resolve) => (grant = resolve));
      },
      release: (origin, namespace) => asked.push(`${namespace} left ${origin}`),
    };
    stage.restart();
    await stage.deliver(start);
    await stage.clock.advance(1_000);
    await stage.deliver(progress(2, 'db'));
    await settle();
    const { origin } = stage.sink;
    expect([updates(stage), ...asked]).toEqual([0, `team-a at ${origin}`]);
    grant(true);
    await settle();
    expect([updates(stage), ...asked.slice(1)]).toEqual([1, `team-a left ${origin}`]);
    // The dispatcher has stopped: nothing else is sent, and cards are brought up to date.
    await stage.deliver(anEvent('Success', 3));
    await settle();
    grant(false);
    await settle();
    expect([updates(stage), ...asked.slice(2)]).toEqual([2, `team-a at ${origin}`]);
  });

  it('that makes no request gives its token back', async () => {
    const tokens = new Tokens();
    const stage = new Stage();
    let saved: void | Promise<void> = undefined;
    stage.memory = { load: () => undefined, save: () => saved };
    stage.restart();
    stage.rateLimits = tokens;
    await stage.deliver(start);
    await stage.clock.advance(1_000);
    await stage.deliver(anEvent('Success', 2));
    await settle();
    expect(tokens.waiting).toBe(1);
    // The card has changed since it was saved, and moves while it is saved again.
    let save: () => void = () => undefined;
    saved = new Promise<void>((resolve) => (save = resolve));
    void stage.deliver(anEvent('Failure', 3));
    tokens.give();
    await settle();
    stage.configure({ mode: { ...stage.config.mode, channelId: 'C2' } });
    saved = undefined;
    void stage.deliver(anEvent('Failure', 4));
    await settle();
    save();
    await settle();
    expect(updates(stage)).toBe(0);
    expect(tokens.free).toBe(1);
  });

  it.each(['is_inactive', 'invalid_auth'])('with %s is reported and not tried again', async (error) => {
    const stage = await standing();
    stage.chat.answer = (method) => (method === 'chat.update' ? { ok: false, error } : undefined);
    expect(await stage.deliver(progress(2, 'db'))).toBe('delivered');
    await stage.clock.advance(3_600_000);
    expect(updates(stage)).toBe(1);
    expect(stage.degradations.map(({ reason }) => reason)).toEqual(['RootNotUpdated']);
  });

  it('to show an end is tried at intervals after a fault that a user can correct', async () => {
    const stage = await standing();
    let archived = true;
    stage.chat.answer = (method) =>
      method === 'chat.update' && archived ? { ok: false, error: 'is_inactive' } : undefined;
    await stage.deliver(anEvent('Success', 2));
    await stage.clock.advance(3_600_000);
    expect(updates(stage)).toBe(5);
    expect(stage.degradations.map(({ reason }) => reason)).toEqual(['RootNotUpdated']);
    archived = false;
    await stage.clock.advance(15 * 60_000);
    expect(shown(stage)).toBe('Completed');
  });

  it('because the transport has closed does not loop', async () => {
    const stage = await standing();
    stage.chat.fate = (method) => (method === 'chat.update' ? 'closed' : 'taken');
    await stage.deliver(anEvent('Success', 2));
    await stage.clock.advance(1_000);
    expect(updates(stage)).toBe(1);
  });
});

it('forgets roots that ended a day ago', async () => {
  const stage = new Stage();
  await stage.deliver(start);
  await stage.deliver(anEvent('Start', 1, { planUid: 'other' }));
  await stage.deliver(anEvent('Success', 2));
  await stage.clock.advance(24 * 3_600_000 + 1);
  await stage.deliver(anEvent('Start', 1, { planUid: 'third' }));
  expect(stage.threads.size).toBe(2);
});

it('forgets roots without use for a week, whatever they show', async () => {
  const stage = new Stage();
  await stage.deliver(start);
  await stage.clock.advance(7 * 24 * 3_600_000);
  await stage.deliver(anEvent('Start', 1, { planUid: 'other' }));
  expect(stage.threads.size).toBe(2);
  await stage.clock.advance(11 * 60_000);
  await stage.deliver(anEvent('Start', 1, { planUid: 'third' }));
  expect(stage.threads.size).toBe(2);
});

describe('more than 20,000 roots', () => {
  const cards = [
    () => {
      throw new Error('no card was expected');
    },
  ] as const;
  const context = { client: {} as ChannelClient, cards, plan: bareView, degraded: () => undefined };
  const opens = (threads: Threads) => (kind: EventKind, plan: number, namespace: string) =>
    threads.open(JSON.stringify([`${namespace}/night/chat`, plan]), anEvent(kind, 1), context, false);

  it('of a namespace, those that ended first go first', () => {
    const { threads, clock } = new Stage();
    const open = opens(threads);
    for (let plan = 0; plan < 20_000; plan++)
      open(plan >= 17_000 && plan < 19_000 ? 'Success' : 'Start', plan, 'team-a');
    const [first, ended, last] = [
      open('Start', 0, 'team-a'),
      open('Success', 17_000, 'team-a'),
      open('Success', 18_999, 'team-a'),
    ];
    expect(threads.size).toBe(20_000);
    open('Start', 20_000, 'team-a');
    expect(threads.size).toBeLessThan(20_000);
    expect(open('Start', 0, 'team-a')).toBe(first);
    // It was used again, and others ended before.
    expect(open('Success', 17_000, 'team-a')).toBe(ended);
    expect(open('Success', 18_999, 'team-a')).toBe(last);
    expect(clock.timers).toBe(0);
  });

  it('a namespace with few roots loses none', () => {
    const { threads } = new Stage();
    const open = opens(threads);
    const quiet = open('Success', 1, 'quiet');
    for (let plan = 0; plan < 30_000; plan++) open('Start', plan, 'busy');
    expect(threads.size).toBeLessThanOrEqual(20_000);
    expect(open('Success', 1, 'quiet')).toBe(quiet);
  });
});
