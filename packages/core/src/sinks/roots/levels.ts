/** Forms of one message, each plainer than the one before. */
export type FallbackLevels<F> = readonly [F, ...F[]];

export const formAtLevel = <F>(forms: FallbackLevels<F>, level: number): F =>
  forms[level] ?? forms.at(-1) ?? forms[0];

export const isLastLevel = (forms: FallbackLevels<unknown>, level: number): boolean =>
  level >= forms.length - 1;

export const mapLevels = <F, G>(
  [first, ...plainer]: FallbackLevels<F>,
  map: (form: F) => G,
): FallbackLevels<G> => [map(first), ...plainer.map(map)];
