/**
 * All plans of a cluster begin their night within two seconds. Measures the requests of hnotif to the API server for each Start and for
 * each status write of the whole night, the latency of messages from the write to the arrival, and the total cost. Control plane and
 * hnotif (from the bundle, with its default flags) each have a process. The receivers are in this one. An earlier process with higher
 * request limits creates the journals, as they exist after a day.
 */
import { loadavg } from 'node:os';
import { CONTROLLER_DEFAULTS } from '../packages/hnotif/src/controller/options.ts';
import { aim, median, quantile } from './figures.ts';
import type { Scale } from './scale/objects.ts';
import { STEPS } from './burst/night.ts';
import { MESSAGES_OF_START, messagesOfRest } from './burst/objects.ts';
import { added, part, type Part, type Stage } from './burst/part.ts';
import { onStage } from './burst/stage.ts';

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
  readonly resident: number;
  readonly peak: number;
}

async function night(stage: Stage, { plans, stepMs }: Size, round: number): Promise<Round> {
  const [first, ...others] = STEPS;
  const start = await part(stage, round, [first], START_MS, plans * MESSAGES_OF_START, PAUSE_MS);
  const rest = await part(stage, round, others, stepMs, plans * messagesOfRest(TARGETS), QUIET_MS);
  const { now, peak = NaN } = await stage.hnotif.memory();
  return { start, rest, resident: now, peak };
}

function show({ plans, namespaces }: Size, rounds: readonly Round[]): void {
  const writes = plans * STEPS.length;
  const nights = rounds.map(({ start, rest }) => added([start.counts, rest.counts]));
  const starts = rounds.map(({ start }) => start.counts);
  const at = (all: readonly ReadonlyMap<string, number>[], what: string): number =>
    median(all.map((counts) => counts.get(what) ?? 0));
  const total = (counts: ReadonlyMap<string, number>): number =>
    [...counts.values()].reduce((a, b) => a + b, 0);
  const row = (what: string, ofStart: number, ofNight: number): void => {
    const cell = (count: number, of: number): string =>
      `${String(count).padStart(8)} ${(count / of).toFixed(3).padStart(7)}`;
    console.log(`  ${what.padEnd(48)}${cell(ofStart, plans)}  ${cell(ofNight, writes)}`);
  };
  console.log(
    `${plans} plans in ${namespaces} namespaces: ${plans} Starts within ${START_MS / 1000} s, ${writes} status writes in a night; medians of ${rounds.length}`,
  );
  console.log(
    `  ${'our requests'.padEnd(48)}${'Start'.padStart(8)} ${'each'.padStart(7)}  ${'night'.padStart(8)} ${'each'.padStart(7)}`,
  );
  for (const what of [...added(nights).keys()].sort((a, b) => at(nights, b) - at(nights, a)))
    row(what, at(starts, what), at(nights, what));
  const [ofStart, ofNight] = [median(starts.map(total)), median(nights.map(total))];
  row('all', ofStart, ofNight);
  row(
    'of them refused',
    median(rounds.map(({ start }) => start.refused)),
    median(rounds.map(({ start, rest }) => start.refused + rest.refused)),
  );
  console.log(
    `  ${aim(`${AIM_OF_START} for each Start`, ofStart / plans <= AIM_OF_START)}; ` +
      aim(`${AIM_OF_NIGHT} for each status write`, ofNight / writes <= AIM_OF_NIGHT),
  );
  const spread = (name: string, of: (round: Round) => Part): void => {
    const q = (quantity: number): string =>
      median(rounds.map((round) => quantile([...of(round).took], quantity))).toFixed(0);
    const seconds = (ms: (part: Part) => number): string =>
      (median(rounds.map((round) => ms(of(round)))) / 1000).toFixed(2);
    console.log(
      `  ${name}: status write to arrival p50 ${q(0.5)}  p99 ${q(0.99)}  last ${q(1)} ms; ` +
        `CPU of hnotif ${seconds(({ hnotifMs }) => hnotifMs)} s, of the control plane ${seconds(({ clusterMs }) => clusterMs)} s; ` +
        `${median(rounds.map((round) => of(round).chats))} requests to a chat`,
    );
  };
  spread('Start          ', ({ start }) => start);
  spread('rest, (Success)', ({ rest }) => rest);
  const mb = (bytes: (round: Round) => number): string => (median(rounds.map(bytes)) / 1e6).toFixed(0);
  console.log(
    `  resident memory of hnotif ${mb(({ resident }) => resident)} MB, at most ${mb(({ peak }) => peak)} MB; load of the machine ${loadavg()[0]?.toFixed(1) ?? '?'}`,
  );
}

for (const size of SIZES)
  await onStage(size, { pauseMs: PAUSE_MS }, async (stage) => {
    const rounds: Round[] = [];
    for (let round = 0; round < ROUNDS; round++) rounds.push(await night(stage, size, round));
    show(size, rounds);
  });
