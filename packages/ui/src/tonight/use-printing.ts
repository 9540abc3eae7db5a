import { flushSync } from 'preact/compat';
import { useEffect, useState } from 'preact/hooks';

/** Whether the page is being printed. The browser takes its picture as soon as `beforeprint` returns, so the page is rendered at once. */
export function usePrinting(): boolean {
  const [isPrinting, setPrinting] = useState(false);
  useEffect(() => {
    const changed = ({ type }: Event): void => flushSync(() => setPrinting(type === 'beforeprint'));
    addEventListener('beforeprint', changed);
    addEventListener('afterprint', changed);
    return () => {
      removeEventListener('beforeprint', changed);
      removeEventListener('afterprint', changed);
    };
  }, []);
  return isPrinting;
}
