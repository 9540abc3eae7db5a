/**
 * The cost of journals: the same nights with journals and without, from a plan's change to the recorded 2xx. Journals are written over
 * HTTP to a control plane in another process. Deliveries go to a receiver in a third one. Rounds with and without journals alternate.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '@hnotif/core/clock';
import { idOf } from '@hnotif/core/lifecycle';
import { TemplatePool } from '../packages/hnotif/src/template-pool/pool.ts';
import type { Plan } from '@hnotif/core/resources';
import { costOf, nextTurn, type Cost } from './deliver.ts';
import { aim, median, quantile, within } from './figures.ts';
import { startCluster, type Cluster } from './journal/cluster.ts';
import { startNights } from './journal/nights.ts';
import { CHANGES, EVENTS, statesOf } from './journal/plans.ts';
import { KINDS, WEBHOOK, type Kind } from './kinds.ts';
import { startSink, type Sink } from './sink.ts';

const ROUNDS = 5;
const LIMIT_MS = 120_000;
const PLANS = 200;

interface Load {
  readonly name: string;
  readonly kind: Kind;
  readonly plans: number;
  readonly nights: number;
  /** Submits the plans' changes and waits for the deliveries. `states`: those of each plan, the first one at rest. */
  readonly play: (states: readonly (readonly Plan[])[], round: Round) => Promise<void>;
}

interface Round {
  readonly change: (plan: Plan) => void;
  /** Resolves when at most this number of the deliveries so far still waits. */
  readonly until: (waiting: number) => Promise<void>;
}

interface Figures extends Cost {
  readonly deliveries: number;
  /** From a plan's change to the 2xx, milliseconds. */
  readonly p50: number;
  readonly p99: number;
  readonly writes: number;
  /** Characters of the texts in a write. */
  readonly characters: number;
  /** Processor time of the control plane. */
  readonly clusterMs: number;
}

/** All plans change at once, and once more when all deliveries of that are done. */
const atOnce: Load['play'] = async (states, { change, until }) => {
  for (let step = 1; step <= CHANGES; step++) {
    for (const { [step]: state } of states) if (state !== undefined) change(state);
    await until(0);
  }
};

/** One change after the other, with at most this number of waiting deliveries. */
const inARow =
  (behind: number): Load['play'] =>
  async (states, { change, until }) => {
    for (const state of states[0]?.slice(1) ?? []) {
      change(state);
      await nextTurn();
      await until(behind);
    }
    await until(0);
  };

/** This number of changes a second, without regard to the deliveries: like changes from a control plane. */
const paced =
  (perSecond: number): Load['play'] =>
  async (states, { change, until }) => {
    const begun = performance.now();
    let count = 0;
    for (let step = 1; step <= CHANGES; step++)
      for (const { [step]: state } of states) {
        const due = begun + (count++ / perSecond) * 1000 - performance.now();
        if (due > 0) await sleep(due);
        if (state !== undefined) change(state);
      }
    await until(0);
  };

const LOADS: readonly Load[] = [
  ...KINDS.map((kind) => ({
    ...{ name: `${PLANS} plans at once, ${kind.name}`, kind },
    ...{ plans: PLANS, nights: 1, play: atOnce },
  })),
  { name: 'one plan, many events', kind: WEBHOOK, plans: 1, nights: 60, play: inARow(100) },
  { name: `${PLANS} plans, 200 changes a second`, kind: WEBHOOK, plans: PLANS, nights: 1, play: paced(200) },
];

const templates = new TemplatePool({ clock: systemClock });

