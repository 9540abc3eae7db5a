import type { RefObject } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';

/** The width of an element (pixels), followed. */
export function useWidth(element: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const found = element.current;
    if (found === null) return;
    const observer = new ResizeObserver(() => {
      setWidth(found.clientWidth);
    });
    observer.observe(found);
    return () => {
      observer.disconnect();
    };
  }, [element]);
  return width;
}
