import type { TeamchatReceiver } from '@hnotif/receivers';
import { describe, expect, it } from 'vitest';
import { begin } from '../src/lifecycle/operator.ts';
import { ALONE, entries, journals, pending } from './support/journals.ts';
import { ALL } from './support/nights.ts';
import { journalsOf, olderThan, readLeft, type Left } from './support/layout-2.ts';
import { collection, planObject } from './support/objects.ts';
import { killed, running, serving } from './support/process.ts';
import { contextOf, inWords, NAMESPACE, World } from './support/world.ts';

const RESOURCE = 'hibernatenotificationjournals';
const CHANNEL = 'C0HIBERNATE';
const never = new Promise<never>(() => undefined);

interface Setting {
  readonly world: World;
  readonly chat: TeamchatReceiver;
  readonly left: Left;
}

/** What waits for long does not end by its age: the journals were written long ago. */
const ANY_AGE = ['--max-age=1000000h', '--max-age-of-progress=1000000h'];

/** A world in which an hnotif of layout 2 has been at work, and was killed. */
async function left(): Promise<Setting> {
  const all = await readLeft();
  const world = await World.start();
  const chat = await world.teamchat();
  for (const name of ['hook', 'copy', 'bars', 'wide']) await world.secret(name);
  await world.configure('thread', {
    ...{ delivery_mode: 'thread', bot_token: 'xoxb-test', channel_id: CHANNEL },
    rate_limit: { rate: 1000, unit: 'second', burst: 1000 },
  });
  await world.notification('n', {
    ...{ onEvents: ALL, selector: { matchLabels: { size: 'small' } } },
    sinks: ['hook', 'copy', { name: 'thread', type: 'teamchat' }],
  });
  await world.notification('m', {
    ...{ onEvents: ['ExecutionProgress', 'Success'], selector: { matchLabels: { size: 'small' } } },
    sinks: ['bars'],
  });
  await world.notification('w', {
    ...{ onEvents: ALL, sinks: ['wide'], selector: { matchLabels: { size: 'large' } } },
  });
  await olderThan(world.kube, NAMESPACE, all);
  /** What has another name in this world: uids of plans, and where roots stand. */
  const renamed = new Map<string, string>();
  for (const { name, labels, spec, status } of all.plans) {
    const targets = status.executions.map(({ target }) => target);
    const plans = collection(NAMESPACE, 'hibernateplans');
    const { metadata } = await world.kube.post(plans, planObject(name, targets, { labels, spec }));
    await world.write(name, () => status);
    const uid = all.journals.find((journal) => journal.spec.plan.name === name)?.spec.plan.uid ?? '';
    renamed.set(uid, metadata.uid);
  }
  for (const { ts, post } of all.roots) renamed.set(ts, await posted(chat, post));
  for (const journal of journalsOf(all, renamed))
    await world.kube.post(collection(NAMESPACE, RESOURCE), journal);
  return { world, chat, left: all };
}

/** Posts a root as that hnotif did; where it stands. */
async function posted(chat: TeamchatReceiver, post: object): Promise<string> {
  const response = await fetch(`${chat.apiUrl}/chat.postMessage`, {
    method: 'POST',
    headers: { authorization: 'Bearer xoxb-test', 'content-type': 'application/json; charset=utf-8' },
    body: JSON.stringify(post),
  });
  return ((await response.json()) as { readonly ts: string }).ts;
}

const accepted = (world: World, sink: string) =>
  world.receiver.records.filter(({ path, answered }) => path === `/${sink}` && answered.accepted);
const roots = (chat: TeamchatReceiver) => chat.channel(CHANNEL).messages;
const replies = (chat: TeamchatReceiver, plan: string) => {
  const all = roots(chat).filter(({ text }) => text.includes(`*Plan:* ${plan}\n`));
  return all.flatMap(({ replies }) =>
    replies.map(({ text, metadata }) => ({
      id: (metadata?.event_payload as { readonly delivery?: string } | undefined)?.delivery,
      text,
    })),
  );
};
/** The first of each id. */
const firsts = <T extends { readonly id: string | undefined }>(all: readonly T[]): T[] =>
  [...new Map(all.toReversed().map((each) => [each.id, each])).values()].toReversed();

/** A message by its lines: that version listed failed targets in the plan's order. */
const inAnyOrder = ({ id, text }: { readonly id: string | undefined; readonly text: string }) => ({
  id,
  lines: text.split('\n').sort(),
});

