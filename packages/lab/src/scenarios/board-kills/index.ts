import { type Scenario, verdict } from '../../scenario.ts';
import { inParallel } from '../../wait.ts';
import { MOMENTS } from './moments.ts';
import { nightWithKills } from './night.ts';

/** Nights at once: each waits most of the time. */
const AT_ONCE = 4;

export const boardKills: Scenario = {
  name: 'board-kills',
  about:
    'a kill at each moment of a night: there is one board, no plan is missing, and none goes back (4 minutes)',
  names: {
    what: 'MOMENT',
    all: Object.fromEntries(Object.entries(MOMENTS).map(([name, [sentence]]) => [name, sentence])),
  },
  async run({ names, say }) {
    const wrong: string[] = [];
    await inParallel(
      names.length,
      async (index) => {
        const name = names[index] ?? '';
        const [sentence, ...moments] = MOMENTS[name] ?? [''];
        const found = await nightWithKills(moments).catch((error: unknown) => [String(error)]);
        say(`${found.length === 0 ? 'true   ' : 'NOT TRUE'} ${name}: ${sentence}`);
        wrong.push(...found.map((each) => `${name}: ${each}`));
      },
      AT_ONCE,
    );
    return verdict(wrong, say);
  },
};
