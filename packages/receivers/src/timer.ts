/** Calls `run` once after `ms` milliseconds. Returns a function that cancels it. */
export type After = (ms: number, run: () => void) => () => void;

export const realAfter: After = (ms, run) => {
  const timer = setTimeout(run, ms);
  return () => {
    clearTimeout(timer);
  };
};
