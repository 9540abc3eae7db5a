/**
 * Finds the states of a plan that the service has seen, from the messages that arrived. It searches one path through the plan's history
 * that explains all streams. The path may skip only states in gaps. It is the path with the fewest messages missing or out of order.
 */
import { reportFor, type Report } from './drops.ts';
import { tells, withoutTime, type Said } from './messages.ts';
import { netEvents, type Expected, type Kind } from './net-events.ts';
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
  /** Reports of deliveries that were dropped: each explains so many missing messages. */
  readonly reports?: readonly Report[] | undefined;
  /** Whether the event with this number may be missing at the end, because it was lost with its journal. The first one has 1. */
  readonly isLost?: ((seq: number) => boolean) | undefined;
  /** Messages have no ids, and those of earlier runs may be sent in one second. So two messages with the same text count as one that was repeated. */
  readonly isMixed?: boolean;
  /** Whether its messages may be sent before they are stored, if the plan's status proves them. Default: not. */
  readonly mayBeUnstored?: boolean;
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
  /** How many events a journal had when it had this state. Default: not known. */
  readonly seq?: number | undefined;
  /** Whether it is in no journal, and its process was killed. The next process does not know it, even if messages told of it. */
  readonly isUnstored?: boolean;
}

/** An event of a state. */
export interface Made extends Expected {
  readonly forgotten: boolean;
  /** The index of the state in the history. */
  readonly at: number;
  readonly from: number;
  /** Its number among the events of the history: the first one has 1. */
  readonly seq: number;
}

/** Whether the stream gets an event. */
export function asksFor({ kinds, asks, known = [] }: Stream, event: Made): Asks {
  if (!kinds.has(event.kind)) return 'no';
  const asked = asks?.(event.at) ?? 'yes';
  // A process that sees the plan as new sees it later, in another phase.
  const isKnown = known.some((said) => tells(said, { ...event, phase: said.phase, time: undefined }));
  return asked === 'yes' && isKnown ? 'perhaps' : asked;
}

/** Whether the event may be missing at the end of a stream. */
export const mayBeLost = ({ isLost }: Stream, { forgotten, seq }: Made): boolean =>
  forgotten || isLost?.(seq) === true;

export interface Way {
  /** The indexes of the states that were seen. */
  readonly seen: readonly number[];
  readonly events: readonly Made[];
  /** The number of messages missing or out of order; undefined: the search was given up. */
  readonly cost: number | undefined;
}

/** What a process knows when it sees the next state. */
interface Base {
  readonly memory: Memory;
  /** The number of events so far. */
  readonly made: number;
  /** The events since then that were sent, and that no journal has. */
  readonly unstored: readonly Made[];
}

interface Node extends Base {
  readonly at: number;
  /** What the process may know that follows after a kill. */
  readonly bases: readonly Base[];
  /** How many arrivals of each stream are explained. */
  readonly places: readonly number[];
  readonly events: readonly Made[];
  readonly before: Node | undefined;
  /** Whether all messages are counted. */
  readonly isEnd: boolean;
}

