/**
 * A task that is asked for while it runs, runs once more after that, however often it was asked for. The task must not reject. What asks
 * gets a promise that resolves when nothing that was asked for is left.
 */
export function oneAtATime(run: () => Promise<void>): () => Promise<void> {
  let isWanted = false;
  let running: Promise<void> | undefined;
  const start = async (): Promise<void> => {
    while (isWanted) {
      isWanted = false;
      await run();
    }
    running = undefined;
  };
  return () => {
    isWanted = true;
    return (running ??= start());
  };
}
