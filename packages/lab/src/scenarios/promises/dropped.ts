import { promise } from '../../stage.ts';
import { HANGS_MS, until } from '../../wait.ts';

const PLANS = { resource: 'hibernateplans' };

/** How many lines of the watch of plans do not come, or come after the next one. */
let [isLossy, lines, hidden, reordered] = [false, 0, 0, 0];
let held: string | undefined;

export const dropped = promise(
  'dropped',
  'a watch of plans that drops changes and changes their order costs no more than what it hides: all else is told once and in order',
  async (stage) => {
    const { team, cluster } = stage;
    for (const plan of ['orders', 'carts']) await team.plan(plan);
    const from = Date.now();
    isLossy = true;
    for (const cycle of ['c1', 'c2', 'c3', 'c4'])
      for (const plan of ['orders', 'carts']) {
        await team.begins(plan, { cycle });
        await team.succeeds(plan);
      }
    const isPlayed = (): boolean => hidden > 3 && reordered > 3;
    await until(isPlayed, { what: 'lines that are dropped and reordered', limitMs: HANGS_MS });
    isLossy = false;
    // The next list has the states that the watch left out.
    cluster.compact();
    cluster.faults.cutWatches('reset', PLANS);
    stage.troubles.push({ kind: 'lost', what: 'lines of the watch', from, to: Date.now() });
    for (const plan of ['orders', 'carts']) {
      await team.begins(plan, { operation: 'wakeup', cycle: 'c5' });
      await team.succeeds(plan);
    }
  },
  () => {
    [isLossy, lines, hidden, reordered, held] = [false, 0, 0, 0, undefined];
    return { onLine };
  },
);

/** Of four lines one does not come, and two change places. */
function onLine(path: string, line: string): readonly string[] {
  if (!path.endsWith('/hibernateplans') || line.includes('"BOOKMARK"')) return [line];
  const before = held === undefined ? [] : [held];
  held = undefined;
  if (!isLossy) return [...before, line];
  switch (lines++ % 4) {
    case 0:
      hidden++;
      return [];
    case 1:
      held = line;
      return [];
    default:
      reordered += before.length;
      return [line, ...before];
  }
}
