/**
 * The signals that start a stop. Kubernetes and systemd send SIGTERM, Ctrl-C sends SIGINT, a closed terminal sends SIGHUP (Node handles
 * it also under `nohup`).
 */
export const STOP_SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

export type StopSignal = (typeof STOP_SIGNALS)[number];

/** Resolves with the next of these signals. */
export function stopSignal(): Promise<StopSignal> {
  return new Promise((resolve) => {
    const stop = (signal: NodeJS.Signals): void => {
      for (const each of STOP_SIGNALS) process.off(each, stop);
      resolve(signal as StopSignal);
    };
    for (const each of STOP_SIGNALS) process.on(each, stop);
  });
}
