import type { PlanLog } from '../dispatch/plan-log.ts';
import type { Observed } from '../lifecycle/observed.ts';
import { partsOfRootKey } from '../sinks/teamchat/thread/root.ts';
import type { RootRecord } from '../sinks/teamchat/thread/store.ts';

/** How deliveries of one stream ended: one, or several that were dropped together. */
export interface Ending {
  /** RFC 3339. */
  readonly at: string;
  readonly seq: number;
  readonly event: string;
  /** `notification/sink` */
  readonly stream: string;
  /** How many. */
  readonly count: number;
  readonly result: string;
  /** `''` where the result says all. */
  readonly reason: string;
}

/** For whoever looks at a journal: `2026-01-05T20:00:00.000Z #12 Success night/ops delivered`. */
const lineOf = ({ at, seq, event, stream, count, result, reason }: Ending): string =>
  `${at} #${seq} ${event} ${stream} ${result}${reason === '' ? '' : ` ${reason}`}${count === 1 ? '' : ` (${count})`}`;

/** How many outcomes are kept. */
const OUTCOMES = 20;
/** Roots that are kept for one sink of a plan: a night and a morning are two, and a cycle may be run again. */
const ROOTS_PER_SINK = 8;
/** …and of all sinks together: those that come and go leave theirs behind. */
const ROOTS = 256;

/** All that is kept of one plan: what was observed of it, what waits to be delivered, where its threads stand. */
export class JournalState {
  /** What waits. The dispatcher takes out of it what has ended. */
  readonly log: PlanLog;
  /** By root key, the one that was saved last at the end. */
  readonly roots = new Map<string, RootRecord>();
  /** A line each, the newest at the end. */
  outcomes: string[] = [];
  observed: Observed;

  constructor(observed: Observed, log: PlanLog) {
    this.observed = observed;
    this.log = log;
  }

  tell(ending: Ending): void {
    this.outcomes.push(lineOf(ending));
    if (this.outcomes.length > OUTCOMES) this.outcomes.shift();
  }

  /** Keeps a root; the one that was saved longest ago goes where there are too many, of the same sink or of all. */
  keepRoot(key: string, record: RootRecord): void {
    this.roots.delete(key);
    this.roots.set(key, record);
    const { sink } = partsOfRootKey(key);
    const ofSink = [...this.roots.keys()].filter((other) => partsOfRootKey(other).sink === sink);
    const [ofAll = ''] = this.roots.keys();
    if (this.roots.size > ROOTS) this.roots.delete(ofAll);
    const [oldest = ''] = ofSink;
    if (ofSink.length > ROOTS_PER_SINK) this.roots.delete(oldest);
  }

  /** Forgets all roots but the newest of each sink. False: there were no others. */
  thinRoots(): boolean {
    const before = this.roots.size;
    const newest = new Map([...this.roots.keys()].map((key) => [partsOfRootKey(key).sink, key]));
    for (const key of this.roots.keys())
      if (newest.get(partsOfRootKey(key).sink) !== key) this.roots.delete(key);
    return this.roots.size < before;
  }
}
