import { expect } from 'vitest';

/** Resolves with what `look` gives once it throws no more. The limit is that of `expect.poll`, for all waits the same. */
export async function eventually<T>(look: () => T | Promise<T>): Promise<T> {
  const found: T[] = [];
  await expect.poll(async () => found.push(await look())).toBe(1);
  return found[0] as T;
}
