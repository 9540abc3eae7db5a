import { createContext } from 'preact';
import { useContext, useEffect, useReducer } from 'preact/hooks';
import type { Store } from '../store.ts';

export const StoreContext = createContext<Store | undefined>(undefined);

/** The store, and a new rendering after each change of it. */
export function useStore(): Store {
  const store = useContext(StoreContext);
  if (store === undefined) throw new Error('there is no store above this component');
  const [, again] = useReducer<number, undefined>((count) => count + 1, 0);
  useEffect(
    () =>
      store.follow(() => {
        again(undefined);
      }),
    [store],
  );
  return store;
}
