/** The time that a thread works. */

/** The CPU time of the calling thread, in microseconds. */
type ThreadCpuUsage = () => { readonly user: number; readonly system: number };

/** The smallest part of a processor that a thread is assumed to get where its CPU time is not known. */
const LEAST_SHARE = 0.1;

/**
 * A clock in milliseconds that goes on only while the thread works: its CPU time, by Node 22.15, 23.9 and later. Other hosts know only
 * wall time, which also passes while the thread waits for a processor. There it runs at a tenth of the speed.
 */
export function workClock(threadCpuUsage: ThreadCpuUsage | undefined): () => number {
  if (threadCpuUsage === undefined) return () => performance.now() * LEAST_SHARE;
  return () => {
    const { user, system } = threadCpuUsage();
    return (user + system) / 1000;
  };
}

interface Host {
  readonly process?: { readonly threadCpuUsage?: ThreadCpuUsage };
}

/** The {@link workClock} of the host. */
export const workTime: () => number = /* @__PURE__ */ workClock((globalThis as Host).process?.threadCpuUsage);
