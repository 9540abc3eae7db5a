/** The plan of exactly this name: `namespace/name`, or a name that one plan alone has. Undefined: there is none. */
export function planNamed(plans: readonly string[], wanted: string): string | undefined {
  const text = wanted.trim();
  if (plans.includes(text)) return text;
  const [plan, other] = plans.filter((each) => each.endsWith(`/${text}`));
  return other === undefined ? plan : undefined;
}

/** The words of a text, as names have them: in lower case. */
export const wordsOf = (text: string): readonly string[] => text.toLowerCase().split(/\s+/).filter(Boolean);

/** The plans that have all words of a text in `namespace/name`; none for no words. */
export function plansLike(plans: readonly string[], text: string): readonly string[] {
  const words = wordsOf(text);
  return words.length === 0 ? [] : plans.filter((plan) => words.every((word) => plan.includes(word)));
}
