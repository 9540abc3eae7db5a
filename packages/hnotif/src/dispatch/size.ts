import type { LifecycleEvent, TargetState } from '../lifecycle/event.ts';

/** What an object and its references cost besides its texts; measured on V8, rounded up. */
const OVERHEAD = 400;
const TARGET_OVERHEAD = 120;

/** Bytes an event keeps alive by itself: its texts (two bytes a character, the worst case), not its target table. */
export function sizeOfEvent(event: LifecycleEvent): number {
  const texts =
    event.plan.length +
    event.namespace.length +
    event.phase.length +
    event.errorMessage.length +
    event.cycle.length;
  return OVERHEAD + 2 * (texts + (event.targetExecution?.message.length ?? 0));
}

function sizeOfTable(targets: readonly TargetState[]): number {
  let bytes = 0;
  for (const target of targets)
    bytes += TARGET_OVERHEAD + 2 * (target.name.length + target.executor.length + target.message.length);
  return bytes;
}

/**
 * Counts the bytes of everything that waits. All events of one step share one target table, and all streams of
 * an event share the event: a table is counted once, however many wait for it.
 */
export class BacklogSize {
  #own = 0;
  #tables = 0;
  readonly #shared = new Map<readonly TargetState[], { users: number; bytes: number }>();

  get bytes(): number {
    return this.#own + this.#tables;
  }

  /** What an event would add. */
  cost(event: LifecycleEvent, own: number): number {
    return own + (this.#shared.has(event.targets) ? 0 : sizeOfTable(event.targets));
  }

  add(event: LifecycleEvent, own: number): void {
    this.#own += own;
    const known = this.#shared.get(event.targets);
    if (known !== undefined) {
      known.users++;
      return;
    }
    const bytes = sizeOfTable(event.targets);
    this.#shared.set(event.targets, { users: 1, bytes });
    this.#tables += bytes;
  }

  remove(event: LifecycleEvent, own: number): void {
    this.#own -= own;
    const known = this.#shared.get(event.targets);
    if (known === undefined || --known.users > 0) return;
    this.#shared.delete(event.targets);
    this.#tables -= known.bytes;
  }
}
