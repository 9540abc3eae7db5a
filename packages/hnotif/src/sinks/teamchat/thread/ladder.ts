/** Forms of one message, each plainer than the one before: a chat that refuses one gets the next. */
export type Ladder<F> = readonly [F, ...F[]];

export const formAt = <F>(ladder: Ladder<F>, rung: number): F => ladder[rung] ?? ladder.at(-1) ?? ladder[0];

export const isPlainest = (ladder: Ladder<unknown>, rung: number): boolean => rung >= ladder.length - 1;
