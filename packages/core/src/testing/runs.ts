/** The number of cases of a slow property test: few by default. `HNOTIF_RUNS=10` runs ten times as many. */
export const runs = (few: number): number => few * Number(process.env.HNOTIF_RUNS ?? 1);

/** The first value of the random numbers; `HNOTIF_SEED=7` gives other cases. */
export const seed = Number(process.env.HNOTIF_SEED ?? 20_260_105);