/** All that waited has arrived at every sink, in order, with the ids that it had. */
function expectAll({ world, chat, left }: Setting): void {
  const hook = firsts(accepted(world, 'hook'));
  expect(hook.map((record) => ({ id: record.id, context: contextOf(record) }))).toEqual(left.hook);
  for (const sink of ['bars', 'wide'] as const) {
    const all = firsts(accepted(world, sink));
    expect(all.map((record) => ({ id: record.id, words: inWords(record) }))).toEqual(left[sink]);
  }
  expect(firsts(replies(chat, 'orders')).map(inAnyOrder)).toEqual(left.thread.map(inAnyOrder));
  // It had taken all of it before.
  expect(accepted(world, 'copy')).toEqual([]);
  expect(replies(chat, 'quiet')).toEqual([]);
}

/** Resolves when nothing waits, and every journal is one of today's. */
async function carriedOver({ world, left }: Setting): Promise<void> {
  for (const { name } of left.plans) await pending(world, name, 0);
  await expect.poll(async () => (await journals(world)).map(({ spec }) => spec.version)).toEqual([3]);
  const kept = (await entries(world)).map(({ entry }) => entry.name).sort();
  expect(kept).toEqual(left.plans.map(({ name }) => name).sort());
}

describe('journals of layout 2, one object a plan', () => {
  it('are converted: waiting messages arrive once, in order, under their ids, in their thread', async () => {
    const setting = await left();
    const { world, chat, left: before } = setting;
    await serving(world, ALONE, ...ANY_AGE);
    await carriedOver(setting);
    expectAll(setting);
    for (const sink of ['hook', 'bars', 'wide'] as const)
      expect(accepted(world, sink)).toHaveLength(before[sink].length);
    expect(replies(chat, 'orders')).toHaveLength(before.thread.length);

    // Plans go on from there: the morning makes a root, the night had its own.
    expect(roots(chat)).toHaveLength(2);
    for (const plan of ['orders', 'quiet'])
      await world.write(plan, (status, at) =>
        begin(
          status,
          'wakeup',
          status.currentCycleID,
          status.executions.map(({ target, executor }) => ({ name: target, type: executor })),
          at,
        ),
      );
    const told = ['Start', 'PhaseChange Hibernated WakingUp'];
    const copies = await world.received(4, 'copy');
    for (const plan of ['orders', 'quiet'])
      expect(copies.filter((record) => contextOf(record).plan.name === plan).map(inWords)).toEqual(told);
    await chat.waitFor(
      () =>
        roots(chat)
          .slice(2)
          .flatMap((root) => root.replies).length >= 4,
    );
    expect(roots(chat)).toHaveLength(4);
  });

  it('are converted by processes that are killed meanwhile: nothing is lost, and no id changes', async () => {
    const setting = await left();
    const { world, chat } = setting;
    const { faults } = world.cluster;
    /** A process that is killed as soon as something has gone wrong so many times. */
    const killedAt = async (hits: number): Promise<void> => {
      const from = faults.hits;
      const run = await running(world, ALONE, ...ANY_AGE);
      await expect.poll(() => faults.hits - from).toBeGreaterThanOrEqual(hits);
      await killed(run);
      faults.clear();
    };
    const journal = { resource: RESOURCE } as const;
    // Before anything could be written, in all the time in which the old ones could have been deleted.
    faults.add({ ...journal, verb: 'create', effect: { kind: 'status', code: 503 } });
    await killedAt(3);
    expect((await journals(world)).map(({ spec }) => spec.version)).toEqual([2, 2, 2]);
    // The shared one stands, and its writer does not know it.
    faults.add({ ...journal, verb: 'create', times: 1, effect: { kind: 'reset', when: 'after' } });
    faults.add({ ...journal, verb: 'get', effect: { kind: 'delay', until: never } });
    await killedAt(2);
    // It stands beside the old ones, while something is delivered, and one of them is hung on to.
    world.receiver.faults.add({
      match: { path: '/hook' },
      fault: { kind: 'hang', accepted: true },
      times: 1,
    });
    faults.add({ ...journal, verb: 'delete', effect: { kind: 'delay', until: never } });
    await killedAt(1);
    // One of the old ones is deleted, others are not.
    faults.add({ ...journal, verb: 'delete', times: 1, effect: { kind: 'reset', when: 'after' } });
    faults.add({ ...journal, verb: 'delete', effect: { kind: 'delay', until: never } });
    await killedAt(2);
    // As it has just listed everything.
    await killed(await serving(world, ALONE, ...ANY_AGE));

    await serving(world, ALONE, ...ANY_AGE);
    await carriedOver(setting);
    expectAll(setting);
    expect(roots(chat)).toHaveLength(2);
  });
});
