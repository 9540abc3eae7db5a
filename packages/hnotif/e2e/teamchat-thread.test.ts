import { teamchatFault, type TeamchatMessage } from '@hnotif/receivers';
import { describe, expect, it } from 'vitest';
import { begin, fail, poll, retry, succeed, type TargetChange } from '../src/lifecycle/operator.ts';
import { ALL, evening, nightOf, provider } from './support/nights.ts';
import { shown } from './support/teamchat.ts';
import { barOf, channelOf, heading, story, ThreadChat, tokenOf } from './support/threads.ts';

const TARGETS = [
  { name: 'db', type: 'rds' },
  { name: 'vm', type: 'ec2' },
];

const DONE = TARGETS.map(({ name: target }) => ({ target, state: 'Completed' }) as const);

/** What the operator does with the plan `orders`. */
const operator = ({ world }: ThreadChat) => ({
  begin: () => world.write('orders', (status, at) => begin(status, 'shutdown', 'c1', TARGETS, at)),
  poll: (...changes: TargetChange[]) => world.write('orders', (status, at) => poll(status, changes, at)),
  fail: (message: string) => world.write('orders', (status, at) => fail(status, message, at)),
  retry: () => world.write('orders', retry),
  /** All targets are done, and with them the run. */
  finish: async () => {
    await world.write('orders', (status, at) => poll(status, DONE, at));
    return world.write('orders', succeed);
  },
  succeed: () => world.write('orders', succeed),
});

const headings = (messages: readonly TeamchatMessage[] = []): string[] => messages.map(heading);

describe('a thread', () => {
  it('a night is one root in the channel and one reply for each event', async () => {
    const chat = await ThreadChat.start();
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
    expect(chat.roots().map(heading)).toEqual(['Hibernation Completed', 'Wake-Up Completed']);
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

  it('of a notification that is created during a run begins with the first event after it', async () => {
    const chat = await ThreadChat.start();
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
    expect(chat.roots()).toHaveLength(2);
  });
});

describe('a root', () => {
  it('the root shows the state after each event', async () => {
    const chat = await ThreadChat.start({
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

  it('without ExecutionProgress the root changes with the subscribed events', async () => {
    const chat = await ThreadChat.start({
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
    expect(headings(chat.roots('ends')[0]?.replies)).toEqual([
      'Hibernation Starting (2 targets)',
      'Hibernation Completed',
    ]);
    expect(chat.calls('chat.update')).toHaveLength(1);
  });
});

describe('events without a reply', () => {
  it('a template is ignored and the log says so once', async () => {
    const templates = {
      text: 'TEMPLATE',
      json: '[{"type":"section","text":{"type":"plain_text","text":"TEMPLATE"}}]',
      broken: '{{ if }}',
    };
    const chat = await ThreadChat.start({
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
    const { conditions } = await world.status('n', () => true);
    expect(conditions?.[0]).toMatchObject({ status: 'True', reason: 'SinksReady' });

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
async function withUnclearRoot(): Promise<ThreadChat> {
  const chat = await ThreadChat.start();
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
  const unclear = async ({ world, clock }: ThreadChat): Promise<void> => {
    await world.logged(/attempt failed/);
    clock.turn(10_000);
  };

  it('a root that was deleted is posted again', async () => {
    const chat = await ThreadChat.start();
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
    expect(chat.roots()).toHaveLength(2);
    expect(chat.roots()[0]?.deleted).toBe(true);
    expect(heading(chat.roots()[1] ?? second)).toBe('Hibernation Completed');
    expect(chat.controller.totals()).toMatchObject({ failed: 0, dropped: 0 });
  });

  it('a root that was posted without an answer is found, not posted again', async () => {
    const chat = await withUnclearRoot();
    await unclear(chat);
    await chat.threads([2]);
    await operator(chat).finish();
    await chat.threads([6]);
    await chat.stop();
    expect(chat.roots().map(heading)).toEqual(['Hibernation Completed']);
    expect(chat.calls('conversations.history')).toHaveLength(1);
    expect(chat.controller.totals()).toMatchObject({ delivered: 6, failed: 0, dropped: 0 });
  });

  it('a reply that was posted without an answer is found, not posted again', async () => {
    const chat = await ThreadChat.start();
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
    const chat = await ThreadChat.start({ token: { scopes: ['chat:write'] } });
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
});

describe('a chat that refuses', () => {
  it('a root that cannot be updated delays no reply, and the condition reports it', async () => {
    const chat = await ThreadChat.start();
    chat.receiver.faults.add({ match: { call: 'chat.update' }, fault: teamchatFault('msg_too_long') });
    await nightOf(chat.world, 'orders');
    await chat.threads([13, 6]);
    chat.clock.turn(1_000);
    await chat.world.logged(/"reason":"RootNotUpdated"/);
    expect(await chat.told(/msg_too_long/)).toContain('sink thread: ');
    await chat.controller.stop();
    expect(chat.controller.totals()).toEqual({ delivered: 19, failed: 0, dropped: 0, suppressed: 0 });
  });

  it('a refused reply and a refused root are sent in plainer form, and the condition reports it', async () => {
    const chat = await ThreadChat.start({
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
