/**
 * The signals that ask a process to end: Kubernetes and systemd send SIGTERM, Ctrl-C sends SIGINT, a terminal that is
 * closed SIGHUP (`nohup` changes nothing, for Node takes the signal back).
 */
export const STOP_SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

export type StopSignal = (typeof STOP_SIGNALS)[number];

/** Resolves with the next signal that asks the process to end. */
export function stopSignal(): Promise<StopSignal> {
  return new Promise((resolve) => {
    const stop = (signal: NodeJS.Signals): void => {
      for (const each of STOP_SIGNALS) process.off(each, stop);
      resolve(signal as StopSignal);
    };
    for (const each of STOP_SIGNALS) process.on(each, stop);
  });
}
