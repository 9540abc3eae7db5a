/** Judges one plan: all its streams are explained by one path through its history. */
import type { ChaosRecord, Gap, NotificationSpec, PlanHistory, StatusWrite, Unselected } from '../record.ts';
import { align } from './align.ts';
import { rowsOf, type BoardPlan } from './boards.ts';
import type { Drops } from './drops.ts';
import type { Life } from './lives.ts';
import { inWords, readRoot } from './messages.ts';
import type { Expected } from './net-events.ts';
import { asksFor, bestWay, isUndated, mayBeLost, type Asks, type Made, type Stream } from './path.ts';
import { streamOf, type Read } from './reads.ts';
import { readStatus } from './status.ts';
import type { Told } from './threads.ts';

export interface Counts {
  /** Messages that had to arrive. */
  readonly expected: number;
  readonly missing: number;
  /** Messages that did not arrive, and of which the log says that they were dropped because a queue was full. */
  readonly dropped: number;
  readonly disorder: number;
  /** Messages that were lost with a journal. */
  readonly forgotten: number;
  /** Events of plans. An event counts once, even if it has many sinks. */
  readonly events: number;
  /** States of plans: all that were written; those that hnotif may have missed in a gap; those that it missed. */
  readonly written: number;
  readonly inGaps: number;
  readonly unseen: number;
}

interface Judged {
  readonly counts: Counts;
  readonly violations: readonly string[];
  readonly told: readonly Told[];
  readonly onBoards: readonly BoardPlan[];
}

/** Judges the streams of one life of a plan. */
export function judge(
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
  const written = states.length;
  const inGaps = states.filter(({ skippable }) => skippable).length;
  const counts = { expected, missing, dropped, disorder, forgotten, events: way.events.length };
  const ofStates = { written, inGaps, unseen: written - way.seen.length };
  return { counts: { ...counts, ...ofStates }, violations, told, onBoards };
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

export const subscribers = (
  record: ChaosRecord,
  { labels, namespace }: PlanHistory,
): readonly NotificationSpec[] =>
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
