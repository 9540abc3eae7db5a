import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { LifecycleEvent } from '../../lifecycle/event.ts';
import type { EventKind } from '../../resources/kinds.ts';
import { anEvent } from '../../testing/events.ts';
import { runs } from '../../testing/runs.ts';
import type { Fate } from '../testing/chat.ts';
import { BOARD_TYPES, BoardStage } from './testing/board-stage.ts';

const PLANS = ['a', 'b', 'c'];
/** What happens to a plan in a night, one after the other. */
const NIGHT: readonly EventKind[] = [
  'Start',
  'ExecutionProgress',
  'Failure',
  'Recovery',
  'Success',
  'PhaseChange',
];
/** How a board shows each of them. A PhaseChange after the end changes nothing. */
const SHOWN = ['running', 'running', 'failed', 'retrying', 'asleep', 'asleep'];

/** The next event of one of the plans. `crash`: the process ends after so many of its requests. */
const step = fc.record({
  plan: fc.constantFrom(...PLANS),
  crash: fc.option(fc.nat(3), { nil: undefined, freq: 4 }),
  pauseMs: fc.nat(5_000),
});
const fates = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: fc.constant<Fate>('taken') },
    { weight: 4, arbitrary: fc.constantFrom<Fate>('unheard', 'lost', 'refused', 'throttled', 'late') },
  ),
  { maxLength: 40 },
);

/** What a card says of each plan. */
function statesIn(text: string): Map<string, string> {
  const states = new Map<string, string>();
  const signs = {
    ...{ ':x:': 'failed', '❌': 'failed', ':arrows_counterclockwise:': 'retrying', '🔄': 'retrying' },
    ...{ ':hourglass_flowing_sand:': 'running', '⏳': 'running' },
  };
  for (const line of text.split('\n'))
    for (const [sign, state] of Object.entries(signs)) {
      const [, plan] = /[*>](\w)[*<]/.exec(line) ?? [];
      if (line.startsWith(sign) && plan !== undefined) states.set(plan, state);
    }
  const [, asleep = ''] = /^(?::white_check_mark:|✅) \d+ asleep: (.*)$/m.exec(text) ?? [];
  for (const plan of asleep.split(', ')) if (plan !== '') states.set(plan, 'asleep');
  return states;
}

test.each(BOARD_TYPES)(
  '%s: a night has one board, whatever is killed or lost; it shows each event that was delivered, and goes back for no plan',
  async (type) => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 18 }), fates, async (story, list) => {
        const stage = new BoardStage(type);
        const left = [...list];
        stage.chat.fate = () => left.shift() ?? 'taken';
        const told = new Map<string, number>();
        /** By message and plan: the newest event of which it showed the state. */
        const reached = new Map<string, number>();
        const shownOf = (plan: string) => stage.chat.roots().map(({ text }) => statesIn(text).get(plan));
        const look = (): void => {
          for (const { ts, text } of stage.chat.roots())
            for (const [plan, state] of statesIn(text)) {
              const from = reached.get(`${ts} ${plan}`) ?? 0;
              const at = SHOWN.indexOf(state, SHOWN.indexOf(SHOWN[from] ?? ''));
              expect(at, `${plan} went back to ${state}`).toBeGreaterThanOrEqual(0);
              reached.set(`${ts} ${plan}`, Math.max(from, at));
            }
        };
        for (const { plan, crash, pauseMs } of story) {
          const index = told.get(plan) ?? 0;
          const kind = NIGHT[index];
          if (kind === undefined) continue;
          await stage.clock.advance(pauseMs);
          const timestamp = new Date(stage.clock.now()).toISOString();
          const event: LifecycleEvent = anEvent(kind, index + 1, { planUid: plan, plan, timestamp });
          const acceptedAt = crash === undefined ? undefined : stage.clock.now();
          if (crash !== undefined) {
            await stage.deliver(event, { requests: crash });
            look();
            await stage.restart();
          }
          await stage.deliver(event, { acceptedAt });
          told.set(plan, index + 1);
          look();
          // Delivered is what the board shows. One of which the chat gave no answer may be there besides.
          expect(shownOf(plan)).toContain(SHOWN[index]);
        }
        left.length = 0;
        await stage.idle();
        // Late requests have arrived.
        await stage.clock.advance(10_000);
        look();
        const boards = stage.chat.roots();
        // After three failed searches, or without a history, a board is posted without one, and this is reported.
        const most = 1 + stage.degradations.filter(({ reason }) => reason === 'HistoryUnavailable').length;
        expect(boards.length).toBeLessThanOrEqual(most);
        const ends = [...told].map(([plan, count]) => [plan, SHOWN[count - 1]] as const);
        expect(boards.some(({ text }) => ends.every(([plan, end]) => statesIn(text).get(plan) === end))).toBe(
          ends.length > 0,
        );
      }),
      { numRuns: runs(60), seed: 20_261_127 },
    );
  },
);
