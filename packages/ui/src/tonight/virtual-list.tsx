import type { ComponentChildren } from 'preact';
import { formatAddress, useAddress } from '../address.ts';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

interface VirtualListProps<T> {
  readonly items: readonly T[];
  /** Of each row (pixels). */
  readonly rowHeight: number;
  readonly label: string;
  /** Whether all rows exist, one after the other. Default: only the visible ones. */
  readonly isWhole?: boolean;
  readonly keyOf: (item: T) => string;
  readonly children: (item: T) => ComponentChildren;
}

/** Rows above and below the visible ones. */
const MORE = 4;

/** How a list was left, and in which address: Back returns to it. */
let left: { fragment: string; top: number; key?: string | undefined; element?: string } = {
  fragment: '',
  top: 0,
};

/** A long list. */
export function VirtualList<T>({
  items,
  rowHeight,
  label,
  isWhole = false,
  keyOf,
  children,
}: VirtualListProps<T>) {
  const box = useRef<HTMLDivElement>(null);
  const fragment = useRef('');
  fragment.current = formatAddress(useAddress());
  const [{ top, height }, setPlace] = useState(() => {
    if (left.fragment !== fragment.current) left = { fragment: fragment.current, top: 0 };
    return { top: left.top, height: 600 };
  });
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null || isWhole) return;
    const measure = (): void => {
      left = { ...left, fragment: fragment.current, top: element.scrollTop };
      setPlace((before) =>
        before.top === element.scrollTop && before.height === element.clientHeight
          ? before
          : { top: element.scrollTop, height: element.clientHeight },
      );
    };
    element.scrollTop = left.top;
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    element.addEventListener('scroll', measure, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', measure);
    };
  }, [isWhole]);
  useEffect(() => {
    const { key, element = '' } = left;
    if (key === undefined || document.activeElement?.contains(box.current) !== true) return;
    box.current?.querySelector<HTMLElement>(`[data-key="${CSS.escape(key)}"] ${element}`)?.focus();
  }, []);
  const first = isWhole ? 0 : Math.max(0, Math.floor(top / rowHeight) - MORE);
  const last = isWhole ? items.length : Math.min(items.length, Math.ceil((top + height) / rowHeight) + MORE);
  return (
    <div
      class="list"
      ref={box}
      tabIndex={0}
      role="region"
      aria-label={label}
      onFocusIn={({ target }) => {
        if (!(target instanceof Element)) return;
        left = { ...left, key: target.closest('li')?.dataset.key, element: target.tagName };
      }}
    >
      <ul class="rows" style={{ height: `${items.length * rowHeight}px` }}>
        {items.slice(first, last).map((item, at) => (
          <li
            key={keyOf(item)}
            data-key={keyOf(item)}
            class="row"
            aria-setsize={items.length}
            aria-posinset={first + at + 1}
            style={{ transform: `translateY(${(first + at) * rowHeight}px)`, height: `${rowHeight}px` }}
          >
            {children(item)}
          </li>
        ))}
      </ul>
    </div>
  );
}
