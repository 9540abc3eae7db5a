/** Forms of one message, each plainer than the one before: a chat that refuses one gets the next. */
export type FallbackLevels<F> = readonly [F, ...F[]];

export const formAtLevel = <F>(ladder: FallbackLevels<F>, level: number): F =>
  ladder[level] ?? ladder.at(-1) ?? ladder[0];

export const isLastLevel = (ladder: FallbackLevels<unknown>, level: number): boolean =>
  level >= ladder.length - 1;
