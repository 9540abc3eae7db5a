/**
 * Checks a run of chaos by its record alone. It shares no code with the service, apart from the ids of messages. It derives the expected messages by the published
 * rules, from the statuses that the operator wrote.
 */
import type {
  Arrival,
  ChaosRecord,
  Form,
  Gap,
  NotificationSpec,
  PlanHistory,
  StatusWrite,
  Timeout,
  Unselected,
} from '../record.ts';
import { align } from './align.ts';
import { rowsOf, checkBoards, type BoardPlan, type Boards } from './boards.ts';
import { checkCards, type Cards, checkRoots, type Roots, type Told } from './threads.ts';
import { Drops } from './drops.ts';
import { hasEnded, repeatsOf } from './duplicates.ts';
import type { Expected } from './net-events.ts';
import { lifeAt, livesOf, type Life } from './lives.ts';
import { inWords, ownedBy, readMessage, readRoot, type Said } from './messages.ts';
import { asksFor, bestWay, isUndated, mayBeLost, type Asks, type Made, type Stream } from './path.ts';
import { readStatus } from './status.ts';

export interface Verdict extends Omit<Roots & Cards & Boards, 'faults'> {
  readonly kills: number;
  /** Messages that had to arrive, and those that arrived, without duplicates. */
  readonly expected: number;
  readonly received: number;
  readonly missing: number;
  /** Messages that did not arrive, and of which the log says that they were dropped because a queue was full. */
  readonly dropped: number;
  readonly disorder: number;
  /** Messages that a receiver permanently refused. */
  readonly refused: number;
  /** Messages that were lost with a journal, and plans that were seen as new: their journals were missing at a kill. */
  readonly forgotten: number;
  readonly metAnew: number;
  readonly duplicates: number;
  readonly allowed: number;
  /** Events of plans. An event counts once, even if it has many sinks. */
  readonly events: number;
  /** States of plans: all that were written; those that hnotif may have missed in a gap; those that it missed. */
  readonly states: { readonly written: number; readonly inGaps: number; readonly unseen: number };
  /** The violations, each with the expected and the actual messages. */
  readonly violations: readonly string[];
}

interface Read {
  readonly arrival: Arrival;
  readonly said: Said;
  /** The index of the plan's life. */
  readonly life: number;
}

