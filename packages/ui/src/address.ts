import { useEffect, useState } from 'preact/hooks';

/** The views with a tab, in the order of the tabs. */
export const TABS = ['tonight', 'now', 'nights', 'messages', 'why', 'template'] as const;
/** All views of the page. */
export const VIEWS = [...TABS, 'delivery'] as const;
export type View = (typeof VIEWS)[number];

/** What the fragment of the address says: `#why/payments/storefront`, `#tonight?namespace=shop&zone=UTC` */
export interface Address {
  readonly view: View;
  /** What follows the view, decoded. */
  readonly rest: readonly string[];
  /** Filters and other settings of the view, by name. What is not set is as at first. Default: none. */
  readonly query?: Readonly<Record<string, string>>;
}

/** Parses a fragment. What it does not know is the first view. */
export function parseAddress(fragment: string): Address {
  const [, path = '', text = ''] = /^#?([^?]*)\??(.*)$/s.exec(fragment) ?? [];
  const [name, ...rest] = path.split('/');
  const view = VIEWS.find((each) => each === name);
  if (view === undefined) return { view: VIEWS[0], rest: [], query: {} };
  return { view, rest: rest.map(decoded), query: Object.fromEntries(new URLSearchParams(text)) };
}

export function formatAddress({ view, rest, query = {} }: Address): string {
  const text = new URLSearchParams(query).toString();
  return `#${[view, ...rest.map(encodeURIComponent)].join('/')}${text === '' ? '' : `?${text}`}`;
}

/** The address of another view. The zone of the times stays. */
export const linkTo = (view: View, ...rest: readonly string[]): string => linkWith(view, {}, ...rest);

/** …with these settings. */
export function linkWith(
  view: View,
  settings: Readonly<Record<string, string>>,
  ...rest: readonly string[]
): string {
  const { zone: _, ...others } = settings;
  const zone = parseAddress(location.hash).query?.zone;
  return formatAddress({ view, rest, query: zone === undefined ? others : { ...others, zone } });
}

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

/**
 * A setting of the view that is in its address, so that a link or Back has it. Returns its value and a function that sets it. `first` is the
 * value that the address does not name.
 */
export function useSetting(name: string, first = ''): readonly [string, (value: string) => void] {
  const { query = {} } = useAddress();
  return [
    query[name] ?? first,
    (value) => {
      const address = parseAddress(location.hash);
      const { [name]: _, ...others } = address.query ?? {};
      const next = { ...address, query: value === first ? others : { ...others, [name]: value } };
      history.replaceState(history.state, '', formatAddress(next));
      // The browser sends none for a replaced address.
      dispatchEvent(new Event('hashchange'));
    },
  ];
}
