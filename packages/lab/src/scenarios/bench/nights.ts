/**
 * All plans of a cluster begin their night within two seconds, or ten. Control plane and hnotif (from the bundle, with its default flags) each
 * have a process. An earlier process with higher request limits creates the journals, as they exist after a day. The control plane and the
 * receiver share the machine: processor time can be transferred to another machine, latency cannot.
 */
import { loadavg } from 'node:os';
import { CONTROLLER_DEFAULTS } from '../../../../hnotif/src/controller/options.ts';
import { added, aim, mb, median, quantile, table } from '../../figures.ts';
import { STEPS } from '../../scale/night.ts';
import type { Scale } from '../../scale/objects.ts';
import { pause } from '../../wait.ts';
import { MESSAGES_OF_START, messagesOfRest, onStage, part, type Part, type Stage } from './stage.ts';

const START_MS = 2_000;
const SETTLE_MS = 3_000;
/** After this time without a request all work for the Starts is done. */
const PAUSE_MS = 1_500;
/** The statuses of notifications may wait for this time. */
export const QUIET_MS = CONTROLLER_DEFAULTS.statusIntervalMs + 500;
const AIM_OF_START = 0.2;
const AIM_OF_NIGHT = 0.2;

export interface Size extends Scale {
  /** The Starts of all plans are spread over this time. Default: two seconds. */
  readonly startMs?: number;
  /** The later writes of all plans are spread over this time. Undefined: only the Starts are played. */
  readonly stepMs?: number;
}

export const size = (plans: number, namespaces: number, stepMs?: number, targets = 2, cycles = 0): Size => ({
  ...{ plans, namespaces, targets, cycles, ...(stepMs !== undefined && { stepMs }) },
});

interface Night {
  readonly start: Part;
  readonly rest?: Part;
}

export async function night(stage: Stage, of: Size, round: number): Promise<Night> {
  const { plans, targets, stepMs, startMs = START_MS } = of;
  const [first, ...others] = STEPS;
  const messages = plans * MESSAGES_OF_START;
  const start = await part(stage, { round, steps: [first], overMs: startMs, messages, quietMs: PAUSE_MS });
  if (stepMs === undefined) return { start };
  const options = { round, steps: others, overMs: stepMs, quietMs: QUIET_MS };
  return { start, rest: await part(stage, { ...options, messages: plans * messagesOfRest(targets) }) };
}

const sum = (counts: ReadonlyMap<string, number>, wanted = /./): number =>
  [...counts].reduce((all, [what, count]) => all + (wanted.test(what) ? count : 0), 0);

/** One line about the same part of each night: medians. */
function show(name: string, plans: number, messages: number, parts: readonly Part[]): void {
  const of = (figure: (part: Part) => number): number => median(parts.map(figure));
  const at = (quantity: number): string => (of(({ took }) => quantile(took, quantity)) / 1000).toFixed(2);
  const cpu = of(({ hnotifMs }) => hnotifMs);
  const writes = /^(create|patch|update) hibernatenotificationjournals/;
  console.log(
    `  ${name}: ${messages} messages; CPU ${(cpu / 1000).toFixed(1)} s, ${(cpu / plans).toFixed(2)} ms a plan, ${(cpu / messages).toFixed(2)} ms a message; ` +
      `control plane ${(of(({ clusterMs }) => clusterMs) / 1000).toFixed(1)} s; ${of(({ counts }) => sum(counts, writes))} journal writes of ${of(({ counts }) => sum(counts))} requests, ` +
      `${of(({ refused }) => refused)} refused; ${of(({ chats }) => chats)} requests to a chat; arrived p50 ${at(0.5)} p99 ${at(0.99)} last ${at(1)} s`,
  );
}

/** The requests of nights, by kind, for each Start and for each status write. */
function showRequests(plans: number, nights: readonly Night[]): void {
  const all = nights.map(({ start, rest }) => added([start.counts, ...(rest ? [rest.counts] : [])]));
  const starts = nights.map(({ start }) => start.counts);
  const writes = plans * STEPS.length;
  const of = (counts: typeof starts, what?: string): number =>
    median(counts.map((each) => (what === undefined ? sum(each) : (each.get(what) ?? 0))));
  const row = (name: string, what?: string): string[] => {
    const [ofStart, ofNight] = [of(starts, what), of(all, what)];
    const each = [(ofStart / plans).toFixed(3), (ofNight / writes).toFixed(3)] as const;
    return [name, String(ofStart), each[0], String(ofNight), each[1]];
  };
  const kinds = [...added(all)].sort((a, b) => b[1] - a[1]).map(([what]) => row(what, what));
  console.log(table([['our requests', 'Start', 'each', 'night', 'each'], ...kinds, row('all')]));
  console.log(
    `  ${aim(`${AIM_OF_START} for each Start`, of(starts) / plans <= AIM_OF_START)}; ` +
      aim(`${AIM_OF_NIGHT} for each status write`, of(all) / writes <= AIM_OF_NIGHT),
  );
}

async function measure(of: Size, rounds: number, node: readonly string[]): Promise<void> {
  const { plans, namespaces, targets, cycles, startMs = START_MS } = of;
  let warnings = 0;
  await onStage({ scale: of, pauseMs: PAUSE_MS, node, troubled: () => warnings++ }, async (stage) => {
    const { hnotif, readyMs } = stage;
    await pause(SETTLE_MS);
    const { now: idle } = await hnotif.memory();
    console.log(
      `${plans} plans of ${targets} targets and ${cycles} cycles in ${namespaces} namespaces begin in ${startMs / 1000} s: ready after ${(readyMs / 1000).toFixed(1)} s; resident ${mb(idle)} idle; medians of ${rounds} nights`,
    );
    const nights: Night[] = [];
    for (let round = 0; round < rounds; round++) nights.push(await night(stage, of, round));
    const starts = nights.map(({ start }) => start);
    const rests = nights.flatMap(({ rest }) => rest ?? []);
    show('Start', plans, plans * MESSAGES_OF_START, starts);
    if (rests.length > 0) show('rest ', plans, plans * messagesOfRest(targets), rests);
    if (rounds > 1) showRequests(plans, nights);
    const { now, peak } = await hnotif.memory();
    console.log(
      `  resident ${mb(now)} after it, ${mb(peak)} at most; ${warnings} warnings in the log; load of the machine ${loadavg()[0]?.toFixed(1) ?? '?'}`,
    );
  });
}

/** Three nights: API requests for each Start and for each status write, latency, cost. */
export async function burst(node: readonly string[]): Promise<void> {
  const sizes: Size[] = [
    size(1_000, 20, 3_000),
    // As a real API server takes them: a hundred statuses a second.
    { ...size(1_000, 20, 10_000), startMs: 10_000 },
    size(5_000, 100, 4_000),
  ];
  for (const of of sizes) await measure(of, 3, node);
}

/** The sizes that users have. */
export const SIZES = [size(100, 2, 2_000), size(1_000, 20, 3_000), size(10_000, 200, 10_000)];

/** `BENCH_PLANS=100,1000`: only these. */
export function chosen(sizes: readonly Size[]): readonly Size[] {
  const wanted = (process.env.BENCH_PLANS ?? '').split(',').map(Number);
  return sizes.filter(({ plans }) => wanted[0] === 0 || wanted.includes(plans));
}

/** One night, by the number of plans: memory, processor time, journal writes, latency. */
export async function scale(node: readonly string[]): Promise<void> {
  const sizes = [...SIZES, size(10_000, 200, undefined, 10, 5), size(50_000, 1_000)];
  for (const of of chosen(sizes)) await measure(of, 1, node);
}
