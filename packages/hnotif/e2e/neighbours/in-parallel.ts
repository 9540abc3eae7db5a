/** Calls `run` for 0 to `count` - 1, with a limited number at a time. */
export async function inParallel(
  count: number,
  run: (index: number) => Promise<unknown>,
  atOnce = 20,
): Promise<void> {
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < count) await run(next++);
  };
  await Promise.all(Array.from({ length: Math.min(count, atOnce) }, worker));
}
