import { teamchatFault, type TeamchatMessage } from '@hnotif/receivers';
import { describe, expect, it } from 'vitest';
import {
  begin,
  fail,
  manualRetry,
  poll,
  retry,
  succeed,
  type TargetChange,
} from '../../core/src/lifecycle/operator.ts';
import { ALL, evening, nightOf, provider } from '../../lab/src/nights.ts';
import { barOf, channelOf, Chat, heading, shown, story, tokenOf } from './support/teamchat.ts';
import type { World } from './support/world.ts';

const TARGETS = [
  { name: 'db', type: 'rds' },
  { name: 'vm', type: 'ec2' },
];

const DONE = TARGETS.map(({ name: target }) => ({ target, state: 'Completed' }) as const);

/** What the operator does with a plan. */
const operator = ({ world }: { readonly world: World }, plan = 'orders') => ({
  begin: (cycle = 'c1', operation: 'shutdown' | 'wakeup' = 'shutdown', targets = TARGETS) =>
    world.write(plan, (status, at) => begin(status, operation, cycle, targets, at)),
  poll: (...changes: TargetChange[]) => world.write(plan, (status, at) => poll(status, changes, at)),
  fail: (message = 'no capacity') => world.write(plan, (status, at) => fail(status, message, at)),
  retry: () => world.write(plan, retry),
  askForRetry: () => world.write(plan, manualRetry),
  /** All targets are done, and with them the run. */
  finish: async () => {
    await world.write(plan, (status, at) => poll(status, DONE, at));
    return world.write(plan, succeed);
  },
  succeed: () => world.write(plan, succeed),
});

const headings = (messages: readonly TeamchatMessage[] = []): string[] => messages.map(heading);

