/**
 * Finds a plan: by its full name (`namespace/name`), else by its name in any namespace, else the first that contains the text. A full name that
 * is not known is returned as it is, because the plan may have been deleted. Undefined: no plan matches.
 */
export function planLike(plans: readonly string[], wanted: string): string | undefined {
  const text = wanted.trim();
  if (text === '') return undefined;
  return (
    plans.find((plan) => plan === text) ??
    plans.find((plan) => plan.endsWith(`/${text}`)) ??
    plans.find((plan) => plan.includes(text)) ??
    (/^[^/\s]+\/[^/\s]+$/.test(text) ? text : undefined)
  );
}
