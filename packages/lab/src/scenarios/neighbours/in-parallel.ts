const AT_ONCE = 20;

/** Calls `run` for 0 to `count` - 1, with a limited number at a time. */
export async function inParallel(count: number, run: (index: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < count) await run(next++);
  };
  await Promise.all(Array.from({ length: Math.min(count, AT_ONCE) }, worker));
}
