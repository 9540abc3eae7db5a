import type { RefObject } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';

/** The width of an element (pixels), followed. It is measured at once when `layout` changes. */
export function useWidth(element: RefObject<HTMLElement | null>, layout: unknown): number {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const found = element.current;
    if (found === null) return;
    const measure = (): void => setWidth(found.clientWidth);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(found);
    return () => {
      observer.disconnect();
    };
  }, [element, layout]);
  return width;
}