describe('a thread', () => {
  it('a night is one root in the channel and one reply for each event', async () => {
    const chat = await Chat.start();
    await nightOf(chat.world, 'orders');
    const [night, morning] = await chat.threads([13, 6]);
    expect(headings(night?.replies)).toEqual([
      'Hibernation Starting (2 targets)',
      'Phase Change',
      'Target Progress: db (rds) -> Running',
      'Target Progress: db (rds) -> Completed',
      'Target Progress: vm (ec2) -> Running',
      'Target Progress: vm (ec2) -> Failed - no capacity',
      'Phase Change',
      'Hibernation Retrying (attempt 1)',
      expect.stringMatching(/^Target Progress: vm \(ec2\) -> Pending/),
      'Phase Change',
      expect.stringMatching(/^Target Progress: vm \(ec2\) -> Completed/),
      'Hibernation Completed',
      'Phase Change',
    ]);
    expect(headings(morning?.replies)).toEqual([
      'Wake-Up Starting (2 targets)',
      'Phase Change',
      'Target Progress: db (rds) -> Completed',
      'Target Progress: vm (ec2) -> Completed',
      'Wake-Up Completed',
      'Phase Change',
    ]);
    await chat.stop();
    expect(chat.in().map(heading)).toEqual(['Hibernation Completed', 'Wake-Up Completed']);
    // 19 replies and two roots; nothing was posted twice, and nothing is asked of the chat but what it takes.
    expect(chat.calls('chat.postMessage')).toHaveLength(21);
    for (const { method, path, call, headers, params } of chat.receiver.records) {
      expect([method, path]).toEqual(['POST', `/api/${call}`]);
      expect(headers.authorization).toBe(`Bearer ${tokenOf('thread')}`);
      expect(params.channel).toBe(channelOf('thread'));
      expect(['chat.postMessage', 'chat.update']).toContain(call);
    }
    expect(chat.controller.totals()).toEqual({ delivered: 19, failed: 0, dropped: 0, suppressed: 0 });
  });

  it('each plan, cycle and operation has its own root, at each sink', async () => {
    const chat = await Chat.start({
      sinks: { thread: {}, shared: {}, beside: { channel_id: channelOf('shared') } },
      onEvents: ['Start', 'Success'],
      prepare: async (world) => {
        for (const plan of ['orders', 'second']) await world.plan(plan, ['db', 'vm']);
      },
    });
    for (const plan of ['orders', 'second'])
      for (const cycle of ['c1', 'c2'])
        for (const operation of ['shutdown', 'wakeup'] as const) {
          await operator(chat, plan).begin(cycle, operation);
          await operator(chat, plan).finish();
        }
    await chat.threads(Array<number>(8).fill(2));
    await chat.threads(Array<number>(16).fill(2), 'shared');
    await chat.stop();
    const subjects = (sink: string): Map<string, number> => {
      const counts = new Map<string, number>();
      for (const root of chat.in(sink)) {
        const [, plan = '', cycle = ''] = /Plan: (\w+)[^]*Cycle: (\w+)/.exec(shown(root)) ?? [];
        const [operation = ''] = heading(root).split(' ', 1);
        expect([heading(root), ...headings(root.replies)]).toEqual([
          `${operation} Completed`,
          `${operation} Starting (2 targets)`,
          `${operation} Completed`,
        ]);
        for (const reply of root.replies) expect(shown(reply)).toContain(`Plan: ${plan}`);
        const subject = `${plan} ${cycle} ${operation}`;
        counts.set(subject, (counts.get(subject) ?? 0) + 1);
      }
      return counts;
    };
    expect([...subjects('thread').values()]).toEqual(Array<number>(8).fill(1));
    expect([...subjects('shared').values()]).toEqual(Array<number>(8).fill(2));
  });

  it('of a notification that is created during a run begins with the first event after it', async () => {
    const chat = await Chat.start();
    const steps = operator(chat);
    await steps.begin();
    await chat.threads([2]);
    await chat.world.kube.delete(chat.world.notificationPath('n'));
    const sinks = [{ name: 'late', type: 'teamchat' }] as const;
    const bot = { bot_token: tokenOf('thread'), channel_id: channelOf('thread') };
    await chat.world.configure('late', { delivery_mode: 'thread', ...bot });
    await chat.world.notification('late', { onEvents: ALL, sinks });
    await chat.world.status('late', ({ matched }) => matched === 1);
    await steps.finish();
    const [, root] = await chat.threads([2, 4]);
    expect(headings(root?.replies)).toEqual([
      'Target Progress: db (rds) -> Completed',
      'Target Progress: vm (ec2) -> Completed',
      'Hibernation Completed',
      'Phase Change',
    ]);
    await chat.shows(/Hibernation Completed/);
    expect(chat.in()).toHaveLength(2);
  });

  it('a phase change outside of all cycles is a separate message', async () => {
    const chat = await Chat.start({ onEvents: ['PhaseChange'], prepare: () => Promise.resolve() });
    await chat.world.plan('orders');
    const [message] = await chat.threads([0]);
    expect(message && shown(message)).toMatch(/Phase Change\nPlan: orders\n[^]*Phase: Active/);
    await chat.stop();
    expect(message?.edits).toEqual([]);
  });

  it('replies are text or blocks, by format', async () => {
    const chat = await Chat.start({
      sinks: { text: {}, json: { format: 'json' }, compact: { format: 'json', block_layout: 'compact' } },
      onEvents: ['Start'],
    });
    await operator(chat).begin();
    for (const [sink, inBlocks] of Object.entries({ text: false, json: true, compact: true })) {
      const [root] = await chat.threads([1], sink);
      for (const message of [root, root?.replies[0]])
        expect((message?.blocks.length ?? 0) > 0).toBe(inBlocks);
      expect(root?.text).toMatch(/Hibernation Starting.*orders|Hibernation Starting[^]*Plan:\* orders/);
      expect(headings(root?.replies)).toEqual(['Hibernation Starting (2 targets)']);
    }
    await chat.stop();
  });
});

