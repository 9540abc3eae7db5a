/**
 * Finds the states of a plan that the service has seen, from the messages that arrived. It searches one path through the plan's history
 * that explains all streams. The path may skip only states in gaps. It is the path with the fewest messages missing or out of order.
 */
import { tells, type Said } from './messages.ts';
import { netEvents, type Expected, type Kind } from './net-events.ts';
import type { Reported } from './drops.ts';
import type { Status } from './status.ts';
import { NOTHING_SEEN, type Memory } from './step.ts';

export interface Stream {
  readonly sink: string;
  readonly kinds: ReadonlySet<Kind>;
  /** The arrivals in order, without duplicates. */
  readonly arrived: readonly Said[];
  /** Whether the stream gets the events of a state, by the index of the state. Default: of all states. */
  readonly asks?: ((at: number) => Asks) | undefined;
  /** Arrivals from before this history. A process that sees the plan as new may find them, and need not send them again. */
  readonly known?: readonly Said[] | undefined;
  /** Deliveries of this stream that were dropped. They leave no trace in the arrivals. */
  readonly dropped?: Reported | undefined;
  /** Messages have no ids, and those of earlier runs may be sent in one second. So two messages with the same text count as one that was repeated. */
  readonly isMixed?: boolean;
}

/** `perhaps`: the service may or may not have seen the changed selector in time. */
export type Asks = 'yes' | 'no' | 'perhaps';

export interface History {
  readonly retries: number;
  readonly states: readonly State[];
}

export interface State {
  readonly status: Status;
  /** When it was written, at the earliest. */
  readonly from: number;
  readonly skippable: boolean;
  /** Its events may be missing at the end of a stream: they were lost before they were sent. */
  readonly forgotten: boolean;
}

/** An event of a state. */
export interface Made extends Expected {
  readonly forgotten: boolean;
  /** The index of the state in the history. */
  readonly at: number;
  readonly from: number;
}

/** Whether the stream gets an event. */
export function asksFor({ kinds, asks, known = [] }: Stream, event: Made): Asks {
  if (!kinds.has(event.kind)) return 'no';
  const asked = asks?.(event.at) ?? 'yes';
  // A process that sees the plan as new sees it later, in another phase.
  const isKnown = known.some((said) => tells(said, { ...event, phase: said.phase, time: undefined }));
  return asked === 'yes' && isKnown ? 'perhaps' : asked;
}

/** Whether the event may be one of those that were dropped: it was there when the drop was reported. */
export const mayBeDropped = ({ dropped }: Pick<Stream, 'dropped'>, { from }: Made): boolean =>
  dropped !== undefined && dropped.count > 0 && from <= dropped.until;

export interface Way {
  /** The indexes of the states that were seen. */
  readonly seen: readonly number[];
  readonly events: readonly Made[];
  /** The number of messages missing or out of order; undefined: the search was given up. */
  readonly cost: number | undefined;
}

interface Node {
  readonly at: number;
  readonly memory: Memory;
  /** How many arrivals of each stream are explained. */
  readonly places: readonly number[];
  readonly events: readonly Made[];
  readonly before: Node | undefined;
  /** The next search from here: steps in which all messages match; later, at a higher cost, steps in which some do not; or none. */
  readonly next: 'matching' | 'differing' | 'end';
}

/** The most states that one step skips. */
const LONGEST_GAP = 60;
/** The search is given up after this many steps. A history with a few faults takes far fewer. */
const MOST_STEPS = 5_000;
/** How many further arrivals are searched for a match. */
const WINDOW = 6;
/** With more streams that do not match in a step, only the best choice of each is tried. */
const MOST_DIFFERING = 2;

/** If one stream is so broken that no path is found with it, the path of the other streams is used. */
export function bestWay(history: History, streams: readonly Stream[]): Way {
  const best = search(history, streams);
  if (best.cost !== undefined || streams.length < 2) return best;
  const others = streams.map((broken) =>
    search(
      history,
      streams.filter((stream) => stream !== broken),
    ),
  );
  const single = streams.map((stream) => search(history, [stream]));
  const cheapest = (ways: readonly Way[]): Way | undefined =>
    ways.filter(({ cost }) => cost !== undefined).sort((a, b) => (a.cost ?? 0) - (b.cost ?? 0))[0];
  return cheapest(others) ?? cheapest(single) ?? best;
}

function search(history: History, streams: readonly Stream[]): Way {
  const { states, retries } = history;
  const isIncomplete = streams.some(({ dropped }) => (dropped?.count ?? 0) > 0);
  /** By cost. Of equal cost, the newest first: so a matching path is followed to its end. */
  const open: Node[][] = [];
  const push = (cost: number, node: Node): void => void (open[cost] ??= []).push(node);
  const known = new Set<string>();
  push(0, {
    ...{ at: -1, memory: NOTHING_SEEN, events: [], before: undefined, next: 'matching' },
    places: streams.map(() => 0),
  });
  let furthest: Node | undefined;
  let steps = 0;
  for (let cost = 0; cost < open.length; cost++)
    for (let node = open[cost]?.pop(); node !== undefined; node = open[cost]?.pop()) {
      if (node.next === 'end') return wayTo(node, cost);
      const key = `${node.next}/${node.at}/${node.places.join()}/${node.memory.open}${node.memory.failed}`;
      if (known.has(key)) continue;
      known.add(key);
      if (node.at > (furthest?.at ?? -2)) furthest = node;
      if (++steps > MOST_STEPS) return wayTo(furthest ?? node, undefined);
      if (node.at === states.length - 1) {
        const { places } = node;
        const left = streams.map(({ arrived }, stream) => arrived.length - (places[stream] ?? 0));
        push(cost + sum(left), { ...node, before: node, next: 'end' });
        continue;
      }
      const exactly = node.next === 'matching';
      // A step that does not match costs at least one: it is tried only when all cheaper ones have failed.
      if (exactly) push(cost + 1, { ...node, next: 'differing' });
      const paid = exactly ? cost : cost - 1;
      // The last one pushed is tried first. That is the next state: most were seen. But if the messages of a state may have been dropped,
      // a state of a gap that is in no journal was rather not seen.
      const next = reachable(states, node.at);
      for (const at of isIncomplete ? next : next.reverse()) {
        const state = states[at];
        if (state === undefined) continue;
        const { events: net, after } = netEvents(node.memory, state.status, retries);
        const events = net.map((event) => ({ ...event, at, from: state.from, forgotten: state.forgotten }));
        for (const { places, more } of (exactly ? exactFit : fits)(streams, node.places, events))
          if (exactly || more > 0)
            push(paid + more, { at, memory: after, places, events, before: node, next: 'matching' });
      }
    }
  return wayTo(furthest, undefined);
}

