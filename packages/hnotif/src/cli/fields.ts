import { isRaw, type Raw } from '@hnotif/core/resources';

/** A field of a raw object. The functions below read one of a type; another type counts as absent. */
export const valueAt = (raw: unknown, ...path: readonly string[]): unknown =>
  path.reduce((value, key) => (isRaw(value) ? value[key] : undefined), raw);

export const objectAt = (raw: unknown, ...path: readonly string[]): Raw => {
  const value = valueAt(raw, ...path);
  return isRaw(value) ? value : {};
};

export const listAt = (raw: unknown, ...path: readonly string[]): readonly unknown[] => {
  const value = valueAt(raw, ...path);
  return Array.isArray(value) ? value : [];
};

/** A text, or `''`. */
export const textAt = (raw: unknown, ...path: readonly string[]): string => {
  const value = valueAt(raw, ...path);
  return typeof value === 'string' ? value : '';
};

export const numberAt = (raw: unknown, ...path: readonly string[]): number | undefined => {
  const value = valueAt(raw, ...path);
  return typeof value === 'number' ? value : undefined;
};