describe('a root', () => {
  it('the root shows the state after each event', async () => {
    const chat = await Chat.start({
      sinks: { text: {}, json: { format: 'json', block_layout: 'auto' } },
      prepare: async (world) => {
        await provider(world);
        await world.plan('orders', ['db', 'vm']);
      },
    });
    const steps = operator(chat);
    const show = async (...wanted: readonly RegExp[]): Promise<void> => {
      for (const sink of ['text', 'json'])
        expect(shown(await chat.shows(wanted, sink))).toMatch(
          sink === 'text'
            ? /Plan: orders\nNamespace: team-a\nCycle: c1\nPhase: [^]*123456789012/
            : / — orders\nNamespace: team-a\nCycle: c1\nPhase: [^]*123456789012/,
        );
    };
    await steps.begin();
    await show(/In Progress/, /Phase: Hibernating/, /0\/2 completed, 2 pending/, /\ndb, vm\n/);
    await steps.poll({ target: 'db', state: 'Running' });
    await show(/\bdb\b.*Running[^]*Pending: vm\n/);
    await steps.poll({ target: 'db', state: 'Completed' });
    await show(/1\/2/, /\bdb\b.*Completed/);
    await steps.poll({ target: 'vm', state: 'Failed', message: 'no capacity' });
    await show(/1\/2 completed, 1 failed/, /\bvm\b.*Failed.*no capacity/);
    await steps.fail('target vm: no capacity');
    await show(/Phase: Error/);
    await steps.retry();
    await show(
      /Phase: Hibernating[^]*Retries: 1 of 3/,
      // The update comes before or after the progress of the same step.
      /Retrying: vm|\bvm \(ec2\) Pending/,
      /Error:?\s[^]*target vm: no capacity/,
      /1\/2 completed, 1 pending/,
    );
    await steps.poll({ target: 'vm', state: 'Completed' });
    await show(/2\/2/, /Hibernation In Progress/);
    await steps.succeed();
    await show(/Hibernation Completed[^]*Phase: Hibernated/);
    for (const sink of ['text', 'json']) {
      const [root] = await chat.threads([12], sink);
      expect(root && shown(root)).not.toContain('no capacity');
    }
    await chat.stop();
  });

  it('the root has a bar of ten cells and done/total', async () => {
    const targets = Array.from({ length: 12 }, (_, index) => ({ name: `t${index}`, type: 'rds' }));
    const chat = await Chat.start({
      sinks: { text: {}, json: { format: 'json', block_layout: 'auto' } },
      onEvents: ['Start', 'ExecutionProgress'],
      prepare: (world) =>
        world.plan(
          'orders',
          targets.map(({ name }) => name),
        ),
    });
    const steps = operator(chat);
    await steps.begin('c1', 'shutdown', targets);
    const bars = [
      '[░░░░░░░░░░] 0/12',
      '[░░░░░░░░░░] 1/12',
      '[█░░░░░░░░░] 2/12',
      '[██░░░░░░░░] 3/12',
      '[███░░░░░░░] 4/12',
      '[████░░░░░░] 5/12',
      '[█████░░░░░] 6/12',
      '[█████░░░░░] 7/12',
      '[██████░░░░] 8/12',
      '[███████░░░] 9/12',
      '[████████░░] 10/12',
    ];
    await steps.poll({ target: 't11', state: 'Running' });
    for (const [done, bar] of bars.entries()) {
      if (done > 0) await steps.poll({ target: `t${done - 1}`, state: 'Completed' });
      for (const sink of ['text', 'json']) await chat.shows(bar, sink);
    }
    // What has ended otherwise fills no cell, and is told in words.
    await steps.poll({ target: 't10', state: 'Failed' }, { target: 't11', state: 'Aborted' });
    const end = '[████████░░] 10/12 completed, 1 failed, 1 aborted';
    for (const sink of ['text', 'json']) await chat.shows(end, sink);
    await chat.stop();
    for (const sink of ['text', 'json']) {
      const [root] = chat.in(sink);
      expect(root && story(root, barOf)).toEqual(bars);
    }
  });

  it('the root goes from Starting to In Progress to Completed, and to Failed', async () => {
    const chat = await Chat.start({
      sinks: { text: {}, json: { format: 'json' } },
      onEvents: ['Start', 'ExecutionProgress', 'Success', 'Failure'],
      prepare: async (world) => {
        await world.plan('good', ['db', 'vm']);
        await world.plan('bad', ['db', 'vm'], { spec: { behavior: { retries: 0 } } });
      },
    });
    const stories = async (status: string, operation: string): Promise<void> => {
      for (const sink of ['text', 'json']) await chat.shows(new RegExp(`${operation} ${status}`), sink);
      for (const sink of ['text', 'json']) {
        const root = chat.in(sink).at(-1);
        expect(root && story(root, heading)).toEqual([
          `${operation} Starting`,
          `${operation} In Progress`,
          `${operation} ${status}`,
        ]);
      }
    };
    const done = [
      { target: 'db', state: 'Completed' },
      { target: 'vm', state: 'Completed' },
    ] as const;
    const good = operator(chat, 'good');
    for (const [operation, words] of [
      ['shutdown', 'Hibernation'],
      ['wakeup', 'Wake-Up'],
    ] as const) {
      await good.begin('c1', operation);
      for (const sink of ['text', 'json']) await chat.shows(new RegExp(`${words} Starting`), sink);
      await good.poll(...done);
      for (const sink of ['text', 'json']) await chat.shows(new RegExp(`${words} In Progress`), sink);
      await good.succeed();
      await stories('Completed', words);
    }
    const bad = operator(chat, 'bad');
    await bad.begin();
    for (const sink of ['text', 'json']) await chat.shows(/Hibernation Starting/, sink);
    await bad.poll({ target: 'vm', state: 'Failed', message: 'no capacity' });
    for (const sink of ['text', 'json']) await chat.shows(/Hibernation In Progress/, sink);
    await bad.fail('target vm: no capacity');
    await stories('Failed', 'Hibernation');
    expect(shown(await chat.shows(/Failed/, 'text'))).toContain('Error: target vm: no capacity');
    await chat.stop();
  });

  it('a terminal root stays terminal, and late events are still replies', async () => {
    const chat = await Chat.start({
      prepare: (world) => world.plan('orders', ['db', 'vm'], { spec: { behavior: { retries: 1 } } }),
    });
    const steps = operator(chat);
    await steps.begin();
    await steps.finish();
    const completed = shown(await chat.shows(/Hibernation Completed/));
    await chat.threads([6]);
    // The same operation of the same cycle once more.
    await steps.begin();
    await steps.poll({ target: 'db', state: 'Running' });
    await steps.fail();
    await steps.retry();
    const [late] = await chat.threads([12]);
    expect(headings(late?.replies.slice(6))).toEqual([
      'Hibernation Starting (2 targets)',
      'Phase Change',
      'Target Progress: db (rds) -> Running',
      'Phase Change',
      'Hibernation Retrying (attempt 1)',
      'Phase Change',
    ]);
    expect(shown(await chat.shows(/./))).toBe(completed);
    // Another end is one: from Completed to Failed…
    await steps.fail('out of retries');
    const failed = shown(await chat.shows(/Hibernation Failed/));
    expect(failed).toContain('out of retries');
    await chat.threads([14]);
    await steps.askForRetry();
    await steps.retry();
    await steps.poll({ target: 'db', state: 'Completed' });
    await chat.threads([17]);
    expect(shown(await chat.shows(/./))).toBe(failed);
    // …and back.
    await steps.finish();
    await chat.shows(/Hibernation Completed/);
    await chat.threads([20]);
    await chat.stop();
    const [root] = chat.in();
    const told = root === undefined ? [] : story(root, heading);
    expect(told.slice(told.indexOf('Hibernation Completed'))).toEqual([
      'Hibernation Completed',
      'Hibernation Failed',
      'Hibernation Completed',
    ]);
  });

  it('without ExecutionProgress the root changes with the subscribed events', async () => {
    const chat = await Chat.start({
      sinks: { ends: {} },
      onEvents: ['Start', 'Success'],
    });
    const steps = operator(chat);
    await steps.begin();
    await chat.threads([1], 'ends');
    await steps.poll({ target: 'db', state: 'Completed' });
    const { metadata } = await steps.poll({ target: 'vm', state: 'Running' });
    await chat.controller.seen('team-a', 'orders', metadata.resourceVersion);
    await chat.pass(60_000, 1);
    expect(barOf(await chat.shows(/./, 'ends'))).toBe('[░░░░░░░░░░] 0/2');
    await steps.poll({ target: 'vm', state: 'Completed' });
    await steps.succeed();
    const root = await chat.shows(/Completed/, 'ends');
    await chat.stop();
    expect(story(root, heading)).toEqual(['Hibernation Starting', 'Hibernation Completed']);
    expect(story(root, barOf)).toEqual(['[░░░░░░░░░░] 0/2', '[██████████] 2/2']);
    expect(headings(chat.in('ends')[0]?.replies)).toEqual([
      'Hibernation Starting (2 targets)',
      'Hibernation Completed',
    ]);
    expect(chat.calls('chat.update')).toHaveLength(1);
  });

  it('only the newest of several fast states is shown, and a stop leaves none unsent', async () => {
    const names = Array.from({ length: 40 }, (_, index) => `t${index}`);
    const chat = await Chat.start({ prepare: (world) => world.plan('orders', names) });
    const steps = operator(chat);
    await steps.begin(
      'c1',
      'shutdown',
      names.map((name) => ({ name, type: 'rds' })),
    );
    await steps.poll(...names.map((target) => ({ target, state: 'Running' }) as const));
    const { metadata } = await steps.poll(
      ...names.slice(1).map((target) => ({ target, state: 'Completed' }) as const),
    );
    await chat.controller.seen('team-a', 'orders', metadata.resourceVersion);
    // A stop waits for messages for some seconds only, and a busy machine may need more. It is the update that it must not leave.
    await chat.threads([81]);
    await chat.stop();
    const [root] = await chat.threads([81]);
    expect(root && barOf(root)).toBe('[█████████░] 39/40');
    expect(chat.calls('chat.update').length).toBeLessThan(20);
  });
});

