/**
 * Loaded into a measured service (`node --import`). Answers its parent with its memory, its processor time, and the longest stall of its
 * event loop. See `scale/process.ts`.
 */

export interface Memory {
  /** Resident bytes, from Node. */
  readonly rss: number;
  /** The longest turn of the event loop since the last answer, in milliseconds. */
  readonly stalledMs: number;
  /**
   * The most processor time that the process used between two turns, all threads. Much less than the stall, if the machine had other
   * work.
   */
  readonly stalledCpuMs: number;
  /** Processor time since the process began, all threads. */
  readonly cpuMs: number;
}

const TICK_MS = 4;
let last = performance.now();
let cpu = process.cpuUsage();
let stalled = { stalledMs: 0, stalledCpuMs: 0 };
setInterval(() => {
  const now = performance.now();
  const { user, system } = process.cpuUsage(cpu);
  const late = now - last - TICK_MS;
  stalled = {
    stalledMs: Math.max(stalled.stalledMs, late),
    stalledCpuMs: Math.max(stalled.stalledCpuMs, (user + system) / 1000),
  };
  last = now;
  cpu = process.cpuUsage();
}, TICK_MS).unref();

process.on('message', () => {
  const { user, system } = process.cpuUsage();
  const cpuMs = (user + system) / 1000;
  process.send?.({ rss: process.memoryUsage.rss(), ...stalled, cpuMs } satisfies Memory);
  stalled = { stalledMs: 0, stalledCpuMs: 0 };
});
// Ends when the parent has failed. The channel to a living parent does not keep this process alive.
process.on('disconnect', () => process.exit());
process.channel?.unref();
