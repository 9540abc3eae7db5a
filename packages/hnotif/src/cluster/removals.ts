import { isRaw } from './objects.ts';

/** `wanted` as a merge patch (RFC 7396) that also removes fields that only `before` has. Lists are replaced as a whole. */
export function withRemovals(wanted: object, before: object | undefined): object {
  if (before === undefined) return wanted;
  const patch: Record<string, unknown> = { ...wanted };
  for (const [key, old] of Object.entries(before)) {
    const value = patch[key];
    if (value === undefined) patch[key] = null;
    else if (isRaw(value) && isRaw(old)) patch[key] = withRemovals(value, old);
  }
  return patch;
}
