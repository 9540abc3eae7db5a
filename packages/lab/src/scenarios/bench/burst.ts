/**
 * All plans of a cluster begin their night within two seconds. Measures the requests of hnotif to the API server for each Start and for
 * each status write of the whole night, the latency of messages from the write to the arrival, and the total cost. Control plane and
 * hnotif (from the bundle, with its default flags) each have a process. An earlier process with higher request limits creates the journals,
 * as they exist after a day.
 */
import { loadavg } from 'node:os';
import { CONTROLLER_DEFAULTS } from '../../../../hnotif/src/controller/options.ts';
import { added, aim, mb, median, quantile, table } from '../../figures.ts';
import { STEPS } from '../../scale/night.ts';
import type { Scale } from '../../scale/objects.ts';
import { MESSAGES_OF_START, messagesOfRest, onStage, part, type Part, type Stage } from './stage.ts';

const TARGETS = 2;
interface Size extends Scale {
  /** Each write that is not a Start is made for all plans within this time. */
  readonly stepMs: number;
}
const SIZES: readonly Size[] = [
  { plans: 1_000, namespaces: 20, cycles: 0, targets: TARGETS, stepMs: 3_000 },
  { plans: 5_000, namespaces: 100, cycles: 0, targets: TARGETS, stepMs: 4_000 },
];
const ROUNDS = 3;
const START_MS = 2_000;
/** After this time without a request all work for the Starts is done. */
const PAUSE_MS = 1_500;
/** The statuses of notifications may wait for this time. */
const QUIET_MS = CONTROLLER_DEFAULTS.statusIntervalMs + 500;
const AIM_OF_START = 0.3;
const AIM_OF_NIGHT = 0.5;

interface Round {
  readonly start: Part;
  readonly rest: Part;
  /** In bytes, at its end. */
  readonly now: number;
  readonly peak: number;
}

async function night(stage: Stage, { plans, stepMs }: Size, round: number): Promise<Round> {
  const [first, ...others] = STEPS;
  const start = await part(stage, {
    ...{ round, steps: [first], overMs: START_MS, messages: plans * MESSAGES_OF_START, quietMs: PAUSE_MS },
  });
  const rest = await part(stage, {
    ...{ round, steps: others, overMs: stepMs, messages: plans * messagesOfRest(TARGETS), quietMs: QUIET_MS },
  });
  return { start, rest, ...(await stage.hnotif.memory()) };
}

function show({ plans, namespaces }: Size, rounds: readonly Round[]): void {
  const of = (figure: (round: Round) => number): number => median(rounds.map(figure));
  const writes = plans * STEPS.length;
  const nightOf = ({ start, rest }: Round): Map<string, number> => added([start.counts, rest.counts]);
  const total = (counts: ReadonlyMap<string, number>): number =>
    [...counts.values()].reduce((a, b) => a + b, 0);
  const row = (what: string, ofStart: number, ofNight: number): string[] => [
    ...[what, String(ofStart), (ofStart / plans).toFixed(3)],
    ...[String(ofNight), (ofNight / writes).toFixed(3)],
  ];
  console.log(
    `${plans} plans in ${namespaces} namespaces: ${plans} Starts within ${START_MS / 1000} s, ${writes} status writes in a night; medians of ${rounds.length}`,
  );
  const at = (counts: ReadonlyMap<string, number>, what: string): number => counts.get(what) ?? 0;
  const [ofStart, ofNight] = [of(({ start }) => total(start.counts)), of((round) => total(nightOf(round)))];
  const kinds = [...added(rounds.map(nightOf))].sort((a, b) => b[1] - a[1]).map(([what]) => what);
  console.log(
    table([
      ['our requests', 'Start', 'each', 'night', 'each'],
      ...kinds.map((what) =>
        row(
          what,
          of(({ start }) => at(start.counts, what)),
          of((round) => at(nightOf(round), what)),
        ),
      ),
      row('all', ofStart, ofNight),
      row(
        'of them refused',
        of(({ start }) => start.refused),
        of(({ start, rest }) => start.refused + rest.refused),
      ),
    ]),
  );
  console.log(
    `  ${aim(`${AIM_OF_START} for each Start`, ofStart / plans <= AIM_OF_START)}; ` +
      aim(`${AIM_OF_NIGHT} for each status write`, ofNight / writes <= AIM_OF_NIGHT),
  );
  for (const name of ['start', 'rest'] as const) {
    const q = (quantity: number): string => of((round) => quantile(round[name].took, quantity)).toFixed(0);
    const seconds = (figure: 'hnotifMs' | 'clusterMs'): string =>
      (of((round) => round[name][figure]) / 1000).toFixed(2);
    console.log(
      `  ${name}: status write to arrival p50 ${q(0.5)}  p99 ${q(0.99)}  last ${q(1)} ms; ` +
        `CPU of hnotif ${seconds('hnotifMs')} s, of the control plane ${seconds('clusterMs')} s; ` +
        `${of((round) => round[name].chats)} requests to a chat`,
    );
  }
  console.log(
    `  resident memory of hnotif ${mb(of(({ now }) => now))}, at most ${mb(of(({ peak }) => peak))}; load of the machine ${loadavg()[0]?.toFixed(1) ?? '?'}`,
  );
}

export async function burst(node: readonly string[]): Promise<void> {
  for (const size of SIZES)
    await onStage({ scale: size, pauseMs: PAUSE_MS, node }, async (stage) => {
      const rounds: Round[] = [];
      for (let round = 0; round < ROUNDS; round++) rounds.push(await night(stage, size, round));
      show(size, rounds);
    });
}
