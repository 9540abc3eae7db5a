/** A task that is asked for while it runs, runs once more after that, however often it was asked for. The task must not reject. */
export function oneAtATime(run: () => Promise<void>): () => void {
  let isRunning = false;
  let isWanted = false;
  const start = async (): Promise<void> => {
    isRunning = true;
    do {
      isWanted = false;
      await run();
    } while (isWanted);
    isRunning = false;
  };
  return () => {
    isWanted = true;
    if (!isRunning) void start();
  };
}