describe('events without a reply', () => {
  it('progress that json suppresses is not a reply', async () => {
    const names = ['db', 'vm', 'web'];
    const chat = await Chat.start({
      sinks: {
        json: { format: 'json' },
        compact: { format: 'json', block_layout: 'compact' },
        auto: { format: 'json', block_layout: 'auto' },
        text: {},
      },
      onEvents: ['Start', 'ExecutionProgress'],
      prepare: (world) => world.plan('orders', names),
    });
    const steps = operator(chat);
    const progress = (sink: string): string[] =>
      chat
        .in(sink)
        .flatMap(({ replies }) => replies.slice(1))
        .map((reply) =>
          (/\b(db|vm|web)\b.*?(Pending|Running|Completed|Failed|Aborted)/.exec(shown(reply)) ?? [])
            .slice(1)
            .join(' '),
        );
    await steps.begin(
      'c1',
      'shutdown',
      names.map((name) => ({ name, type: 'rds' })),
    );
    await steps.poll(...names.map((target) => ({ target, state: 'Running' }) as const));
    for (const sink of ['auto', 'text']) await chat.threads([4], sink);
    for (const sink of ['json', 'compact']) {
      // What is not sent does not move the root, either.
      const root = await chat.shows(/./, sink);
      expect([heading(root), ...headings(root.replies)]).toEqual([
        'Hibernation Starting',
        'Hibernation Starting (3 targets)',
      ]);
    }
    await steps.poll({ target: 'db', state: 'Completed' });
    await steps.poll({ target: 'vm', state: 'Failed' });
    await steps.poll({ target: 'web', state: 'Aborted' });
    await steps.fail();
    await steps.retry();
    const done = ['db Completed', 'vm Failed', 'web Aborted'];
    for (const sink of ['auto', 'text']) {
      await chat.threads([8], sink);
      expect(progress(sink)).toEqual([...names.map((name) => `${name} Running`), ...done, 'vm Pending']);
    }
    await chat.stop();
    for (const sink of ['json', 'compact']) expect(progress(sink)).toEqual(done);
    expect(chat.controller.totals()).toEqual({ delivered: 24, failed: 0, dropped: 0, suppressed: 8 });
  });

  it('a template is ignored and the log says so once', async () => {
    const templates = {
      text: 'TEMPLATE',
      json: '[{"type":"section","text":{"type":"plain_text","text":"TEMPLATE"}}]',
      broken: '{{ if }}',
    };
    const chat = await Chat.start({
      sinks: { text: {}, json: { format: 'json' }, broken: {}, bare: {} },
      templates,
      onEvents: ['Start', 'Success'],
    });
    const { world } = chat;
    const lines = (sink: string): Record<string, unknown>[] =>
      world.log
        .map((line) => JSON.parse(line) as Record<string, unknown>)
        .filter((line) => line.sink === sink && /template/i.test(JSON.stringify(line)));
    await operator(chat).begin();
    await operator(chat).finish();
    for (const sink of ['text', 'json', 'broken']) {
      const [root] = await chat.threads([2], sink);
      const messages = root === undefined ? [] : [root, ...root.replies];
      for (const message of messages) expect(JSON.stringify(message)).not.toContain('TEMPLATE');
      expect(headings(root?.replies)).toEqual(['Hibernation Starting (2 targets)', 'Hibernation Completed']);
      await world.logged(new RegExp(`"sink":"${sink}".*[Tt]emplate`));
      expect(lines(sink)).toHaveLength(1);
      expect(lines(sink)[0]).toMatchObject({ level: 'info', notification: 'team-a/n' });
      expect(lines(sink)[0]?.msg).toBe('custom template ignored');
      expect(lines(sink)[0]?.detail).toMatch(/thread.*built-in/);
    }
    expect(lines('bare')).toEqual([]);
    expect(await chat.told(/templateRef has no effect/)).toContain('sink text: templateRef has no effect');
    // On a busy machine a message may be late for a while.
    const { conditions } = await world.status('n', (s) => s.conditions?.[0]?.reason === 'SinksReady');
    expect(conditions?.[0]?.status).toBe('True');

    // A later look at the sink, which finds something new, says nothing of the template.
    const bot = { bot_token: tokenOf('text'), channel_id: channelOf('text') };
    await world.configure('text', { delivery_mode: 'thread', ...bot, colour: 'red' });
    await chat.pass(600_000, 8);
    await chat.told(/field colour is not known/);
    expect(lines('text')).toHaveLength(1);

    // Another generation is told anew, once.
    await world.kube.patch(world.notificationPath('n'), { spec: { onEvents: ['Start'] } });
    await world.status('n', ({ observedGeneration }) => observedGeneration === 2);
    expect(lines('text')).toHaveLength(2);
    await chat.stop();
    expect(lines('text')).toHaveLength(2);
  });
});

