/**
 * All plans of a cluster begin their night within two seconds, or ten. Control plane and hnotif (from the bundle, with its default flags) each
 * have a process. An earlier process with higher request limits creates the journals, as they exist after a day. The control plane and the
 * receiver share the machine: processor time can be transferred to another machine, latency cannot.
 */
import { CONTROLLER_DEFAULTS } from '../../../../hnotif/src/controller/options.ts';
import { quantile } from '../../figures.ts';
import { STEPS } from '../../scale/night.ts';
import type { Scale } from '../../scale/objects.ts';
import { pause } from '../../wait.ts';
import { roundsOf, type Bench, type Figures, type Note } from './sheet.ts';
import { JOURNAL_WRITES, MESSAGES_OF_START, messagesOfRest, onStage, part, sumOf } from './stage.ts';
import type { Part, Stage } from './stage.ts';

const SETTLE_MS = 3_000;
/** After this time without a request all work for the Starts is done. */
const PAUSE_MS = 1_500;
/** The statuses of notifications may wait for this time. */
export const QUIET_MS = CONTROLLER_DEFAULTS.statusIntervalMs + 500;

export interface Size extends Scale {
  /** The Starts of all plans are spread over this time. */
  readonly startMs: number;
  /** The later writes of all plans are spread over this time. Undefined: only the Starts are played. */
  readonly stepMs: number | undefined;
}

const size = (plans: number, stepMs?: number, more: Partial<Size> = {}): Size => ({
  ...{ plans, namespaces: plans / 50, targets: 2, cycles: 0, startMs: 2_000, stepMs },
  ...more,
});

/** The Starts of a night, and the rest of it. */
export async function night(stage: Stage, of: Size, round: number): Promise<readonly [Part, Part?]> {
  const { plans, targets, stepMs, startMs } = of;
  const [first, ...steps] = STEPS;
  const messages = plans * MESSAGES_OF_START;
  const start = await part(stage, { round, steps: [first], overMs: startMs, messages, quietMs: PAUSE_MS });
  if (stepMs === undefined) return [start];
  const more = { round, steps, overMs: stepMs, quietMs: QUIET_MS };
  return [start, await part(stage, { ...more, messages: plans * messagesOfRest(targets) })];
}

function figuresOf(name: string, plans: number, messages: number, given: Part): Figures {
  const { hnotifMs, clusterMs, counts, refused, chats, took } = given;
  const figures = {
    'CPU (s)': hnotifMs / 1_000,
    'CPU of a plan (ms)': hnotifMs / plans,
    'CPU of a message (ms)': hnotifMs / messages,
    'CPU of the control plane (s)': clusterMs / 1_000,
    ...{ messages, 'requests to a chat': chats, 'requests refused': refused, requests: sumOf(counts) },
    'journal writes': sumOf(counts, JOURNAL_WRITES),
    ...counts,
    'arrived, p50 (s)': quantile(took, 0.5) / 1_000,
    'arrived, p99 (s)': quantile(took, 0.99) / 1_000,
    'arrived, last (s)': quantile(took, 1) / 1_000,
  };
  return Object.fromEntries(Object.entries(figures).map(([what, value]) => [`${name}: ${what}`, value]));
}

async function measure(note: Note, of: Size, rounds: number, node: readonly string[]): Promise<void> {
  const { plans, namespaces, targets, cycles, startMs } = of;
  const variant = `${plans} plans of ${targets} targets, ${cycles} cycles, ${namespaces} namespaces, ${startMs / 1000} s`;
  await onStage({ scale: of, pauseMs: PAUSE_MS, node }, async (stage) => {
    await pause(SETTLE_MS);
    const { now: idle } = await stage.hnotif.memory();
    for (let round = 0; round < rounds; round++) {
      const [start, rest] = await night(stage, of, round);
      const { now, peak } = await stage.hnotif.memory();
      note(variant, {
        'from the start to serving (s)': stage.readyMs / 1_000,
        'resident, idle (MB)': idle / 1e6,
        'resident, after it (MB)': now / 1e6,
        'resident, at most (MB)': peak / 1e6,
        ...figuresOf('Start', plans, plans * MESSAGES_OF_START, start),
        ...(rest && figuresOf('rest', plans, plans * messagesOfRest(targets), rest)),
        'requests for each Start': sumOf(start.counts) / plans,
        ...(rest && {
          'requests for each status write': (sumOf(start.counts) + sumOf(rest.counts)) / plans / STEPS.length,
        }),
        'warnings in the log': stage.warnings(),
      });
    }
  });
}

/** The sizes that users have. */
const SIZES = [size(100, 2_000), size(1_000, 3_000), size(10_000, 10_000)];

/** `BENCH_PLANS=100,1000`: only these. */
export function chosen(sizes: readonly Size[] = SIZES): readonly Size[] {
  const wanted = (process.env.BENCH_PLANS ?? '').split(',').map(Number);
  return sizes.filter(({ plans }) => wanted[0] === 0 || wanted.includes(plans));
}

/** Three nights: API requests for each Start and for each status write, latency, cost. */
export const burst: Bench = {
  question: 'all plans of a cluster begin their night at once: API requests, latency, CPU (3 minutes)',
  aims: { 'requests for each Start': 0.2, 'requests for each status write': 0.2 },
  async measure(note, node) {
    // The second one is as a real API server takes them: a hundred statuses a second.
    const sizes = [size(1_000, 3_000), size(1_000, 10_000, { startMs: 10_000 }), size(5_000, 4_000)];
    for (const of of chosen(sizes)) await measure(note, of, roundsOf(3), node);
  },
};

/** One night, by the number of plans: memory, processor time, journal writes, latency. */
export const scale: Bench = {
  question: 'memory, CPU and journal writes of 100 to 50,000 plans; how long their Starts take (5 minutes)',
  async measure(note, node) {
    const large = [size(10_000, undefined, { targets: 10, cycles: 5 }), size(50_000)];
    for (const of of chosen([...SIZES, ...large])) await measure(note, of, 1, node);
  },
};
