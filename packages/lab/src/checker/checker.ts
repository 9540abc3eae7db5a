/**
 * Checks a run of chaos by its record alone. It shares no code with the service, apart from the ids of messages. It derives the expected messages by the published
 * rules, from the statuses that the operator wrote.
 */
import type { Arrival, ChaosRecord, Form, Timeout } from '../record.ts';
import { checkBoards, type Boards } from './boards.ts';
import { Drops } from './drops.ts';
import { repeatsOf, type Repeat } from './duplicates.ts';
import { judge, subscribers, type Counts } from './judge.ts';
import { livesOf } from './lives.ts';
import { comeBack, firstEnds, keyOf, readAll, type Read } from './reads.ts';
import { checkCards, type Cards, checkRoots, type Roots } from './threads.ts';

export interface Verdict extends Counts, Omit<Roots & Cards & Boards, 'faults'> {
  readonly kills: number;
  /** Messages that arrived, without duplicates. */
  readonly received: number;
  /** Messages that a receiver permanently refused. */
  readonly refused: number;
  /** Plans that were seen as new: their journals were missing at a kill. */
  readonly metAnew: number;
  readonly duplicates: number;
  readonly allowed: number;
  /** The violations, each with the expected and the actual messages. */
  readonly violations: readonly string[];
}

export function check(record: ChaosRecord): Verdict {
  const lives = new Map(record.plans.map((plan) => [plan.name, livesOf(plan, record)]));
  const { messages, faults } = readAll(record, lives);
  const firsts = firstEnds(messages);
  const strays = comeBack(messages);
  const drops = new Drops(record.drops);
  const plans = record.plans.flatMap((plan) =>
    (lives.get(plan.name) ?? []).map((life, index) => judge(record, plan, life, index, firsts, drops)),
  );
  const streams = new Set(
    record.plans.flatMap((plan) =>
      subscribers(record, plan).flatMap(({ sinks }) => sinks.map(({ name }) => `${name} ${plan.name}`)),
    ),
  );
  const foreign = messages
    .filter(({ said, arrival }) => !streams.has(`${arrival.sink} ${said.plan}`))
    .map(
      ({ said, arrival }) =>
        `${arrival.sink}: a message of a plan to which it does not subscribe: ${said.plan}`,
    );

  const [threads, withBoards] = [sinksOf(record, 'thread'), sinksOf(record, 'board')];
  const told = plans.flatMap((plan) => plan.told).filter(({ arrival }) => threads.has(arrival.sink));
  const forgotten = new Map(
    [...lives].map(([plan, all]) => {
      const unsent = all.some(({ forgotten, lost }) => forgotten < Infinity || lost !== undefined);
      return [plan, { times: all.length - 1, unsent }];
    }),
  );
  const shown = [
    checkRoots(record.roots, told, forgotten),
    checkCards(record.roots, told, forgotten),
    checkBoards(
      record.boards,
      record.ends,
      plans.flatMap(({ onBoards }) => onBoards),
      forgotten,
      messages.filter(({ arrival: { sink, accepted } }) => accepted && withBoards.has(sink)),
    ),
  ] as const;
  const [repeats, forbidden] = repeated(record, messages);
  const { faults: _, ...counts } = { ...shown[0], ...shown[1], ...shown[2] };
  const total = (of: keyof Counts): number => plans.reduce((sum, plan) => sum + plan.counts[of], 0);
  return {
    ...counts,
    ...{ expected: total('expected'), missing: total('missing'), dropped: total('dropped') },
    ...{
      disorder: total('disorder') + strays.length,
      forgotten: total('forgotten'),
      events: total('events'),
    },
    ...{ written: total('written'), inGaps: total('inGaps'), unseen: total('unseen') },
    kills: record.kills.filter(({ fell }) => !fell).length,
    received: [...firsts.values()].flat().length,
    refused: messages.filter(({ arrival }) => arrival.told === 'rejected').length,
    metAnew: plans.length - record.plans.length,
    duplicates: repeats.length,
    allowed: repeats.length - forbidden.length,
    violations: [
      ...faults,
      ...foreign,
      ...plans.flatMap((plan) => plan.violations),
      ...strays,
      ...shown.flatMap((each) => each.faults),
      ...forbidden.map(
        ({ arrivals: [first, again] }) =>
          `${first.sink}: sent twice without a reason, at ${first.at} (${first.told}) and at ${again.at}: ${JSON.stringify(first.message)}`,
      ),
    ],
  };
}

/** The sinks of a form. */
const sinksOf = ({ notifications }: ChaosRecord, wanted: Form): ReadonlySet<string> =>
  new Set(
    notifications.flatMap(({ sinks }) => sinks.filter(({ form }) => form === wanted).map(({ name }) => name)),
  );

/** The duplicates, and those that are not allowed. */
function repeated(
  record: ChaosRecord,
  messages: readonly Read[],
): readonly [readonly Repeat[], readonly Repeat[]] {
  const refusals = record.gaps.filter(({ why }) => why === 'refusal');
  const read = new Map(messages.map((message) => [message.arrival, message]));
  const webhooks = sinksOf(record, 'webhook');
  const repeats = repeatsOf(
    messages.map(({ arrival }) => arrival),
    (arrival) => keyOf(read.get(arrival), arrival),
    {
      kills: record.kills,
      refusals: (arrival) =>
        refusals.filter(({ plans }) => plans?.includes(read.get(arrival)?.said.plan ?? '') !== false),
      timeouts: (arrival: Arrival) => {
        const said = read.get(arrival)?.said;
        const isOf = ({ sink, plan, kind }: Timeout): boolean =>
          sink === arrival.sink && plan === said?.plan.split('#')[0] && kind === said?.kind;
        return record.timeouts.filter(isOf);
      },
    },
    (sink) => webhooks.has(sink),
  );
  const isForbidden = ({ allowed, arrivals: [first] }: Repeat): boolean =>
    !allowed && !(first.id === '' && (read.get(first)?.life ?? 0) > 0);
  return [repeats, repeats.filter(isForbidden)];
}

/** The share of the written states that hnotif must have seen. */
export const strictShare = ({ inGaps, written }: Verdict): number => 1 - inGaps / Math.max(1, written);

/** The last line of `npm run chaos`. */
export const summary = (verdict: Verdict): string => {
  const { kills, expected, received, missing, dropped, disorder, duplicates, allowed } = verdict;
  const { roots, keys, secondRoots, cardsBack, boards, secondBoards, rowsBack, rowsBehind, early } = verdict;
  return [
    `kills ${kills}, judged strictly ${(100 * strictShare(verdict)).toFixed(0)} %`,
    ...[`expected ${expected}`, `received ${received}`, `missing ${missing}`],
    ...[`dropped and reported ${dropped}`, `disorder ${disorder}`],
    `duplicates ${duplicates} (allowed ${allowed}), per kill ${(duplicates / Math.max(1, kills)).toFixed(2)}`,
    ...[`roots ${roots}/keys ${keys}`, `second roots ${secondRoots}`, `cards that went back ${cardsBack}`],
    ...[`boards ${boards}`, `second boards ${secondBoards}`],
    ...[
      `rows that went back ${rowsBack}`,
      `rows behind ${rowsBehind}`,
      `delivered before they were shown ${early}`,
    ],
  ].join(', ');
};