/** A night has begun, and the chat has taken its root without an answer. */
async function withUnclearRoot(): Promise<Chat> {
  const chat = await Chat.start();
  chat.receiver.faults.add({
    match: { call: 'chat.postMessage' },
    fault: { kind: 'reset-after-accept' },
    times: 1,
  });
  await operator(chat).begin();
  return chat;
}

describe('a root that has moved or is unknown', () => {
  /** A request has ended without an answer, and by now the chat has done with it what it does. */
  const unclear = async ({ world, clock }: Chat): Promise<void> => {
    await world.logged(/attempt failed/);
    clock.turn(10_000);
  };

  it('a root that was deleted is posted again', async () => {
    const chat = await Chat.start();
    const steps = operator(chat);
    await steps.begin();
    await chat.threads([2]);
    const first = await chat.shows(/In Progress/);
    chat.receiver.deleteMessage(first.ts);
    await steps.poll({ target: 'db', state: 'Completed' });
    await chat.threads([3]);
    const second = await chat.shows('[█████░░░░░] 1/2');
    expect(second.ts).not.toBe(first.ts);
    await steps.poll({ target: 'vm', state: 'Completed' });
    await steps.succeed();
    const [, root] = await chat.threads([3, 3]);
    expect(headings(root?.replies).slice(-2)).toEqual(['Hibernation Completed', 'Phase Change']);
    await chat.controller.stop();
    expect(chat.in()).toHaveLength(2);
    expect(chat.in()[0]?.deleted).toBe(true);
    expect(heading(chat.in()[1] ?? second)).toBe('Hibernation Completed');
    expect(chat.controller.totals()).toMatchObject({ failed: 0, dropped: 0 });
  });

  it('a thread that was deleted as a whole begins again, and no event is lost', async () => {
    const chat = await Chat.start();
    const steps = operator(chat);
    await steps.begin();
    await chat.threads([2]);
    const first = await chat.shows(/In Progress/);
    for (const { ts } of [...first.replies, first]) chat.receiver.deleteMessage(ts);
    expect(chat.in()).toEqual([]);
    await steps.poll({ target: 'db', state: 'Completed' });
    // The chat puts a reply without a thread into the channel; after it the thread begins anew.
    await chat.threads([0, 0]);
    await steps.finish();
    await chat.threads([0, 3]);
    await chat.controller.stop();
    expect(chat.in().map(heading)).toEqual([
      'Target Progress: db (rds) -> Completed',
      'Hibernation Completed',
    ]);
    expect(chat.controller.totals()).toMatchObject({ delivered: 6, failed: 0, dropped: 0 });
  });

  it('a root that was posted without an answer is found, not posted again', async () => {
    const chat = await withUnclearRoot();
    await unclear(chat);
    await chat.threads([2]);
    await operator(chat).finish();
    await chat.threads([6]);
    await chat.stop();
    expect(chat.in().map(heading)).toEqual(['Hibernation Completed']);
    expect(chat.calls('conversations.history')).toHaveLength(1);
    expect(chat.controller.totals()).toMatchObject({ delivered: 6, failed: 0, dropped: 0 });
  });

  it('a reply that was posted without an answer is found, not posted again', async () => {
    const chat = await Chat.start();
    chat.receiver.faults.add({
      match: { call: 'chat.postMessage', nth: 2 },
      fault: { kind: 'reset-after-accept' },
    });
    await operator(chat).begin();
    await unclear(chat);
    const [root] = await chat.threads([2]);
    expect(headings(root?.replies)).toEqual(['Hibernation Starting (2 targets)', 'Phase Change']);
    await chat.stop();
    expect(chat.calls('conversations.replies').length).toBeGreaterThan(0);
    expect(chat.controller.totals()).toMatchObject({ delivered: 2, failed: 0, dropped: 0 });
  });

  it('if the history may not be read, a second root is possible, and the condition reports it', async () => {
    const chat = await Chat.start({ token: { scopes: ['chat:write'] } });
    chat.receiver.faults.add({
      match: { call: 'chat.postMessage' },
      fault: { kind: 'reset-after-accept' },
      times: 1,
    });
    await operator(chat).begin();
    await unclear(chat);
    await chat.threads([0, 2]);
    expect(await chat.told(/may begin a second time/)).toMatch(/channels:history|missing_scope/);
    await chat.world.logged(/"reason":"HistoryUnreadable"/);
    await chat.controller.stop();
    expect(chat.controller.totals()).toMatchObject({ delivered: 2, failed: 0, dropped: 0 });
  });

  it('if the chat fails while hnotif searches for a root, there is no second root, and the history is not reported as unreadable', async () => {
    const chat = await withUnclearRoot();
    const mend = chat.receiver.faults.add({ fault: { kind: 'status', status: 503 } });
    await unclear(chat);
    // More than the looks of one send. A request that is on its way may end by a turn of the clock.
    const turn = chat.clock.everRarer(5_000);
    await expect
      .poll(() => {
        turn();
        return chat.calls('conversations.history').length;
      })
      .toBeGreaterThan(4);
    mend();
    await expect
      .poll(() => {
        turn();
        return chat.in()[0]?.replies.length;
      })
      .toBe(2);
    await operator(chat).finish();
    await chat.threads([6]);
    await chat.controller.stop();
    expect(chat.in()).toHaveLength(1);
    expect(chat.world.log.join('')).not.toContain('HistoryUnreadable');
    expect(chat.controller.totals()).toMatchObject({ delivered: 6, failed: 0, dropped: 0 });
  });

  it('after a restart the thread continues under its root', async () => {
    const chat = await Chat.start({
      prepare: async (world) => {
        for (const plan of ['orders', 'second']) await world.plan(plan, ['db', 'vm']);
      },
    });
    const [orders, second] = [operator(chat), operator(chat, 'second')];
    await orders.begin();
    await chat.threads([2]);
    await second.begin();
    await second.finish();
    await second.begin();
    await chat.threads([2, 8]);
    await chat.stop();
    const before = chat.in();
    expect(before.map(heading)).toEqual(['Hibernation In Progress', 'Hibernation Completed']);

    await chat.begin();
    await orders.poll({ target: 'db', state: 'Completed' });
    await second.poll({ target: 'db', state: 'Running' });
    await chat.threads([3, 9]);
    // Cards wait until nothing of the former process can come any more.
    chat.clock.turn(10_000);
    await chat.stop();
    expect(chat.in().map(barOf)).toEqual(['[█████░░░░░] 1/2', '[██████████] 2/2']);
    // What has ended is not moved back by a process that did not see its end.
    expect(chat.in()[1]?.edits).toEqual(before[1]?.edits);

    await chat.begin();
    await orders.finish();
    await chat.threads([6, 9]);
    chat.clock.turn(10_000);
    await chat.stop();
    expect(chat.in().map(heading)).toEqual(['Hibernation Completed', 'Hibernation Completed']);
    expect(chat.in().map(({ ts }) => ts)).toEqual(before.map(({ ts }) => ts));
  });
});

