/**
 * Loaded into a service that is measured (`node --import`): answers its parent with its memory, its processor time, and the longest
 * stall of its event loop. See `scale/process.ts`.
 */

export interface Memory {
  /** Resident bytes, as Node tells them. */
  readonly rss: number;
  /** The longest time since the last answer in which the event loop did nothing else, in milliseconds. */
  readonly stalledMs: number;
  /** The most processor time that the process took between two turns, all threads: much less, where the machine had other work. */
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
// A parent that has failed leaves nothing behind; the channel to one that lives does not keep us alive.
process.on('disconnect', () => process.exit());
process.channel?.unref();
