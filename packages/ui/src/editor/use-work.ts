import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { parseAddress } from '../address.ts';
import { KeptWork } from './kept-work.ts';
import { EXAMPLE_EVENT, type Work } from './work.ts';

/** After the last change, until the address has it (milliseconds). */
const SETTLED_MS = 300;

/** One for all visits of the editor: an address without work goes on with that of the last visit. */
const KEPT = new KeptWork({
  get: () => location.hash,
  replace: (fragment) => history.replaceState(history.state, '', fragment),
});

export interface UsedWork {
  /** Undefined: the address is being read. */
  readonly work: Work | undefined;
  /** Whether the address held something that is no work. */
  readonly isUnreadable: boolean;
  readonly change: (change: Partial<Work>) => void;
  /** The address of the page with the work as it is now. */
  readonly link: () => Promise<string>;
}

/** The work, kept by the address of the page. */
export function useWork(first: Pick<Work, 'sink' | 'template'>): UsedWork {
  const [work, setWork] = useState(() => KEPT.current);
  const [isUnreadable, setUnreadable] = useState(false);
  const settling = useRef<ReturnType<typeof setTimeout>>(undefined);

  useEffect(() => {
    const load = async (): Promise<void> => {
      const read = await KEPT.read({ ...first, event: EXAMPLE_EVENT });
      if (read !== undefined) {
        setUnreadable(read.isUnreadable);
        setWork(read.work);
      }
      void KEPT.write();
    };
    void load();
    const changed = (): void => {
      if (parseAddress(location.hash).view === 'template') void load();
    };
    addEventListener('hashchange', changed);
    return () => {
      removeEventListener('hashchange', changed);
    };
  }, []);

  return {
    ...{ work, isUnreadable },
    change: useCallback((change) => {
      setUnreadable(false);
      setWork(KEPT.change(change));
      clearTimeout(settling.current);
      settling.current = setTimeout(() => void KEPT.write(), SETTLED_MS);
    }, []),
    link: useCallback(async () => {
      await KEPT.write();
      return location.href;
    }, []),
  };
}
