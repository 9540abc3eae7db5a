import { useEffect, useState } from 'preact/hooks';

/** The views of the page, in the order of the tabs. */
export const VIEWS = ['tonight', 'messages', 'why', 'template'] as const;
export type View = (typeof VIEWS)[number];

/** What the fragment of the address says: `#why/payments/storefront` */
export interface Address {
  readonly view: View;
  /** What follows the view, decoded. */
  readonly rest: readonly string[];
}

/** Parses a fragment. What it does not know is the first view. */
export function parseAddress(fragment: string): Address {
  const [name, ...rest] = fragment.replace(/^#/, '').split('/');
  const view = VIEWS.find((each) => each === name);
  return view === undefined ? { view: VIEWS[0], rest: [] } : { view, rest: rest.map(decoded) };
}

export const formatAddress = ({ view, rest }: Address): string =>
  `#${[view, ...rest.map(encodeURIComponent)].join('/')}`;

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** The address of the page, followed. */
export function useAddress(): Address {
  const [fragment, setFragment] = useState(location.hash);
  useEffect(() => {
    const changed = (): void => {
      setFragment(location.hash);
    };
    addEventListener('hashchange', changed);
    return () => {
      removeEventListener('hashchange', changed);
    };
  }, []);
  return parseAddress(fragment);
}