export function check(record: ChaosRecord): Verdict {
  const violations: string[] = [];
  const messages: Read[] = [];
  const lives = new Map(record.plans.map((plan) => [plan.name, livesOf(plan, record)]));
  for (const arrival of record.arrivals) {
    const said = ownedBy(record, arrival, readMessage(arrival));
    if (said !== undefined)
      messages.push({ arrival, said, life: lifeAt(lives.get(said.plan) ?? [], arrival.sentAt) });
    else
      violations.push(`${arrival.sink}: a message without a valid event: ${JSON.stringify(arrival.message)}`);
  }
  violations.push(...ambiguousIds(messages));
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
  for (const { said, arrival } of messages)
    if (!streams.has(`${arrival.sink} ${said.plan}`))
      violations.push(`${arrival.sink}: a message of a plan to which it does not subscribe: ${said.plan}`);

  const ofForm = (wanted: Form): ReadonlySet<string> =>
    new Set(
      record.notifications
        .flatMap(({ sinks }) => sinks.filter(({ form }) => form === wanted))
        .map(({ name }) => name),
    );
  const threads = ofForm('thread');
  const told = plans.flatMap((plan) => plan.told).filter(({ arrival }) => threads.has(arrival.sink));
  const forgotten = new Map(
    [...lives].map(([plan, all]) => [
      plan,
      {
        times: all.length - 1,
        unsent: all.some(({ forgotten, lost }) => forgotten < Infinity || lost !== undefined),
      },
    ]),
  );
  const withBoards = ofForm('board');
  const roots = checkRoots(record.roots, told, forgotten);
  const cards = checkCards(record.roots, told, forgotten);
  const boards = checkBoards(
    record.boards,
    record.ends,
    plans.flatMap(({ onBoards }) => onBoards),
    forgotten,
    messages.filter(({ arrival: { sink, accepted } }) => accepted && withBoards.has(sink)),
  );

  const webhooks = ofForm('webhook');
  const refusals = record.gaps.filter(({ why }) => why === 'refusal');
  const read = new Map(messages.map((message) => [message.arrival, message]));
  const repeats = repeatsOf(
    messages.map(({ arrival }) => arrival),
    (arrival) => keyOf(read.get(arrival), arrival),
    {
      kills: record.kills,
      refusals: (arrival) =>
        refusals.filter(({ plans }) => plans?.includes(read.get(arrival)?.said.plan ?? '') !== false),
      timeouts: (arrival) => {
        const said = read.get(arrival)?.said;
        const isOf = ({ sink, plan, kind }: Timeout): boolean =>
          sink === arrival.sink && plan === said?.plan.split('#')[0] && kind === said?.kind;
        return record.timeouts.filter(isOf);
      },
    },
    (sink) => webhooks.has(sink),
  );
  const forbidden = repeats.filter(
    ({ allowed, arrivals: [first] }) => !allowed && !(first.id === '' && (read.get(first)?.life ?? 0) > 0),
  );
  violations.push(
    ...plans.flatMap((plan) => plan.violations),
    ...strays,
    ...roots.faults,
    ...cards.faults,
    ...boards.faults,
    ...forbidden.map(
      ({ arrivals: [first, again] }) =>
        `${first.sink}: sent twice without a reason, at ${first.at} (${first.told}) and at ${again.at}: ${JSON.stringify(read.get(first)?.said)}`,
    ),
  );
  const { faults: _, ...shown } = { ...roots, ...cards, ...boards };
  const total = (of: (plan: Judged) => number): number => plans.reduce((sum, plan) => sum + of(plan), 0);
  return {
    kills: record.kills.filter(({ fell }) => !fell).length,
    expected: total(({ expected }) => expected),
    received: [...firsts.values()].flat().length,
    missing: total(({ missing }) => missing),
    dropped: total(({ dropped }) => dropped),
    disorder: total(({ disorder }) => disorder) + strays.length,
    refused: messages.filter(({ arrival }) => arrival.told === 'rejected').length,
    forgotten: total((plan) => plan.forgotten),
    metAnew: plans.length - record.plans.length,
    ...shown,
    duplicates: repeats.length,
    allowed: repeats.length - forbidden.length,
    events: total(({ events }) => events),
    states: {
      written: total(({ states }) => states.written),
      inGaps: total(({ states }) => states.inGaps),
      unseen: total(({ states }) => states.unseen),
    },
    violations,
  };
}

/** The share of the written states that hnotif must have seen. */
export const strictShare = ({ states }: Verdict): number => 1 - states.inGaps / Math.max(1, states.written);

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

/** Identifies a message of a sink: its id, or all its fields if it has no id. */
const keyOf = (read: Read | undefined, { sink, id }: Arrival): string => {
  const whose = `${sink} ${read?.life}`;
  return id === '' ? `${whose} ${read && `${read.said.plan} ${inWords(read.said)}`}` : `${whose} ${id}`;
};

const streamOf = (sink: string, plan: string, life: number): string => `${sink} ${plan} ${life}`;

/** The first end of each message: accepted, or permanently refused. */
function firstEnds(messages: readonly Read[]): Map<string, Read[]> {
  const known = new Set<string>();
  const firsts = new Map<string, Read[]>();
  for (const read of messages) {
    const key = keyOf(read, read.arrival);
    if (!hasEnded(read.arrival) || known.has(key)) continue;
    known.add(key);
    const stream = streamOf(read.arrival.sink, read.said.plan, read.life);
    firsts.set(stream, [...(firsts.get(stream) ?? []), read]);
  }
  return firsts;
}

/** Faults: messages that were permanently refused, and accepted after another message of their stream had ended. */
function comeBack(messages: readonly Read[]): string[] {
  const faults: string[] = [];
  const refused = new Map<string, number>();
  const ends = new Map<string, Set<string>>();
  for (const read of messages) {
    const { arrival, said, life } = read;
    if (!hasEnded(arrival)) continue;
    const key = keyOf(read, arrival);
    const stream = streamOf(arrival.sink, said.plan, life);
    const ended = ends.get(stream) ?? new Set();
    ends.set(stream, ended);
    const since = refused.get(key);
    if (arrival.accepted && since !== undefined && ended.size > since)
      faults.push(`${stream}: arrived after its successors, though it was refused: ${inWords(said)}`);
    ended.add(key);
    if (!arrival.accepted) refused.set(key, ended.size);
    else refused.delete(key);
  }
  return faults;
}

