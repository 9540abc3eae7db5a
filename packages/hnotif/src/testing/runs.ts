/** Cases of a property test that is slow: few by default. `HNOTIF_RUNS=10` tries ten times as many. */
export const runs = (few: number): number => few * Number(process.env.HNOTIF_RUNS ?? 1);
