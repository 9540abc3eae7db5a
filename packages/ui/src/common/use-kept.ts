import { useState } from 'preact/hooks';

/** The states that their views left, by name. */
const kept = new Map<string, unknown>();

/** A state that outlives its view, so that Back finds the view as it was. `name`: that of the state, always of the same type. */
export function useKept<T>(name: string, first: T): readonly [T, (next: T) => void] {
  const [value, setValue] = useState<T>(() => (kept.has(name) ? (kept.get(name) as T) : first));
  return [
    value,
    (next) => {
      kept.set(name, next);
      setValue(() => next);
    },
  ];
}
