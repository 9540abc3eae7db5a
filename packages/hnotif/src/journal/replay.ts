import type { Routed, StreamName } from '../dispatch/log-entry.ts';
import { deliveryId, rederive, type Rederived, type Observed } from '@hnotif/core/lifecycle';
import {
  EVENT_KINDS,
  type Notification,
  type Plan,
  MOST_REPLAY_ROWS,
  type ReplayRequest,
  type ReplayResult,
  type ReplayRow,
} from '@hnotif/core/resources';
import { isIdOf, parseOutcomeLine, type OutcomeLine } from './outcome-line.ts';

/** The facts about a plan when a replay is requested. */
export interface ReplayFacts {
  readonly plan: Plan;
  readonly observed: Observed;
  /** The lines of its journal. */
  readonly outcomes: Iterable<string>;
  /** Whether an event waits in a stream. `id`: the beginning of its id. */
  readonly waits: (stream: string, id: string) => boolean;
  readonly notification: Pick<Notification, 'name' | 'sinks'>;
  readonly request: Pick<ReplayRequest, 'sink' | 'since' | 'id' | 'all' | 'dryRun'>;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

export interface Replay {
  /** To accept again, in the order in which they happened. */
  readonly again: readonly Routed[];
  /** The result for each line. */
  readonly rows: readonly ReplayRow[];
}

/**
 * Which deliveries of a plan are sent again: those whose last end in the journal was a loss (or, with `all`, an arrival), if their events
 * can still be derived from the plan. Journals keep no contents after the end of a delivery, so the events are derived again. Pure.
 */
export function replayOf(facts: ReplayFacts): Replay {
  const { plan, observed, notification, request, now } = facts;
  const find = rederive(plan, observed, now);
  const again = new Map<string, { readonly found: Rederived; readonly to: StreamName[] }>();
  const rows: ReplayRow[] = [];
  for (const { line, sink, ids } of wanted(facts)) {
    const entry = notification.sinks.find(({ name }) => name === sink);
    const kinds = new Map<ReplayResult, string[]>();
    const note = (result: ReplayResult, kind: string): void => {
      kinds.set(result, [...(kinds.get(result) ?? []), kind]);
    };
    for (const id of ids) {
      const found = eventOf(find, line, id);
      if (!isAskedFor(facts, { line, sink, id }, found)) continue;
      const kind = found?.event.kind ?? line.event;
      if (entry === undefined) note('NotListed', kind);
      else if (facts.waits(line.stream, id)) note('Waits', kind);
      else if (found === undefined) note('NotDerivable', kind);
      else {
        note(request.dryRun ? 'WouldBeSent' : 'Sent', kind);
        const known = again.get(found.event.id) ?? { found, to: [] };
        const name = { notification: notification.name, sink: entry.name, type: entry.type };
        if (!known.to.some((other) => other.sink === sink)) known.to.push(name);
        again.set(found.event.id, known);
      }
    }
    // Some ids are not known: those of progress that was dropped together, and those of a line of an older hnotif.
    const { ids: known, count } = line;
    for (let missing = known?.length ?? 0; missing < count && request.id === undefined; missing++)
      note('NotDerivable', known === undefined ? line.event : 'ExecutionProgress');
    const was = `${line.result} ${line.reason}`.trim();
    for (const [result, of] of kinds)
      rows.push({
        ...{ sink, events: [...new Set(of)].join(', '), count: of.length, endedAt: line.at, was, result },
      });
  }
  const events = [...again.values()].sort((a, b) => a.found.place - b.found.place);
  return {
    again: request.dryRun ? [] : events.map(({ found, to }) => ({ event: found.event, to })),
    rows: rows.slice(0, MOST_REPLAY_ROWS),
  };
}

interface Wanted {
  readonly line: OutcomeLine;
  readonly sink: string;
  /** Of the events whose last end this was. */
  readonly ids: readonly string[];
}

/** Whether the request includes this delivery. A requested id may be the id of an event or of a delivery. */
function isAskedFor(
  { notification, plan, request }: ReplayFacts,
  { line, sink, id }: { readonly line: OutcomeLine; readonly sink: string; readonly id: string },
  found: Rederived | undefined,
): boolean {
  if (request.id === undefined) return true;
  if (isIdOf(id, request.id)) return request.all || line.result !== 'delivered';
  return (
    found !== undefined && deliveryId(found.event.id, plan.namespace, notification.name, sink) === request.id
  );
}

/** The requested lines, the oldest first. Of several ends of the same delivery only the last one counts. */
function wanted({ notification: { name }, outcomes, request }: ReplayFacts): readonly Wanted[] {
  const lines = [...outcomes]
    .sort()
    .map(parseOutcomeLine)
    .filter((line) => line !== undefined)
    .filter(({ stream }) => stream.startsWith(`${name}/`));
  const last = new Map<string, OutcomeLine>();
  for (const line of lines) for (const id of line.ids ?? []) last.set(`${line.stream} ${id}`, line);
  const since = Date.parse(request.since ?? '') || 0;
  return lines.flatMap((line) => {
    const { at, ids = [], result, stream } = line;
    const sink = stream.slice(name.length + 1);
    const isWanted =
      (result === 'failed' ||
        result === 'dropped' ||
        (result === 'delivered' && (request.all || request.id !== undefined))) &&
      (request.sink === undefined || sink === request.sink) &&
      Date.parse(at) >= since;
    const own = ids.filter((id) => last.get(`${stream} ${id}`) === line);
    const isUnknown = ids.length < line.count && request.id === undefined;
    return isWanted && (own.length > 0 || isUnknown) ? [{ line, sink, ids: own }] : [];
  });
}

/** The events of a line may be of any kind, if there are several. Progress comes last: a plan may have thousands of targets. */
export function eventOf(
  find: ReturnType<typeof rederive>,
  { count, event, seq }: Pick<OutcomeLine, 'count' | 'event' | 'seq'>,
  id: string,
): Rederived | undefined {
  const kinds = EVENT_KINDS.filter((kind) => count > 1 || kind === event);
  for (const kind of kinds) {
    const found = find(kind, id, seq);
    if (found !== undefined) return found;
  }
  return undefined;
}
