import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { linkTo, parseAddress } from '../address.ts';
import { decodeWork, encodeWork } from './address-code.ts';
import { EXAMPLE_EVENT, eventOfLink, type Work } from './work.ts';

/** After the last change, until the address has it (milliseconds). */
const SETTLED_MS = 300;

/** The work of an editor that was left for another view: an address without work goes on with it. */
let left: Work | undefined;

export interface KeptWork {
  /** Undefined: the address is being read. */
  readonly work: Work | undefined;
  /** Whether the address held something that is no work. */
  readonly isUnreadable: boolean;
  readonly change: (change: Partial<Work>) => void;
  /** The address of the page with the work as it is now. */
  readonly link: () => Promise<string>;
}

/** The work, kept by the address of the page. `code`: the part of the address that has it. */
export function useWork(code: string | undefined, first: Pick<Work, 'sink' | 'template'>): KeptWork {
  const [work, setWork] = useState<Work>();
  const [isUnreadable, setUnreadable] = useState(false);
  /** What this page wrote, or has read. */
  const known = useRef<string | undefined>(undefined);
  const latest = useRef<Work | undefined>(undefined);
  latest.current = work;
  useLayoutEffect(() => {
    left = work ?? left;
  }, [work]);

  const write = useCallback(async (): Promise<void> => {
    if (latest.current === undefined) return;
    const written = await encodeWork(latest.current);
    known.current = written;
    // Not a step of its own in the history: Back leaves the editor.
    const asked = eventOfLink(parseAddress(location.hash).query ?? {});
    history.replaceState(history.state, '', linkTo('template', written));
    // The shell keeps addresses of views: it must not ask for the same again.
    if (asked !== undefined) dispatchEvent(new Event('hashchange'));
  }, []);

  const load = useCallback((wanted: string | undefined): void => {
    if (wanted !== undefined && wanted === known.current) return;
    known.current = wanted;
    const kept = latest.current ?? left ?? { ...first, event: EXAMPLE_EVENT };
    const { view, query = {} } = parseAddress(location.hash);
    const asked = view === 'template' ? eventOfLink(query) : undefined;
    const begun = asked === undefined ? kept : { ...kept, event: asked };
    if (wanted === undefined) {
      setWork(begun);
      // Otherwise it is written when it is there.
      if (asked === undefined) void write();
      return;
    }
    void decodeWork(wanted).then((read) => {
      if (known.current !== wanted) return;
      setUnreadable(read === undefined);
      setWork(read ?? begun);
    });
  }, []);

  useEffect(() => {
    load(code);
    // Of the page itself: it does not know what was written here.
    const changed = (): void => {
      const { view, rest } = parseAddress(location.hash);
      if (view === 'template') load(rest[0]);
    };
    addEventListener('hashchange', changed);
    return () => {
      removeEventListener('hashchange', changed);
    };
  }, []);

  useEffect(() => {
    const timer = setTimeout(() => void write(), SETTLED_MS);
    return () => {
      clearTimeout(timer);
    };
  }, [work]);

  return {
    ...{ work, isUnreadable },
    change: useCallback((change) => {
      setUnreadable(false);
      setWork((before) => before && { ...before, ...change });
    }, []),
    link: useCallback(async () => {
      await write();
      return location.href;
    }, []),
  };
}
