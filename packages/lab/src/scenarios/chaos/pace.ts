/** The time from a write to its state in a journal that a player takes as normal (milliseconds). After a kill it is a little longer than the Lease. */
const NORMAL_MS = 2_000;
/** How much one state changes the average. */
const SHARE = 0.05;

/**
 * Slows the players down when hnotif stores states late. On a slow machine a run then takes longer, but a process has the same work in each of
 * its lives. Without this, a killed process leaves thousands of deliveries to the next one, and the run shows only that the machine is slow.
 */
export class Pace {
  #lagMs = 0;

  /** A state was stored this long after its write. */
  stored(lagMs: number): void {
    this.#lagMs += (lagMs - this.#lagMs) * SHARE;
  }

  /** A pause, as long as it must be now (milliseconds). */
  stretch(ms: number): number {
    return ms * Math.max(1, this.#lagMs / NORMAL_MS);
  }
}
