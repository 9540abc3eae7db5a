import type { Context } from '../../context.ts';

const BATCH = 256;

/** Characters of an alphabet of at most 256, each as likely as any other. */
export function randomText({ budget, random }: Context, alphabet: string, count: number): string {
  budget.grow(count);
  // Bytes beyond the last whole multiple would make the first characters likelier.
  const fair = 256 - (256 % alphabet.length);
  const characters: string[] = [];
  while (characters.length < count) {
    const bytes = random(Math.min(BATCH, count - characters.length));
    budget.spend(bytes.length);
    for (const byte of bytes) if (byte < fair) characters.push(alphabet.charAt(byte % alphabet.length));
  }
  return characters.join('');
}

/** A whole number from 0 to below `limit`, each as likely as any other. The limit is positive. */
export function randomBelow({ budget, random }: Context, limit: bigint): bigint {
  const fair = 2n ** 64n - (2n ** 64n % limit);
  for (;;) {
    budget.spend(1);
    const drawn = new DataView(random(8).slice().buffer).getBigUint64(0);
    if (drawn < fair) return drawn % limit;
  }
}