/** Faults: attempts with the same id and different contents. */
function ambiguousIds(messages: readonly Read[]): string[] {
  const said = new Map<string, string>();
  return messages.flatMap(({ arrival, said: now, life }) => {
    if (arrival.id === '') return [];
    const key = `${arrival.sink} ${arrival.id}`;
    const words = `${now.plan} ${inWords(now)}`;
    const before = said.get(`${key} ${life}`) ?? words;
    said.set(`${key} ${life}`, before);
    return before === words ? [] : [`${key} has two contents: "${before}" and "${words}"`];
  });
}

interface Judged extends Pick<
  Verdict,
  'expected' | 'missing' | 'dropped' | 'disorder' | 'forgotten' | 'events' | 'states' | 'violations'
> {
  readonly told: readonly Told[];
  readonly onBoards: readonly BoardPlan[];
}

function judge(
  record: ChaosRecord,
  plan: PlanHistory,
  life: Life,
  index: number,
  firsts: ReadonlyMap<string, readonly Read[]>,
  drops: Drops,
): Judged {
  const reads = new Map<string, readonly Read[]>();
  const streams: Stream[] = subscribers(record, plan).flatMap(({ onEvents, sinks, absences = [] }) =>
    sinks.map(({ name, form }) => {
      const found = firsts.get(streamOf(name, plan.name, index)) ?? [];
      reads.set(name, found);
      const isMixed = index > 0 && (form === 'channel' || form === 'botchat');
      const arrived = found.map(({ said }) => said);
      const asks = (at: number): Asks => asksAt(life.writes[at], life, absences, plan.deleted);
      // hnotif can search threads for earlier messages.
      const lives =
        form === 'thread' || form === 'board' ? Array.from({ length: index }, (_, life) => life) : [];
      const known = lives.flatMap((life) =>
        (firsts.get(streamOf(name, plan.name, life)) ?? []).map(({ said, arrival }) => ({
          ...said,
          cycle: record.roots
            .filter(({ sink, ts }) => sink === name && ts === arrival.thread)
            .map(({ text }) => readRoot(text)?.cycle)[0],
        })),
      );
      const kinds = new Set(form === 'board' ? onEvents.filter((kind) => REPLIES.has(kind)) : onEvents);
      const { lost } = life;
      const isLost = lost && ((seq: number) => seq > lost.seq || lost.waiting[name]?.includes(seq) === true);
      const reports = drops.of(name, plan);
      const mayBeUnstored = form === 'webhook';
      return { sink: name, kinds, arrived, isMixed, mayBeUnstored, asks, known, isLost, reports } as Stream;
    }),
  );
  const kills = record.gaps.filter(({ why }) => why === 'kill');
  const states = life.writes.map((write, place) => ({
    ...{ status: readStatus(write.status), from: write.from },
    ...(life.lost?.version !== undefined && write.version === life.lost.version && { seq: life.lost.seq }),
    skippable: (place === 0 && life.isLate) || (isInGap(write, record.gaps) && !isKept(write, life)),
    forgotten: write.to >= life.forgotten,
    isUnstored: isInGap(write, kills) && !isKept(write, life),
  }));
  const way = bestWay({ retries: plan.retries, states }, streams);
  const violations: string[] = [];
  const told: Told[] = [];
  let [expected, missing, dropped, disorder, forgotten] = [0, 0, 0, 0, 0];
  for (const stream of streams) {
    const { sink, arrived, isMixed = false } = stream;
    const asked = way.events.filter((event) => asksFor(stream, event) !== 'no');
    const optional = new Set<Expected>([
      ...asked.filter((event) => asksFor(stream, event) === 'perhaps'),
      ...(isMixed ? repeatsIn(asked) : []),
    ]);
    const aligned = align(arrived, asked);
    const isMissing = new Set<Expected>(aligned.missing);
    const wanted = asked.filter((event) => !isMissing.has(event) || !optional.has(event));
    // The last events may be missing because they were lost with a journal.
    const kept = wanted.findLastIndex((event) => !mayBeLost(stream, event) || !isMissing.has(event));
    const lost = wanted.length - 1 - kept;
    const lacking = wanted.slice(0, kept + 1).filter((event) => isMissing.has(event));
    forgotten += lost;
    expected += wanted.length - lost;
    const reported = lacking.filter(({ from }) => drops.take(sink, plan, from)).length;
    const unexplained = lacking.length - reported;
    dropped += reported;
    missing += unexplained;
    disorder += aligned.disorder.length;
    for (const [place, event] of aligned.events) {
      const arrival = reads.get(sink)?.[place]?.arrival;
      if (arrival !== undefined) told.push({ plan: plan.name, event, arrival });
    }
    if (unexplained > 0 || aligned.disorder.length > 0)
      violations.push(
        [
          `${plan.name} at ${sink}: ${unexplained} missing, ${aligned.disorder.length} out of order`,
          ...sideBySide(wanted.map(inWords), arrived.map(inWords)),
        ].join('\n    '),
      );
  }
  if (way.cost === undefined)
    violations.push(
      `${plan.name}: no path through its history explains the messages; states seen: ${way.seen.join()}`,
    );
  const onBoards = subscribers(record, plan).flatMap(({ onEvents, sinks }) =>
    sinks
      .filter(({ form }) => form === 'board')
      .map(({ name }) => ({
        ...{ sink: name, plan: plan.name },
        rows: rowsOf(way.events, states, onEvents),
      })),
  );
  const inGaps = states.filter(({ skippable }) => skippable).length;
  const unseen = states.length - way.seen.length;
  return {
    ...{ expected, missing, dropped, disorder, forgotten, violations, told, onBoards },
    events: way.events.length,
    states: { written: states.length, inGaps, unseen },
  };
}