describe('a chat that refuses', () => {
  it('a root that cannot be updated delays no reply, and the condition reports it', async () => {
    const chat = await Chat.start();
    chat.receiver.faults.add({ match: { call: 'chat.update' }, fault: teamchatFault('msg_too_long') });
    await nightOf(chat.world, 'orders');
    await chat.threads([13, 6]);
    chat.clock.turn(1_000);
    await chat.world.logged(/"reason":"RootNotUpdated"/);
    expect(await chat.told(/msg_too_long/)).toContain('sink thread: ');
    await chat.controller.stop();
    expect(chat.controller.totals()).toEqual({ delivered: 19, failed: 0, dropped: 0, suppressed: 0 });
  });

  it('updates above the limit are sent later, and replies meanwhile', async () => {
    const chat = await Chat.start();
    const steps = operator(chat);
    chat.receiver.faults.add({
      match: { call: 'chat.update' },
      fault: teamchatFault('ratelimited', { retryAfter: { inSeconds: 30 } }),
      times: 1,
    });
    await steps.begin();
    await chat.threads([2]);
    chat.clock.turn(1_000);
    await chat.receiver.waitFor(() => chat.calls('chat.update').length === 1);
    await steps.poll({ target: 'db', state: 'Completed' }, { target: 'vm', state: 'Completed' });
    await steps.succeed();
    await chat.threads([6]);
    expect(chat.in().map(heading)).toEqual(['Hibernation Starting']);
    await chat.pass(30_000, 6);
    await chat.shows(/Hibernation Completed/);
    await chat.controller.stop();
    expect(chat.calls('chat.update')).toHaveLength(2);
    expect(chat.controller.totals()).toEqual({ delivered: 6, failed: 0, dropped: 0, suppressed: 0 });
  });

  it('a refused reply and a refused root are sent in plainer form, and the condition reports it', async () => {
    const chat = await Chat.start({
      sinks: { thread: { format: 'json' } },
      onEvents: ['Failure'],
      prepare: (world) => world.plan('orders', ['db', 'vm'], { spec: { behavior: { retries: 0 } } }),
    });
    chat.receiver.faults.add({
      match: { json: (body) => JSON.stringify(body).includes('"blocks"') },
      fault: teamchatFault('invalid_blocks', { messages: ['must be shorter [json-pointer:/blocks/2/text]'] }),
    });
    await evening(chat.world, 'orders');
    const [root] = await chat.threads([1]);
    for (const message of [root, root?.replies[0]]) {
      expect(message?.blocks).toEqual([]);
      expect(message && shown(message)).toMatch(/Hibernation Failed[^]*Error: target vm: no capacity/);
    }
    await chat.world.logged(/"reason":"RejectedByReceiver".*status card/);
    expect(await chat.told(/plainer/)).toMatch(/invalid_blocks.*must be shorter/);
    await chat.controller.stop();
    expect(chat.controller.totals()).toEqual({ delivered: 1, failed: 0, dropped: 0, suppressed: 0 });
  });
});