/** The next state, and later ones if all skipped states are in a gap. */
function reachable(states: History['states'], at: number): number[] {
  const found: number[] = [];
  for (let next = at + 1; next < states.length && next <= at + LONGEST_GAP; next++) {
    found.push(next);
    if (states[next]?.skippable !== true) break;
  }
  return found;
}

interface Fit {
  readonly places: readonly number[];
  readonly more: number;
}

/** The step, if the next arrivals of all streams are these events; otherwise empty. */
function exactFit(streams: readonly Stream[], from: readonly number[], events: readonly Made[]): Fit[] {
  const places: number[] = [];
  for (const [index, stream] of streams.entries()) {
    const { arrived, isMixed = false } = stream;
    let place = from[index] ?? 0;
    for (const event of events) {
      const asks = asksFor(stream, event);
      if (asks === 'no') continue;
      const said = arrived[place];
      if (said === undefined && event.forgotten) continue;
      const tellsIt = (each: Said | undefined): boolean => each !== undefined && tells(each, event);
      if (isMixed && isUndated(event) && !tellsIt(said) && arrived.slice(0, place).some(tellsIt)) continue;
      if (tellsIt(said)) place++;
      else if (asks === 'yes' && !mayBeDropped(stream, event)) return [];
    }
    places.push(place);
  }
  return [{ places, more: 0 }];
}

/** Whether its message shows the time when hnotif saw it. */
export const isUndated = ({ time }: Expected): boolean => time === undefined;

/** The possible assignments of the streams' arrivals to these events. */
function fits(streams: readonly Stream[], places: readonly number[], events: readonly Made[]): Fit[] {
  const choices = streams.map((stream, index) => {
    const from = places[index] ?? 0;
    const near = stream.arrived.slice(from, from + events.length + WINDOW);
    const wanted = events.filter((event) => {
      const asks = asksFor(stream, event);
      return asks === 'yes' || (asks === 'perhaps' && near.some((said) => tells(said, event)));
    });
    const absent = wanted.every((event) => mayBeDropped(stream, event)) ? 0 : 1;
    return choicesOf(stream.arrived, from, wanted, absent);
  });
  const differing = choices.filter((ways) => ways.length > 1).length;
  let found: Fit[] = [{ places: [], more: 0 }];
  for (const ways of choices) {
    const tried = differing > MOST_DIFFERING ? ways.slice(0, 1) : ways;
    found = found.flatMap((fit) =>
      tried.map(({ place, more }) => ({ places: [...fit.places, place], more: fit.more + more })),
    );
  }
  return found;
}

/**
 * Where a stream may continue after these events, and how many messages are then missing or out of order; the best first. `absent`: what a
 * missing message counts.
 */
function choicesOf(
  arrived: readonly Said[],
  from: number,
  wanted: readonly Expected[],
  absent: number,
): { readonly place: number; readonly more: number }[] {
  const isExact = wanted.every((event, index) => {
    const said = arrived[from + index];
    return said !== undefined && tells(said, event);
  });
  if (isExact) return [{ place: from + wanted.length, more: 0 }];
  const window = arrived.slice(from, from + wanted.length + WINDOW);
  const common = commonLengths(window, wanted);
  return common
    .map((length, taken) => ({
      place: from + taken,
      more: absent * (wanted.length - length) + taken - length,
    }))
    .sort((a, b) => a.more - b.more || b.place - a.place)
    .slice(0, 4);
}

/** The length of the longest common subsequence of the events and the first `n` arrivals, for each `n`. */
function commonLengths(arrived: readonly Said[], wanted: readonly Expected[]): number[] {
  let row = wanted.map(() => 0);
  const lengths = [0];
  for (const said of arrived) {
    const above = row;
    row = [];
    wanted.forEach((event, index) => {
      const diagonal = above[index - 1] ?? 0;
      row.push(tells(said, event) ? diagonal + 1 : Math.max(above[index] ?? 0, row[index - 1] ?? 0));
    });
    lengths.push(row.at(-1) ?? 0);
  }
  return lengths;
}

function wayTo(end: Node | undefined, cost: number | undefined): Way {
  const nodes: Node[] = [];
  for (let node = end; node !== undefined; node = node.before) nodes.unshift(node);
  const steps = nodes.filter(({ at, next }) => at >= 0 && next !== 'end');
  return { seen: steps.map(({ at }) => at), events: steps.flatMap(({ events }) => events), cost };
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);
