/**
 * Judges a run of chaos by its record alone. It shares no code with the service: what had to arrive it derives by the published
 * rules, from what the operator wrote.
 */
import type { Arrival, ChaosRecord, Gap, NotificationSpec, PlanHistory, StatusWrite } from '../record.ts';
import { align } from './align.ts';
import { repeatsOf } from './duplicates.ts';
import { inWords, readMessage, type Said } from './messages.ts';
import { bestWay, type Stream } from './path.ts';
import { checkRoots, type Told } from './roots.ts';
import { readStatus } from './status.ts';

export interface Verdict {
  readonly kills: number;
  /** Messages that had to arrive, and different ones that did. */
  readonly expected: number;
  readonly received: number;
  readonly missing: number;
  readonly disorder: number;
  readonly roots: number;
  readonly keys: number;
  readonly duplicates: number;
  readonly allowed: number;
  /** Events of plans, before they were multiplied by sinks. */
  readonly events: number;
  /** States of plans that were written, that went by in a gap, and that were indeed left out. */
  readonly states: { readonly written: number; readonly inGaps: number; readonly unseen: number };
  /** What is wrong, each with both sides. */
  readonly violations: readonly string[];
}

interface Read {
  readonly arrival: Arrival;
  readonly said: Said;
}

export function check(record: ChaosRecord): Verdict {
  const violations: string[] = [];
  const messages: Read[] = [];
  for (const arrival of record.arrivals) {
    const said = readMessage(arrival);
    if (said !== undefined) messages.push({ arrival, said });
    else violations.push(`${arrival.sink}: tells of no event: ${JSON.stringify(arrival.message)}`);
  }
  violations.push(...ambiguousIds(messages));
  const firsts = firstArrivals(messages);
  const plans = record.plans.map((plan) => judge(record, plan, firsts));
  const streams = new Set(
    record.plans.flatMap((plan) =>
      subscribers(record, plan).flatMap(({ sinks }) => sinks.map(({ name }) => streamOf(name, plan.name))),
    ),
  );
  for (const { said, arrival } of messages)
    if (!streams.has(streamOf(arrival.sink, said.plan)))
      violations.push(`${arrival.sink}: tells of a plan that nobody asked it for: ${said.plan}`);

  const threads = new Set(
    record.notifications
      .flatMap(({ sinks }) => sinks.filter(({ form }) => form === 'thread'))
      .map(({ name }) => name),
  );
  const told = plans.flatMap((plan) => plan.told).filter(({ arrival }) => threads.has(arrival.sink));
  const roots = checkRoots(record.roots, told);

  const webhooks = new Set(
    record.notifications
      .flatMap(({ sinks }) => sinks.filter(({ form }) => form === 'webhook'))
      .map(({ name }) => name),
  );
  const refusals = record.gaps.filter(({ why }) => why === 'refusal');
  const said = new Map(messages.map((message) => [message.arrival, message.said]));
  const repeats = repeatsOf(
    messages.map(({ arrival }) => arrival),
    (arrival) => keyOf(arrival, said.get(arrival)),
    { kills: record.kills, refusals },
    (sink) => webhooks.has(sink),
  );
  const forbidden = repeats.filter(({ allowed }) => !allowed);
  violations.push(
    ...plans.flatMap((plan) => plan.violations),
    ...roots.faults,
    ...forbidden.map(
      ({ arrivals: [first, again] }) =>
        `${first.sink}: twice without a reason, at ${first.at} (${first.told}) and at ${again.at}: ${JSON.stringify(said.get(first))}`,
    ),
  );
  const total = (of: (plan: Judged) => number): number => plans.reduce((sum, plan) => sum + of(plan), 0);
  return {
    kills: record.kills.filter(({ fell }) => !fell).length,
    expected: total(({ expected }) => expected),
    received: firsts.size === 0 ? 0 : [...firsts.values()].reduce((sum, { length }) => sum + length, 0),
    missing: total(({ missing }) => missing),
    disorder: total(({ disorder }) => disorder),
    roots: roots.roots,
    keys: roots.keys,
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

/** The line that `npm run chaos` ends with. */
export const summary = (verdict: Verdict): string => {
  const { kills, expected, received, missing, disorder, roots, keys, duplicates, allowed } = verdict;
  return (
    `kills ${kills}, expected ${expected}, received ${received}, missing ${missing}, disorder ${disorder}, ` +
    `roots ${roots}/keys ${keys}, duplicates ${duplicates} (allowed ${allowed})`
  );
};

/** What tells one message of a sink from the others; where it has no id, all that it says. */
const keyOf = ({ sink, id }: Arrival, said: Said | undefined): string =>
  id === '' ? `${sink} ${said && `${said.plan} ${inWords(said)}`}` : `${sink} ${id}`;

const streamOf = (sink: string, plan: string): string => `${sink} ${plan}`;

function firstArrivals(messages: readonly Read[]): Map<string, Read[]> {
  const known = new Set<string>();
  const firsts = new Map<string, Read[]>();
  for (const read of messages) {
    const key = keyOf(read.arrival, read.said);
    if (!read.arrival.accepted || known.has(key)) continue;
    known.add(key);
    const stream = streamOf(read.arrival.sink, read.said.plan);
    firsts.set(stream, [...(firsts.get(stream) ?? []), read]);
  }
  return firsts;
}

/** Every attempt of one id must say the same. */
function ambiguousIds(messages: readonly Read[]): string[] {
  const said = new Map<string, string>();
  return messages.flatMap(({ arrival, said: now }) => {
    if (arrival.id === '') return [];
    const key = `${arrival.sink} ${arrival.id}`;
    const words = `${now.plan} ${inWords(now)}`;
    const before = said.get(key) ?? words;
    said.set(key, before);
    return before === words ? [] : [`${key} has said "${before}" and "${words}"`];
  });
}

interface Judged extends Pick<
  Verdict,
  'expected' | 'missing' | 'disorder' | 'events' | 'states' | 'violations'
> {
  readonly told: readonly Told[];
}

function judge(record: ChaosRecord, plan: PlanHistory, firsts: ReadonlyMap<string, readonly Read[]>): Judged {
  const reads = new Map<string, readonly Read[]>();
  const streams: Stream[] = subscribers(record, plan).flatMap(({ onEvents, sinks }) =>
    sinks.map(({ name }) => {
      const found = firsts.get(streamOf(name, plan.name)) ?? [];
      reads.set(name, found);
      return { sink: name, kinds: new Set(onEvents), arrived: found.map(({ said }) => said) } as Stream;
    }),
  );
  const states = plan.writes.map((write) => ({
    status: readStatus(write.status),
    skippable: isInGap(write, record.gaps),
  }));
  const way = bestWay({ retries: plan.retries, states }, streams);
  const violations: string[] = [];
  const told: Told[] = [];
  let [expected, missing, disorder] = [0, 0, 0];
  for (const { sink, kinds, arrived } of streams) {
    const wanted = way.events.filter(({ kind }) => kinds.has(kind));
    const aligned = align(arrived, wanted);
    expected += wanted.length;
    missing += aligned.missing.length;
    disorder += aligned.disorder.length;
    for (const [place, event] of aligned.events) {
      const arrival = reads.get(sink)?.[place]?.arrival;
      if (arrival !== undefined) told.push({ plan: plan.name, event, arrival });
    }
    if (aligned.missing.length > 0 || aligned.disorder.length > 0)
      violations.push(
        [
          `${plan.name} at ${sink}: ${aligned.missing.length} missing, ${aligned.disorder.length} out of order`,
          ...sideBySide(wanted.map(inWords), arrived.map(inWords)),
        ].join('\n    '),
      );
  }
  if (way.cost === undefined)
    violations.push(
      `${plan.name}: nothing in its history comes near to what arrived; seen ${way.seen.join()}`,
    );
  const inGaps = states.filter(({ skippable }) => skippable).length;
  const unseen = states.length - way.seen.length;
  return {
    ...{ expected, missing, disorder, violations, told },
    events: way.events.length,
    states: { written: states.length, inGaps, unseen },
  };
}

const subscribers = (record: ChaosRecord, { labels }: PlanHistory): readonly NotificationSpec[] =>
  record.notifications.filter(({ matchLabels }) =>
    Object.entries(matchLabels).every(([key, value]) => labels[key] === value),
  );

const isInGap = (write: StatusWrite, gaps: readonly Gap[]): boolean =>
  gaps.some(({ from, to, why }) => why !== 'refusal' && write.to >= from && write.from <= to);

function sideBySide(wanted: readonly string[], arrived: readonly string[]): string[] {
  const rows = Math.max(wanted.length, arrived.length);
  return Array.from(
    { length: rows },
    (_, row) => `${(wanted[row] ?? '').padEnd(76)} | ${arrived[row] ?? ''}`,
  );
}
