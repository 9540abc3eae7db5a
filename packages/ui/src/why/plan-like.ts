/**
 * The plan that somebody means: the one of that name, of that name in any namespace, or the first with such a part. `plans` and `wanted` are
 * `namespace/name`. One that is not known may have been deleted: it can be asked for by its full name. Undefined: no plan is like that.
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
