import { promise } from '../../stage.ts';

/** The last lines of the watch of plans. */
let before: readonly string[] = [];
let repeats = 0;

export const repeated = promise(
  'repeated',
  'a watch of plans that repeats changes, new ones and old ones, changes nothing in the messages',
  async (stage) => {
    const { team } = stage;
    await team.plan('orders');
    for (const cycle of ['c1', 'c2']) {
      await team.begins('orders', { cycle });
      await team.succeeds('orders');
    }
    await stage.asked(4);
    if (repeats === 0) throw new Error('the watch has repeated nothing');
  },
  () => {
    before = [];
    return {
      onLine(path, line) {
        if (!path.endsWith('/hibernateplans') || line.includes('"BOOKMARK"')) return [line];
        const old = before;
        before = [...before.slice(-2), line];
        repeats += 1 + old.length;
        // Itself again, and then some that are older.
        return [line, line, ...old];
      },
    };
  },
);