/** The events that have replies on a board. */
const REPLIES: ReadonlySet<string> = new Set(['Failure', 'Recovery']);

/** A state that is in no journal was seen within this time after its write, or not at all (milliseconds). */
const SEEN_MS = 30_000;

/** Whether a notification subscribes to a state's events, at the times when the state may have been seen. */
function asksAt(
  write: StatusWrite | undefined,
  life: Life,
  absences: readonly Unselected[],
  deleted: PlanHistory['deleted'],
): Asks {
  if (write === undefined) return 'yes';
  // Its notifications were deleted with the namespace, and others were created: in a gap, both are seen before the end of the plan.
  if (deleted?.withNamespace !== undefined && write.to >= life.forgotten) return 'perhaps';
  // A state from before the beginning of a life is seen when the plan is first seen.
  const from = Math.max(write.from, life.from);
  const until = isKept(write, life) ? write.keptAt : Math.max(write.to, life.from) + SEEN_MS;
  const met = absences.filter((absence) => absence.from <= (until ?? 0) && absence.to >= from);
  if (met.length === 0) return 'yes';
  return met.every(({ isSure }) => isSure) ? 'no' : 'perhaps';
}

/** Whether a journal has had this state, in this life. */
const isKept = ({ keptAt }: StatusWrite, { from, until }: Life): boolean =>
  keptAt !== undefined && keptAt >= from && keptAt <= until;

/** Events with the same text as an earlier one, perhaps in the same second. */
function repeatsIn(events: readonly Made[]): Made[] {
  const told = new Set<string>();
  return events.filter((event) => {
    const words = inWords({ ...event, cycle: '' });
    if (isUndated(event) && told.has(words)) return true;
    told.add(words);
    return false;
  });
}

const subscribers = (record: ChaosRecord, { labels, namespace }: PlanHistory): readonly NotificationSpec[] =>
  record.notifications
    .filter((spec) => spec.namespace === undefined || spec.namespace === namespace)
    .filter(({ matchLabels }) => Object.entries(matchLabels).every(([key, value]) => labels[key] === value));

const isInGap = (write: StatusWrite, gaps: readonly Gap[]): boolean =>
  gaps.some(({ from, to, why }) => why !== 'refusal' && write.to >= from && write.from <= to);

function sideBySide(wanted: readonly string[], arrived: readonly string[]): string[] {
  const rows = Math.max(wanted.length, arrived.length);
  return Array.from(
    { length: rows },
    (_, row) => `${(wanted[row] ?? '').padEnd(76)} | ${arrived[row] ?? ''}`,
  );
}
