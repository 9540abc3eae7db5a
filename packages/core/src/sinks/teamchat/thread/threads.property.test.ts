import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { LifecycleEvent } from '../../../lifecycle/event.ts';
import { EVENT_KINDS } from '../../../resources/kinds.ts';
import { anEvent } from '../../../testing/events.ts';
import { isTerminal, type RootStatus } from '../../roots/root-status.ts';
import { fold, type Root } from './root.ts';
import type { Fate } from '../../testing/chat.ts';
import { Stage } from './testing/stage.ts';
import { runs } from '../../../testing/runs.ts';

type Step =
  | {
      readonly is: 'event';
      readonly kind: LifecycleEvent['kind'];
      readonly plan: string;
      readonly cycle: string;
    }
  /** The process ends in the middle of the next delivery, after so many of its requests. */
  | { readonly is: 'crash'; readonly requests: number }
  /** Somebody deletes a root. */
  | { readonly is: 'remove' }
  | { readonly is: 'wait'; readonly ms: number };

const event = fc.record({
  is: fc.constant('event' as const),
  kind: fc.constantFrom(...EVENT_KINDS),
  plan: fc.constantFrom('a', 'b'),
  cycle: fc.constantFrom('c1', 'c1', 'c2', ''),
});
const calm = fc.oneof(
  { weight: 8, arbitrary: event },
  { weight: 1, arbitrary: fc.record({ is: fc.constant('wait' as const), ms: fc.nat(30_000) }) },
);
const crash = fc.record({ is: fc.constant('crash' as const), requests: fc.nat(4) });
const remove = fc.constant({ is: 'remove' as const });
const steps = (...more: readonly fc.Arbitrary<Step>[]): fc.Arbitrary<Step[]> =>
  fc.array(fc.oneof({ weight: 6, arbitrary: calm }, ...more.map((arbitrary) => ({ weight: 1, arbitrary }))), {
    maxLength: 25,
  });
const fates = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: fc.constant<Fate>('taken') },
    { weight: 4, arbitrary: fc.constantFrom<Fate>('unheard', 'lost', 'refused', 'throttled', 'late') },
  ),
  { maxLength: 40 },
);

interface Played {
  readonly stage: Stage;
  /** In the order of delivery. */
  readonly events: readonly LifecycleEvent[];
  /** Runs that began again in a process which had not heard of them: those get a root of their own. */
  readonly forgotten: number;
}

/** Plays a story to its end. Every event is delivered, before the next one of its plan. */
async function play(
  story: readonly Step[],
  list: readonly Fate[],
  prepare?: (stage: Stage) => void,
): Promise<Played> {
  const stage = new Stage();
  prepare?.(stage);
  const left = [...list];
  stage.chat.fate = () => left.shift() ?? 'taken';
  const events: LifecycleEvent[] = [];
  let crash: number | undefined;
  let forgotten = 0;
  let known = new Set<string>();
  for (const step of story) {
    switch (step.is) {
      case 'wait':
        await stage.clock.advance(step.ms);
        break;
      case 'crash':
        crash = step.requests;
        break;
      case 'remove': {
        const [root] = stage.chat.roots();
        if (root !== undefined) stage.chat.remove(root);
        break;
      }
      case 'event': {
        await stage.clock.advance(200);
        const timestamp = new Date(stage.clock.now()).toISOString();
        const told = anEvent(step.kind, events.length + 1, {
          planUid: step.plan,
          cycle: step.cycle,
          timestamp,
        });
        events.push(told);
        if (
          crash !== 0 &&
          told.kind === 'Start' &&
          !known.has(keyOf(told)) &&
          byKey(events.slice(0, -1)).has(keyOf(told))
        )
          forgotten++;
        if (crash !== undefined) {
          const progress = { level: 0, unclearSince: undefined };
          for (let i = 0; i < crash; i++) {
            const outcome = await stage.request(told, progress);
            if (outcome.kind === 'delivered') break;
          }
          crash = undefined;
          // A new leader waits until the lease of the former one has expired.
          await stage.clock.advance(15_000);
          stage.restart();
          known = new Set([keyOf(told)]);
        }
        known.add(keyOf(told));
        await stage.deliver(told);
      }
    }
  }
  left.length = 0;
  await stage.idle();
  // Late requests have arrived.
  await stage.clock.advance(10_000);
  return { stage, events, forgotten };
}

