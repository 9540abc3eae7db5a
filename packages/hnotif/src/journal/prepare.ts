import { nextTurn, type Clock } from '@hnotif/core/clock';
import { inSlices, laterInSlices } from '../slices.ts';
import type { WriteProblem } from './durability.ts';
import type { Entries } from './entries.ts';
import type { EntryObject } from './place.ts';
import type { PlanJournal, PlanWrite } from './plan-journal.ts';
import { SMALL } from './state.ts';
import type { WriteSchedule } from './write-schedule.ts';

/** The largest entry (characters of one byte). Many clusters refuse objects of 1 MiB and more. */
const LARGEST_ENTRY = 700_000;
/** A larger entry gets a dedicated object (characters): the API server stores a whole object at each write. */
const LARGEST_SHARED = 32 * 1024;
/** The largest shared object (characters, of up to three bytes). The entries of many plans are moved when they are smaller. */
const LARGEST_OBJECT = 400_000;

const TOO_LARGE: WriteProblem = {
  reason: 'JournalTooLarge',
  message: 'what has to be remembered of the plan is too large',
};

interface Preparation {
  readonly clock: Clock;
  readonly entries: Entries;
  readonly schedule: Pick<WriteSchedule, 'prepared' | 'taken'>;
  /** Undefined: the object is a dedicated one. Otherwise that of a plan. */
  readonly dedicated: ((plan: PlanJournal) => EntryObject<PlanJournal>) | undefined;
  /** An entry is too large, and nothing more of it can be dropped. */
  readonly tooLarge: (why: WriteProblem) => void;
}

/** Prepares the writes of the plans of an object that have changed. A plan whose entry is too large moves or, in a dedicated object, gets a shorter one. */
export async function prepareWrites(preparation: Preparation): Promise<readonly PlanWrite[]> {
  const { clock, dedicated, entries, schedule, tooLarge } = preparation;
  let tookMs = 0;
  const took = (ms: number): number => (tookMs += ms);
  const writes: PlanWrite[] = [];
  function* takeChanges(): ReturnType<Entries['takeChanges']> {
    schedule.taken();
    return yield* entries.takeChanges();
  }
  const share = Math.max(SMALL, LARGEST_OBJECT / entries.kept);
  const room = dedicated ? Math.min(LARGEST_SHARED, share) : LARGEST_ENTRY;
  // Dozens of writes may begin in one turn of the event loop. They are prepared in other ones, and the changes until then join them.
  for (const draft of await laterInSlices(clock, takeChanges(), took)) {
    const { plan } = draft;
    const completing = plan.state.complete(draft, room);
    let write = completing instanceof Promise ? await completing : completing;
    // If it has left the object meanwhile, its plan was deleted.
    if (write === undefined && entries.has(plan)) {
      if (dedicated) plan.moveTo(dedicated(plan));
      else write = await shortWrite(plan, clock, took);
      if (write === undefined && entries.has(plan)) tooLarge(TOO_LARGE);
    }
    if (write !== undefined) writes.push(write);
  }
  schedule.prepared(tookMs);
  // Plans that were deleted meanwhile are not written again.
  return writes.filter(({ plan }) => entries.has(plan));
}

/** A write of all of the plan with long messages cut. Drops what is needed least until it fits; undefined: nothing more can be dropped. */
async function shortWrite(
  plan: PlanJournal,
  clock: Clock,
  took: (ms: number) => void,
): Promise<PlanWrite | undefined> {
  const { log } = plan.state;
  for (;;) {
    const { pending } = log;
    plan.state.rewrite();
    await nextTurn();
    const draft = await inSlices(clock, plan.draft(true), took);
    const write = await plan.state.complete(draft, LARGEST_ENTRY);
    // The plan may have been deleted meanwhile. Its deliveries are finished from memory.
    if (write !== undefined || plan.place.kind === 'none') return write;
    // Deliveries that ended meanwhile have made room.
    if (log.pending >= pending && !plan.makeRoom()) return undefined;
  }
}
