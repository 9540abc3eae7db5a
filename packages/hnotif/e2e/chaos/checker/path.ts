/**
 * Which of a plan's states the service must have seen, judged by what arrived: one way through the plan's history, the same for
 * all streams, that left out nothing but what went by in a gap, and from which the least is missing and out of place.
 */
import { tells, type Said } from './messages.ts';
import { netEvents, type Expected, type Kind } from './net-events.ts';
import type { Status } from './status.ts';
import { NOTHING_SEEN, type Memory } from './step.ts';

export interface Stream {
  readonly sink: string;
  readonly kinds: ReadonlySet<Kind>;
  /** What arrived for the first time, in order. */
  readonly arrived: readonly Said[];
  /** Whether the stream is told of what this state makes, by its place in the history. Default: of all. */
  readonly asks?: ((at: number) => Asks) | undefined;
  /** What arrived before the history began. Who met the plan anew may have found it, and need not have sent it again. */
  readonly known?: readonly Said[] | undefined;
  /** Messages have no ids, and runs of before are told in one second: two in the same words count as one that was repeated. */
  readonly isMixed?: boolean;
}

/** `perhaps`: the service may have known by then that it is not to be told, or not. */
export type Asks = 'yes' | 'no' | 'perhaps';

export interface History {
  readonly retries: number;
  readonly states: readonly State[];
}

export interface State {
  readonly status: Status;
  readonly skippable: boolean;
  /** What it makes may be missing at the end of a stream: it was forgotten before it was sent. */
  readonly forgotten: boolean;
}

/** An event that a state made. */
export interface Made extends Expected {
  readonly forgotten: boolean;
  /** The place of the state in the history. */
  readonly at: number;
}

/** Whether the stream is told of an event. */
export function asksFor({ kinds, asks, known = [] }: Stream, event: Made): Asks {
  if (!kinds.has(event.kind)) return 'no';
  const asked = asks?.(event.at) ?? 'yes';
  // Who meets a plan sees it later, in another phase.
  const isKnown = known.some((said) => tells(said, { ...event, phase: said.phase, time: undefined }));
  return asked === 'yes' && isKnown ? 'perhaps' : asked;
}

export interface Way {
  /** The states that were seen, by their place in the history. */
  readonly seen: readonly number[];
  readonly events: readonly Made[];
  /** What is missing and out of place; undefined: the search was given up. */
  readonly cost: number | undefined;
}

interface Node {
  readonly at: number;
  readonly memory: Memory;
  /** How many arrivals of each stream are explained. */
  readonly places: readonly number[];
  readonly events: readonly Made[];
  readonly before: Node | undefined;
  /** What is looked for from here: steps in which all fits, then, for more, those in which it does not; or nothing more. */
  readonly next: 'what fits' | 'what does not' | 'end';
}

/** States that are left out in one step at most. */
const LONGEST_GAP = 60;
/** Steps after which a search is given up: far more than a history with a handful of faults takes. */
const MOST_STEPS = 5_000;
/** How far an arrival that fits is looked for. */
const WINDOW = 6;
/** Streams that differ in one step of which all the ways to differ are tried. */
const MOST_DIFFERING = 2;

/** Where a stream is so broken that no way is found with it, it is left to the others to show the way. */
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
  /** By cost; of one cost the newest first, so that what fits is followed to its end. */
  const open: Node[][] = [];
  const push = (cost: number, node: Node): void => void (open[cost] ??= []).push(node);
  const known = new Set<string>();
  push(0, {
    ...{ at: -1, memory: NOTHING_SEEN, events: [], before: undefined, next: 'what fits' },
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
      const exactly = node.next === 'what fits';
      // What does not fit costs one at least: it is not looked at before all else has failed.
      if (exactly) push(cost + 1, { ...node, next: 'what does not' });
      const paid = exactly ? cost : cost - 1;
      // The farthest first, since the last one pushed is the first to be followed.
      for (const at of reachable(states, node.at).reverse()) {
        const state = states[at];
        if (state === undefined) continue;
        const { events: net, after } = netEvents(node.memory, state.status, retries);
        const events = net.map((event) => ({ ...event, at, forgotten: state.forgotten }));
        for (const { places, more } of (exactly ? exactFit : fits)(streams, node.places, events))
          if (exactly || more > 0)
            push(paid + more, { at, memory: after, places, events, before: node, next: 'what fits' });
      }
    }
  return wayTo(furthest, undefined);
}

/** The next state, and those after it as long as all that is left out lies in a gap. */
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

/** The streams' next arrivals are these events; empty where they are not. */
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
      else if (asks === 'yes') return [];
    }
    places.push(place);
  }
  return [{ places, more: 0 }];
}

/** Whether it is said to be of when it was seen. */
export const isUndated = ({ time }: Expected): boolean => time === undefined;

/** The ways in which the streams' arrivals can be these events. */
function fits(streams: readonly Stream[], places: readonly number[], events: readonly Made[]): Fit[] {
  const choices = streams.map((stream, index) => {
    const from = places[index] ?? 0;
    const near = stream.arrived.slice(from, from + events.length + WINDOW);
    const wanted = events.filter((event) => {
      const asks = asksFor(stream, event);
      return asks === 'yes' || (asks === 'perhaps' && near.some((said) => tells(said, event)));
    });
    return choicesOf(stream.arrived, from, wanted);
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

/** Up to where a stream's arrivals may be these events, and what is then missing and out of place; the best first. */
function choicesOf(
  arrived: readonly Said[],
  from: number,
  wanted: readonly Expected[],
): { readonly place: number; readonly more: number }[] {
  const isExact = wanted.every((event, index) => {
    const said = arrived[from + index];
    return said !== undefined && tells(said, event);
  });
  if (isExact) return [{ place: from + wanted.length, more: 0 }];
  const window = arrived.slice(from, from + wanted.length + WINDOW);
  const common = commonLengths(window, wanted);
  return common
    .map((length, taken) => ({ place: from + taken, more: wanted.length + taken - 2 * length }))
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