/** The most states that one step skips. */
const LONGEST_GAP = 60;
/** The search is given up after this many steps. A history with a few faults takes far fewer. */
const MOST_STEPS = 5_000;
/** How many further arrivals are searched for a match. */
const WINDOW = 6;

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
  const isCounted = states.some(({ seq }) => seq !== undefined);
  const isIncomplete = streams.some(({ reports = [] }) => reports.length > 0);
  /** By cost. Of equal cost, the newest first: so a matching path is followed to its end. */
  const open: Node[][] = [];
  const push = (cost: number, node: Node): void => void (open[cost] ??= []).push(node);
  const known = new Set<string>();
  push(0, {
    ...{ at: -1, memory: NOTHING_SEEN, events: [], made: 0, before: undefined, isEnd: false },
    ...{ unstored: [], bases: [] },
    places: streams.map(() => 0),
  });
  let furthest: Node | undefined;
  let steps = 0;
  for (let cost = 0; cost < open.length; cost++)
    for (let node = open[cost]?.pop(); node !== undefined; node = open[cost]?.pop()) {
      if (node.isEnd) return wayTo(node, cost);
      const key = `${isCounted ? node.made : ''}/${node.at}/${node.places.join()}/${node.memory.open}${node.memory.failed}/${node.bases.length}`;
      if (known.has(key)) continue;
      known.add(key);
      if (node.at > (furthest?.at ?? -2)) furthest = node;
      if (++steps > MOST_STEPS) return wayTo(furthest ?? node, undefined);
      if (node.at === states.length - 1) {
        const left = streams.map(({ arrived }, stream) => arrived.length - (node.places[stream] ?? 0));
        push(cost + sum(left), { ...node, before: node, isEnd: true });
        continue;
      }
      // The last one pushed is tried first. That is the next state: most were seen. But if the messages of a state may have been dropped,
      // a state of a gap that is in no journal was rather not seen.
      const next = reachable(states, node.at);
      if (!isIncomplete) next.reverse();
      for (const base of [...node.bases, node]) {
        const sent = new Set(base.unstored.map(withoutTime));
        const known = base === node ? [...node.bases, node] : [base];
        for (const at of next) {
          const state = states[at];
          if (state === undefined) continue;
          const { events: net, after: memory } = netEvents(base.memory, state.status, retries);
          const { from, forgotten } = state;
          const made = base.made + net.length;
          const miscounted = state.seq === undefined || state.seq === made ? 0 : 1;
          const events = net
            .map((event, index) => ({ ...event, at, from, forgotten, seq: base.made + index + 1 }))
            .filter((event) => !sent.has(withoutTime(event)));
          const choices = streams.map((stream, index) => best(stream, node.places[index] ?? 0, events));
          const places = choices.map(({ place }) => place);
          const more = sum(choices.map((choice) => choice.more)) + miscounted;
          const bases = isUnstored(state, events, streams)
            ? known.map((each) => ({ ...each, unstored: [...each.unstored, ...events] }))
            : [];
          const after = { at, memory, places, events, made, unstored: [], bases };
          push(cost + more, { ...after, before: node, isEnd: false });
        }
      }
    }
  return wayTo(furthest, undefined);
}

/** Whether the events of a state may have been sent, although no journal has it: its status proves them to receivers that drop repeats. */
const isUnstored = (state: State, events: readonly Made[], streams: readonly Stream[]): boolean =>
  state.isUnstored === true &&
  events.every(
    (event) =>
      event.kind !== 'ExecutionProgress' &&
      streams.every((stream) => stream.mayBeUnstored === true || asksFor(stream, event) === 'no'),
  );

/** The next state, and later ones if all skipped states are in a gap. */
function reachable(states: History['states'], at: number): number[] {
  const found: number[] = [];
  for (let next = at + 1; next < states.length && next <= at + LONGEST_GAP; next++) {
    found.push(next);
    if (states[next]?.skippable !== true) break;
  }
  return found;
}

/** Where a stream may continue after some events, and how many of its messages are then missing or out of order. */
interface Choice {
  readonly place: number;
  readonly more: number;
}

/** The stream after these events, if its next arrivals are their messages, as far as they match. */
function after(stream: Stream, from: number, events: readonly Made[]): Choice {
  const { arrived, isMixed = false, reports = [] } = stream;
  let [place, more] = [from, 0];
  for (const event of events) {
    const asks = asksFor(stream, event);
    if (asks === 'no') continue;
    const said = arrived[place];
    if (said === undefined && mayBeLost(stream, event)) continue;
    const tellsIt = (each: Said | undefined): boolean => each !== undefined && tells(each, event);
    if (isMixed && isUndated(event) && !tellsIt(said) && arrived.slice(0, place).some(tellsIt)) continue;
    if (tellsIt(said)) place++;
    // Whether there are as many reports as missing messages, is counted when the path is known.
    else if (asks === 'yes' && reportFor(reports, event.from) === undefined) more++;
  }
  return { place, more };
}

/** Whether its message shows the time when hnotif saw it. */
export const isUndated = ({ time }: Expected): boolean => time === undefined;

/** The best assignment of a stream's arrivals to these events: some arrivals may come too early, and some messages may be missing. */
function best(stream: Stream, from: number, events: readonly Made[]): Choice {
  let found = after(stream, from, events);
  const most = Math.min(events.length + WINDOW, stream.arrived.length - from);
  for (let early = 1; early <= most && early <= found.more; early++) {
    const { place, more } = after(stream, from + early, events);
    const isBetter = more + early < found.more || (more + early === found.more && place > found.place);
    if (isBetter) found = { place, more: more + early };
  }
  return found;
}

function wayTo(end: Node | undefined, cost: number | undefined): Way {
  const nodes: Node[] = [];
  for (let node = end; node !== undefined; node = node.before) nodes.unshift(node);
  const steps = nodes.filter(({ at, isEnd }) => at >= 0 && !isEnd);
  return { seen: steps.map(({ at }) => at), events: steps.flatMap(({ events }) => events), cost };
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);