/** One round in a new service. */
async function play(
  load: Load,
  sink: Sink,
  cluster: Cluster,
  instance: string | undefined,
): Promise<Figures> {
  const millis: number[] = [];
  const changedAt = new Map<string, number>();
  let now = 0;
  let waiting = 0;
  let lost = '';
  let moved = (): void => {};
  const nights = startNights({
    origin: sink.origin,
    kind: load.kind,
    templates,
    target: instance === undefined ? undefined : { cluster, instance },
    derived(event, sinks) {
      changedAt.set(idOf(event), now);
      waiting += sinks;
    },
    settled({ event, events, result, reason }) {
      if (result === 'failed' || result === 'dropped') lost = `${result} ${reason}`;
      if (result === 'delivered') millis.push(performance.now() - (changedAt.get(event.id) ?? NaN));
      waiting -= events.length;
      moved();
    },
  });
  const states = Array.from({ length: load.plans }, (_, index) =>
    statesOf(index, cluster.uids[index] ?? '', load.nights),
  );
  const change = (plan: Plan, known = false): void => {
    now = performance.now();
    nights.changed(plan, known);
  };
  for (const [rest] of states) if (rest !== undefined) change(rest, true);
  // Each plan has its journal before the night begins, as after a day of service.
  await nights.flush();
  const first = nights.writes();
  await Promise.all([cluster.report(), sink.report()]);
  const until = (most: number): Promise<void> =>
    new Promise((resolve) => {
      moved = () => {
        if (waiting <= most) resolve();
      };
      moved();
    });
  const cost = await costOf(() => within(LIMIT_MS, 'a round', load.play(states, { change, until })));
  const { cpuMs: clusterMs } = await cluster.report();
  const last = nights.writes();
  await nights.stop();
  if (lost !== '') throw new Error(`a delivery was lost: ${lost}`);
  const writes = last.count - first.count;
  return {
    ...cost,
    ...{ deliveries: millis.length, clusterMs, writes },
    characters: (last.characters - first.characters) / writes,
    p50: quantile(millis, 0.5),
    p99: quantile(millis, 0.99),
  };
}

const at = (rounds: readonly Figures[], figure: (round: Figures) => number): number =>
  median(rounds.map(figure));

function line(name: string, rounds: readonly Figures[]): string {
  const perSecond = at(rounds, ({ deliveries, tookMs }) => (deliveries / tookMs) * 1000);
  const micros = at(rounds, ({ deliveries, cpuMs }) => (cpuMs * 1000) / deliveries);
  return (
    `  ${name.padEnd(8)} ${perSecond.toFixed(0).padStart(6)} deliveries/s  ${micros.toFixed(1).padStart(6)} µs of CPU each   ` +
    `change to 2xx p50 ${at(rounds, ({ p50 }) => p50).toFixed(1)} p99 ${at(rounds, ({ p99 }) => p99).toFixed(1)} ms`
  );
}

async function measure(load: Load, sink: Sink, cluster: Cluster): Promise<void> {
  const without: Figures[] = [];
  const withJournals: Figures[] = [];
  for (let round = 0; round <= ROUNDS; round++) {
    const off = await play(load, sink, cluster, undefined);
    const on = await play(load, sink, cluster, `bench-${LOADS.indexOf(load)}-${round}`);
    // The first round is a warm-up.
    if (round === 0) continue;
    without.push(off);
    withJournals.push(on);
  }
  const events = load.plans * load.nights * EVENTS;
  const costs = (figure: (round: Figures) => number): number =>
    median(withJournals.map((round, index) => figure(round) / figure(without[index] ?? round) - 1));
  const time = costs(({ tookMs }) => tookMs);
  const lost = 1 - 1 / (1 + time);
  const cpu = costs(({ cpuMs }) => cpuMs);
  console.log(`${load.name}: ${events} events of ${load.plans * load.nights} nights`);
  console.log(line('without', without));
  console.log(line('journal', withJournals));
  console.log(
    `  ${(at(withJournals, ({ writes }) => writes) / events).toFixed(2)} writes an event, ${at(withJournals, ({ characters }) => characters).toFixed(0)} characters each; ` +
      `control plane ${(at(withJournals, ({ clusterMs, tookMs }) => clusterMs / tookMs) * 100).toFixed(0)} % busy; ` +
      `the journal costs ${(lost * 100).toFixed(0)} % of throughput (${aim('at most 30 %', lost <= 0.3)}) and ${(cpu * 100).toFixed(0)} % more CPU`,
  );
}

const [sink, cluster] = await Promise.all([startSink('counting'), startCluster(PLANS)]);
try {
  console.log(`medians of ${ROUNDS} rounds with and as many without`);
  for (const load of LOADS) await measure(load, sink, cluster);
} finally {
  await Promise.all([sink.stop(), cluster.stop(), templates.close()]);
}