const keyOf = ({ planUid, cycle }: LifecycleEvent): string => `${planUid}/${cycle}`;

function byKey(events: readonly LifecycleEvent[]): Map<string, Root> {
  const roots = new Map<string, Root>();
  for (const each of events)
    if (each.cycle !== '') roots.set(keyOf(each), fold(roots.get(keyOf(each)), each));
  return roots;
}

const idOf = ({ planUid, seq }: LifecycleEvent): string => `d-${planUid}-${seq}`;

/** The first arrivals of a plan's events are in order, and complete. */
function expectToldInOrder({ stage, events }: Played): void {
  for (const plan of ['a', 'b']) {
    const told = [...new Set(stage.chat.told())].filter((id) => id.startsWith(`d-${plan}-`));
    expect(told).toEqual(events.filter(({ planUid }) => planUid === plan).map(idOf));
  }
}

function expectNoWayBack({ stage }: Played): void {
  for (const { statuses } of stage.chat.messages) {
    const ends = statuses.map((status) => isTerminal(status as RootStatus));
    expect(ends).toEqual([...ends].sort());
  }
}

const settings = { seed: 7, numRuns: runs(40) };

test('one root for each run, each event once and in order, whatever happens to the requests', async () => {
  await fc.assert(
    fc.asyncProperty(steps(), fates, async (story, list) => {
      const played = await play(story, list);
      const { stage, events } = played;
      const wanted = byKey(events);
      fc.pre(stage.degradations.length === 0); // Three looks in a row failed.
      const roots = stage.chat.roots();
      expect(roots).toHaveLength(wanted.size);
      expect(roots.map(({ statuses }) => statuses.at(-1)).sort()).toEqual(
        [...wanted.values()].map(({ status }) => status).sort(),
      );
      expect(stage.chat.told()).toHaveLength(events.length);
      expectToldInOrder(played);
      expectNoWayBack(played);
      expect(stage.clock.timers).toBe(0);
    }),
    settings,
  );
});

test('the same holds when processes end and others begin', async () => {
  await fc.assert(
    fc.asyncProperty(steps(crash), fates, async (story, list) => {
      const played = await play(story, list);
      const { stage, events, forgotten } = played;
      const keys = byKey(events).size;
      expect(stage.chat.roots().length).toBeGreaterThanOrEqual(keys);
      // A message in flight at the end of a process may arrive twice.
      const crashes = story.filter(({ is }) => is === 'crash').length;
      expect(stage.chat.told().length).toBeLessThanOrEqual(
        events.length + crashes + stage.degradations.length,
      );
      expect(stage.chat.roots().length).toBeLessThanOrEqual(keys + forgotten + stage.degradations.length);
      expectToldInOrder(played);
      expectNoWayBack(played);
    }),
    settings,
  );
});

test('the same holds when roots are deleted', async () => {
  await fc.assert(
    fc.asyncProperty(steps(remove), fates, async (story, list) => {
      const played = await play(story, list);
      const { stage, events } = played;
      expect(stage.chat.roots().length).toBeLessThanOrEqual(byKey(events).size + stage.degradations.length);
      expectToldInOrder(played);
      expectNoWayBack(played);
    }),
    settings,
  );
});

test('if the history cannot be read, each event arrives at least once', async () => {
  await fc.assert(
    fc.asyncProperty(steps(crash, remove), fates, async (story, list) => {
      const played = await play(story, list, ({ chat }) => (chat.mayReadHistory = false));
      expectToldInOrder(played);
      expectNoWayBack(played);
    }),
    settings,
  );
});
